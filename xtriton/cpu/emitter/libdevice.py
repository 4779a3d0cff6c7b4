"""
Functions of GPUs' mathematical libraries that C's has none of, or of other types.

Each rule takes the builder, the LLVM types of the operands and of the result, and the operands,
and returns the register of the result. Symbols are those of NVIDIA's libdevice.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand

Rule = Callable[[IRBuilder, str, str, Sequence[Operand]], Operand]
"""Of the type of the first operand, the type of the result, and the operands."""

_BITS = {"i32": 32, "i64": 64, "float": 32, "double": 64}
_SUFFIXES = {"float": "f32", "double": "f64"}
_ROUNDINGS = {"rn": "roundeven", "rz": "trunc", "rd": "floor", "ru": "ceil"}


def device_function(symbol: str) -> Rule | None:
    """Return how a function of libdevice is computed, None if it is not known."""
    name = symbol.removeprefix("__nv_")
    if name == symbol:
        return None
    for pattern, make in _FAMILIES:
        if match := pattern.fullmatch(name):
            return make(match)
    return None


def _predicate(match: re.Match[str]) -> Rule:
    name = match[1]

    def test(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        x = xs[0]
        if name == "isnan":
            found = b.value(f"fcmp uno {type} {x}, {x}")
        elif name == "signbit":
            integer = f"i{_BITS[type]}"
            bits = b.value(f"bitcast {type} {x} to {integer}")
            found = b.value(f"icmp slt {integer} {bits}, 0")
        else:
            size = b.call(type, f"llvm.fabs.{_SUFFIXES[type]}", [(type, x)])
            order = "oeq" if name == "isinf" else "olt"
            found = b.value(f"fcmp {order} {type} {size}, 0x7FF0000000000000")
        return b.value(f"zext i1 {found} to {result}")

    return test


def _arithmetic(match: re.Match[str]) -> Rule:
    name = match[1]
    return lambda b, type, result, xs: b.value(f"f{name} {type} {xs[0]}, {xs[1]}")


def _reciprocal(match: re.Match[str]) -> Rule:
    return lambda b, type, result, xs: b.value(f"fdiv {type} 1.0, {xs[0]}")


def _quotient_toward_zero(match: re.Match[str]) -> Rule:
    return _divided


def _divided(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
    """Divide, and step back where rounding to nearest went away from zero."""
    x, y = xs
    nearest = b.value(f"fdiv {type} {x}, {y}")
    negated = b.value(f"fneg {type} {nearest}")
    rest = b.call(type, f"llvm.fma.{_SUFFIXES[type]}", [(type, negated), (type, y), (type, x)])
    signs = [b.value(f"fcmp olt {type} {value}, 0.0") for value in (rest, x)]
    opposite = b.value(f"xor i1 {signs[0]}, {signs[1]}")
    some = b.value(f"fcmp one {type} {rest}, 0.0")
    too_far = b.value(f"and i1 {opposite}, {some}")
    integer = f"i{_BITS[type]}"
    bits = b.value(f"bitcast {type} {nearest} to {integer}")
    step = b.value(f"zext i1 {too_far} to {integer}")
    # Floats of one sign are ordered as their bits are.
    return b.value(f"bitcast {integer} {b.value(f'sub {integer} {bits}, {step}')} to {type}")


def _intrinsic(match: re.Match[str]) -> Rule:
    name = match[1]
    return lambda b, type, result, xs: b.call(
        type, f"llvm.{name}.{_SUFFIXES[type]}", [(type, x) for x in xs]
    )


def _bits(match: re.Match[str]) -> Rule:
    return lambda b, type, result, xs: b.value(f"bitcast {type} {xs[0]} to {result}")


def _to_integer(match: re.Match[str]) -> Rule:
    rounding = _ROUNDINGS[match[2]]
    signed = "u" if match[1].startswith("u") else "s"

    def convert(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        suffix = _SUFFIXES[type]
        rounded = b.call(type, f"llvm.{rounding}.{suffix}", [(type, xs[0])])
        name = f"llvm.fpto{signed}i.sat.{result}.{suffix}"
        return b.call(result, name, [(type, rounded)])

    return convert


def _of_integer(match: re.Match[str]) -> Rule:
    signed = "u" if match[1].startswith("u") else "s"
    return lambda b, type, result, xs: b.value(f"{signed}itofp {type} {xs[0]} to {result}")


def _count(match: re.Match[str]) -> Rule:
    name = {"popc": "ctpop", "clz": "ctlz", "brev": "bitreverse"}[match[1]]

    def count(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        flags = [("i1", "false")] if name == "ctlz" else []
        found = b.call(type, f"llvm.{name}.{type}", [(type, xs[0]), *flags])
        return found if type == result else b.value(f"trunc {type} {found} to {result}")

    return count


def _first_set(match: re.Match[str]) -> Rule:
    def find(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        zeros = b.call(type, f"llvm.cttz.{type}", [(type, xs[0]), ("i1", "false")])
        place = b.value(f"add {type} {zeros}, 1")
        empty = b.value(f"icmp eq {type} {xs[0]}, 0")
        found = b.value(f"select i1 {empty}, {type} 0, {type} {place}")
        return found if type == result else b.value(f"trunc {type} {found} to {result}")

    return find


def _magnitude(match: re.Match[str]) -> Rule:
    return lambda b, type, result, xs: b.call(
        type, f"llvm.abs.{type}", [(type, xs[0]), ("i1", "false")]
    )


def _high_product(match: re.Match[str]) -> Rule:
    extend = "zext" if match[1] else "sext"

    def multiply(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        bits = _BITS[type]
        wide = f"i{2 * bits}"
        x, y = (b.value(f"{extend} {type} {value} to {wide}") for value in xs)
        product = b.value(f"mul {wide} {x}, {y}")
        high = b.value(f"lshr {wide} {product}, {bits}")
        return b.value(f"trunc {wide} {high} to {type}")

    return multiply


def _of_c(match: re.Match[str]) -> Rule:
    """Return a function of C whose operands and result are of different types."""
    name = {"scalbn": "ldexp"}.get(match[1], match[1])

    def call(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        arguments = [(type, xs[0]), *(("i32", x) for x in xs[1:])]
        return b.call(result, f"{name}{'f' if type == 'float' else ''}", arguments)

    return call


def _integer_power(match: re.Match[str]) -> Rule:
    def power(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        exponent = b.value(f"sitofp i32 {xs[1]} to {type}")
        return b.call(type, "powf" if type == "float" else "pow", [(type, xs[0]), (type, exponent)])

    return power


def _power_of_ten(match: re.Match[str]) -> Rule:
    return lambda b, type, result, xs: b.call(
        type, "powf" if type == "float" else "pow", [(type, "10.0"), (type, xs[0])]
    )


def _reciprocal_root(match: re.Match[str]) -> Rule:
    def root(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        found = b.call(type, "cbrtf" if type == "float" else "cbrt", [(type, xs[0])])
        return b.value(f"fdiv {type} 1.0, {found}")

    return root


def _saturated(match: re.Match[str]) -> Rule:
    def clamp(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        # NaN becomes 0, as `maxnum` returns the number.
        low = b.call(type, f"llvm.maxnum.{_SUFFIXES[type]}", [(type, xs[0]), (type, "0.0")])
        return b.call(type, f"llvm.minnum.{_SUFFIXES[type]}", [(type, low), (type, "1.0")])

    return clamp


_NEAR_ONE = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
             -0.00125372503, -0.00417768164, 0.246640727, 1.50140941)  # fmt: skip
_AT_THE_ENDS = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                -0.0076224613, 0.00943887047, 1.00167406, 2.83297682)  # fmt: skip
"""
Coefficients of the inverse error function by w = -log(1 - x^2), highest power first: of w - 2.5
below w = 5, of sqrt(w) - 3 beyond. From "Approximating the erfinv function", M. Giles, 2010.
"""
_STEPS = 2
"""Of Newton's method, each of which doubles the 7 right digits that the polynomials have."""


