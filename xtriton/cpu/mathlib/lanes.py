"""
Functions of vectors of f32 that look up numbers in a register, which LLVM makes of no scalar code.

A kernel calls functions without bodies here, and its calls name, for each width that a loop may be
vectorised with, a function of vectors (the attribute of LLVM's `VFABI`); `jit` puts the bodies in
(`lookups`) once there are vectors.
"""

from collections.abc import Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.core import Expressions
from xtriton.cpu.module import LANES, TOGETHER

WIDTHS = {8: (4, 8, TOGETHER[8]), 16: (4, 8, 16)}
"""Lanes of vectors that there are functions of, by how many numbers a register holds."""
LINKAGE = "linkonce_odr hidden"
INLINED = "available_externally"
"""Linkage of functions of which nothing but what is inlined becomes code."""
VARIANTS = "vector-function-abi-variant"


def prefix(numbers: int) -> str:
    """Return what the names of functions begin with that look up so many numbers."""
    return f"{LANES}{numbers}."


class Lanes(Expressions):
    """Arithmetic on vectors of f32; plain numbers become constants."""

    def __init__(self, builder: IRBuilder, width: int):
        super().__init__(builder, f"<{width} x float>")
        self.width = width
        self.suffix = f"v{width}f32"
        self.integers = f"<{width} x i32>"

    def text(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        return f"splat (float {Expressions(self.builder).text(value)})"

    def select(self, condition: str, a: float | str, b: float | str) -> str:
        chosen = f"{self.type} {self.text(a)}, {self.type} {self.text(b)}"
        return self.builder.value(f"select <{self.width} x i1> {condition}, {chosen}")

    def bits(self, x: str) -> str:
        return self.builder.value(f"bitcast {self.type} {x} to {self.integers}")

    def from_bits(self, bits: Operand) -> str:
        return self.builder.value(f"bitcast {self.integers} {bits} to {self.type}")

    def integer(self, op: str, a: Operand, b: Operand) -> str:
        texts = (f"splat (i32 {one})" if isinstance(one, int) else one for one in (a, b))
        return self.builder.value(f"{op} {self.integers} {', '.join(texts)}")

    def resized(self, type: str, vector: str, before: int, width: int, start: int = 0) -> str:
        """The lanes from `start` on of a vector that has `before`; those behind its end are any."""
        if before == width:
            return vector
        places = range(start, start + width)
        lanes = ", ".join(f"i32 {i if i < before else 'poison'}" for i in places)
        operands = f"<{before} x {type}> {vector}, <{before} x {type}> poison"
        return self.builder.value(f"shufflevector {operands}, <{width} x i32> <{lanes}>")

    def looked_up(self, type: str, name: str, table: Sequence[str], bits: str) -> str:
        """What the lowest bits of each lane count off in a table, by an instruction of LLVM's."""
        numbers = len(table)
        vector = f"<{', '.join(f'{type} {number}' for number in table)}>"
        index = self.resized("i32", bits, self.width, numbers)
        arguments = [(f"<{numbers} x {type}>", vector), (f"<{numbers} x i32>", index)]
        found = self.builder.call(f"<{numbers} x {type}>", f"llvm.x86.{name}", arguments)
        return self.resized(type, found, numbers, self.width)

    def joined(self, parts: list[str]) -> str:
        """The lanes of a power of two of vectors, one after the other."""
        width = self.width
        while len(parts) > 1:
            lanes = ", ".join(f"i32 {i}" for i in range(2 * width))
            operands = (
                ", ".join(f"<{width} x float> {part}" for part in pair)
                for pair in zip(parts[::2], parts[1::2], strict=True)
            )
            mask = f"<{2 * width} x i32> <{lanes}>"
            parts = [self.builder.value(f"shufflevector {pair}, {mask}") for pair in operands]
            width *= 2
        return parts[0]

    def largest(self, integers: Sequence[str]) -> str:
        """The largest signed integer of each lane of several vectors."""

        def larger(a: str, b: str) -> str:
            name = f"llvm.smax.v{self.width}i32"
            return self.builder.call(self.integers, name, [(self.integers, a), (self.integers, b)])

        while len(integers) > 1:
            integers = [*map(larger, integers[::2], integers[1::2])]
        return integers[0]

    def any(self, condition: str) -> str:
        """Whether a condition holds of a lane, as an i1."""
        bits = self.builder.value(f"bitcast <{self.width} x i1> {condition} to i{self.width}")
        return self.builder.value(f"icmp ne i{self.width} {bits}, 0")


class LanesOfMemory(Lanes):
    """
    The same with constants in memory, whole vectors of them, from where instructions take them.

    LLVM would keep one number of each and have it broadcast into a register by an instruction.
    Nobody writes them, so that functions still say that they read no memory.
    """

    def text(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        module, constant, align = self.builder.module, super().text(value), 4 * self.width
        name = f"xt.constant.{self.width}.{constant.split()[-1].removesuffix(')')}"
        # Not called constant, which LLVM would take for the number again.
        module.definitions[name] = (
            f"@{name} = {LINKAGE} global {self.type} {constant}, align {align}"
        )
        return self.builder.load(self.type, f"@{name}", align)


def call_lanes(builder: IRBuilder, name: str, x: Operand) -> str:
    """Call function `name` of one f32, which LLVM may vectorise."""
    module = builder.module
    full, widths = prefix(module.looked_up) + name, WIDTHS[module.looked_up]
    if full not in module.definitions:
        module.definitions[full] = _declared("float", full)
        for width in widths:
            variant = f"{full}.{width}"
            module.definitions[variant] = _declared(f"<{width} x float>", variant)
            module.kept.append(variant)
    variants = ",".join(f"_ZGV_LLVM_N{width}v_{full}({full}.{width})" for width in widths)
    return builder.call_defined("float", full, [("float", x)], after=f'"{VARIANTS}"="{variants}"')


def _declared(type: str, name: str) -> str:
    return f"declare {type} @{name}({type}) speculatable nounwind willreturn memory(none)"
