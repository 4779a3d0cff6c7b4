"""Floats as MLIR prints them; the expected texts are `mlir-opt`'s."""

import struct

import pytest
from xdsl.dialects.builtin import bf16, f8E4M3FN, f8E5M2, f16, f32, f64

from xtriton.ir.writing.float_text import float_text, float_text_of_bytes


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [
        (1.0, f32, "1.000000e+00"),
        (-0.0, f32, "-0.000000e+00"),
        (0.0, f16, "0.000000e+00"),
        (0.01, f32, "0.00999999977"),
        (0.1, f64, "1.000000e-01"),
        (1e10, f32, "1.000000e+10"),
        (1.44269502, f32, "1.44269502"),
        (123456789.0, f32, "0x4CEB79A3"),
        (1e-30, f64, "1.000000e-30"),
        (1.1e-30, f32, "1.100000e-30"),
        (3.3, bf16, "3.296880e+00"),
        (448.0, f8E4M3FN, "4.480000e+02"),
        (1e-5, f64, "1.000000e-05"),
        (1.23456789e-5, f64, "1.23456789E-5"),
        (0.3, f64, "3.000000e-01"),
        (0.1 + 0.2, f64, "0.30000000000000004"),
    ],
)
def test_finite(value: float, type: object, text: str) -> None:
    assert float_text(value, type) == text  # pyright: ignore[reportArgumentType]


def test_what_is_not_finite_is_a_bit_pattern() -> None:
    assert float_text(float("inf"), f32) == "0x7F800000"
    assert float_text(float("-inf"), f16) == "0xFC00"
    assert float_text(float("nan"), f64) == "0x7FF8000000000000"
    assert float_text(float("inf"), f8E5M2) == "0x7C"


def test_bits_of_a_nan_survive() -> None:
    assert float_text_of_bytes(struct.pack("<I", 0xFFC12345), f32) == "0xFFC12345"


def test_bits_and_signs_are_not_confused_with_equal_values() -> None:
    assert float_text(0.0, f32) == "0.000000e+00"
    assert float_text(-0.0, f32) == "-0.000000e+00"
    assert float_text(1.0, f32) == float_text(1.0, f64) == "1.000000e+00"
