"""Rules of single ops, what no kernel of ours needs: block loads, atomics, buffers, `forall`."""

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UnsupportedOp
from xtriton.interpreter import run
from xtriton.interpreter.memory import MemoryFault
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def tile(body: str, shape: str = "4x8") -> str:
    """Return a kernel that stores the tile `%t` of f16 that `body` loads at row %y, column %x."""
    rows, columns = (int(n) for n in shape.split("x"))
    return f"""
tt.func @tile(%p: !tt.ptr<f16>, %out: !tt.ptr<f16>, %x: i32, %y: i32, %n: i32, %m: i32) {{
  %one = arith.constant 1 : i64
  %wide = arith.extsi %m : i32 to i64
  {body}
  %i = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32>
  %j = tt.make_range {{end = {columns} : i32, start = 0 : i32}} : tensor<{columns}xi32>
  %ci = arith.constant dense<{columns}> : tensor<{rows}xi32>
  %ri = arith.muli %i, %ci : tensor<{rows}xi32>
  %r = tt.expand_dims %ri {{axis = 1 : i32}} : tensor<{rows}xi32> -> tensor<{rows}x1xi32>
  %c = tt.expand_dims %j {{axis = 0 : i32}} : tensor<{columns}xi32> -> tensor<1x{columns}xi32>
  %rb = tt.broadcast %r : tensor<{rows}x1xi32> -> tensor<{shape}xi32>
  %cb = tt.broadcast %c : tensor<1x{columns}xi32> -> tensor<{shape}xi32>
  %o = arith.addi %rb, %cb : tensor<{shape}xi32>
  %ps = tt.splat %out : !tt.ptr<f16> -> tensor<{shape}x!tt.ptr<f16>>
  %po = tt.addptr %ps, %o : tensor<{shape}x!tt.ptr<f16>>, tensor<{shape}xi32>
  tt.store %po, %t : tensor<{shape}x!tt.ptr<f16>>
  tt.return
}}
"""


DESCRIPTOR = """%d = tt.make_tensor_descriptor %p, [%n, %m], [%wide, %one] : <f16>, <4x8xf16>
  %t{k} = tt.descriptor_load %d[%y, %x] : !tt.tensordesc<4x8xf16> -> tensor<4x8xf16>"""
SURFACE = """%d = tt.make_tensor_descriptor %p, [%n, %m], [%wide, %one] : <f16>, <4x8xf16>
  %two = arith.constant 2 : i32
  %columns = ttig.extract_desc %d[1] : <4x8xf16> -> i64
  %stride = ttig.extract_desc %d[2] : <4x8xf16> -> i64
  %base = ttig.extract_desc %d[4] : <4x8xf16> -> !tt.ptr<f16>
  %c32 = arith.trunci %columns : i64 to i32
  %s32 = arith.trunci %stride : i64 to i32
  %width = arith.muli %c32, %two : i32
  %pitch = arith.muli %s32, %two : i32
  """
BLOCK_LOAD = "ttig.2d_block_load %base, %width, %n, %pitch[%x, %y]"
LAUNCHES = [(0, 0), (3, 2), (6, 9), (-2, -1)]


@pytest.mark.parametrize(("x", "y"), LAUNCHES)
def test_block_load_is_a_descriptor_load(x: int, y: int) -> None:
    original = parse(tile(DESCRIPTOR.format(k="")))
    block = parse(tile(f"{SURFACE}%t = {BLOCK_LOAD} {{row_major}} : <f16> -> tensor<4x8xf16>"))
    verdict = check_equivalent(original, block, given={2: x, 3: y, 4: 7, 5: 11})
    assert verdict, verdict.render()
    assert verdict.coverage


def test_block_load_of_columns_is_the_transposed() -> None:
    transposed = DESCRIPTOR.format(k="0") + (
        "\n  %t = tt.trans %t0 {order = array<i32: 1, 0>} : tensor<4x8xf16> -> tensor<8x4xf16>"
    )
    columns = f"{SURFACE}%t = {BLOCK_LOAD} {{column_major}} : <f16> -> tensor<8x4xf16>"
    original, block = parse(tile(transposed, "8x4")), parse(tile(columns, "8x4"))
    verdict = check_equivalent(original, block, given={2: 5, 3: 4, 4: 7, 5: 11})
    assert verdict, verdict.render()
    wrong = parse(tile(columns.replace("[%x, %y]", "[%y, %x]"), "8x4"))
    assert not check_equivalent(original, wrong, given={2: 5, 3: 4, 4: 7, 5: 11})


