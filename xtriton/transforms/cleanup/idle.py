"""
Ops that simplification surely leaves alone, told by a look at what gives their operands.

Nearly all ops are as simple as they can be. Where rules say what they need (see
`canonicalization/where.py`), what there is to say of all of them is remembered by what gives the
operands, and one look tells that none will do anything. Asking each takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, OpResult
from xdsl.irdl import IRDLOperation
from xdsl.irdl.operations import VariadicDef
from xdsl.pattern_rewriter import RewritePattern

from xtriton.ir.op_facts import makes_constants
from xtriton.passes.rewriting import IdleCheck
from xtriton.transforms.cleanup.canonicalization.where import CONSTANT, Where, where_of
from xtriton.transforms.cleanup.constants import constant_of, uniform_value
from xtriton.transforms.cleanup.folder import Kind, kind_of

_Givers = tuple[type[Operation] | None, ...]
"""The classes of the ops that give operands; None for arguments of blocks."""


def idle_check_of(op_type: type[Operation], patterns: Sequence[RewritePattern]) -> IdleCheck | None:
    """Return what tells that ops of a class are left alone by folding and by `patterns`."""
    kind = kind_of(op_type)
    if kind.is_plain and not patterns:
        return _always if kind.is_never_dead else _is_used
    rules: list[object] = [*patterns] if kind.fold is None else [kind.fold, *patterns]
    places = [where for where in map(where_of, rules) if where is not None]
    if kind.is_constant or len(places) < len(rules):
        return None
    verdicts = _Verdicts(kind, places)
    make = _CHECKS.get(_operands_of_one_result(op_type))
    if make is None or (verdicts.same_type and make is not _of_one):
        return None
    return make(verdicts)


class _Verdicts(dict[_Givers, bool | None]):
    """
    Of the classes of ops that give the operands of an op whether that is left alone.

    None stands for where this depends on what number a constant is.
    """

    def __init__(self, kind: Kind, places: Sequence[Where]) -> None:
        super().__init__()
        self.kind = kind
        self.places = places
        self.numbers = frozenset[float]().union(*(where.numbers for where in places))
        """Of which it depends."""
        self.same_type = any(where.same_type for where in places)

    def __missing__(self, classes: _Givers) -> bool | None:
        givers = [_name(giver) for giver in classes]
        is_computed = self.kind.is_computed and set(givers) == {CONSTANT}
        is_mirrored = self.kind.mirror is not None and givers[0] == CONSTANT != givers[-1]
        verdict: bool | None = not (
            is_computed or is_mirrored or any(where.givers(givers) for where in self.places)
        )
        if verdict and CONSTANT in givers and self.numbers:
            verdict = None
        self[classes] = verdict
        return verdict

    def is_idle(self, op: Operation, givers: _Givers) -> bool:
        """Return whether an op is left alone."""
        verdict = self[givers]
        if verdict is not None:
            return verdict
        for value in op._operands:  # noqa: SIM110 a generator takes longer than what it gives
            if uniform_value(constant_of(value)) in self.numbers:
                return False
        return True


def _name(giver: type[Operation] | None) -> str:
    if giver is None:
        return ""
    return CONSTANT if makes_constants(giver) else giver.name


def _always(op: Operation) -> bool:
    return True


def _is_used(op: Operation) -> bool:
    """Nothing is to be done with such an op but to erase it."""
    for result in op.results:  # noqa: SIM110 a generator takes longer than what it looks for
        if result.first_use is not None:
            return True
    return False


def _of_one(verdicts: _Verdicts) -> IdleCheck:
    def is_idle(op: Operation) -> bool:
        (value,) = op._operands
        (result,) = op.results
        if result.first_use is None or (verdicts.same_type and value._type == result._type):
            return False
        return verdicts.is_idle(op, (type(value.op) if type(value) is OpResult else None,))

    return is_idle


def _of_two(verdicts: _Verdicts) -> IdleCheck:
    def is_idle(op: Operation) -> bool:
        lhs, rhs = op._operands
        (result,) = op.results
        if lhs is rhs or result.first_use is None:
            return False
        left = type(lhs.op) if type(lhs) is OpResult else None
        right = type(rhs.op) if type(rhs) is OpResult else None
        verdict = verdicts[left, right]
        return verdicts.is_idle(op, (left, right)) if verdict is None else verdict

    return is_idle


def _of_three(verdicts: _Verdicts) -> IdleCheck:
    def is_idle(op: Operation) -> bool:
        operands = op._operands
        (result,) = op.results
        if result.first_use is None or len(set(operands)) < len(operands):
            return False
        givers = [type(value.op) if type(value) is OpResult else None for value in operands]
        return verdicts.is_idle(op, tuple(givers))

    return is_idle


_CHECKS: dict[int | None, Callable[[_Verdicts], IdleCheck]] = {1: _of_one, 2: _of_two, 3: _of_three}
"""By the number of operands; ops of these have one result."""


def _operands_of_one_result(op_type: type[Operation]) -> int | None:
    """Return how many operands ops of a class have, if that is fixed and they have one result."""
    if not issubclass(op_type, IRDLOperation):
        return None
    definition = op_type.get_irdl_definition()
    values = [each for _, each in (*definition.operands, *definition.results)]
    if len(definition.results) != 1 or any(isinstance(each, VariadicDef) for each in values):
        return None
    return len(definition.operands)
