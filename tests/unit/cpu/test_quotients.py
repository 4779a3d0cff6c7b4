"""Quotients of an index of a loop and what is added to it, where 32 bits are enough."""

from typing import Any

import numpy as np
import pytest

ARGUMENTS = "%o: memref<*xi64>, %base: i64"


def body(divisor: int) -> str:
    """Return a kernel that stores floor((base + i) / divisor) for 40 indices i."""
    return f"""
    %b = arith.index_cast %base : i64 to index
    %d = arith.constant {divisor} : index
    %e = tensor.empty() : tensor<40xi64>
    %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<40xi64>) {{
    ^bb0(%old: i64):
      %i = linalg.index 0 : index
      %sum = arith.addi %b, %i : index
      %q = arith.floordivsi %sum, %d : index
      %v = arith.index_cast %q : index to i64
      linalg.yield %v : i64
    }} -> tensor<40xi64>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [40], strides: [1] : memref<*xi64> to memref<40xi64, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<40xi64>, memref<40xi64, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize("divisor", [1, 3, 7, 40, 1 << 30, (1 << 31) - 40, 1 << 31, 1 << 40, -3])
@pytest.mark.parametrize("base", [0, 5, -1, -39, -(1 << 40) + 3, (1 << 62) + 1])
def test_quotients(check: Any, divisor: int, base: int):
    (found,) = check(ARGUMENTS, body(divisor), [np.zeros(40, np.int64), base])
    assert found.tolist() == [(base + i) // divisor for i in range(40)]
