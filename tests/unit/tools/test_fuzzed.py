"""What `scripts/fuzz_tools.py` found, each as small as it gets: an answer or a sentence."""

from pathlib import Path

import pytest

from xtriton.budget import Budget, spending
from xtriton.tools.lit.runner import call_tool

TO_GPU = "--convert-triton-to-tritongpu=target=xpu num-warps=4 threads-per-warp=16"
CALL = """
tt.func private @callee(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
  tt.return %p : !tt.ptr<f32>
}
tt.func public @kernel(%p: !tt.ptr<f32>, %n: i32) {
  %q = tt.addptr %p, %n : !tt.ptr<f32>, i32
  %r = tt.call @callee(%q) : (!tt.ptr<f32>) -> !tt.ptr<f32>
  %v = tt.load %r : !tt.ptr<f32>
  tt.store %p, %v : !tt.ptr<f32>
  tt.return
}
"""
FUNCTION = """
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
"""
STRUCTURED = """
tt.func @f(%p: !tt.ptr<f32>) {
  %q = tts.make_tptr %p to sizes: [8], strides: [1], offsets: [0], shape: [0], order: [] : <f32> to tensor<8x!tt.ptr<f32>>
  tt.return
}
"""
BLOCK = """
tt.func public @kernel(%p: !tt.ptr<f32>) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %s, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %q : tensor<16x!tt.ptr<f32>>
  tt.store %q, %v : tensor<16x!tt.ptr<f32>>
  tt.return
}
"""
WARPS = """
#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @f(%x: tensor<64xf32, #l>) {
    %y = arith.addf %x, %x : tensor<64xf32, #l>
    tt.return
  }
}
"""
CLUSTER = """
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @f() {
    ttng.cluster_barrier {relaxed = true}
    tt.return
  }
}
"""
TRANSPOSED = """
tt.func public @kernel(%p: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<8x16x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
  %v = tt.load %t : tensor<16x8x!tt.ptr<f32>>
  tt.store %t, %v : tensor<16x8x!tt.ptr<f32>>
  tt.return
}
"""
CAST_FROM_NOTHING = """
func.func @f() {
  %0 = builtin.unrealized_conversion_cast to f64
  return
}
"""
DESCRIPTORS_IN_LOOPS = """
tt.func public @kernel(%p: !tt.ptr<f32>, %m: i32, %n: i64, %c: i1) {
  %d = tt.make_tensor_descriptor %p, [%m, %m], [%n, %n] : <f32>, <tensor<16x16xf32>>
  %0 = scf.for %i = %m to %m step %m iter_args(%a = %d) -> (!tt.tensordesc<tensor<16x16xf32>>) : i32 {
    %s = arith.select %c, %a, %a : !tt.tensordesc<tensor<16x16xf32>>
    %1 = scf.for %j = %m to %m step %m iter_args(%b = %s) -> (!tt.tensordesc<tensor<16x16xf32>>) : i32 {
      %2 = scf.for %k = %m to %m step %m iter_args(%e = %b) -> (!tt.tensordesc<tensor<16x16xf32>>) : i32 {
        scf.yield %e : !tt.tensordesc<tensor<16x16xf32>>
      }
      scf.yield %2 : !tt.tensordesc<tensor<16x16xf32>>
    }
    scf.yield %1 : !tt.tensordesc<tensor<16x16xf32>>
  }
  %v = tt.descriptor_load %0[%m, %m] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>
  tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  tt.return
}
"""
STORED_PRODUCT = """
tt.func @f(%a: tensor<8x16xf16>, %b: tensor<16x8x!tt.ptr<f16>>, %o: tensor<8x8x!tt.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = tt.load %b : tensor<16x8x!tt.ptr<f16>>
  %d = tt.dot %a, %x, %zero : tensor<8x16xf16> * tensor<16x8xf16> -> tensor<8x8xf32>
  tt.store %o, %d : tensor<8x8x!tt.ptr<f32>>
  tt.return
}
"""
TURNED = """
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @f(%p: !tt.ptr<f32>, %n: i32, %c: i1) {
    %one = arith.constant 1 : i32
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #a>
    %r = scf.for %i = %one to %n step %one iter_args(%x = %q) -> (tensor<16x16x!tt.ptr<f32>, #a>) : i32 {
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x16x!tt.ptr<f32>, #a> -> tensor<16x16x!tt.ptr<f32>, #b>
      %y = ttg.convert_layout %t : tensor<16x16x!tt.ptr<f32>, #b> -> tensor<16x16x!tt.ptr<f32>, #a>
      scf.yield %y : tensor<16x16x!tt.ptr<f32>, #a>
    }
    %v = tt.load %r : tensor<16x16x!tt.ptr<f32>, #a>
    tt.store %r, %v : tensor<16x16x!tt.ptr<f32>, #a>
    tt.return
  }
}
"""
LEVELS = 120
NEST = (
    "tt.func @f(%x: i32, %c: i1) {\n"
    + "".join(
        f"%r{k} = scf.if %c -> (i32) {{\n%a{k} = arith.addi %x, %x : i32\n" for k in range(LEVELS)
    )
    + f"%r{LEVELS} = arith.addi %x, %x : i32\n"
    + "".join(
        f"scf.yield %r{k + 1} : i32\n}} else {{\nscf.yield %x : i32\n}}\n"
        for k in reversed(range(LEVELS))
    )
    + "tt.return\n}\n"
)
WITHOUT_LAYOUTS = (
    "triton-arith-to-linalg",
    "triton-to-linalg-experimental",
    "triton-to-structured",
    "triton-to-unstructured",
    "structured-to-memref",
    "unstructured-to-memref",
)


