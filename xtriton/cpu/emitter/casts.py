"""Rules of `arith` that change a type."""

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import integer
from xtriton.cpu.emitter.core import RULES, Emitter
from xtriton.cpu.emitter.elementwise import elementwise, scalar_rule
from xtriton.cpu.types import F32, Type


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
    e.bind(
        op.results[0], resize_integer(e, e.scalar(op.operands[0]), source, target, signed=signed)
    )


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
    t = e.computing_type(target).register
    value = e.builder.value(f"{instruction} {source.register} {e.scalar(op.operands[0])} to {t}")
    e.bind(op.results[0], e.narrow(target, value))


@scalar_rule("arith.fptosi", "arith.fptoui")
def _float_to_integer(e: Emitter, op: Operation) -> None:
    source, target = e.type(op.operands[0].type), e.type(op.results[0].type)
    t = e.computing_type(source).register
    suffix = "f32" if t == "float" else "f64"
    name = f"llvm.{op.name.removeprefix('arith.')}.sat.{target.register}.{suffix}"
    value = e.widen(source, e.scalar(op.operands[0]))
    e.bind(op.results[0], e.builder.call(target.register, name, [(t, value)]))


def convert_float(e: Emitter, value: Operand, source: Type, target: Type) -> Operand:
    """Convert between float types, rounding to nearest even."""
    if source == target:
        return value
    value = e.widen(source, value)
    source = e.computing_type(source)
    wanted = e.computing_type(target)
    if source != wanted:
        instruction = "fpext" if source == F32 else "fptrunc"
        value = e.builder.value(f"{instruction} {source.register} {value} to {wanted.register}")
    return e.narrow(target, value)


@scalar_rule("arith.extf", "arith.truncf")
def _convert_float(e: Emitter, op: Operation) -> None:
    if integer(op, "roundingmode") != 0:
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
