"""
Conversions between f32 and narrower floats by integer arithmetic, rounded to nearest even.

LLVM makes calls of such conversions (`__truncsfbf2`) on machines without instructions for
them, and a process need not have those functions; this vectorises everywhere.
"""

from functools import partial

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.core import Expressions, define
from xtriton.cpu.types import SmallFloat, Type

F32_BIAS = 127
F32_MANTISSA = 23
BF16_MANTISSA = 7
F32_INFINITY = 0x7F800000


def widen(builder: IRBuilder, type: Type, bits: Operand, *, native_half: bool) -> str:
    """Return the f32 that `bits`, a float of the small `type`, stands for."""
    small = type.small
    assert small is not None
    if type.name == "f16" and native_half:
        return builder.value(f"fpext half {builder.value(f'bitcast i16 {bits} to half')} to float")
    name = f"xt.{type.name}.to.f32"
    if name not in builder.module.definitions:
        define(builder, name, "float", [type.register], partial(_widen, type=type, small=small))
    return builder.call_defined("float", name, [(type.register, bits)])


def narrow(builder: IRBuilder, type: Type, value: Operand, *, native_half: bool) -> str:
    """Return the bits of the float of the small `type` nearest to the f32 `value`."""
    small = type.small
    assert small is not None
    if type.name == "f16" and native_half:
        return builder.value(
            f"bitcast half {builder.value(f'fptrunc float {value} to half')} to i16"
        )
    name = f"xt.f32.to.{type.name}"
    if name not in builder.module.definitions:
        define(builder, name, type.register, ["float"], partial(_narrow, type=type, small=small))
    return builder.call_defined(type.register, name, [("float", value)])


def narrow_bf16(builder: IRBuilder, value: Operand, *, exact: bool) -> str:
    """
    Return the bits of the bf16 nearest to an f32 that arithmetic has made of two of them.

    Of a NaN, which is one of the two or what the CPU makes, the lower bits are 0, so that nothing
    is carried into the upper ones. The f32 is a bf16 if it is `exact`.
    """
    e = Expressions(builder)
    bits = e.bits(str(value))
    rounded = bits if exact else _nearest(e, F32_MANTISSA - BF16_MANTISSA, bits)
    upper = e.integer("lshr", rounded, F32_MANTISSA - BF16_MANTISSA)
    return builder.value(f"trunc i32 {upper} to i16")


def _widen(e: Expressions, x: str, *, type: Type, small: SmallFloat) -> str:
    b = e.builder
    wide = b.value(f"zext {type.register} {x} to i32")
    if small.bias == F32_BIAS:
        return e.from_bits(e.integer("shl", wide, F32_MANTISSA - small.mantissa))
    magnitude = e.integer("and", wide, small.magnitude_mask)
    aligned = e.integer("shl", magnitude, F32_MANTISSA - small.mantissa)
    # Read as f32 the exponent is off by the difference of the biases; multiplying by that
    # power of two is exact and right for subnormals too.
    scaled = e.bits(e.mul(e.from_bits(aligned), 2.0 ** (F32_BIAS - small.bias)))
    sign = e.integer("shl", e.integer("lshr", wide, small.bits - 1), 31)
    if not small.finite:
        special = b.value(f"icmp uge i32 {magnitude}, {small.infinity}")
        infinite = e.integer("or", aligned, F32_INFINITY)
        scaled = b.value(f"select i1 {special}, i32 {infinite}, i32 {scaled}")
    else:
        key = wide if small.unsigned_zero else magnitude
        special = b.value(f"icmp eq i32 {key}, {small.nan}")
        scaled = b.value(f"select i1 {special}, i32 {0x7FC00000}, i32 {scaled}")
    return e.from_bits(e.integer("or", scaled, sign))


def _narrow(e: Expressions, x: str, *, type: Type, small: SmallFloat) -> str:
    b = e.builder
    bits = e.bits(x)
    if small.bias == F32_BIAS:
        return b.value(f"trunc i32 {_upper_half(e, small, x, bits)} to {type.register}")
    magnitude = e.integer("and", bits, 0x7FFFFFFF)
    sign = e.integer("shl", e.integer("lshr", bits, 31), small.bits - 1)
    result = _round(e, small, magnitude)
    overflow = b.value(f"icmp ugt i32 {result}, {small.largest}")
    # A NaN's bits round to more than any finite value's, so this covers it as well.
    result = b.value(f"select i1 {overflow}, i32 {small.overflow}, i32 {result}")
    nan = e.compare("uno", x, x)
    result = b.value(f"select i1 {nan}, i32 {small.nan}, i32 {result}")
    if small.unsigned_zero:
        unsigned = e.integer("and", result, small.magnitude_mask)
        keep = b.value(f"icmp eq i32 {unsigned}, 0")
        signed = e.integer("or", result, sign)
        result = b.value(f"select i1 {keep}, i32 {result}, i32 {signed}")
    else:
        result = e.integer("or", result, sign)
    return b.value(f"trunc i32 {result} to {type.register}")


def _upper_half(e: Expressions, small: SmallFloat, x: str, bits: str) -> str:
    """The bits of an f32 in a format of fewer places that has its exponents, below others."""
    b = e.builder
    dropped = F32_MANTISSA - small.mantissa
    upper = e.integer("lshr", bits, dropped)
    # What is rounded up beyond the largest is infinity.
    rounded = e.integer("lshr", _nearest(e, dropped, bits), dropped)
    nan = e.integer("or", e.integer("and", upper, ~small.magnitude_mask), small.nan)
    return b.value(f"select i1 {e.compare('uno', x, x)}, i32 {nan}, i32 {rounded}")


def _nearest(e: Expressions, dropped: int, bits: str) -> str:
    """Bits with what brings those that are kept to the nearest number, if others are dropped."""
    odd = e.integer("and", e.integer("lshr", bits, dropped), 1)
    return e.integer("add", bits, e.integer("add", odd, (1 << (dropped - 1)) - 1))


def _round(e: Expressions, small: SmallFloat, magnitude: str) -> str:
    """The bits of a non-negative f32 in the small format, with an exponent of any size."""
    b = e.builder
    dropped = F32_MANTISSA - small.mantissa
    odd = e.integer("and", e.integer("lshr", magnitude, dropped), 1)
    half = (1 << (dropped - 1)) - 1
    rebias = (small.bias - F32_BIAS) << F32_MANTISSA
    rounded = e.integer("add", e.integer("add", magnitude, rebias + half), odd)
    normal = e.integer("lshr", rounded, dropped)
    # Below the normal range: adding a power of two whose last place is the format's makes
    # the hardware round.
    magic = (F32_BIAS - small.bias + dropped + 1) << F32_MANTISSA
    total = e.bits(e.add(e.from_bits(magnitude), e.from_bits(magic)))
    subnormal = e.integer("sub", total, magic)
    is_small = b.value(f"icmp ult i32 {magnitude}, {(F32_BIAS - small.bias + 1) << F32_MANTISSA}")
    return b.value(f"select i1 {is_small}, i32 {subnormal}, i32 {normal}")
