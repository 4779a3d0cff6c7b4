"""What weights are of their total: the floats that divisions give, and without divisions."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

SIZE = 1024
ARGUMENTS = "%x: memref<*xT>, %o: memref<*xT>"
GREATEST = "linalg.reduce { arith.maxnumf } ins(%rest : tensor<1023xT>) outs(%first : tensor<T>) dimensions = [0]"
SUMMED = "%weights : BLOCK"
WEIGHT = "%d = arith.subf %a, %greatest : T\n%p = math.exp %d : T"
SHARE = "%q = arith.divf %a, %sum : T"


def begun_with(number: str) -> str:
    """Return how the greatest one of a block and of a number is found."""
    return f"""%bound = arith.constant {number} : T
    %start = tensor.from_elements %bound : tensor<T>
    GREATEST = linalg.reduce {{ arith.maxnumf }} ins(%block : BLOCK) outs(%start : tensor<T>) dimensions = [0]"""


def body(
    greatest: str = f"GREATEST = {GREATEST}",
    weight: str = WEIGHT,
    summed: str = SUMMED,
    zero: str = "0.0",
    share: str = SHARE,
) -> str:
    """Return a kernel that stores the shares of a block's weights, the weights and their sum."""
    loop = '{indexing_maps = [#id, #id], iterator_types = ["parallel"]}'
    text = f"""
    %zero = arith.constant {zero} : T
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xT> to MEMORY
    %buffer = memref.alloc() : memref<{SIZE}xT>
    memref.copy %view, %buffer : MEMORY to memref<{SIZE}xT>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{SIZE}xT> to BLOCK
    %first = tensor.extract_slice %block[0] [1] [1] : BLOCK to tensor<T>
    %rest = tensor.extract_slice %block[1] [1023] [1] : BLOCK to tensor<1023xT>
    {greatest.replace("GREATEST", "%of_all")}
    %greatest = tensor.extract %of_all[] : tensor<T>
    %e = tensor.empty() : BLOCK
    %weights = linalg.generic {loop} ins(%block : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: T, %old: T):
      {weight}
      linalg.yield %p : T
    }} -> BLOCK
    %nothing = tensor.from_elements %zero : tensor<T>
    %total = linalg.reduce {{ arith.addf }} ins({summed}) outs(%nothing : tensor<T>) dimensions = [0]
    %sum = tensor.extract %total[] : tensor<T>
    %shares = linalg.generic {loop} ins(%weights : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: T, %old: T):
      {share}
      linalg.yield %q : T
    }} -> BLOCK
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{SIZE}], strides: [1] : memref<*xT> to MEMORY
    bufferization.materialize_in_destination %shares in writable %to : (BLOCK, MEMORY) -> ()
    %to_weights = memref.reinterpret_cast %o to offset: [{SIZE}], sizes: [{SIZE}], strides: [1] : memref<*xT> to MEMORY
    bufferization.materialize_in_destination %weights in writable %to_weights : (BLOCK, MEMORY) -> ()
    %to_sum = memref.reinterpret_cast %o to offset: [{2 * SIZE}], sizes: [1], strides: [1] : memref<*xT> to memref<1xT, strided<[1], offset: ?>>
    %one = tensor.from_elements %sum : tensor<1xT>
    bufferization.materialize_in_destination %one in writable %to_sum : (tensor<1xT>, memref<1xT, strided<[1], offset: ?>>) -> ()
"""
    text = text.replace("MEMORY", f"memref<{SIZE}xT, strided<[1], offset: ?>>")
    return text.replace("BLOCK", f"tensor<{SIZE}xT>")


def kernel(type: str = "f32", **changed: Any) -> Any:
    """Return a module with the kernel on a type."""
    return xtriton.parse(re.sub(r"T\b", type, kernel_text(ARGUMENTS, body(**changed))))


@pytest.mark.parametrize("scale", [0.0, 1e-3, 1.0, 10.0, 60.0])
@pytest.mark.parametrize("type", [np.float32, np.float64])
def test_shares_are_quotients(scale: float, type: Any) -> None:
    compiled = compile_module(kernel("f32" if type is np.float32 else "f64"))
    others = 0
    for seed in range(100):
        x = (np.random.default_rng(seed).normal(size=SIZE) * scale).astype(type)
        out = np.zeros(2 * SIZE + 1, type)
        compiled(1, [x, out])
        shares, weights, total = out[:SIZE], out[SIZE:-1], out[-1]
        expected = weights / total
        assert (np.abs(shares - expected) <= np.spacing(expected)).all()
        near_zero = expected < np.finfo(type).tiny / np.finfo(type).eps
        others += ((shares != expected) & ~near_zero).sum()
    assert others <= 1


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("count", [1, SIZE])
def test_numbers_that_are_not_finite(odd: float, count: int) -> None:
    x = np.random.default_rng(1).normal(size=SIZE).astype(np.float32)
    x[:count] = odd
    out = np.zeros(2 * SIZE + 1, np.float32)
    compile_module(kernel())(1, [x, out])
    np.testing.assert_array_equal(out[:SIZE], out[SIZE:-1] / out[-1])
    assert np.isnan(out[:SIZE]).any() == (not (odd == -np.inf and count == 1))


def divides(fma: bool = True, **changed: Any) -> bool:
    """Return whether the kernel divides each weight."""
    text = emit_kernel(kernel(**changed), replace(host(), fma=fma)).text
    return "fdiv float 1.0" not in text


def test_a_greatest_that_begins_below_all_is_that_of_the_block() -> None:
    assert not divides()
    assert not divides(greatest=begun_with("0xFF800000"))


@pytest.mark.parametrize(
    "changed",
    [
        {"fma": False},
        {"greatest": begun_with("100.0")},
        {"greatest": f"GREATEST = {GREATEST.replace('maxnumf', 'minnumf')}"},
        {"zero": "1.0"},
        {"summed": "%block : BLOCK"},
        {"weight": WEIGHT.replace("subf", "addf")},
        {"weight": WEIGHT.replace("exp", "sqrt")},
        {"share": "%b = arith.addf %a, %a : T\n%q = arith.divf %b, %sum : T"},
        {"share": "%q = arith.divf %a, %greatest : T"},
        {"share": "%q = arith.divf %sum, %a : T"},
    ],
    ids=[
        "no multiply-add", "greatest of more", "least", "sum of more", "sum of others",
        "sums of two", "roots", "twice the weight", "by the greatest", "turned",
    ],
)  # fmt: skip
def test_other_quotients_are_divided(changed: Any) -> None:
    assert divides(**changed)
