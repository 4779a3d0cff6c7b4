"""Conversions to integers of floats that are made of integers, natively and in the interpreter."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import integers_of_places, kernel_text
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

SIZE = 32
ARGUMENTS = "%o: memref<*xi32>, %base: i32"


CONSTANTS = """
    %half = arith.constant 5.0e-01 : f32
    %one = arith.constant 1.0e+00 : f32
    %two = arith.constant 2.0e+00 : f32
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0x7FC00000 : f32
    %c7 = arith.constant 7 : i32"""


def body(steps: str, result: str) -> str:
    """Return a kernel that stores the float `result` of %x, that of base + i, as an i32."""
    each = f"""
      %rest = arith.remsi %sum, %c7 : i32
      %x = arith.sitofp %sum : i32 to f32
      %small = arith.sitofp %rest : i32 to f32
{steps}
      %integer = arith.fptosi {result} : f32 to i32"""
    return integers_of_places(SIZE, CONSTANTS, each, "%integer")


SCALED = "%y = arith.mulf %x, %half : f32"
SHIFTED = f"{SCALED}\n%z = arith.subf %y, %half : f32\n%w = arith.maximumf %z, %half : f32"
POSITIVE = f"{SCALED}\n%is = arith.cmpf ogt, %y, %zero : f32"
FITS = [
    (f"{POSITIVE}\n%z = arith.select %is, %y, %zero : f32", "%z"),
    (SCALED, "%y"),
    (SHIFTED, "%w"),
    ("%y = arith.mulf %small, %two : f32", "%y"),
    ("%y = arith.negf %small : f32\n%z = arith.addf %y, %one : f32", "%z"),
]
SQUARES = "%a = arith.mulf %x, %x : f32\n%b = arith.mulf %a, %a : f32"
INFINITE = f"{SQUARES}\n%c = arith.mulf %b, %b : f32\n%y = arith.mulf %c, %zero : f32"
DOES_NOT = [
    (f"{POSITIVE}\n%z = arith.select %is, %y, %none : f32", "%z"),
    (INFINITE, "%y"),
    ("", "%x"),
    ("%y = arith.mulf %x, %two : f32", "%y"),
    ("%y = arith.addf %x, %one : f32", "%y"),
    ("%y = arith.mulf %small, %none : f32", "%y"),
    ("%y = arith.divf %small, %half : f32", "%y"),
    ("%y = math.sqrt %x : f32", "%y"),
]


@pytest.mark.parametrize(("steps", "result"), FITS + DOES_NOT)
@pytest.mark.parametrize("base", [0, -9, -(1 << 31), (1 << 31) - 40])
def test_integers_of_floats_of_integers(check: Any, steps: str, result: str, base: int):
    check(ARGUMENTS, body(steps, result), [np.zeros(SIZE, np.int32), base])


@pytest.mark.parametrize(
    ("steps", "result", "fits"),
    [(*each, True) for each in FITS] + [(*each, False) for each in DOES_NOT],
)
def test_what_certainly_fits_is_not_compared(steps: str, result: str, fits: bool):
    module = xtriton.parse(kernel_text(ARGUMENTS, body(steps, result)))
    text = emit_kernel(module, host(), None).text
    assert ("fcmp oge" not in text) == fits