def test_block_load_pads_with_nan() -> None:
    load = f"{BLOCK_LOAD} {{row_major, pad_nan}} : <f16> -> tensor<4x8xf16>"
    x, out = np.ones(6 * 8, np.float16), np.zeros((4, 8), np.float16)
    run(parse(tile(f"{SURFACE}%t = {load}")), 1, [x, out, 4, 3, 6, 8])
    assert np.isnan(out).sum() == 4 * 8 - 3 * 4
    assert (out[:3, :4] == 1).all()


def test_mask_and_padding_of_a_block_pointer() -> None:
    """Outside of the parent is the padding, where the mask is off the other value."""
    text = """
tt.func @padded(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %eight = arith.constant 8 : i64
  %two = arith.constant dense<2> : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %nine = arith.constant dense<9.0> : tensor<8xf32>
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %odd = arith.remsi %i, %two : tensor<8xi32>
  %mask = arith.cmpi eq, %odd, %zero : tensor<8xi32>
  %b = tt.make_tensor_ptr %p, [%five], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %o = tt.make_tensor_ptr %out, [%eight], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %x = tt.load %b, %mask, %nine {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
  tt.store %o, %x : !tt.ptr<tensor<8xf32>>
  tt.return
}
"""
    x, out = np.arange(1, 9, dtype=np.float32), np.full(8, -1, np.float32)
    run(parse(text), 1, [x, out])
    np.testing.assert_array_equal(out, [1, 9, 3, 9, 5, 9, 0, 9])


def test_block_load_of_several_tiles_is_refused() -> None:
    load = f"{BLOCK_LOAD} {{row_major}} : <f16> -> tensor<2x4x8xf16>"
    module = parse(
        tile(f"{SURFACE}%t3 = {load}\n  %t = arith.constant dense<0.0> : tensor<4x8xf16>")
    )
    with pytest.raises(UnsupportedOp, match="several tiles"):
        run(module, 1, [np.ones(48, np.float16), np.zeros((4, 8), np.float16), 4, 3, 6, 8])


POINTERS = """
tt.func @pointers(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %pitch = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<1x16xf32>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %j = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %b = tt.splat %n : i32 -> tensor<1x16xi32>
  %mask = arith.cmpi slt, %j, %b : tensor<1x16xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
  %pp = tt.addptr %ps, %j : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
  %v = LOAD
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
  %po = tt.addptr %os, %j : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
  tt.store %po, %v : tensor<1x16x!tt.ptr<f32>>
  tt.return
}
"""


def test_block_load_from_pointers_is_a_load() -> None:
    load = POINTERS.replace("LOAD", "tt.load %pp, %mask, %zero : tensor<1x16x!tt.ptr<f32>>")
    block = POINTERS.replace(
        "LOAD",
        "ttig.2d_block_load_from_ptr %pp, %pitch, %mask, %zero {row_major} "
        "{base_height = 1 : i32, base_width = 64 : i32} : (tensor<1x16x!tt.ptr<f32>>, i32, "
        "tensor<1x16xi1>, tensor<1x16xf32>) -> tensor<1x16xf32>",
    )
    verdict = check_equivalent(parse(load), parse(block))
    assert verdict, verdict.render()


