"""Layout attributes from Python: constructors, properties, what they say of shape changes."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f16
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg import (
    BlockedEncodingAttr,
    CGAEncodingAttr,
    DotOperandEncodingAttr,
    MemDescType,
    SliceEncodingAttr,
    SwizzledSharedEncodingAttr,
)
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr, binary_rank
from xtriton.dialects.ttig import DpasEncodingAttr
from xtriton.errors import VerifyFailure
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

BLOCKED = BlockedEncodingAttr([1, 8], [8, 4], [4, 1], [1, 0])


def test_blocked_properties():
    assert BLOCKED.size_per_thread == (1, 8)
    assert BLOCKED.order == (1, 0)
    assert (BLOCKED.rank, BLOCKED.num_warps, BLOCKED.num_threads_per_warp) == (2, 4, 32)
    assert BlockedEncodingAttr([1, 8], [8, 4], [4, 1], [1, 0]) == BLOCKED


def test_blocked_transpose_keeps_elements_in_their_threads():
    transposed = BLOCKED.infer_trans((64, 32), (1, 0))
    assert transposed == BlockedEncodingAttr([8, 1], [4, 8], [1, 4], [0, 1])
    cube = BlockedEncodingAttr([1, 2, 4], [2, 4, 4], [4, 1, 1], [2, 0, 1])
    moved = cube.infer_trans((8, 8, 8), (2, 0, 1))
    assert moved == BlockedEncodingAttr([4, 1, 2], [4, 2, 4], [1, 4, 1], [0, 1, 2])


def test_join_and_split_undo_each_other():
    joined = BLOCKED.infer_join((64, 32))
    assert joined == BlockedEncodingAttr([1, 8, 2], [8, 4, 1], [4, 1, 1], [2, 1, 0])
    assert isinstance(joined, BlockedEncodingAttr)
    assert joined.infer_split((64, 32, 2)) == BLOCKED


def test_reduce_and_expand_dims_undo_each_other():
    sliced = BLOCKED.infer_reduce(1)
    assert sliced == SliceEncodingAttr(1, BLOCKED)
    assert isinstance(sliced, SliceEncodingAttr)
    assert sliced.rank == 1
    assert sliced.infer_expand_dims(1) == BLOCKED
    with pytest.raises(VerifyException, match="Incompatible slice dimension"):
        sliced.infer_expand_dims(0)


@pytest.mark.parametrize(
    ("split", "blocks"),
    [
        (((1, 2), (1, 2), (1, 0)), ((0, 1),)),
        (((1, 2), (1, 1), (1, 0)), ((0, 0),)),
        (((2, 4), (2, 2), (1, 0)), ((0, 1), (0, 0), (1, 0))),
        (((2, 4), (2, 2), (0, 1)), ((1, 0), (0, 1), (0, 0))),
        (((1, 1), (1, 1), (0, 1)), ()),
    ],
)
def test_split_parameters_as_a_linear_map(
    split: tuple[tuple[int, ...], ...], blocks: tuple[tuple[int, ...], ...]
):
    cga = CGAEncodingAttr.from_split(*split)
    assert cga.block_bases == blocks
    per_cga, split_num, order = cga.split_parameters
    assert (per_cga, split_num) == split[:2]
    # One CTA has one order, whatever was written.
    assert order == (split[2] if blocks else (1, 0))


def test_dpas_derives_its_shapes():
    dpas = DpasEncodingAttr(8, 8, 16, 2, [4, 2], [4, 2], 16)
    assert (dpas.shape_a, dpas.shape_b, dpas.shape_c) == ((32, 16), (16, 32), (32, 32))
    assert dpas.inst_shape_c == (8, 16)
    batched = DpasEncodingAttr(8, 8, 16, 4, [1, 4, 2], [1, 2, 1], 16)
    assert (batched.shape_a, batched.shape_b) == ((1, 16, 32), (1, 32, 16))


def test_dot_operand_of_dpas_asks_for_the_packing():
    dpas = DpasEncodingAttr(8, 8, 16, 2, [4, 2], [4, 2], 16)
    assert DotOperandEncodingAttr(1, dpas, 2).num_warps == 8
    with pytest.raises(VerifyException, match="opsPerChannel"):
        DotOperandEncodingAttr(1, dpas, 1)


def test_padded_layout_knows_shape_and_order():
    padded = PaddedSharedEncodingAttr([32], [4], [(0, 1), (0, 2), (1, 0), (2, 0), (4, 0)])
    assert (padded.shape, padded.order, padded.rank) == ((8, 4), (1, 0), 2)


def test_memdesc_properties():
    shared = SwizzledSharedEncodingAttr(8, 2, 4, [1, 0])
    part = MemDescType([32, 64], f16, shared, mutable=True, alloc_shape=[64, 64])
    assert (part.get_shape(), part.alloc_shape, part.mutable) == ((32, 64), (64, 64), True)
    with pytest.raises(VerifyException, match="less than or equal to allocShape"):
        MemDescType([64, 64], f16, shared, alloc_shape=[32, 64])


@pytest.mark.parametrize(
    ("points", "rank"),
    [([(0, 1), (0, 2)], 2), ([(0, 1), (1, 0), (1, 1)], 2), ([(1,), (1,)], 1), ([], 0)],
)
def test_binary_rank(points: list[tuple[int, ...]], rank: int):
    assert binary_rank(points) == rank


BROADCAST = """
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 2], order = [0, 1]}>
#c = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 2], order = [0, 1]}>
module attributes {"ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @broadcast(%x: tensor<32x1xi32, #a>) {
    %0 = tt.broadcast %x : tensor<32x1xi32, #a> -> tensor<32x16xi32, #to>
    tt.return
  }
}
"""


def test_broadcast_of_an_equivalent_layout():
    """Triton 3.9 leaves such broadcasts behind when it removes layout conversions."""
    verify(parse_module(BROADCAST.replace("#to", "#b"), context()))
    with pytest.raises(VerifyFailure, match="requires the same encoding"):
        verify(parse_module(BROADCAST.replace("#to", "#c"), context()))