def call(text: str, folder: Path, *options: str) -> tuple[int, str, str]:
    file = folder / "kernel.mlir"
    file.write_text(text)
    done = call_tool("xtriton-opt", [str(file), *options])
    return done.code, done.output, done.errors


def test_calls_take_memory(tmp_path: Path) -> None:
    code, output, errors = call(CALL, tmp_path, "--triton-ptr-to-memref")
    assert (code, errors) == (0, "")
    assert "tt.call @callee(%2) : (memref<*xf32>) -> memref<*xf32>" in output


@pytest.mark.parametrize(
    "text, message",
    [
        (FUNCTION, "error: failed to legalize operation 'func.func'"),
        (STRUCTURED, "error: failed to legalize operation 'tts.make_tptr'"),
        (WARPS, "error: the module has ttg.num-warps = 8, not 4"),
        (CLUSTER, "error: the module has ttg.num-ctas = 2, not 1"),
    ],
)
def test_what_gets_no_layouts(text: str, message: str, tmp_path: Path) -> None:
    code, output, errors = call(text, tmp_path, TO_GPU)
    assert (code, output) == (1, "")
    assert message in errors


@pytest.mark.parametrize("name", WITHOUT_LAYOUTS)
def test_what_takes_no_layouts(name: str, tmp_path: Path) -> None:
    code, output, errors = call(BLOCK, tmp_path, TO_GPU, f"--{name}")
    assert (code, output) == (1, "")
    assert errors.startswith(f"error: '{name}' takes modules without layouts")


def test_descriptors_of_blocks_with_layouts_stay(tmp_path: Path) -> None:
    name = "triton-rewrite-tensor-descriptor-to-pointer"
    code, output, errors = call(DESCRIPTORS_IN_LOOPS, tmp_path, TO_GPU, f"--{name}")
    assert (code, output) == (1, "")
    assert errors.startswith(f"error: '{name}' takes modules without layouts")


def test_descriptors_become_block_pointers_in_loops_of_loops(tmp_path: Path) -> None:
    name = "--triton-intel-tdesc-to-block-pointer"
    code, output, errors = call(DESCRIPTORS_IN_LOOPS, tmp_path, name)
    assert (code, errors) == (0, "")
    assert "tt.make_tensor_ptr" in output
    assert "tensordesc" not in output


def test_pointers_are_transposed(tmp_path: Path) -> None:
    code, output, errors = call(TRANSPOSED, tmp_path, "--triton-arith-to-linalg")
    assert (code, errors) == (0, "")
    assert "affine_map<(d0, d1) -> (d1, d0)>" in output
    assert "tt.trans" not in output


def test_alignment_of_what_is_cast_from_nothing(tmp_path: Path) -> None:
    code, _, errors = call(CAST_FROM_NOTHING, tmp_path, "--test-print-alignment")
    assert code == 0
    assert "3:8: remark: contiguity = [1], divisibility = [1]" in errors


def test_a_nest_is_not_told_once_for_each_level(tmp_path: Path) -> None:
    code, _, errors = call(NEST, tmp_path, "--test-print-axis-info")
    assert code == 0
    assert errors.count(" => ") == 2 * LEVELS + 1
    assert "%0 = scf.if %arg1 -> (i32) { … } => " in errors
    assert len(errors) < 1_000_000


def test_arguments_keep_their_layouts_where_products_are_stored(tmp_path: Path) -> None:
    code, output, errors = call(STORED_PRODUCT, tmp_path, "--xtriton-intel-ttgir-pipeline")
    assert (code, errors) == (0, "")
    assert "tt.store %arg2, " in output or "ttg.convert_layout %arg2" in output


def test_conversions_that_come_back_are_given_up(tmp_path: Path) -> None:
    """Triton itself, 3.6 to 3.9, does not end on this."""
    code, output, errors = call(TURNED, tmp_path, "--tritongpu-remove-layout-conversions")
    assert (code, errors) == (0, "")
    assert output.count("ttg.convert_layout") == 1
    assert output.count("tt.trans") == Budget().rounds
    with spending(Budget(rounds=3)):
        _, output, _ = call(TURNED, tmp_path, "--tritongpu-remove-layout-conversions")
    assert output.count("tt.trans") == 3
