"""The table of functions and the little language that they are written in."""

from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.types import F32, F64, float_constant, suffix

ATTRIBUTES = "alwaysinline nounwind willreturn memory(none)"


class Expressions:
    """Arithmetic on `float` (or `double`) registers; plain numbers become constants."""

    def __init__(self, builder: IRBuilder, type: str = "float"):
        self.builder = builder
        self.type = type
        self.suffix = suffix(type)

    def text(self, value: float | str) -> str:
        if isinstance(value, str):
            return value
        return float_constant(value, F32 if self.type == "float" else F64)

    def binary(self, op: str, a: float | str, b: float | str) -> str:
        return self.builder.value(f"{op} {self.type} {self.text(a)}, {self.text(b)}")

    def add(self, a: float | str, b: float | str) -> str:
        return self.binary("fadd", a, b)

    def sub(self, a: float | str, b: float | str) -> str:
        return self.binary("fsub", a, b)

    def mul(self, a: float | str, b: float | str) -> str:
        return self.binary("fmul", a, b)

    def div(self, a: float | str, b: float | str) -> str:
        return self.binary("fdiv", a, b)

    def negative(self, a: str) -> str:
        return self.builder.value(f"fneg {self.type} {a}")

    def intrinsic(self, name: str, *values: float | str) -> str:
        arguments = [(self.type, self.text(value)) for value in values]
        return self.builder.call(self.type, f"llvm.{name}.{self.suffix}", arguments)

    def muladd(self, a: float | str, b: float | str, c: float | str) -> str:
        """a·b + c, fused where the machine can."""
        return self.intrinsic("fmuladd", a, b, c)

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        """Evaluate by Horner's rule; coefficients from the highest power to the lowest."""
        result = self.text(coefficients[0])
        for coefficient in coefficients[1:]:
            result = self.muladd(result, x, coefficient)
        return result

    def compare(self, predicate: str, a: float | str, b: float | str) -> str:
        return self.builder.value(f"fcmp {predicate} {self.type} {self.text(a)}, {self.text(b)}")

    def select(self, condition: str, a: float | str, b: float | str) -> str:
        return self.builder.value(
            f"select i1 {condition}, {self.type} {self.text(a)}, {self.type} {self.text(b)}"
        )

    def bits(self, x: str) -> str:
        return self.builder.value(
            f"bitcast {self.type} {x} to i{32 if self.type == 'float' else 64}"
        )

    def from_bits(self, bits: Operand) -> str:
        return self.builder.value(
            f"bitcast i{32 if self.type == 'float' else 64} {bits} to {self.type}"
        )

    def integer(self, op: str, a: Operand, b: Operand) -> str:
        return self.builder.value(f"{op} i32 {a}, {b}")

    def power_of_two(self, exponent: str) -> str:
        """2 to the power of an i32 between -126 and 127."""
        biased = self.integer("add", exponent, 127)
        return self.from_bits(self.integer("shl", biased, 23))


Function = Callable[..., str]
"""Appends its body, given `Expressions` and its arguments, and returns the result."""

FUNCTIONS: dict[str, Function] = {}
"""Functions on f32 by the name of their op in the `math` dialect."""


def function(name: str) -> Callable[[Function], Function]:
    """Register a function of one or more f32 under `name`."""

    def register(written: Function) -> Function:
        FUNCTIONS[name] = written
        return written

    return register


def call_f32(builder: IRBuilder, name: str, *arguments: Operand) -> str:
    """Call function `name` of f32, defining it in the module where it is not yet."""
    full_name = f"xt.{name}.f32"
    if full_name not in builder.module.definitions:
        define(builder, full_name, "float", ["float"] * len(arguments), FUNCTIONS[name])
    return builder.call_defined("float", full_name, [("float", value) for value in arguments])


def define(
    builder: IRBuilder,
    name: str,
    result: str,
    types: Sequence[str],
    written: Function,
    expressions: Callable[[IRBuilder], Expressions] = Expressions,
    linkage: str = "internal",
    attributes: str = ATTRIBUTES,
) -> None:
    """Define `name` in the module of `builder`; `written` appends the body, given the arguments."""
    inner = IRBuilder(builder.module)
    parameters = [f"%x{i}" for i in range(len(types))]
    value = written(expressions(inner), *parameters)
    inner.emit(f"ret {result} {value}")
    signature = ", ".join(f"{type} {x}" for type, x in zip(types, parameters, strict=True))
    header = f"define {linkage} {result} @{name}({signature}) {attributes}"
    builder.module.definitions[name] = inner.text(header)
