"""Control flow, slices, reshapes, buffers: native code against the interpreter."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

RNG = np.random.default_rng(3)
VIEW = "memref<8xf32, strided<[1]>>"
LOAD = """
    %x_view = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1]>>
    %o_view = memref.reinterpret_cast %o to offset: [0], sizes: [8], strides: [1] : memref<*xf32> to memref<8xf32, strided<[1]>>
    %t = bufferization.to_tensor %x_view restrict : memref<8xf32, strided<[1]>> to tensor<8xf32>
"""
STORE = f"""
    bufferization.materialize_in_destination %r in writable %o_view : (tensor<8xf32>, {VIEW}) -> ()
"""
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %n: i32"


def run(check: Any, body: str, n: int = 3) -> list[Any]:
    x = RNG.integers(-9, 9, 8).astype(np.float32)
    return check(ARGUMENTS, LOAD + body + STORE, [x, np.zeros(8, np.float32), n])


def plus(result: str, a: str, b: str, maps: str = "#id, #id, #id") -> str:
    return f"""
    %{result}_e = tensor.empty() : tensor<8xf32>
    %{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins(%{a}, %{b} : tensor<8xf32>, tensor<8xf32>) outs(%{result}_e : tensor<8xf32>) {{
    ^bb0(%{result}_p: f32, %{result}_q: f32, %{result}_o: f32):
      %{result}_s = arith.addf %{result}_p, %{result}_q : f32
      linalg.yield %{result}_s : f32
    }} -> tensor<8xf32>
"""


@pytest.mark.parametrize(
    "op, registers, vectors", [("math.exp", 32, 2), ("math.exp", 16, 4), ("math.absf", 16, 0)]
)
def test_loops_with_long_chains_compute_several_vectors_at_a_time(
    op: str, registers: int, vectors: int
):
    """The fewer registers, the more vectors are to share constants that are loaded again."""
    body = f"""
    %r_e = tensor.empty() : tensor<8xf32>
    %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%t : tensor<8xf32>) outs(%r_e : tensor<8xf32>) {{
    ^bb0(%in: f32, %out: f32):
      %v = {op} %in : f32
      linalg.yield %v : f32
    }} -> tensor<8xf32>
"""
    module = xtriton.parse(kernel_text(ARGUMENTS, LOAD + body + STORE))
    text = emit_kernel(module, replace(host(), vector_registers=registers), None).text
    found = re.findall(r'"llvm.loop.interleave.count", i32 (\d+)', text)
    assert set(found) == ({str(vectors)} if vectors else set())


REVERSED = "affine_map<(d0) -> (7 - d0)>"


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_loop_carries_tensors_and_scalars(check: Any, n: int):
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 0.5 : f32
    %res:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %t, %s = %half) -> (tensor<8xf32>, f32) : i32 {{
      {plus("u", "acc", "t")}
      %s2 = arith.addf %s, %s : f32
      scf.yield %u, %s2 : tensor<8xf32>, f32
    }}
    %f_e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%res#1 : f32) outs(%f_e : tensor<8xf32>) -> tensor<8xf32>
    %w = tensor.extract_slice %res#0[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
    {plus("r", "w", "f")}
"""
    run(check, body, n)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_loop_swaps_what_it_carries(check: Any, n: int):
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    {plus("u", "t", "t")}
    %res:3 = scf.for %i = %zero to %n step %one iter_args(%a = %t, %b = %u, %c = %t) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) : i32 {{
      {plus("v", "a", "c")}
      scf.yield %b, %a, %v : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }}
    {plus("w", "res_0", "res_1").replace("%res_0", "%res#0").replace("%res_1", "%res#1")}
    {plus("r", "w", "res_2").replace("%res_2", "%res#2")}
"""
    run(check, body, n)


def test_loop_result_read_out_of_step(check: Any):
    """The new value reads the old one backwards: it may not be written over it in place."""
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %t) -> (tensor<8xf32>) : i32 {{
      {plus("u", "acc", "acc", f"#id, {REVERSED}, #id")}
      scf.yield %u : tensor<8xf32>
    }}
"""
    run(check, body)


