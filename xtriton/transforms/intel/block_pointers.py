"""Following block pointers through loops and branches."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp


def defining_make_tensor_ptr(value: SSAValue) -> MakeTensorPtrOp | None:
    """
    Return the op that a block pointer comes from, or None if it is not just one.

    Upstream `findDefiningMakeTensorPtrOp`.
    """
    seen: set[SSAValue] = set()
    while value not in seen:
        seen.add(value)
        if isinstance(value, BlockArgument):
            initial = _initial_value(value)
            if initial is None:
                return None
            value = initial
            continue
        assert isinstance(value, OpResult)
        op = value.op
        if isinstance(op, MakeTensorPtrOp):
            return op
        if isinstance(op, AdvanceOp):
            value = op.operands[0]
            continue
        match op.name:
            case "scf.for" | "scf.while":
                value = yielded(op, 0 if op.name == "scf.for" else 1)[value.index]
            case "scf.if":
                sides = [yielded(op, 0)[value.index], yielded(op, 1)[value.index]]
                return _common(sides)
            case "arith.select":
                return _common(list(op.operands[1:]))
            case _:
                return None
    return None


def yielded(op: Operation, region: int) -> tuple[SSAValue, ...]:
    """Return what a region of structured control flow yields."""
    last = op.regions[region].block.last_op
    assert last is not None
    return tuple(last.operands)


def _initial_value(argument: BlockArgument) -> SSAValue | None:
    loop = argument.block.parent_op()
    if loop is None:
        return None
    if loop.name == "scf.for" and argument.index > 0:
        return loop.operands[3 + argument.index - 1]
    if loop.name == "scf.while" and argument.index < len(loop.operands):
        return loop.operands[argument.index]
    return None


def _common(values: list[SSAValue]) -> MakeTensorPtrOp | None:
    found = [defining_make_tensor_ptr(value) for value in values]
    return found[0] if found[0] is not None and found[0] is found[1] else None
