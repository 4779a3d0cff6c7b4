"""What `scripts/fuzz_tools.py` found, each as small as it gets: an answer or a sentence."""

from pathlib import Path

import pytest

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
