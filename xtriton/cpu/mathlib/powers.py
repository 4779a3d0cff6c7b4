"""
Powers of two and of e in f32 that look up fractions of powers of two in a register.

    2^(n + j/N)·e^r = 2^n·(T[j] + T[j]·p(r)), where |r| is up to ln(2)/(2·N)

N is how many numbers a register holds, 16 with AVX-512 and 8 with AVX2. All of T are powers of two
times the same number, for which `p` makes up: one with which all are almost f32, off by 0.19 units
in the last place of 16, and 0.13 of 8. Results are off by 0.95 units at most.

AVX-512 scales by an instruction that rounds exponents down and minds results that are too small or
too large for f32. With AVX2 what does that takes as long as all the rest: so it is left out where
no lane is far from zero, of one vector or of all that a loop computes at a time, and done by a
function of its own where one is.
"""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.conversions import F32_MANTISSA
from xtriton.cpu.mathlib.core import Expressions, define
from xtriton.cpu.mathlib.lanes import LINKAGE, Lanes, LanesOfMemory
from xtriton.cpu.types import F32, float_constant

LN2_HIGH = 0.693359375
LN2_LOW = -2.12194440e-4
LOG2E = math.log2(math.e)
EXP_BOUNDS, EXP2_BOUNDS = (-105.36, 89.0), (-152.0, 129.0)
"""
Below the first ones exponentials are 0, being less than half of the smallest f32.

Those themselves are 2 to the power of -152. Results too small for f32 would trap into microcode
where powers of two scale them, some hundred cycles each time: the exponentials of lanes that a
mask has set to -inf. Beyond the second ones they are infinite.
"""
EXCESS = {8: 1.0007338513242001, 16: 1.0006177648307442}
"""What powers of two in the tables are multiplied with."""
HOLDS = {numbers: 1.5 * 2.0**F32_MANTISSA / numbers for numbers in EXCESS}
"""Added to a number that is small it leaves the nearest multiple of 1/N in the lowest bits."""
MAGNITUDE = 0x7FFFFFFF
"""The bits of an f32 but its sign."""
IN_PLACE = F32_MANTISSA - 3
"""Where eighths of an exponent are shifted to, so that the exponent is where that of an f32 is."""
FAR = "noinline cold nounwind willreturn memory(none)"
FAR_CALL = "preserve_allcc"
"""A call that is hardly ever made is to leave all registers to those that are not made."""


@dataclass(frozen=True)
class Power:
    """
    How a number is raised to powers x.

    `scale` is its binary logarithm, `steps` add up to the inverse of that. Results are 0 below
    `least`, and infinite beyond `most`; they are no smaller than the least normal f32, and finite,
    if x is not beyond `near`.
    """

    scale: float
    steps: tuple[float, ...]
    least: float
    most: float
    near: float
    polynomials: dict[int, tuple[float, ...]]
    """Its power of r divided by `EXCESS`, minus 1."""


POWERS = {
    "exp": Power(
        LOG2E,
        (LN2_HIGH, LN2_LOW),
        *EXP_BOUNDS,
        87.0,
        {
            # Off by 2^-25.6 and 2^-29.6, relatively to e^r.
            8: (0.1665288061, 0.49971154332, 0.99926674366, -7.3333137e-4),
            16: (0.1665686816, 0.49971076846, 0.99938261509, -6.1738456e-4),
        },
    ),
    "exp2": Power(
        1.0,
        (1.0,),
        *EXP2_BOUNDS,
        125.0,
        {
            # Off by 2^-25.6 and 2^-29.4, relatively to 2^r.
            8: (0.0554581955, 0.24008792639, 0.69263893366, -7.3333131e-4),
            16: (0.0554925911, 0.24008737504, 0.69271922112, -6.1738456e-4),
        },
    ),
}


BELOW = {f"{name}_below": power for name, power in POWERS.items()}
"""Those functions for numbers that are not above 0, which AVX-512 need not bound from above."""


@dataclass(frozen=True)
class Exponent:
    """What x is taken apart to: n + j/N, also as bits of its sum with `HOLDS`, and p(r)."""

    value: str
    bits: str
    p: str


def _reduced(e: Lanes, numbers: int, power: Power, x: str) -> Exponent:
    holds = HOLDS[numbers]
    total = e.add(x, holds) if power.scale == 1 else e.muladd(x, power.scale, holds)
    value, rest = e.sub(total, holds), x
    for step in power.steps:
        rest = e.sub(rest, value) if step == 1 else e.muladd(value, -step, rest)
    return Exponent(value, e.bits(total), e.polynomial(rest, power.polynomials[numbers]))


