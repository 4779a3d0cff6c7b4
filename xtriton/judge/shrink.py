# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Makes a kernel small that still shows a difference.

Greedy: remove what has no results, replace values by operands of their type or by constants,
run loops once and one side of branches, as long as the question still has the same answer.
"""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.errors import UserError
from xtriton.ir.dense import splat
from xtriton.ir.value_flow import initial_values
from xtriton.ir.versions import copied

Question = Callable[[ModuleOp], bool]


def shrink(module: ModuleOp, still_shows: Question, seconds: float = 60.0) -> ModuleOp:
    """
    Return a small module for which `still_shows` is true, as it is for `module`.

    `still_shows` may raise `UserError` or `VerifyException` for modules that make no sense;
    that counts as false. Stops after so many seconds with the smallest module found.
    """
    deadline = monotonic() + seconds
    current = copied(module)
    while monotonic() < deadline:
        smaller = _one_step(current, still_shows, deadline)
        if smaller is None:
            break
        current = smaller
    return current


def _one_step(module: ModuleOp, still_shows: Question, deadline: float) -> ModuleOp | None:
    """Try every change once, from the end; return the module after all that worked."""
    changed = False
    count = sum(1 for _ in module.walk())
    position = count - 1
    while position > 0 and monotonic() < deadline:
        op = _op_at(module, position)
        for k in range(_changes(op) if op is not None else 0):
            trial = copied(module)
            target = _op_at(trial, position)
            if target is None or not _apply(target, k):
                continue
            if _answer(trial, still_shows):
                module, changed = _without_unused(trial, still_shows), True
                position = min(position, sum(1 for _ in module.walk()))
                break
        position -= 1
    return module if changed else None


def _without_unused(module: ModuleOp, still_shows: Question) -> ModuleOp:
    """Return `module` without values that nobody uses, if that shows the difference too."""
    trial = copied(module)
    unused = [op for op in reversed(list(trial.walk())) if _is_unused(op)]
    while unused:
        for op in unused:
            op.detach()
            op.erase()
        unused = [op for op in reversed(list(trial.walk())) if _is_unused(op)]
    return trial if _answer(trial, still_shows) else module


def _is_unused(op: Operation) -> bool:
    return bool(op.results) and not op.regions and all(r.first_use is None for r in op.results)


def _op_at(module: ModuleOp, position: int) -> Operation | None:
    return next((op for k, op in enumerate(module.walk()) if k == position), None)


def _answer(module: ModuleOp, still_shows: Question) -> bool:
    try:
        module.verify()
        return still_shows(module)
    except (UserError, VerifyException):
        return False


_KEPT = ("return", "yield", "condition", "module", "br", "cond_br")
_INLINED = {"scf.for": 1, "scf.if": 2}
"""Ops whose regions can stand in their place, and how many they have."""


def _changes(op: Operation) -> int:
    """Return how many changes `_apply` knows for an op."""
    name = op.name.split(".")[-1]
    if name in _KEPT or op.parent is None:
        return 0
    inlined = _INLINED.get(op.name, 0)
    if not op.results:
        return 1 + inlined
    if op.name == "arith.constant":
        return 1
    return inlined + len(op.operands) + 1


def _apply(op: Operation, k: int) -> bool:
    """Make change `k`; return whether there was one to make."""
    inlined = _INLINED.get(op.name, 0)
    if not op.results or all(r.first_use is None for r in op.results):
        if k == 0:
            op.detach()
            op.erase()
            return True
        return k <= inlined and _inline(op, k - 1)
    if op.name == "arith.constant":
        return False
    if k < inlined:
        return _inline(op, k)
    if op.name == "scf.for" and k == inlined:
        return _replace_by(op, list(initial_values(op)))
    k -= inlined
    if k < len(op.operands):
        return _replace_by(op, list(_operands_for(op, op.operands[k])))
    return _replace_by_constants(op)


def _inline(op: Operation, region: int) -> bool:
    """Put the body of a loop, run once, or one side of a branch in the place of `op`."""
    outer = op.parent
    if outer is None or len(op.regions) <= region or len(op.regions[region].blocks) != 1:
        return False
    block = op.regions[region].block
    # The induction variable, and what is carried.
    arguments = [op.operands[0], *initial_values(op)] if op.name == "scf.for" else []
    for argument, value in zip(block.args, arguments, strict=True):
        argument.replace_all_uses_with(value)
    for inner in list(block.ops):
        if inner.next_op is None and inner.name == "scf.yield":
            return _replace_by(op, list(inner.operands))
        inner.detach()
        outer.insert_ops_before([inner], op)
    return _replace_by(op, [])


def _operands_for(op: Operation, operand: SSAValue) -> Iterator[SSAValue]:
    for result in op.results:
        if operand.type != result.type:
            return
        yield operand


def _replace_by(op: Operation, values: list[Any]) -> bool:
    if len(values) != len(op.results):
        return False
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()
    return True


def _replace_by_constants(op: Operation) -> bool:
    block = op.parent
    constants: list[ConstantOp] = []
    for result in op.results:
        value = _one(result.type)
        if value is None:
            return False
        constants.append(ConstantOp(value))  # pyright: ignore[reportArgumentType]
    if block is None:
        return False
    block.insert_ops_before(constants, op)
    return _replace_by(op, [c.results[0] for c in constants])


def _one(type: Attribute) -> Attribute | None:
    """Return the constant one of a number or tensor type."""
    if isinstance(type, (IntegerType, IndexType)):
        return IntegerAttr(1, type)
    if isinstance(type, AnyFloat):
        return FloatAttr(1.0, type)
    if isinstance(type, TensorType) and isinstance(type.element_type, (IntegerType, AnyFloat)):
        value: DenseIntOrFPElementsAttr = splat(type, 1)
        return value
    return None