SHARED = """
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 1 : i32} {
tt.func @retyped(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %bits: i32) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %v = tt.load %px : tensor<8x!tt.ptr<i32>>
  %words = ttg.local_alloc %v : (tensor<8xi32>) -> !ttg.memdesc<8xi32, #s, #smem, mutable>
  %floats = ttg.memdesc_reinterpret %words : !ttg.memdesc<8xi32, #s, #smem, mutable> -> !ttg.memdesc<4xf32, #s, #smem, mutable>
  %halves = ttg.memdesc_reinterpret %floats : !ttg.memdesc<4xf32, #s, #smem, mutable> -> !ttg.memdesc<4xi16, #s, #smem, mutable>
  %f = ttg.local_load %floats : !ttg.memdesc<4xf32, #s, #smem, mutable> -> tensor<4xf32>
  %g = arith.negf %f : tensor<4xf32>
  ttg.local_store %g, %floats : tensor<4xf32> -> !ttg.memdesc<4xf32, #s, #smem, mutable>
  %zero = arith.constant dense<0> : tensor<4xi16>
  ttg.local_store %zero, %halves : tensor<4xi16> -> !ttg.memdesc<4xi16, #s, #smem, mutable>
  %w = ttg.local_load %words : !ttg.memdesc<8xi32, #s, #smem, mutable> -> tensor<8xi32>
  %os = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %po = tt.addptr %os, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %po, %w : tensor<8x!tt.ptr<i32>>
  tt.return
}
}
"""


def test_what_is_written_through_another_type_is_seen() -> None:
    x = np.array([3, 5, 0x3F800000, 7, 11, 13, 17, 19], np.int32)
    out = np.zeros(8, np.int32)
    run(parse(SHARED), 1, [x, out, 0])
    sign = np.uint32(1 << 31).view(np.int32)
    np.testing.assert_array_equal(out, [0, 0, x[2] ^ sign, x[3] ^ sign, 11, 13, 17, 19])


LAST_POSITIVE = """
func.func @last(%x: memref<3x5xf32>, %out: memref<3xi32>, %nx: i32, %ny: i32, %nz: i32, %ix: i32, %iy: i32, %iz: i32) {
  %v = bufferization.to_tensor %x restrict : memref<3x5xf32> to tensor<3x5xf32>
  %none = arith.constant dense<-1> : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%v : tensor<3x5xf32>) outs(%none : tensor<3xi32>) {
  ^bb0(%a: f32, %last: i32):
    %zero = arith.constant 0.0 : f32
    %j = linalg.index 1 : index
    %i = linalg.index 0 : index
    %k = arith.addi %i, %j : index
    %here = arith.index_cast %k : index to i32
    %positive = arith.cmpf ogt, %a, %zero : f32
    BODY
    linalg.yield %s : i32
  } -> tensor<3xi32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<3xi32>, memref<3xi32>) -> ()
  return
}
"""
SELECT = "%s = arith.select %positive, %here, %last : i32"
BRANCH = """%s = scf.if %positive -> (i32) {
      scf.yield %here : i32
    } else {
      scf.yield %last : i32
    }"""


@pytest.mark.parametrize("body", [SELECT, BRANCH])
def test_index_within_a_reduction_in_order(body: str) -> None:
    x = np.array([[1, -1, 2, -1, -1], [-1] * 5, [-1, -1, -1, -1, 3]], np.float32)
    out = np.zeros(3, np.int32)
    run(parse(LAST_POSITIVE.replace("BODY", body)), 1, [x, out])
    np.testing.assert_array_equal(out, [2, -1, 6])


FORALL = """
func.func @forall(%x: memref<8xf32>, %out: memref<8xf32>, %nx: i32, %ny: i32, %nz: i32, %ix: i32, %iy: i32, %iz: i32) {
  %c8 = arith.constant 8 : index
  %v = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %r = scf.forall (%i) = (0) to (%c8) step (2) shared_outs(%o = %v) -> (tensor<8xf32>) {
    %e = tensor.extract_slice %v[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %d = arith.addf %e, %e : tensor<2xf32>
    %h = tensor.extract_slice %d[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %h into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  bufferization.materialize_in_destination %r in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
"""


def test_forall_keeps_what_no_iteration_replaces() -> None:
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    run(parse(FORALL), 1, [x, out])
    np.testing.assert_array_equal(out, [0, 1, 4, 3, 8, 5, 12, 7])


def test_slices_stay_inside() -> None:
    text: Any = FORALL.replace("%v[%i] [2] [1]", "%v[%i] [2] [5]")
    with pytest.raises(MemoryFault, match="not inside"):
        run(parse(text), 1, [np.zeros(8, np.float32), np.zeros(8, np.float32)])


