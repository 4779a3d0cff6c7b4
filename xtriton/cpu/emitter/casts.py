"""Rules of `arith` that change a type."""

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import RULES, Emitter
from xtriton.cpu.emitter.elementwise import elementwise, scalar_rule
from xtriton.cpu.emitter.magnitudes import greatest_magnitude
from xtriton.cpu.types import F32, F64, Type, float_constant
from xtriton.ir.attributes import integer

F32_PRECISION = 24
"""Bits of an integer that every f32 holds exactly."""

F64_PRECISION = 53
"""Bits of an integer that every f64 holds exactly."""


def resize_integer(
    e: Emitter, value: Operand, source: Type, target: Type, *, signed: bool
) -> Operand:
    """Extend or truncate an integer; constants stay what they are."""
    if source.width == target.width:
        return value
    if source.width > target.width:
        return e.builder.value(f"trunc {source.register} {value} to {target.register}")
    if isinstance(value, int) and signed and source.width > 1:
        return value
    extend = "sext" if signed else "zext"
    return e.builder.value(f"{extend} {source.register} {value} to {target.register}")


def _resize_rule(e: Emitter, op: Operation) -> None:
    signed = op.name in ("arith.extsi", "arith.index_cast")
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    value = e.scalar(op.operands[0])
    result = resize_integer(e, value, source, target, signed=signed)
    if signed and source.width < target.width and isinstance(result, str):
        e.builder.narrow[result] = (source.register, value)
    if e.rows is not None and source.width > target.width:
        e.rows.note_resized(value, target.register, result)
    elif e.rows is not None and signed and source.width < target.width:
        e.rows.note_extended(value, result)
        e.rows.note_alike(f"sext {source.register}", (value,), result, f" to {target.register}")
    e.bind(op.results[0], result)


for _name in (
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.index_cast",
    "arith.index_castui",
):
    RULES[_name] = elementwise(_resize_rule)


@scalar_rule("arith.sitofp", "arith.uitofp")
def _integer_to_float(e: Emitter, op: Operation) -> None:
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    instruction = op.name.removeprefix("arith.")
    # f16 and the 8-bit floats overflow long before an integer is too wide for f32.
    exact = F64 if target.name == "bf16" and source.width > F32_PRECISION else target
    t = e.computing_type(exact).register
    value = e.scalar(op.operands[0])
    if exact == F64 and exact != target and source.width > F64_PRECISION:
        value = _odd_of_f64(e, value, source, signed=instruction == "sitofp")
    value = e.builder.value(f"{instruction} {source.register} {value} to {t}")
    e.bind(op.results[0], convert_float(e, value, e.computing_type(exact), target))


def _odd_of_f64(e: Emitter, value: Operand, source: Type, *, signed: bool) -> str:
    """
    Return an integer that is an f64, and that rounds to narrower floats as `value` does.

    Beyond 2**53 that is the odd one of the two around `value`, see `_rounded_to_odd`.
    """
    builder, t = e.builder, source.register
    bits, limit = source.width - F64_PRECISION, 1 << F64_PRECISION
    lost = builder.value(f"and {t} {value}, {(1 << bits) - 1}")
    inexact = builder.value(f"icmp ne {t} {lost}, 0")
    sticky = builder.value(f"select i1 {inexact}, {t} {1 << bits}, {t} 0")
    high = builder.value(f"and {t} {value}, {-1 << bits}")
    odd = builder.value(f"or {t} {high}, {sticky}")
    # Signed: from -2**53 to 2**53, shifted to where one comparison tells.
    magnitude = builder.value(f"add {t} {value}, {limit}") if signed else value
    large = builder.value(f"icmp ugt {t} {magnitude}, {2 * limit if signed else limit}")
    return builder.value(f"select i1 {large}, {t} {odd}, {t} {value}")


@scalar_rule("arith.fptosi", "arith.fptoui")
def _float_to_integer(e: Emitter, op: Operation) -> None:
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    wide = e.computing_type(source)
    value = e.widen(source, e.scalar(op.operands[0]))
    signed = op.name == "arith.fptosi"
    if signed and greatest_magnitude(op.operands[0]) < 1 << (target.width - 1):
        result = e.builder.value(f"fptosi {wide.register} {value} to {target.register}")
    else:
        result = _saturated(e, value, wide, target.register, signed=signed)
    e.bind(op.results[0], result)


def _saturated(e: Emitter, value: Operand, source: Type, t: str, *, signed: bool) -> str:
    """
    Convert to the nearest integer of type `t` toward zero, NaN to 0.

    LLVM takes vectors apart for its own saturating conversion.
    """
    b, kind = e.builder, source.register
    digits = int(t[1:]) - signed
    low, high = (-(1 << digits) if signed else 0), 1 << digits
    largest = high - 1 if signed else -1
    result = b.value(f"{'fptosi' if signed else 'fptoui'} {kind} {value} to {t}")
    for compare, bound, instead in (("oge", high, largest), ("ole", low, low)):
        limit = float_constant(bound, source)
        beyond = b.value(f"fcmp {compare} {kind} {value}, {limit}")
        result = b.value(f"select i1 {beyond}, {t} {instead}, {t} {result}")
    return b.value(f"select i1 {b.value(f'fcmp uno {kind} {value}, {value}')}, {t} 0, {t} {result}")


def convert_float(e: Emitter, value: Operand, source: Type, target: Type) -> Operand:
    """Convert between float types, rounding once, to nearest even."""
    if source == target:
        return value
    value = e.widen(source, value)
    source = e.computing_type(source)
    wanted = e.computing_type(target)
    if source == F64 and target.small is not None:
        value = _rounded_to_odd(e, value)
    elif source != wanted:
        instruction = "fpext" if source == F32 else "fptrunc"
        value = e.builder.value(f"{instruction} {source.register} {value} to {wanted.register}")
    return e.narrow(target, value)


def _rounded_to_odd(e: Emitter, value: Operand) -> str:
    """
    Return an f64 as an f32: itself, or of the two next to it the one with an odd last bit.

    What is rounded to nearest from there on is as if rounded only once.
    Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008.
    """
    builder = e.builder
    nearest = builder.value(f"fptrunc double {value} to float")
    back = builder.value(f"fpext float {nearest} to double")
    sizes = [builder.call("double", "llvm.fabs.f64", [("double", x)]) for x in (back, value)]
    outward = builder.value(f"fcmp ogt double {sizes[0]}, {sizes[1]}")
    inexact = builder.value(f"fcmp one double {back}, {value}")
    bits = builder.value(f"bitcast float {nearest} to i32")
    step = builder.value(f"zext i1 {outward} to i32")
    sticky = builder.value(f"zext i1 {inexact} to i32")
    odd = builder.value(f"or i32 {builder.value(f'sub i32 {bits}, {step}')}, {sticky}")
    return builder.value(f"bitcast i32 {odd} to float")


@scalar_rule("arith.extf", "arith.truncf")
def _convert_float(e: Emitter, op: Operation) -> None:
    if integer(op, "roundingmode", 0) != 0:
        e.unsupported(op, "a rounding mode other than to_nearest_even")
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    e.bind(op.results[0], convert_float(e, e.scalar(op.operands[0]), source, target))


@scalar_rule("arith.bitcast", "tt.bitcast")
def _bitcast(e: Emitter, op: Operation) -> None:
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    value = e.scalar(op.operands[0])
    if source.register != target.register:
        value = e.builder.value(f"bitcast {source.register} {value} to {target.register}")
    e.bind(op.results[0], value)
