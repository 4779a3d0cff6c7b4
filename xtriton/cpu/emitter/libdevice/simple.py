"""Functions that are a few instructions, or a call of one of C's with other types."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.libdevice.rules import Rule, families
from xtriton.cpu.types import suffix

_BITS = {"i32": 32, "i64": 64, "float": 32, "double": 64}
_ROUNDINGS = {"rn": "roundeven", "rz": "trunc", "rd": "floor", "ru": "ceil"}


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
            size = b.call(type, f"llvm.fabs.{suffix(type)}", [(type, x)])
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
    rest = b.call(type, f"llvm.fma.{suffix(type)}", [(type, negated), (type, y), (type, x)])
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
        type, f"llvm.{name}.{suffix(type)}", [(type, x) for x in xs]
    )


def _bits(match: re.Match[str]) -> Rule:
    return lambda b, type, result, xs: b.value(f"bitcast {type} {xs[0]} to {result}")


def _to_integer(match: re.Match[str]) -> Rule:
    rounding = _ROUNDINGS[match[2]]
    signed = "u" if match[1].startswith("u") else "s"

    def convert(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        kind = suffix(type)
        rounded = b.call(type, f"llvm.{rounding}.{kind}", [(type, xs[0])])
        name = f"llvm.fpto{signed}i.sat.{result}.{kind}"
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
        low = b.call(type, f"llvm.maxnum.{suffix(type)}", [(type, xs[0]), (type, "0.0")])
        return b.call(type, f"llvm.minnum.{suffix(type)}", [(type, low), (type, "1.0")])

    return clamp


FAMILIES = families(
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
)
