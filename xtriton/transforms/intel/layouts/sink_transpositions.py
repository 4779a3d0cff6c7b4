"""
Move transpositions behind what follows them, so that layouts of products can spread there.

Elementwise ops of one operand, layout conversions and loops that carry the value are passed.
Source: `sinkTransposeOp` in `AccelerateMatmul.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from xtriton.dialects.encodings.inference import infer_operand, is_elementwise
from xtriton.dialects.tt.shapes import TransOp
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.value_flow import LOOP_BOUNDS
from xtriton.transforms.intel.building import insert_after_definition
from xtriton.transforms.triton_gpu.retyping import encoding_of, set_type

_MOST_MOVES = 256


def sink(transposition: TransOp) -> None:
    """Move a transposition of a matrix as far behind as it can go."""
    pending = [transposition]
    for _ in range(_MOST_MOVES):
        if not pending:
            return
        op = pending.pop()
        for use in list(op.result.uses):
            following = _pass(op, use.operation, use.index)
            pending += following
        if op.result.first_use is None:
            op.detach()
            op.erase()


def _pass(op: TransOp, user: Operation, index: int) -> list[TransOp]:
    """Let `user` take what `op` transposes; return the transpositions that this leaves."""
    if isinstance(user, YieldOp):
        loop = user.parent_op()
        return _carry(op, loop, user, index) if isinstance(loop, ForOp) else []
    if len(user.operands) != 1 or len(user.results) != 1 or user.regions:
        return []
    source = op.src.type
    result = user.results[0].type
    if not is_tensor(source) or not is_tensor(result):
        return []
    if isinstance(user, ConvertLayoutOp):
        encoding = infer_operand(op, result.encoding)
    elif is_elementwise(user):
        encoding = encoding_of(source)
    else:
        return []
    if encoding is None:
        return []
    user.operands[0] = op.src
    type = TensorType(result.element_type, source.get_shape(), encoding)
    set_type(user.results[0], type)
    return [_behind(user.results[0], op)]


def _carry(op: TransOp, loop: ForOp, end: YieldOp, index: int) -> list[TransOp]:
    """Let a loop carry what `op` transposes; its results are transposed behind it."""
    end.operands[index] = op.src
    argument, result = loop.body.block.args[index + 1], loop.results[index]
    initial = loop.iter_args[index]
    before = TransOp(initial, list(op.order.iter_values()))
    before.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_before(before, loop)
    loop.operands[LOOP_BOUNDS + index] = before.result
    for value in (argument, result):
        set_type(value, op.src.type)
    inside, behind = _behind(argument, op), _behind(result, op)
    _cancel(inside)
    return [behind]


def _behind(value: SSAValue, op: TransOp) -> TransOp:
    """Transpose `value` right behind its definition, for all of its users."""
    new = TransOp(value, list(op.order.iter_values()))
    value.replace_uses_with_if(new.result, lambda use: use.operation is not new)
    insert_after_definition(new, value)
    new.location = op.location
    return new


def _cancel(op: TransOp) -> None:
    """Let transpositions of what `op` transposes use the matrix itself."""
    for use in list(op.result.uses):
        user = use.operation
        if isinstance(user, TransOp) and user.result.type == op.src.type:
            user.result.replace_all_uses_with(op.src)
            user.detach()
            user.erase()
    if op.result.first_use is None:
        op.detach()
        op.erase()
