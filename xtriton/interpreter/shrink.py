# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Makes a kernel small that still shows a difference.

Greedy: remove what has no results, replace values by operands of their type or by constants,
as long as the question still has the same answer.
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

Question = Callable[[ModuleOp], bool]


def shrink(module: ModuleOp, still_shows: Question, seconds: float = 60.0) -> ModuleOp:
    """
    Return a small module for which `still_shows` is true, as it is for `module`.

    `still_shows` may raise `UserError` or `VerifyException` for modules that make no sense;
    that counts as false. Stops after so many seconds with the smallest module found.
    """
    deadline = monotonic() + seconds
    current = module.clone()
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
            trial = module.clone()
            target = _op_at(trial, position)
            if target is None or not _apply(target, k):
                continue
            if _answer(trial, still_shows):
                module, changed = trial, True
                break
        position -= 1
    return module if changed else None


def _op_at(module: ModuleOp, position: int) -> Operation | None:
    return next((op for k, op in enumerate(module.walk()) if k == position), None)


def _answer(module: ModuleOp, still_shows: Question) -> bool:
    try:
        module.verify()
        return still_shows(module)
    except (UserError, VerifyException):
        return False


_KEPT = ("func", "return", "yield", "condition", "module", "br", "cond_br")


def _changes(op: Operation) -> int:
    """Return how many changes `_apply` knows for an op."""
    name = op.name.split(".")[-1]
    if name in _KEPT or op.parent is None:
        return 0
    if not op.results:
        return 1
    if op.name == "arith.constant":
        return 1
    return len(op.operands) + 1


def _apply(op: Operation, k: int) -> bool:
    """Make change `k`; return whether there was one to make."""
    if not op.results or all(not any(True for _ in r.uses) for r in op.results):
        if op.results and k > 0:
            return False
        op.detach()
        op.erase()
        return True
    if op.name == "arith.constant":
        return False
    if k < len(op.operands):
        return _replace_by(op, list(_operands_for(op, op.operands[k])))
    return _replace_by_constants(op)


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
        constants.append(ConstantOp(value))  # pyright: ignore
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
