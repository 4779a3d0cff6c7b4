"""Exponentials of differences from the greatest element: exact everywhere, and without a bound."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

SIZE = 64
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
GREATEST = "linalg.reduce { arith.maxnumf } ins(REST) outs(FIRST) dimensions = [0]"
REST = "%rest : tensor<63xf32>"
WEIGHT = "%d = arith.subf %a, %greatest : f32\n%p = math.exp %d : f32"


def body(greatest: str = GREATEST, rest: str = REST, weight: str = WEIGHT) -> str:
    """Return a kernel that stores a `weight` of each element %a and the %greatest of a block."""
    text = f"""
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to MEMORY
    %buffer = memref.alloc() : memref<{SIZE}xf32>
    memref.copy %view, %buffer : MEMORY to memref<{SIZE}xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{SIZE}xf32> to BLOCK
    %first = tensor.extract_slice %block[0] [1] [1] : BLOCK to tensor<f32>
    %rest = tensor.extract_slice %block[1] [63] [1] : BLOCK to tensor<63xf32>
    %part = tensor.extract_slice %block[0] [32] [1] : BLOCK to tensor<32xf32>
    %of_all = {greatest.replace("REST", rest).replace("FIRST", "%first : tensor<f32>")}
    %greatest = tensor.extract %of_all[] : tensor<f32>
    %e = tensor.empty() : BLOCK
    %weights = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%block : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: f32, %old: f32):
      {weight}
      linalg.yield %p : f32
    }} -> BLOCK
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xf32> to MEMORY
    bufferization.materialize_in_destination %weights in writable %to : (BLOCK, MEMORY) -> ()
"""
    memory = f"memref<{SIZE}xf32, strided<[1], offset: ?>>"
    return text.replace("MEMORY", memory).replace("BLOCK", f"tensor<{SIZE}xf32>")


NUMBERS = [0.0, -0.0, -1e-30, -1.0, -80.0, -87.5, -103.0, -104.5, -1e30, -np.inf, np.nan]


@pytest.mark.parametrize("greatest", [0.0, 3.0, 1e30, -1e30, np.inf, -np.inf])
@pytest.mark.parametrize("function", ["exp", "exp2"])
def test_powers_are_those_of_any_number(greatest: float, function: str) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        x = np.resize(np.array([0.0, *NUMBERS], np.float32) + np.float32(greatest), SIZE)
        expected = getattr(np, function)((x - np.float32(greatest)).astype(np.float64))
    out = np.zeros(SIZE, np.float32)
    text = kernel_text(ARGUMENTS, body(weight=WEIGHT.replace("exp", function)))
    compile_module(xtriton.parse(text))(1, [x, out])
    np.testing.assert_allclose(out, expected, rtol=2e-7, atol=1e-44)


def is_bounded(**changed: Any) -> bool:
    """Return whether the kernel asks if an exponential would be infinite."""
    module = xtriton.parse(kernel_text(ARGUMENTS, body(**changed)))
    return "exp_below" not in emit_kernel(module, replace(host(), looked_up=16)).text


SCALED = """linalg.reduce ins(REST) outs(FIRST) dimensions = [0]
      (%in: f32, %most: f32) {
        %turned = arith.negf %in : f32
        %more = arith.maxnumf %turned, %most : f32
        linalg.yield %more : f32
      }"""


@pytest.mark.parametrize(
    "changed",
    [
        {"greatest": GREATEST.replace("maxnumf", "minnumf")},
        {"greatest": SCALED},
        {"rest": "%part : tensor<32xf32>"},
        {"weight": WEIGHT.replace("%a, %greatest", "%greatest, %a")},
        {"weight": WEIGHT.replace("subf", "addf")},
        {"weight": f"%b = arith.addf %a, %a : f32\n{WEIGHT.replace('subf %a', 'subf %b')}"},
    ],
    ids=["least", "greatest of others", "greatest of a part", "turned", "sum", "another number"],
)
def test_other_exponentials_may_be_infinite(changed: Any) -> None:
    assert not is_bounded()
    assert is_bounded(**changed)


def test_the_greatest_of_a_column_is_not_that_of_all():
    """Each row loses the greatest one of another, beyond which it may be."""
    text = """
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1]>>
    %buffer = memref.alloc() : memref<8x8xf32>
    memref.copy %view, %buffer : memref<8x8xf32, strided<[8, 1]>> to memref<8x8xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<8x8xf32> to tensor<8x8xf32>
    %least = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<8xf32>
    %start = linalg.fill ins(%least : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %greatest = linalg.reduce { arith.maxnumf } ins(%block : tensor<8x8xf32>) outs(%start : tensor<8xf32>) dimensions = [0]
    %all = tensor.empty() : tensor<8x8xf32>
    %weights = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%block, %greatest : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
    ^bb0(%a: f32, %most: f32, %old: f32):
      %d = arith.subf %a, %most : f32
      %p = math.exp %d : f32
      linalg.yield %p : f32
    } -> tensor<8x8xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<*xf32> to memref<8x8xf32, strided<[8, 1]>>
    bufferization.materialize_in_destination %weights in writable %to : (tensor<8x8xf32>, memref<8x8xf32, strided<[8, 1]>>) -> ()
"""
    module = xtriton.parse(kernel_text(ARGUMENTS, text))
    assert "exp_below" not in emit_kernel(module, replace(host(), looked_up=16)).text
