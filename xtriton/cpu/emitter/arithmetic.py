"""
Rules of `arith`: on scalars, and element by element on tensors.

Meaning is that of `xtriton.semantics`: division by zero gives 0, a shift past the width
gives 0 or the sign, conversions of floats to integers saturate. LLVM leaves these
undefined, and a machine may trap.
"""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import attribute, integer, is_shaped, shape_of
from xtriton.cpu.emitter.core import RULES, Emitter, Rule
from xtriton.cpu.emitter.elementwise import elementwise
from xtriton.cpu.emitter.values import Lazy, Storage, View, row_major_strides
from xtriton.cpu.types import F32, Type, float_constant

INTEGER_BINARY = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
}
INTEGER_INTRINSICS = {
    "arith.minsi": "smin",
    "arith.maxsi": "smax",
    "arith.minui": "umin",
    "arith.maxui": "umax",
}
DIVISIONS = {
    "arith.divsi": "sdiv",
    "arith.divui": "udiv",
    "arith.remsi": "srem",
    "arith.remui": "urem",
}
SHIFTS = {"arith.shli": "shl", "arith.shrui": "lshr", "arith.shrsi": "ashr"}
FLOAT_BINARY = {
    "arith.addf": "fadd",
    "arith.subf": "fsub",
    "arith.mulf": "fmul",
    "arith.divf": "fdiv",
}
FLOAT_INTRINSICS = {
    "arith.maximumf": "maximum",
    "arith.minimumf": "minimum",
    "arith.maxnumf": "maxnum",
    "arith.minnumf": "minnum",
}
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip

_FOLDABLE = {"arith.addi", "arith.subi", "arith.muli"}