def scaled_by_instruction(e: Lanes, power: Power, x: str, *, is_below: bool = False) -> str:
    """That power of each lane, with AVX-512; none is beyond `most` if x `is_below`."""
    bounded = x if is_below else e.select(e.compare("ogt", x, power.most), power.most, x)
    exponent = _reduced(e, 16, power, bounded)
    table = [float_constant(number, F32) for number in _fractions(16)]
    fraction = e.looked_up("float", "avx512.permvar.sf.512", table, exponent.bits)
    y = e.muladd(fraction, exponent.p, fraction)
    return _scalef(e, y, exponent.value, e.compare("uge", x, power.least))


def _scalef(e: Lanes, y: str, exponent: str, kept: str) -> str:
    """y times two to the power of exponents rounded down, where `kept` holds, and else 0."""
    wide = max(e.width, 8)
    mask = e.resized("i1", kept, e.width, wide)
    mask = e.builder.value(f"bitcast <{wide} x i1> {mask} to i{wide}")
    arguments: list[tuple[str, Operand]] = [(e.type, y), (e.type, exponent)]
    arguments += [(e.type, "zeroinitializer"), (f"i{wide}", mask)]
    if e.width == 16:
        arguments.append(("i32", 4))
    name = f"llvm.x86.avx512.mask.scalef.ps.{32 * e.width}"
    return e.builder.call(e.type, name, arguments)


def scaled_in_bits(b: IRBuilder, width: int, power: Power, far: str, x: str) -> str:
    """
    That power of each lane with AVX2.

    By the function `far` if a lane is far from zero, which is asked of all vectors at once.
    """
    # Lanes that nobody wants may be anything, but not something else each time.
    x = b.value(f"freeze <{width} x float> {x}")
    e = LanesOfMemory(b, min(width, 8))
    parts = [e.resized("float", x, width, e.width, start) for start in range(0, width, e.width)]
    # The bits of a NaN are those of a large integer.
    largest = e.largest([e.integer("and", e.bits(part), MAGNITUDE) for part in parts])
    near_bits = f"splat (i32 {_bits_of(power.near)})"
    is_far = e.any(b.value(f"icmp sgt {e.integers} {largest}, {near_bits}"))

    def apart(x: str) -> str:
        all = e.resized("float", x, e.width, 8)
        found = b.value(f"call {FAR_CALL} <8 x float> @{far}(<8 x float> {all})")
        return e.resized("float", found, 8, e.width)

    def near(x: str) -> str:
        exponent = _reduced(e, 8, power, x)
        fraction = _eighth(e, exponent.bits, exponent.bits)
        return e.muladd(fraction, exponent.p, fraction)

    def each(function: Callable[[str], str]) -> list[Operand]:
        return [e.joined([function(part) for part in parts])]

    results = b.if_else(is_far, partial(each, apart), partial(each, near), [f"<{width} x float>"])
    return str(results[0])


def _scaled_in_steps(e: Lanes, power: Power, x: str) -> str:
    """
    Scaled in two steps, so that subnormal results round once; NaN stays what it is.

    Of whole registers alone: behind one that returns a part of a register LLVM clears the other
    parts of all, which the call is to leave alone.
    """
    kept = e.compare("uge", x, power.least)
    bounded = e.select(kept, e.select(e.compare("ogt", x, power.most), power.most, x), 0.0)
    exponent = _reduced(e, 8, power, bounded)
    fraction = _eighth(e, exponent.bits, e.integer("and", exponent.bits, 7))
    y = e.muladd(fraction, exponent.p, fraction)
    n = e.integer("ashr", e.integer("sub", exponent.bits, _bits_of(HOLDS[8])), 3)
    first = e.integer("ashr", n, 1)
    for part in (first, e.integer("sub", n, first)):
        y = e.mul(y, e.power_of_two(part))
    return e.select(kept, y, 0.0)


def _eighth(e: Lanes, bits: str, eighths: str) -> str:
    """Two to the power of `eighths`, of which `bits` has the fractions, times `EXCESS`."""
    # What the fraction of an exponent leaves in the mantissa is taken from the table.
    table = [str(_bits_of(number) - (j << IN_PLACE)) for j, number in enumerate(_fractions(8))]
    found = e.looked_up("i32", "avx2.permd", table, bits)
    return e.from_bits(e.integer("add", found, e.integer("shl", eighths, IN_PLACE)))


def _fractions(numbers: int) -> list[float]:
    return [EXCESS[numbers] * 2.0 ** (j / numbers) for j in range(numbers)]


def define_far(builder: IRBuilder, name: str, power: Power) -> None:
    """Define the function of vectors of which a lane is far from zero."""

    def body(e: Expressions, x: str) -> str:
        return _scaled_in_steps(Lanes(e.builder, 8), power, x)

    vector, linkage = "<8 x float>", f"{LINKAGE} {FAR_CALL}"
    define(builder, name, vector, [vector], body, linkage=linkage, attributes=FAR)


def _bits_of(number: float) -> int:
    return struct.unpack("<i", struct.pack("<f", number))[0]