def _inverse_error_function(match: re.Match[str]) -> Rule:
    return _erfinv


def _erfinv(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
    """Compute on the magnitude in f64; sums end near 1 where only `erfc` is exact."""

    def call(name: str, *arguments: Operand) -> str:
        return b.call("double", name, [("double", value) for value in arguments])

    x = xs[0] if type == "double" else b.value(f"fpext {type} {xs[0]} to double")
    size = call("llvm.fabs.f64", x)
    rest = b.value(f"fsub double 1.0, {size}")
    product = b.value(f"fmul double {rest}, {b.value(f'fadd double 1.0, {size}')}")
    w = b.value(f"fneg double {call('log', product)}")
    near = b.value(f"fcmp olt double {w}, 5.0")
    argument = _chosen(
        b,
        near,
        b.value(f"fsub double {w}, 2.5"),
        b.value(f"fsub double {call('llvm.sqrt.f64', w)}, 3.0"),
    )
    factor: Operand = "0.0"
    for pair in zip(_NEAR_ONE, _AT_THE_ENDS, strict=True):
        coefficient = _chosen(b, near, *(_double(value) for value in pair))
        factor = call("llvm.fma.f64", factor, argument, coefficient)
    found = b.value(f"fmul double {factor}, {size}")
    for _ in range(_STEPS):
        # The error of erf(found), which near 1 is that of erfc(found).
        below = b.value(f"fsub double {call('erf', found)}, {size}")
        beyond = b.value(f"fsub double {rest}, {call('erfc', found)}")
        error = _chosen(b, b.value(f"fcmp olt double {size}, 0.5"), below, beyond)
        square = b.value(f"fmul double {found}, {found}")
        slope = call("exp", b.value(f"fneg double {square}"))
        scaled = b.value(f"fmul double {error}, {_double(math.sqrt(math.pi) / 2)}")
        found = b.value(f"fsub double {found}, {b.value(f'fdiv double {scaled}, {slope}')}")
    end = b.value(f"fcmp oeq double {rest}, 0.0")
    found = _chosen(b, end, "0x7FF0000000000000", found)
    signed = call("llvm.copysign.f64", found, x)
    return signed if type == "double" else b.value(f"fptrunc double {signed} to {type}")


def _chosen(b: IRBuilder, condition: Operand, first: Operand, second: Operand) -> str:
    return b.value(f"select i1 {condition}, double {first}, double {second}")


def _double(value: float) -> str:
    """Return a double as LLVM reads it without rounding."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


_FAMILIES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Rule]], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"(isnan|isinf|isfinite|finite|signbit)[fd]?", _predicate),
        (r"[fd](add|sub|mul|div)_rn", _arithmetic),
        (r"fast_f(div)idef", _arithmetic),
        (r"[fd]rcp_rn", _reciprocal),
        (r"[fd]div_rz", _quotient_toward_zero),
        (r"[fd](sqrt)_rn", _intrinsic),
        (r"(fma)f?_rn", _intrinsic),
        (r"float_as_u?int|u?int_as_float|double_as_longlong|longlong_as_double", _bits),
        (r"(?:float|double)2(u?int|u?ll)_(rn|rz|rd|ru)", _to_integer),
        (r"(u?int|u?ll)2(?:float|double)_rn", _of_integer),
        (r"(popc|clz|brev)(?:ll)?", _count),
        (r"ffs(?:ll)?", _first_set),
        (r"abs|llabs", _magnitude),
        (r"(u?)mul(?:64)?hi", _high_product),
        (r"(ilogb|llrint|llround|ldexp|scalbn)f?", _of_c),
        (r"powif?", _integer_power),
        (r"exp10f?|fast_exp10f", _power_of_ten),
        (r"rcbrtf?", _reciprocal_root),
        (r"saturatef", _saturated),
        (r"erfinvf?", _inverse_error_function),
    )
)
