"""Comparisons of floats or NaN, as what keeps NaN is written, are one comparison."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import emitted, whole

ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
NAN = "0x7FC00000"
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-45]


def body(predicate: str, number: str, order: str = "%v, %c", nan: str = "%v, %v") -> str:
    """Return a kernel that stores where(x `predicate` number | x is NaN, x, number)."""
    return f"""
{whole(("from", "x"), ("to", "o"))}
    %buffer = memref.alloc() : memref<64xf32>
    memref.copy %from, %buffer : memref<64xf32, strided<[1]>> to memref<64xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<64xf32> to tensor<64xf32>
    %c = arith.constant {number} : f32
    %e = tensor.empty() : tensor<64xf32>
    %kept = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%block : tensor<64xf32>) outs(%e : tensor<64xf32>) {{
    ^bb0(%v: f32, %old: f32):
      %m = arith.cmpf {predicate}, {order} : f32
      %n = arith.cmpf une, {nan} : f32
      %either = arith.ori %n, %m : i1
      %r = arith.select %either, %v, %c : f32
      linalg.yield %r : f32
    }} -> tensor<64xf32>
    bufferization.materialize_in_destination %kept in writable %to : (tensor<64xf32>, memref<64xf32, strided<[1]>>) -> ()
"""


def comparisons(*of: str) -> int:
    """Return how many comparisons hold for NaN and for something else."""
    text = emitted(ARGUMENTS, body(*of))
    return text.count(" fcmp u") - text.count(" fcmp une")


@pytest.mark.parametrize(
    "predicate, number, order",
    list(product(["ogt", "oge", "olt", "ole"], ["-1.0", "0.0", NAN], ["%v, %c", "%c, %v"])),
)
def test_nan_and_zeros_are_kept(
    check: Callable[..., Any], predicate: str, number: str, order: str
) -> None:
    x = np.resize(np.array(SPECIAL, np.float32), 64)
    found = check(ARGUMENTS, body(predicate, number, order), [x, np.zeros_like(x)])[1]
    kept = [x, np.float32(np.nan if number == NAN else number)]
    assert np.isnan(found[np.isnan(x)]).all()
    assert np.isin(found.view(np.int32), np.append(kept[0], kept[1]).view(np.int32)).all()


def test_which_are_one() -> None:
    assert comparisons("ogt", "1.0") == comparisons("ole", "0.0", "%c, %v") == 1
    assert comparisons("ogt", NAN) == 0
    assert comparisons("one", "1.0") == 0
    assert comparisons("ogt", "1.0", "%v, %c", "%c, %c") == 0
