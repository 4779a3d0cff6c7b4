"""A division by the least number of 64 bits, which has no magnitude there, is raised rightly."""

from __future__ import annotations

import numpy as np
import pytest

import xtriton as xt
from xtriton.interpreter import run

KERNEL = """
tt.func @k(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>, %d: i64) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %j = arith.extsi %i : tensor<64xi32> to tensor<64xi64>
  %s = tt.splat %d : i64 -> tensor<64xi64>
  %q = arith.divsi %j, %s : tensor<64xi64>
  %pp = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %at = tt.addptr %pp, %q : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
  %v = tt.load %at : tensor<64x!tt.ptr<f32>>
  %oo = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %to = tt.addptr %oo, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %to, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.mark.parametrize("divisor", [-(1 << 63), -(1 << 63) + 1, 5, (1 << 63) - 1])
def test_quotients_are_what_they_were(divisor: int):
    module = xt.parse(KERNEL)
    xt.run_passes(module, "triton-to-structured")
    assert "tts.make_affine_tptr" in xt.print(module)
    data, out = np.arange(64, dtype=np.float32), np.full(64, -1, np.float32)
    run(module, 1, (data, out, divisor))
    assert out.tolist() == [float(i // divisor if divisor > 0 else 0) for i in range(64)]
