"""A kernel that copies more than there is memory for is a finding, not the end of the judge."""

import pytest

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent

ORIGINAL = """
tt.func @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %pi = tt.addptr %ps, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %v = tt.load %pi : tensor<4x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %qi = tt.addptr %qs, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %qi, %v : tensor<4x!tt.ptr<f32>>
  tt.return
}
"""

COPY = """
func.func @k(%p: memref<*xf32>, %q: memref<*xf32>, %x: i32, %y: i32, %z: i32, %i: i32, %j: i32, %k: i32) {{
  %n = arith.constant {n} : index
  %from = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<*xf32> to memref<?xf32, strided<[1]>>
  %to = memref.reinterpret_cast %q to offset: [0], sizes: [%n], strides: [1] : memref<*xf32> to memref<?xf32, strided<[1]>>
  memref.copy %from, %to : memref<?xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  return
}}
"""


@pytest.mark.parametrize(("n", "equal"), [(4, True), (1 << 32, False)])
def test_copies_of_any_size_are_judged(n: int, equal: bool):
    modules = (parse_module(t, universe.context()) for t in (ORIGINAL, COPY.format(n=n)))
    verdict = check_equivalent(*modules)
    assert bool(verdict) == equal
    assert equal or "more than can be listed" in verdict.render()
