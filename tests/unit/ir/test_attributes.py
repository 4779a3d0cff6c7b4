"""Attributes of numbers are made once, and equal numbers that differ have their own."""

import math
import struct

from xdsl.dialects.builtin import f16, f32, i32, i64

from xtriton.ir.attributes import float_attr, integer_attr


def test_equal_numbers_of_one_type_are_one():
    assert integer_attr(7, i32) is integer_attr(7, i32)
    assert integer_attr(7, i32) != integer_attr(7, i64)
    assert float_attr(1.5, f32) is float_attr(1.5, f32)
    assert float_attr(1.5, f32) != float_attr(1.5, f16)


def test_zeros_keep_their_sign():
    assert math.copysign(1, float_attr(0.0, f32).value.data) == 1
    assert math.copysign(1, float_attr(-0.0, f32).value.data) == -1
    assert float_attr(-math.inf, f32).value.data == -math.inf


def test_what_is_no_number_keeps_its_sign():
    (negative,) = struct.unpack("<d", struct.pack("<Q", 0xFFF8 << 48))
    assert math.copysign(1, float_attr(math.nan, f32).value.data) == 1
    assert math.copysign(1, float_attr(negative, f32).value.data) == -1
