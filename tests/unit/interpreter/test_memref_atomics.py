"""Atomics in the body of a `linalg.generic`: every position acts, also where all act alike."""

from __future__ import annotations

import numpy as np
import pytest

from xtriton.interpreter.api import run
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

KERNEL = """
#map = affine_map<(d0) -> (d0)>
func.func @kernel(%count: memref<2xi32>, %from: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %x = bufferization.to_tensor %from restrict : memref<8xi32> to tensor<8xi32>
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) {
  ^bb0(%in: i32):
    OPS
    linalg.yield
  }
  return
}
"""

ADD = "%r = memref.atomic_rmw addi VALUE, %count[%c1] : (i32, memref<2xi32>) -> i32"
ADD_IN_A_REGION = f"""%some = arith.cmpi sgt, %in, %five : i32
    scf.if %some {{
      {ADD}
    }}"""
DOUBLE_AND_ADD = """%r = memref.generic_atomic_rmw %count[%c1] : memref<2xi32> {
    ^bb0(%old: i32):
      %twice = arith.addi %old, %old : i32
      %sum = arith.addi %twice, VALUE : i32
      memref.atomic_yield %sum : i32
    }"""

CASES = [
    pytest.param(ADD, "%in", sum(range(1, 9)), id="one address"),
    pytest.param(ADD, "%five", 40, id="one address and value"),
    pytest.param(ADD_IN_A_REGION, "%in", 6 + 7 + 8, id="one address, some positions"),
    pytest.param(ADD_IN_A_REGION, "%five", 15, id="one address and value, some positions"),
    pytest.param(DOUBLE_AND_ADD, "%in", 502, id="a region for each"),
    pytest.param(DOUBLE_AND_ADD, "%five", 5 * 255, id="a region for each, one value"),
]


@pytest.mark.parametrize(("ops", "value", "wanted"), CASES)
def test_every_position_acts(ops: str, value: str, wanted: int):
    module = parse_module(KERNEL.replace("OPS", ops).replace("VALUE", value), context())
    count = np.zeros(2, np.int32)
    run(module, 1, [count, np.arange(1, 9, dtype=np.int32)])
    assert count.tolist() == [0, wanted]
