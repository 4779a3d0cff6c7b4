"""A dialect whose ops are imported one by one has the same ops as its modules, and no others."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.irdl import IRDLOperation

from xtriton import universe
from xtriton.dialects import tt
from xtriton.ir.contexts import LateDialect

SOURCES = Path(tt.__file__).parent


def defined(module: str) -> dict[str, str]:
    """Return the ops that are defined in a module of `tt`, with their names."""
    found = vars(import_module(f"xtriton.dialects.tt.{module}")).values()
    return {
        op.__name__: op.name.removeprefix("tt.")
        for op in found
        if isinstance(op, type)
        and issubclass(op, IRDLOperation)
        and op.__module__ == f"xtriton.dialects.tt.{module}"
        and getattr(op, "name", "").startswith("tt.")
    }


def test_each_op_is_where_the_dialect_says():
    modules = {path.stem for path in SOURCES.glob("*.py")} - {"__init__"}
    ops = {name: {c: op for c, op in home.items() if op} for name, home in tt._HOMES.items()}
    assert {m: defined(m) for m in modules if defined(m)} == {m: o for m, o in ops.items() if o}
    assert [op.name for op in tt.TT.operations] == [
        f"tt.{op}" for home in ops.values() for op in home.values()
    ]


def test_what_is_imported_late_is_what_checkers_of_types_see():
    tree = ast.parse((SOURCES / "__init__.py").read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        str(node.module).rpartition(".")[2]: [alias.name for alias in node.names]
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
    }
    assert seen == {home: list(names) for home, names in tt._HOMES.items()}
    for home, names in seen.items():
        for name in names:
            assert getattr(tt, name) is vars(import_module(f"xtriton.dialects.tt.{home}"))[name]
    with pytest.raises(AttributeError, match=r"'xtriton\.dialects\.tt' has no attribute 'nothing'"):
        getattr(tt, "nothing")  # noqa: B009


ONE_OP = """
import sys
from xtriton import universe
context = universe.context()
op = context.get_optional_op("tt.splat")
assert op is sys.modules["xtriton.dialects.tt.shapes"].SplatOp
assert context.get_optional_op("splat", dialect_stack=("tt",)) is op
assert context.get_type("tt.ptr").name == "tt.ptr"
for name in ("atomics", "casts", "legacy", "reductions"):
    assert "xtriton.dialects.tt." + name not in sys.modules, name
"""


def test_an_op_brings_its_module():
    subprocess.run([sys.executable, "-c", ONE_OP], check=True)


def test_a_context_knows_all_ops_of_a_dialect_that_it_has_loaded():
    context = universe.context()
    assert context.get_optional_op("tt.nothing") is None
    assert "tt" in {dialect.name for dialect in context.loaded_dialects}
    copy = context.clone()
    for known in (context, copy):
        assert {op.name for op in tt.TT.operations} <= {op.name for op in known.loaded_ops}
        assert known.get_op("tt.addptr") is tt.AddPtrOp
    assert isinstance(tt.TT, LateDialect)
    with pytest.raises(Exception, match="'none' dialect is not registered"):
        context.load_registered_dialect("none")


def test_an_op_that_nobody_knows_is_read_where_that_is_allowed():
    op = universe.context(allow_unregistered=True).get_op("tt.nothing")
    assert issubclass(op, UnregisteredOp)