def total(result: str, tensor: str) -> str:
    """Return ops that add the elements of a tensor up, one by one."""
    return f"""
    %{result} = scf.for %{result}_i = %c0 to %c8 step %c1 iter_args(%{result}_a = %zero) -> (f32) {{
      %{result}_e = tensor.extract %{tensor}[%{result}_i] : tensor<8xf32>
      %{result}_n = arith.addf %{result}_a, %{result}_e : f32
      scf.yield %{result}_n : f32
    }}
"""


def test_an_element_is_read_anew_after_its_tensor_was_overwritten(check: Any):
    """What is computed from a tensor that nobody needs any more takes its place."""
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    {plus("u", "t", "t")}
    {total("first", "u")}
    %before = tensor.extract %u[%c2] : tensor<8xf32>
    {plus("w", "u", "t")}
    {total("second", "w")}
    %after = tensor.extract %w[%c2] : tensor<8xf32>
    %difference = arith.subf %after, %before : f32
    %sums = arith.subf %second, %first : f32
    %d = tensor.insert %difference into %t[%c0] : tensor<8xf32>
    %r = tensor.insert %sums into %d[%c1] : tensor<8xf32>
"""
    x = np.arange(1, 9, dtype=np.float32)
    (_, o) = check(ARGUMENTS, LOAD + body + STORE, [x, np.zeros(8, np.float32), 0])
    assert o[0] == x[2]


def test_a_loop_does_not_overwrite_what_was_made_before_it(check: Any):
    """Each iteration changes another element of the same tensor, used nowhere else."""
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %v = arith.constant 100.0 : f32
    {plus("u", "t", "t")}
    %sums = scf.for %i = %c0 to %c3 step %c1 iter_args(%old = %t) -> (tensor<8xf32>) {{
      %changed = tensor.insert %v into %u[%i] : tensor<8xf32>
      {total("sum", "changed")}
      %new = tensor.insert %sum into %old[%i] : tensor<8xf32>
      scf.yield %new : tensor<8xf32>
    }}
    {plus("r", "sums", "t")}
"""
    run(check, body)


def test_nested_loops(check: Any):
    body = f"""
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %r = scf.for %i = %zero to %two step %one iter_args(%a = %t) -> (tensor<8xf32>) {{
      %inner = scf.for %j = %zero to %two step %one iter_args(%b = %a) -> (tensor<8xf32>) {{
        {plus("u", "b", "a")}
        scf.yield %u : tensor<8xf32>
      }}
      {plus("v", "inner", "t")}
      scf.yield %v : tensor<8xf32>
    }}
"""
    run(check, body)


@pytest.mark.parametrize("n", [0, 3])
def test_branches_yield_tensors(check: Any, n: int):
    body = f"""
    %zero = arith.constant 0 : i32
    %some = arith.cmpi sgt, %n, %zero : i32
    {plus("d", "t", "t")}
    %r0:2 = scf.if %some -> (tensor<8xf32>, i32) {{
      {plus("u", "d", "t")}
      scf.yield %u, %n : tensor<8xf32>, i32
    }} else {{
      scf.yield %d, %zero : tensor<8xf32>, i32
    }}
    {plus("r", "r0", "d").replace("%r0", "%r0#0", 1).replace("ins(%r0,", "ins(%r0#0,")}
"""
    body = body.replace("ins(%r0#0#0", "ins(%r0#0").replace("%r0#0:2", "%r0:2")
    run(check, body, n)


def test_tensor_used_in_one_branch_and_after(check: Any):
    """What a branch puts into memory is not there when the branch did not run."""
    body = f"""
    %zero = arith.constant 0 : i32
    %never = arith.cmpi slt, %n, %zero : i32
    {plus("d", "t", "t")}
    scf.if %never {{
      bufferization.materialize_in_destination %d in writable %o_view : (tensor<8xf32>, {VIEW}) -> ()
    }}
    {plus("r", "d", "t", f"{REVERSED}, #id, #id")}
"""
    run(check, body)


