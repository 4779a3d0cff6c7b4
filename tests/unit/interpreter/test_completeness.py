"""Every op has a rule or a reason why it has none."""

import pytest
from xdsl.ir import Dialect

from xtriton import universe
from xtriton.interpreter import registry
from xtriton.interpreter.exempt import EXEMPT, EXEMPT_DIALECTS
from xtriton.semantics import OPERATIONS

DIALECTS = sorted(set(universe.DIALECTS) - set(EXEMPT_DIALECTS))


def ops_of(name: str) -> set[str]:
    dialect = universe.load(universe.DIALECTS[name])
    assert isinstance(dialect, Dialect)
    return {op.name for op in dialect.operations}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_op_has_a_rule_or_a_reason(name: str) -> None:
    assert ops_of(name) - registry.known() - set(EXEMPT) == set()


def test_nothing_is_both_executed_and_excused() -> None:
    assert set(EXEMPT) & registry.known() == set()


@pytest.mark.parametrize("name", DIALECTS)
def test_no_rule_is_for_an_op_that_does_not_exist(name: str) -> None:
    names = {n for n in {*registry.known(), *EXEMPT} if n.split(".")[0] == name}
    assert names - ops_of(name) == set()


def test_semantics_are_of_ops_that_exist() -> None:
    ops = set[str]().union(*(ops_of(name) for name in ("arith", "math", "tt", "index")))
    assert set(OPERATIONS) - ops == set()
