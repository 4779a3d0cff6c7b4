"""
Exponentials of f32 that look up fractions of powers of two in a register of AVX-512.

Of scalar code LLVM makes no instruction that permutes the lanes of a register by others. So a
kernel calls functions without bodies here, and its calls name, for each width that a loop may be
vectorised with, a function of vectors (the attribute of LLVM's `VFABI`); `jit` puts the bodies in
once there are vectors. They are off by 0.94 units in the last place at most.

    2^(n + j/16)·e^r = scale(T[j] + T[j]·p(r), n + j/16), where |r| is up to ln(2)/32

The instruction that scales rounds exponents down. All of `FRACTIONS` are powers of two times the
same number, for which `p` makes up: one with which all 16 are almost f32, off by 0.19 units.
"""

import math
from collections.abc import Callable
from functools import cache, partial

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.core import Expressions, Function, define
from xtriton.cpu.module import Module
from xtriton.cpu.types import round_to_f32

PREFIX = "xt.lanes."
VARIANTS = "vector-function-abi-variant"
WIDTHS = (4, 8, 16)
"""Lanes of vectors that there are functions of."""

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
EXCESS = 1.0006177648307442
FRACTIONS = [round_to_f32(EXCESS * 2.0 ** (j / 16)) for j in range(16)]
EXP = (0.1665686816, 0.49971076846, 0.99938261509, -6.1738456e-4)
"""e^r / `EXCESS` - 1, off by 2^-29.6 relatively to e^r."""
EXP2 = (0.0554925911, 0.24008737504, 0.69271922112, -6.1738456e-4)
"""2^r / `EXCESS` - 1 for |r| up to 1/32, off by 2^-29.4."""
SHIFT = 1.5 * 2.0**19
"""Added to a number below 2^18 it leaves the nearest multiple of 1/16 in the lowest bits."""


class Lanes(Expressions):
    """Arithmetic on vectors of f32; plain numbers become constants."""

    def __init__(self, builder: IRBuilder, width: int):
        super().__init__(builder, f"<{width} x float>")
        self.width = width
        self.suffix = f"v{width}f32"

    def text(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        return f"splat (float {Expressions(self.builder).text(value)})"

    def select(self, condition: str, a: float | str, b: float | str) -> str:
        chosen = f"{self.type} {self.text(a)}, {self.type} {self.text(b)}"
        return self.builder.value(f"select <{self.width} x i1> {condition}, {chosen}")

    def bits(self, x: str) -> str:
        return self.builder.value(f"bitcast {self.type} {x} to <{self.width} x i32>")

    def resized(self, type: str, vector: str, before: int, width: int) -> str:
        """The first lanes of a vector that has `before`; those behind its end are any."""
        if before == width:
            return vector
        lanes = ", ".join(f"i32 {i if i < before else 'poison'}" for i in range(width))
        operands = f"<{before} x {type}> {vector}, <{before} x {type}> poison"
        return self.builder.value(f"shufflevector {operands}, <{width} x i32> <{lanes}>")

    def fractions(self, bits: str) -> str:
        """What the lowest four bits of each lane count off in the table."""
        scalar = Expressions(self.builder)
        table = ", ".join(f"float {scalar.text(fraction)}" for fraction in FRACTIONS)
        index = self.resized("i32", bits, self.width, 16)
        arguments = [("<16 x float>", f"<{table}>"), ("<16 x i32>", index)]
        found = self.builder.call("<16 x float>", "llvm.x86.avx512.permvar.sf.512", arguments)
        return self.resized("float", found, 16, self.width)

    def scaled(self, y: str, exponent: str, kept: str) -> str:
        """y times two to the power of exponents rounded down, where `kept` holds, and else 0."""
        wide = max(self.width, 8)
        mask = self.resized("i1", kept, self.width, wide)
        mask = self.builder.value(f"bitcast <{wide} x i1> {mask} to i{wide}")
        arguments: list[tuple[str, Operand]] = [(self.type, y), (self.type, exponent)]
        arguments += [(self.type, "zeroinitializer"), (f"i{wide}", mask)]
        if self.width == 16:
            arguments.append(("i32", 4))
        name = f"llvm.x86.avx512.mask.scalef.ps.{32 * self.width}"
        return self.builder.call(self.type, name, arguments)


def _exp(e: Lanes, x: str) -> str:
    least, most = EXP_BOUNDS
    bounded = e.select(e.compare("ogt", x, most), most, x)
    total = e.muladd(bounded, LOG2E, SHIFT)
    n = e.sub(total, SHIFT)
    r = e.muladd(n, -LN2_LOW, e.muladd(n, -LN2_HIGH, bounded))
    return _power(e, total, n, e.polynomial(r, EXP), e.compare("uge", x, least))


def _exp2(e: Lanes, x: str) -> str:
    least, most = EXP2_BOUNDS
    bounded = e.select(e.compare("ogt", x, most), most, x)
    total = e.add(bounded, SHIFT)
    n = e.sub(total, SHIFT)
    p = e.polynomial(e.sub(bounded, n), EXP2)
    return _power(e, total, n, p, e.compare("uge", x, least))


def _power(e: Lanes, total: str, n: str, p: str, kept: str) -> str:
    """2^n·(1 + p) / `EXCESS`, where `total` is n + `SHIFT`; 0 where it is not `kept`."""
    fraction = e.fractions(e.bits(total))
    return e.scaled(e.muladd(fraction, p, fraction), n, kept)


WRITTEN: dict[str, Callable[[Lanes, str], str]] = {"exp": _exp, "exp2": _exp2}


def call_lanes(builder: IRBuilder, name: str, x: Operand) -> str:
    """Call function `name` of one f32, which LLVM may vectorise."""
    full, module = PREFIX + name, builder.module
    if full not in module.definitions:
        module.definitions[full] = _declared("float", full)
        for width in WIDTHS:
            variant = f"{full}.{width}"
            module.definitions[variant] = _declared(f"<{width} x float>", variant)
            module.kept.append(variant)
    variants = ",".join(f"_ZGV_LLVM_N{width}v_{full}({full}.{width})" for width in WIDTHS)
    return builder.call_defined("float", full, [("float", x)], after=f'"{VARIANTS}"="{variants}"')


def _declared(type: str, name: str) -> str:
    return f"declare {type} @{name}({type}) speculatable nounwind willreturn memory(none)"


@cache
def bodies() -> str:
    """Return the text of a module with all functions that `call_lanes` calls."""
    builder = IRBuilder(Module())
    for name in WRITTEN:
        full = PREFIX + name
        for width in WIDTHS:
            _define(builder, f"{full}.{width}", f"<{width} x float>", partial(_vector, name, width))
        _define(builder, full, "float", partial(_single, full))
    return builder.module.text()


def _define(builder: IRBuilder, name: str, type: str, written: Function) -> None:
    define(builder, name, type, [type], written, linkage="linkonce_odr hidden")


def _vector(name: str, width: int, e: Expressions, x: str) -> str:
    return WRITTEN[name](Lanes(e.builder, width), x)


def _single(full: str, e: Expressions, x: str) -> str:
    """The function of one f32, as a lane of the narrowest vector, so that all round alike."""
    b, vector = e.builder, f"<{WIDTHS[0]} x float>"
    lanes = b.value(f"insertelement {vector} poison, float {x}, i32 0")
    results = b.call_defined(vector, f"{full}.{WIDTHS[0]}", [(vector, lanes)])
    return b.value(f"extractelement {vector} {results}, i32 0")