@pytest.mark.parametrize("n", [0, 4])
def test_while(check: Any, n: int):
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %res:2 = scf.while (%i = %zero, %a = %t) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>) {{
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %a : i32, tensor<8xf32>
    }} do {{
    ^bb0(%i: i32, %a: tensor<8xf32>):
      {plus("u", "a", "t")}
      %next = arith.addi %i, %one : i32
      scf.yield %next, %u : i32, tensor<8xf32>
    }}
    {plus("r", "res_1", "t").replace("%res_1", "%res#1")}
"""
    run(check, body, n)


def test_insert_does_not_change_the_original(check: Any):
    body = f"""
    {plus("d", "t", "t")}
    %v = arith.constant 100.0 : f32
    %at = arith.constant 2 : index
    %changed = tensor.insert %v into %d[%at] : tensor<8xf32>
    {plus("r", "changed", "d")}
"""
    run(check, body)


def test_slices(check: Any):
    body = f"""
    {plus("d", "t", "t")}
    %part = tensor.extract_slice %d[1] [3] [2] : tensor<8xf32> to tensor<3xf32>
    %m = tensor.insert_slice %part into %t[4] [3] [1] : tensor<3xf32> into tensor<8xf32>
    {plus("r", "m", "d")}
"""
    run(check, body)


def test_slices_of_lower_rank_keep_dimensions_of_size_one(check: Any):
    """Of three dimensions two are of size 1, and one of these is dropped."""
    body = """
    %w = tensor.expand_shape %t [[0, 1, 2]] output_shape [1, 4, 2] : tensor<8xf32> into tensor<1x4x2xf32>
    %part = tensor.extract_slice %w[0, 0, 1] [1, 4, 1] [1, 1, 1] : tensor<1x4x2xf32> to tensor<1x4xf32>
    %m = tensor.insert_slice %part into %w[0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<1x4xf32> into tensor<1x4x2xf32>
    %column = tensor.extract_slice %m[0, 1, 0] [1, 2, 1] [1, 1, 1] : tensor<1x4x2xf32> to tensor<2x1xf32>
    %u = tensor.insert_slice %column into %m[0, 2, 1] [1, 2, 1] [1, 1, 1] : tensor<2x1xf32> into tensor<1x4x2xf32>
    %r = tensor.collapse_shape %u [[0, 1, 2]] : tensor<1x4x2xf32> into tensor<8xf32>
"""
    run(check, body)


def test_reshapes_and_transposes(check: Any):
    body = """
    %m = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %e = tensor.empty() : tensor<4x2xf32>
    %s = linalg.transpose ins(%m : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
    %u = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) {
    ^bb0(%p: f32, %q: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      %a = arith.addf %p, %f : f32
      linalg.yield %a : f32
    } -> tensor<4x2xf32>
    %r = tensor.collapse_shape %u [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
"""
    run(check, body)


def test_collapse_of_a_transpose(check: Any):
    """A transposed view cannot be collapsed where it lies."""
    body = """
    %m = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %e = tensor.empty() : tensor<4x2xf32>
    %s = linalg.transpose ins(%m : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
    %r = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
"""
    run(check, body)


def test_broadcast_and_constant(check: Any):
    body = """
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %e = tensor.empty() : tensor<2x4xf32>
    %b = linalg.broadcast ins(%c : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
    %f = tensor.collapse_shape %b [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %z = tensor.empty() : tensor<8xf32>
    %r = linalg.map { arith.mulf } ins(%f, %t : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<8xf32>)
"""
    run(check, body)


def test_gather_by_extract(check: Any):
    body = """
    %e = tensor.empty() : tensor<8xf32>
    %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %three = arith.constant 3 : index
      %eight = arith.constant 8 : index
      %m = arith.muli %i, %three : index
      %k = arith.remsi %m, %eight : index
      %v = tensor.extract %t[%k] : tensor<8xf32>
      linalg.yield %v : f32
    } -> tensor<8xf32>
"""
    run(check, body)


def test_scan_by_a_loop_over_a_buffer(check: Any):
    body = f"""
    %buffer = memref.alloc() : memref<8xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %start = arith.constant 0.0 : f32
    %last = scf.for %i = %zero to %eight step %one iter_args(%sum = %start) -> (f32) {{
      %v = memref.load %x_view[%i] : {VIEW}
      %s = arith.addf %sum, %v : f32
      memref.store %s, %buffer[%i] : memref<8xf32>
      scf.yield %s : f32
    }}
    %r = bufferization.to_tensor %buffer restrict writable : memref<8xf32> to tensor<8xf32>
"""
    run(check, body)


def test_function_calls(check: Any):
    """Functions are inlined, also twice, with tensors that are still lazy."""
    helpers = """
  func.func private @scaled(%a: tensor<8xf32>, %k: f32) -> (tensor<8xf32>, f32) {
    %e = tensor.empty() : tensor<8xf32>
    %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%p: f32, %o: f32):
      %s = arith.mulf %p, %k : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %two = arith.addf %k, %k : f32
    return %q, %two : tensor<8xf32>, f32
  }
"""
    body = """
    %k = arith.constant 1.5 : f32
    %a:2 = func.call @scaled(%t, %k) : (tensor<8xf32>, f32) -> (tensor<8xf32>, f32)
    %b:2 = func.call @scaled(%a#0, %a#1) : (tensor<8xf32>, f32) -> (tensor<8xf32>, f32)
    %r = tensor.cast %b#0 : tensor<8xf32> to tensor<8xf32>
"""
    x = RNG.integers(-9, 9, 8).astype(np.float32)
    kernel = LOAD + body + STORE
    found = check(ARGUMENTS, kernel, [x, np.zeros(8, np.float32), 0], helpers=helpers)
    np.testing.assert_array_equal(found[1], x * 4.5)


def test_programs_of_a_grid(check: Any):
    body = """
    %px = arith.index_cast %program_x : i32 to index
    %py = arith.index_cast %program_y : i32 to index
    %pz = arith.index_cast %program_z : i32 to index
    %nx = arith.index_cast %programs_x : i32 to index
    %ny = arith.index_cast %programs_y : i32 to index
    %a = arith.muli %pz, %ny : index
    %b = arith.addi %a, %py : index
    %c = arith.muli %b, %nx : index
    %d = arith.addi %c, %px : index
    %o_at = memref.reinterpret_cast %o to offset: [%d], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1], offset: ?>>
    %zero = arith.constant 0 : index
    %ten = arith.constant 10 : i32
    %v0 = arith.muli %program_y, %ten : i32
    %v1 = arith.addi %v0, %program_x : i32
    %v2 = arith.muli %v1, %ten : i32
    %v3 = arith.addi %v2, %program_z : i32
    memref.store %v3, %o_at[%zero] : memref<1xi32, strided<[1], offset: ?>>
"""
    found = check("%o: memref<*xi32>", body, [np.zeros(5 * 3 * 2, np.int32)], grid=(5, 3, 2))
    assert found[0].reshape(2, 3, 5)[1, 2, 4] == 241


@pytest.mark.parametrize("n", [0, 3])
def test_early_return(check: Any, n: int):
    body = f"""
    %zero = arith.constant 0 : i32
    %none = arith.cmpi eq, %n, %zero : i32
    {plus("d", "t", "t")}
    cf.cond_br %none, ^early, ^late(%n, %d : i32, tensor<8xf32>)
  ^early:
    return
  ^late(%k: i32, %carried: tensor<8xf32>):
    {plus("r", "carried", "d")}
"""
    run(check, body, n)


def test_loop_of_blocks(check: Any):
    body = f"""
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    cf.br ^head(%zero, %t : i32, tensor<8xf32>)
  ^head(%i: i32, %acc: tensor<8xf32>):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^inside, ^done
  ^inside:
    {plus("u", "acc", "t")}
    %next = arith.addi %i, %one : i32
    cf.br ^head(%next, %u : i32, tensor<8xf32>)
  ^done:
    {plus("r", "acc", "acc")}
"""
    run(check, body, 4)
