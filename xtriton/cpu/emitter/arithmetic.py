"""
Rules of `arith`: on scalars, and element by element on tensors.

Meaning is that of `xtriton.semantics`: division by zero gives 0, a shift past the width
gives 0 or the sign, conversions of floats to integers saturate. LLVM leaves these
undefined, and a machine may trap.
"""

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.clamps import clamped
from xtriton.cpu.emitter.comparisons import compared, holds_or_nan
from xtriton.cpu.emitter.core import RULES, Emitter
from xtriton.cpu.emitter.elementwise import elementwise, scalar_rule
from xtriton.cpu.emitter.quotients import quotient_in_loop
from xtriton.cpu.types import Type, suffix
from xtriton.ir.attributes import integer

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
FLOAT_INTRINSICS = {"arith.maximumf": "maximum", "arith.minimumf": "minimum"}
NUMBER_SELECTIONS = {"arith.maxnumf": "ogt", "arith.minnumf": "olt"}
"""Ops that prefer a number to a NaN, and the comparison that keeps the first operand."""
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
    is_either = name in FLOAT_INTRINSICS or name in NUMBER_SELECTIONS
    return e.narrow_result(type, _float_binary(e, name, type, a, b), is_either=is_either)


def _integer_binary(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    if name == "arith.ori" and (known := holds_or_nan(e, a, b)) is not None:
        return known
    if name in _FOLDABLE and type.register == "i64":
        fold = {
            "arith.addi": e.builder.add,
            "arith.subi": e.builder.sub,
            "arith.muli": e.builder.mul,
        }
        if type.name == "index" or (isinstance(a, int) and isinstance(b, int)):
            result = _wrapped(fold[name](a, b), 64)
            _note(e, name, type, a, b, result)
            return result
    if name == "arith.andi" and "true" in (a, b):
        return b if a == "true" else a
    result = e.builder.value(f"{INTEGER_BINARY[name]} {type.register} {a}, {b}")
    _note(e, name, type, a, b, result)
    return result


def _note(e: Emitter, name: str, type: Type, a: Operand, b: Operand, result: Operand) -> None:
    if e.rows is None or isinstance(result, int):
        return
    if name == "arith.addi":
        e.rows.note_sum(a, b, result)
    elif name == "arith.andi" and type.register == "i1":
        e.rows.note_both(a, b, result)
    e.rows.note_alike(f"{INTEGER_BINARY[name]} {type.register}", (a, b), result)


def _wrapped(value: Operand, width: int) -> Operand:
    if not isinstance(value, int):
        return value
    return (value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


_FOLDED = {"arith.minsi": min, "arith.maxsi": max}


def _integer_intrinsic(e: Emitter, name: str, type: Type, a: Operand, b: Operand) -> Operand:
    if isinstance(a, int) and isinstance(b, int) and name in _FOLDED:
        return _FOLDED[name](a, b)
    t = type.register
    if name in _FOLDED:
        return clamped(e, INTEGER_INTRINSICS[name], t, a, b)
    return e.builder.call(t, f"llvm.{INTEGER_INTRINSICS[name]}.{t}", [(t, a), (t, b)])


def _division(e: Emitter, op: str, type: Type, a: Operand, b: Operand) -> Operand:
    builder, t = e.builder, type.register
    if isinstance(b, int) and b not in (0, -1):
        if e.rows is not None and (known := e.rows.divided(op, t, a, b)) is not None:
            return known
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
    result = _quotient_or_rest(e, op, t, a, safe)
    if op == "sdiv":
        negated = builder.value(f"sub {t} 0, {a}")
        result = builder.value(f"select i1 {minus_one}, {t} {negated}, {t} {result}")
    return builder.value(f"select i1 {zero}, {t} 0, {t} {result}")


def _quotient_or_rest(e: Emitter, op: str, t: str, a: Operand, b: Operand) -> Operand:
    """
    Return what an op of signed division makes of a and a b that it is defined for.

    There are no vectors that divide integers, but such of f64: of 32 bits each their quotient,
    which is a whole number or at least 1/b away from one, is never rounded to the next one.
    """
    builder = e.builder
    if t != "i32" or not builder.in_parallel:
        return builder.value(f"{op} {t} {a}, {b}")
    left, right = (builder.value(f"sitofp i32 {value} to double") for value in (a, b))
    quotient = builder.value(f"fdiv double {left}, {right}")
    quotient = builder.value(f"fptosi double {quotient} to i32")
    if op == "sdiv":
        return quotient
    return builder.value(f"sub i32 {a}, {builder.value(f'mul i32 {quotient}, {b}')}")


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
    if name in NUMBER_SELECTIONS:
        return _number_selection(e, NUMBER_SELECTIONS[name], t, a, b)
    return e.builder.call(t, f"llvm.{FLOAT_INTRINSICS[name]}.{suffix(t)}", [(t, a), (t, b)])


def _number_selection(e: Emitter, predicate: str, t: str, a: Operand, b: Operand) -> str:
    """
    Return the greater or less of two floats, the number if one of them is NaN.

    Not LLVM's `maxnum` and `minnum`: where LLVM 22 vectorises a loop that carries one and
    runs a single iteration of vectors, it skips the iterations that are left. The first one is
    frozen, as in `Emitter.load_accumulated`: it may lie where the result goes.
    """
    builder = e.builder
    a = builder.value(f"freeze {t} {a}")
    unordered = builder.value(f"fcmp uno {t} {b}, {b}")
    number = builder.value(f"select i1 {unordered}, {t} {a}, {t} {b}")
    takes_first = builder.value(f"fcmp {predicate} {t} {a}, {number}")
    return builder.value(f"select i1 {takes_first}, {t} {a}, {t} {number}")


def _binary_rule(e: Emitter, op: Operation) -> None:
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    e.bind(op.results[0], binary(e, op.name, type, a, b))


for _name in (
    *INTEGER_BINARY, *INTEGER_INTRINSICS, *DIVISIONS, *SHIFTS, *FLOAT_BINARY, *FLOAT_INTRINSICS,
    *NUMBER_SELECTIONS, "arith.remf",
):  # fmt: skip
    if _name != "arith.divf":  # which `float_quotients` has
        RULES[_name] = elementwise(_binary_rule)


@scalar_rule("arith.ceildivsi", "arith.floordivsi")
def _rounded_division(e: Emitter, op: Operation) -> None:
    if op.name == "arith.floordivsi" and (known := quotient_in_loop(e, op)) is not None:
        e.bind(op.results[0], known)
        return
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    t, builder = type.register, e.builder
    quotient = _division(e, "sdiv", type, a, b)
    if op.name == "arith.floordivsi" and _is_place(op.operands[0]) and isinstance(b, int) and b > 0:
        e.bind(op.results[0], quotient)
        return
    rest = _division(e, "srem", type, a, b)
    inexact = builder.value(f"icmp ne {t} {rest}, 0")
    signs = builder.value(f"xor {t} {a}, {b}")
    up = op.name == "arith.ceildivsi"
    wanted = builder.value(f"icmp {'sge' if up else 'slt'} {t} {signs}, 0")
    adjust = builder.value(f"zext i1 {builder.value(f'and i1 {inexact}, {wanted}')} to {t}")
    e.bind(op.results[0], builder.value(f"{'add' if up else 'sub'} {t} {quotient}, {adjust}"))


def _is_place(value: SSAValue) -> bool:
    """Return whether a value is the index of a loop, which is never below zero."""
    return isinstance(value.owner, Operation) and value.owner.name == "linalg.index"


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
    type = e.type(op.operands[0].type).register
    if e.rows is None:
        e.bind(op.results[0], e.builder.value(f"icmp {predicate} {type} {a}, {b}"))
    else:
        e.bind(op.results[0], e.rows.compared(predicate, type, a, b))


@scalar_rule("arith.cmpf")
def _compare_floats(e: Emitter, op: Operation) -> None:
    predicate = FLOAT_PREDICATES[integer(op, "predicate")]
    type = e.type(op.operands[0].type)
    a, b = (e.widen(type, value) for value in e.scalars(op.operands))
    e.bind(op.results[0], compared(e, predicate, e.computing_type(type).register, a, b))


@scalar_rule("arith.select")
def _select(e: Emitter, op: Operation) -> None:
    condition, a, b = e.scalars(op.operands)
    t = e.register(op.results[0].type)
    holds = None if e.rows is None else e.rows.conditions.holds(condition)
    if holds is not None:
        e.bind(op.results[0], a if holds else b)
    else:
        e.bind(op.results[0], e.builder.value(f"select i1 {condition}, {t} {a}, {t} {b}"))


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