def binary(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    """Apply the binary op `name` of `arith` to two scalars of `type`."""
    if name in INTEGER_BINARY:
        return _integer_binary(e, name, type, a, b)
    if name in INTEGER_INTRINSICS:
        return _integer_intrinsic(e, name, type, a, b)
    if name in DIVISIONS:
        return _division(e, DIVISIONS[name], type, a, b)
    if name in SHIFTS:
        return _shift(e, SHIFTS[name], type, a, b)
    return e.narrow(type, _float_binary(e, name, type, a, b))


def _integer_binary(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    if name in _FOLDABLE and type.register == "i64":
        fold = {
            "arith.addi": e.builder.add,
            "arith.subi": e.builder.sub,
            "arith.muli": e.builder.mul,
        }
        if type.name == "index" or (isinstance(a, int) and isinstance(b, int)):
            return _wrapped(fold[name](a, b), 64)
    return e.builder.value(f"{INTEGER_BINARY[name]} {type.register} {a}, {b}")


def _wrapped(value: Operand, width: int) -> Operand:
    if not isinstance(value, int):
        return value
    return (value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


_FOLDED = {"arith.minsi": min, "arith.maxsi": max}


def _integer_intrinsic(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    if isinstance(a, int) and isinstance(b, int) and name in _FOLDED:
        return _FOLDED[name](a, b)
    t = type.register
    return e.builder.call(t, f"llvm.{INTEGER_INTRINSICS[name]}.{t}", [(t, a), (t, b)])


def _division(e: Emitter, op: str, type: Type, a: Operand, b: Operand) -> Operand:
    builder, t = e.builder, type.register
    if isinstance(b, int) and b not in (0, -1):
        return builder.value(f"{op} {t} {a}, {b}")
    zero = builder.value(f"icmp eq {t} {b}, 0")
    if op[0] == "u":
        safe = builder.value(f"select i1 {zero}, {t} 1, {t} {b}")
        result = builder.value(f"{op} {t} {a}, {safe}")
        return builder.value(f"select i1 {zero}, {t} 0, {t} {result}")
    # The smallest integer divided by -1 overflows, which traps on x86.
    minus_one = builder.value(f"icmp eq {t} {b}, -1")
    special = builder.value(f"or i1 {zero}, {minus_one}")
    safe = builder.value(f"select i1 {special}, {t} 1, {t} {b}")
    result = builder.value(f"{op} {t} {a}, {safe}")
    if op == "sdiv":
        negated = builder.value(f"sub {t} 0, {a}")
        result = builder.value(f"select i1 {minus_one}, {t} {negated}, {t} {result}")
    return builder.value(f"select i1 {zero}, {t} 0, {t} {result}")


def _shift(e: Emitter, op: str, type: Type, a: Operand, b: Operand) -> Operand:
    builder, t, width = e.builder, type.register, type.width
    if isinstance(b, int) and 0 <= b < width:
        return builder.value(f"{op} {t} {a}, {b}")
    if op == "ashr":
        b = builder.call(t, f"llvm.umin.{t}", [(t, b), (t, width - 1)])
        return builder.value(f"ashr {t} {a}, {b}")
    fits = builder.value(f"icmp ult {t} {b}, {width}")
    amount = builder.value(f"select i1 {fits}, {t} {b}, {t} 0")
    shifted = builder.value(f"{op} {t} {a}, {amount}")
    return builder.value(f"select i1 {fits}, {t} {shifted}, {t} 0")


def _float_binary(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    """Apply a float op; operands of `type`, result in the type that it computes in."""
    t = e.computing_type(type).register
    a, b = e.widen(type, a), e.widen(type, b)
    if name in FLOAT_BINARY:
        return e.builder.value(f"{FLOAT_BINARY[name]} {e.float_flags}{t} {a}, {b}")
    if name == "arith.remf":
        return e.builder.value(f"frem {t} {a}, {b}")
    suffix = "f32" if t == "float" else "f64"
    return e.builder.call(t, f"llvm.{FLOAT_INTRINSICS[name]}.{suffix}", [(t, a), (t, b)])


def _binary_rule(e: Emitter, op: Operation) -> None:
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    e.bind(op.results[0], binary(e, op.name, type, a, b))


for _name in (
    *INTEGER_BINARY, *INTEGER_INTRINSICS, *DIVISIONS, *SHIFTS, *FLOAT_BINARY, *FLOAT_INTRINSICS,
    "arith.remf",
):  # fmt: skip
    RULES[_name] = elementwise(_binary_rule)


def scalar_rule(*names: str):
    """Register a rule on scalars, to hold for tensors element by element too."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = elementwise(function)
        return function

    return register


@scalar_rule("arith.ceildivsi", "arith.floordivsi")
def _rounded_division(e: Emitter, op: Operation) -> None:
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    t, builder = type.register, e.builder
    quotient = _division(e, "sdiv", type, a, b)
    rest = _division(e, "srem", type, a, b)
    inexact = builder.value(f"icmp ne {t} {rest}, 0")
    signs = builder.value(f"xor {t} {a}, {b}")
    up = op.name == "arith.ceildivsi"
    wanted = builder.value(f"icmp {'sge' if up else 'slt'} {t} {signs}, 0")
    adjust = builder.value(f"zext i1 {builder.value(f'and i1 {inexact}, {wanted}')} to {t}")
    e.bind(op.results[0], builder.value(f"{'add' if up else 'sub'} {t} {quotient}, {adjust}"))


@scalar_rule("arith.ceildivui")
def _ceil_division_unsigned(e: Emitter, op: Operation) -> None:
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    quotient = _division(e, "udiv", type, a, b)
    rest = _division(e, "urem", type, a, b)
    inexact = e.builder.value(f"icmp ne {type.register} {rest}, 0")
    adjust = e.builder.value(f"zext i1 {inexact} to {type.register}")
    e.bind(op.results[0], e.builder.value(f"add {type.register} {quotient}, {adjust}"))


@scalar_rule("arith.negf")
def _negate(e: Emitter, op: Operation) -> None:
    type = e.type(op.operands[0].type)
    value = e.scalar(op.operands[0])
    if type.small is not None:
        e.bind(
            op.results[0],
            e.builder.value(f"xor {type.register} {value}, {1 << (type.small.bits - 1)}"),
        )
    else:
        e.bind(op.results[0], e.builder.value(f"fneg {type.register} {value}"))


@scalar_rule("arith.cmpi")
def _compare_integers(e: Emitter, op: Operation) -> None:
    predicate = INTEGER_PREDICATES[integer(op, "predicate")]
    a, b = e.scalars(op.operands)
    e.bind(
        op.results[0],
        e.builder.value(f"icmp {predicate} {e.type(op.operands[0].type).register} {a}, {b}"),
    )


@scalar_rule("arith.cmpf")
def _compare_floats(e: Emitter, op: Operation) -> None:
    predicate = FLOAT_PREDICATES[integer(op, "predicate")]
    type = e.type(op.operands[0].type)
    a, b = (e.widen(type, value) for value in e.scalars(op.operands))
    e.bind(
        op.results[0],
        e.builder.value(f"fcmp {predicate} {e.computing_type(type).register} {a}, {b}"),
    )


@scalar_rule("arith.select")
def _select(e: Emitter, op: Operation) -> None:
    condition, a, b = e.scalars(op.operands)
    t = e.type(op.results[0].type).register
    e.bind(op.results[0], e.builder.value(f"select i1 {condition}, {t} {a}, {t} {b}"))


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


@scalar_rule("arith.mului_extended", "arith.mulsi_extended")
def _extended_product(e: Emitter, op: Operation) -> None:
    type = e.type(op.results[0].type)
    wide = f"i{2 * type.width}"
    extend = "zext" if op.name == "arith.mului_extended" else "sext"
    a, b = (
        e.builder.value(f"{extend} {type.register} {x} to {wide}") for x in e.scalars(op.operands)
    )
    product = e.builder.value(f"mul {wide} {a}, {b}")
    high = e.builder.value(f"lshr {wide} {product}, {type.width}")
    for result, part in zip(op.results, (product, high), strict=True):
        e.bind(result, e.builder.value(f"trunc {wide} {part} to {type.register}"))


@scalar_rule("arith.addui_extended")
def _extended_sum(e: Emitter, op: Operation) -> None:
    t = e.type(op.results[0].type).register
    a, b = e.scalars(op.operands)
    total = e.builder.value(f"add {t} {a}, {b}")
    e.bind(op.results[0], total)
    e.bind(op.results[1], e.builder.value(f"icmp ult {t} {total}, {a}"))


# --- constants --------------------------------------------------------------------------


def constant_operand(value: float, type: Type) -> Operand:
    """Return a Python number as a constant of `type`."""
    if type.is_float:
        return float_constant(float(value), type)
    return int(value) & 1 if type.register == "i1" else int(value)


def _constant(e: Emitter, op: Operation) -> None:
    value: Any = attribute(op, "value")
    type = e.type(op.results[0].type)
    if isinstance(value, DenseIntOrFPElementsAttr):
        _dense_constant(e, op, value, type)
    elif isinstance(value, IntegerAttr | FloatAttr):
        e.bind(op.results[0], constant_operand(value.value.data, type))
    else:
        e.unsupported(op, f"a constant of type '{op.results[0].type}'")


def _dense_constant(e: Emitter, op: Operation, value: Any, type: Type) -> None:
    sizes = shape_of(op.results[0].type)
    data = value.data.data
    numbers: Sequence[float] = list(value.type.element_type.iter_unpack(data))
    operands = [constant_operand(number, type) for number in numbers]
    if len(set(operands)) == 1:
        only = operands[0]
        e.bind(op.results[0], Lazy(type, sizes, lambda _: only))
        return
    name = f"@constant{len(e.module.definitions)}"
    items = ", ".join(f"{type.memory} {operand}" for operand in operands)
    array = f"[{len(operands)} x {type.memory}]"
    e.module.definitions[name] = (
        f"{name} = internal unnamed_addr constant {array} [{items}], align 64"
    )
    storage = Storage(name, writable=False)
    e.bind(op.results[0], View(storage, type, 0, sizes, row_major_strides(sizes)))


RULES["arith.constant"] = _constant


def _poison(e: Emitter, op: Operation) -> None:
    type = e.type(op.results[0].type)
    zero = type.zero
    if is_shaped(op.results[0].type):
        e.bind(op.results[0], Lazy(type, shape_of(op.results[0].type), lambda _: zero))
    else:
        e.bind(op.results[0], zero)


RULES["ub.poison"] = _poison
RULES["llvm.mlir.poison"] = _poison
