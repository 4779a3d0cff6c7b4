"""A solver knows where accesses of structured Triton reach memory."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.ir.reading.parser import parse_module

pytest.importorskip("z3")


STRUCTURED = """
tt.func @kernel(%x: !tt.ptr<f32>, %rows: !tt.ptr<i32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c8 : i32
  %first = arith.index_cast %start : i32 to index
  %end = arith.index_cast %n : i32 to index
  %left = arith.subi %end, %first : index
  %few = arith.minsi %left, %eight : index
  %on = arith.maxsi %few, %c0 : index
  %px = tts.make_tptr %x to sizes: [4, 8], strides: [%end, 1], offsets: [0, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>
  %v = "tts.load"(%px, %on, %zero) <{operandSegmentSizes = array<i32: 1, 1, 1>, static_mask_dims = array<i64: 4, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, index, f32) -> tensor<4x8xf32>
  %pa = tts.make_affine_tptr %x[%first, %end] to sizes: [4, 8], map: affine_map<(d0, d1)[s0, s1] -> (d0 floordiv 2 + d1 + s0)> : <f32> to tensor<4x8x!tt.ptr<f32>>
  %w = tts.masked_load %pa from [0, 0] to [4, %on] default = %zeros : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8xf32>
  %s = arith.addf %v, %w : tensor<4x8xf32>
  %po = tts.make_tptr %out to sizes: [4, 8], strides: [%end, 1], offsets: [0, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>
  "tts.store"(%po, %s, %on) <{static_mask_dims = array<i64: 4, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, tensor<4x8xf32>, index) -> ()
  tt.return
}
"""
STRUCTURED_SAME = {
    "a bound below zero": ("%v = \"tts.load\"(%px, %on,", "%v = \"tts.load\"(%px, %few,"),
    "another name of a view": ("order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %v",
        "order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %dead = arith.addi %first, %one : index\n  %v"),
    "a bit that no program has": ("%first = arith.index_cast %start : i32 to index",
        "%f = arith.index_cast %start : i32 to index\n  %g = arith.shli %f, %one : index\n"
        "  %first = arith.shrsi %g, %one : index"),
    "what is not stored": ("default = %zeros", "default = %v"),
}  # fmt: skip
STRUCTURED_WRONG = {
    "a lane less": ("array<i64: 4, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, tensor",
        "array<i64: 3, -9223372036854775808>}> : (tensor<4x8x!tt.ptr<f32>>, tensor"),
    "another stride": ("sizes: [4, 8], strides: [%end, 1], offsets: [0, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %v",
        "sizes: [4, 8], strides: [%first, 1], offsets: [0, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %v"),
    "another offset": ("offsets: [0, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %v",
        "offsets: [1, %first], shape: [0, 0], order: [] : <f32> to tensor<4x8x!tt.ptr<f32>>\n  %v"),
    "another map": ("d0 floordiv 2", "d0 floordiv 3"),
    "a window that starts later": ("from [0, 0]", "from [1, 0]"),
}  # fmt: skip


def function(found: ModuleOp) -> Operation:
    first = found.body.block.first_op
    assert first is not None
    return first


def structured(change: tuple[str, str] = ("", "")) -> ModuleOp:
    assert change[0] in STRUCTURED
    return parse_module(STRUCTURED.replace(*change, 1), universe.context())


@pytest.mark.parametrize("name", STRUCTURED_SAME)
def test_equal_accesses_of_blocks_are_proved_equal(name: str):
    from xtriton.judge.proofs.proofs import compare

    one, other = structured(), structured(STRUCTURED_SAME[name])
    assert compare(function(one), function(other), 4).equal


@pytest.mark.parametrize("name", STRUCTURED_WRONG)
def test_other_accesses_of_blocks_are_no_proof(name: str):
    from xtriton.judge.proofs.proofs import compare

    one, other = structured(), structured(STRUCTURED_WRONG[name])
    proof = compare(function(one), function(other), 4)
    assert not proof.equal
    assert proof.examples


ADDRESSES = """
tt.func @kernel(%x: !tt.ptr<i1>, %out: !tt.ptr<i8>, %m: i32) {
  %c8 = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c8 : i32
  %lane = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %start : i32 -> tensor<8xi32>
  %ms = tt.splat %m : i32 -> tensor<8xi32>
  %sum = arith.addi %s, %lane : tensor<8xi32>
  %i = arith.muli %sum, %ms : tensor<8xi32>
LOAD
  %os = tt.splat %out : !tt.ptr<i8> -> tensor<8x!tt.ptr<i8>>
  %po = tt.addptr %os, %sum : tensor<8x!tt.ptr<i8>>, tensor<8xi32>
  tt.store %po, %v : tensor<8x!tt.ptr<i8>>
  tt.return
}
"""
LANE_BY_LANE = """
  %xs = tt.splat %x : !tt.ptr<i1> -> tensor<8x!tt.ptr<i1>>
  %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<i1>>, tensor<8xi32>
  %pb = tt.bitcast %px : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<i8>>
  %v = tt.load %pb : tensor<8x!tt.ptr<i8>>"""
AS_A_BLOCK = """
  %xb = tt.bitcast %x : !tt.ptr<i1> -> !tt.ptr<i8>
  %eight = arith.constant 8 : index
  %p = arith.index_cast %pid : i32 to index
  %step = arith.index_cast %m : i32 to index
  %t = arith.muli %step, FACTOR : index
  %first = arith.muli %t, %p : index
  %px = tts.make_tptr %xb to sizes: [8], strides: [%step], offsets: [%first], shape: [0], order: [] : <i8> to tensor<8x!tt.ptr<i8>>
  %v = "tts.load"(%px) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_mask_dims = array<i64>}> : (tensor<8x!tt.ptr<i8>>) -> tensor<8xi8>"""


def test_offsets_in_32_bits_are_the_same_sums_in_64() -> None:
    from xtriton.judge.proofs.proofs import compare

    lanes, block, other = (
        function(parse_module(ADDRESSES.replace("LOAD", text), universe.context()))
        for text in (
            LANE_BY_LANE,
            AS_A_BLOCK.replace("FACTOR", "%eight"),
            AS_A_BLOCK.replace("FACTOR", "%step"),
        )
    )
    # No products are computed for it: so few steps would not do.
    assert compare(lanes, block, 0.01).equal
    assert not compare(lanes, other, 1).equal
    assert not compare(block, lanes, 0.1).equal, "a block's offsets have 64 bits to overflow"