WINDOW = """
tt.func @window(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>, %a: i32, %b: i32) {
  %from = arith.index_cast %a : i32 to index
  %to = arith.index_cast %b : i32 to index
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %t = tts.make_tptr %p to sizes: [8], strides: [1], offsets: [0], shape: [0], order: []
    : <f32> to tensor<8x!tt.ptr<f32>>
  %x = tts.masked_load %t from [%from] to [%to] nonempty default = %none
    : tensor<8x!tt.ptr<f32>> -> tensor<8xf32>
  %o = tts.make_tptr %out to sizes: [8], strides: [1], offsets: [0], shape: [0], order: []
    : <f32> to tensor<8x!tt.ptr<f32>>
  tts.masked_store %o, %x from [] to [] : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


def test_nonempty_windows_are_not_empty() -> None:
    x, out = np.arange(1, 9, dtype=np.float32), np.zeros(8, np.float32)
    run(parse(WINDOW), 1, [x, out, 2, 5])
    np.testing.assert_array_equal(out, [0, 0, 3, 4, 5, 0, 0, 0])
    for start, end in ((3, 3), (5, 2), (-1, 2), (6, 9)):
        with pytest.raises(MemoryFault, match="nonempty window"):
            run(parse(WINDOW), 1, [x, out, start, end])


LANES = """
tt.func @lanes(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %old: !tt.ptr<f32>) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %half = arith.remsi %i, %two : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %os = tt.splat %old : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %pi = tt.addptr %ps, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %qi = tt.addptr %qs, %half : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %oi = tt.addptr %os, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %pi : tensor<8x!tt.ptr<f32>>
  OP
  tt.store %oi, %r : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


def test_lanes_of_one_address_take_turns_in_order() -> None:
    op = "%r = tt.atomic_rmw fadd, relaxed, gpu, %qi, %v : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> tensor<8xf32>"
    x, sums, old = np.arange(1, 9, dtype=np.float32), np.zeros(2, np.float32), np.zeros(8)
    old = old.astype(np.float32)
    run(parse(LANES.replace("OP", op)), 1, [x, sums, old])
    np.testing.assert_array_equal(sums, [1 + 3 + 5 + 7, 2 + 4 + 6 + 8])
    np.testing.assert_array_equal(old, [0, 0, 1, 2, 4, 6, 9, 12])


def test_compare_and_swap_compares_bits() -> None:
    op = """%new = arith.constant dense<5.0> : tensor<8xf32>
  %r = tt.atomic_cas relaxed, gpu, %pi, %zero, %new : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>"""
    zero = "%zero = arith.constant dense<-0.0> : tensor<8xf32>\n  "
    nan = "%zero = arith.constant dense<0x7FC00000> : tensor<8xf32>\n  "
    for compared, wanted in ((zero, [1]), (nan, [2])):
        x = np.array([0.0, -0.0, np.nan, 1, 2, 3, 4, 5], np.float32)
        before, old = x.copy(), np.ones(8, np.float32)
        run(parse(LANES.replace("OP", compared + op)), 1, [x, np.zeros(2, np.float32), old])
        np.testing.assert_array_equal(old, before)
        changed = x.view(np.int32) != before.view(np.int32)
        assert np.flatnonzero(changed).tolist() == wanted


@pytest.mark.parametrize(("unsigned", "trips"), [("unsigned ", 2), ("", 0)])
def test_trips_of_a_loop_over_unsigned_numbers(unsigned: str, trips: int) -> None:
    text = f"""
tt.func @count(%out: !tt.ptr<i32>) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.constant 2147483647 : i32
  %high = arith.constant -2147483647 : i32
  %n = scf.for {unsigned}%i = %low to %high step %c1 iter_args(%k = %c0) -> (i32) : i32 {{
    %more = arith.addi %k, %c1 : i32
    scf.yield %more : i32
  }}
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}}
"""
    out = np.full(1, -1, np.int32)
    run(parse(text), 1, [out])
    assert out[0] == trips
