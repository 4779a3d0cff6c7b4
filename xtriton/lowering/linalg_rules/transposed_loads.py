"""
Transposed blocks of memory: loaded as what they are transposed to.

A load copies the block anyhow. Done in the transposed order of dimensions it leaves nothing to
transpose, so that an operand of `tt.dot` that is stored the other way round costs no copy more.
"""

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xtriton.dialects import tts
from xtriton.dialects.tts.lists import integers
from xtriton.lowering.builder import Builder
from xtriton.lowering.structured_access import known


def load_transposed(op: Operation, order: Sequence[int]) -> SSAValue | None:
    """
    Return the operand of a transposition with dimension `order[d]` as dimension `d`, loaded so.

    None unless it is what a load of a strided block gives, and nobody else uses it.
    """
    source = op.operands[0]
    load: Any = source.owner
    if not isinstance(load, tts.LoadOp) or not source.has_one_use():
        return None
    pointer: Any = load.ptr.owner
    if not isinstance(pointer, tts.MakeTensorPtrOp) or pointer.is_block_pointer:
        return None

    def permuted(values: Sequence[Any]) -> list[Any]:
        return [known(values[d]) for d in order] if values else []

    at_pointer, at_load = Builder(before=pointer), Builder(before=load)
    block = at_pointer.insert(
        tts.MakeTensorPtrOp(
            pointer.base,
            permuted(integers(pointer.sizes)),
            permuted(pointer.mixed_strides),
            permuted(pointer.mixed_offsets),
            permuted(pointer.mixed_shape),
        )
    )
    new = tts.LoadOp(block.results[0], permuted(load.mixed_mask_dims), load.other)
    op.operands = at_load.insert(new).results
    Rewriter.erase_op(load)
    if pointer.results[0].first_use is None:
        Rewriter.erase_op(pointer)
    return new.results[0]
