"""Rules of `math`: inlined functions on f32 and narrower floats, libm on f64."""

import re

from xdsl.ir import Operation

from xtriton.cpu.emitter.clamps import magnitude
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.differences import is_below_greatest
from xtriton.cpu.emitter.elementwise import scalar_rule
from xtriton.cpu.emitter.libdevice import device_function
from xtriton.cpu.mathlib import FUNCTIONS, call_f32
from xtriton.cpu.mathlib.trigonometry import NEAR
from xtriton.cpu.types import F32, F64, suffix

INTRINSICS = {
    "math.absf": "fabs",
    "math.ceil": "ceil",
    "math.floor": "floor",
    "math.trunc": "trunc",
    "math.round": "round",
    "math.roundeven": "roundeven",
    "math.sqrt": "sqrt",
    "math.copysign": "copysign",
    "math.fma": "fma",
}
"""Ops that are an instruction, or a few, on every machine."""

LIBM = {
    **{
        f"math.{name}": name
        for name in (
            "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh",
            "erf", "erfc", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin",
            "sinh", "tan", "tanh",
        )
    },
    "math.powf": "pow",
}  # fmt: skip
"""Ops that C's mathematical library has a function for."""


@scalar_rule(*INTRINSICS)
def _intrinsic(e: Emitter, op: Operation) -> None:
    _call(e, op, f"llvm.{INTRINSICS[op.name]}", suffixed=True)


def _call(e: Emitter, op: Operation, name: str, *, suffixed: bool) -> None:
    type = e.type(op.results[0].type)
    wide = e.computing_type(type)
    if suffixed:
        name = f"{name}.{'f32' if wide == F32 else 'f64'}"
    elif wide == F32:
        name += "f"
    arguments = [(wide.register, e.widen(type, value)) for value in e.scalars(op.operands)]
    e.bind(op.results[0], e.narrow(type, e.builder.call(wide.register, name, arguments)))


@scalar_rule(*LIBM)
def _function(e: Emitter, op: Operation) -> None:
    type = e.type(op.results[0].type)
    name = LIBM[op.name]
    if e.computing_type(type) != F32 or name not in FUNCTIONS:
        _call(e, op, name, suffixed=False)
        return
    arguments = [e.widen(type, value) for value in e.scalars(op.operands)]
    near, below = f"{name}_near", f"{name}_below"
    if below in FUNCTIONS and is_below_greatest(op.operands[0]):
        name = below
    elif near in FUNCTIONS and e.rows is not None and e.rows.is_within(arguments[0], NEAR):
        name = near
    e.bind(op.results[0], e.narrow(type, call_f32(e.builder, name, *arguments)))


@scalar_rule("math.rsqrt")
def _reciprocal_root(e: Emitter, op: Operation) -> None:
    type = e.type(op.results[0].type)
    wide = e.computing_type(type).register
    value = e.widen(type, e.scalar(op.operands[0]))
    root = e.builder.call(wide, f"llvm.sqrt.{suffix(wide)}", [(wide, value)])
    result = e.builder.value(f"fdiv {wide} 1.0, {root}")
    e.bind(op.results[0], e.narrow(type, result))


INTEGER_INTRINSICS = {
    "math.ctpop": "ctpop",
    "math.ctlz": "ctlz",
    "math.cttz": "cttz",
}


@scalar_rule(*INTEGER_INTRINSICS)
def _integer_intrinsic(e: Emitter, op: Operation) -> None:
    t = e.type(op.results[0].type).register
    name = INTEGER_INTRINSICS[op.name]
    arguments = [(t, e.scalar(op.operands[0]))]
    if name != "ctpop":
        # The second argument would make zero poison.
        arguments.append(("i1", "false"))
    e.bind(op.results[0], e.builder.call(t, f"llvm.{name}.{t}", arguments))


@scalar_rule("math.absi")
def _integer_magnitude(e: Emitter, op: Operation) -> None:
    t = e.type(op.results[0].type).register
    e.bind(op.results[0], magnitude(e, t, e.scalar(op.operands[0])))


@scalar_rule("math.fpowi")
def _integer_power(e: Emitter, op: Operation) -> None:
    type, exponent_type = e.type(op.operands[0].type), e.type(op.operands[1].type)
    wide = e.computing_type(type)
    base, exponent = e.scalars(op.operands)
    converted = e.builder.value(f"sitofp {exponent_type.register} {exponent} to {wide.register}")
    if wide == F32:
        found = call_f32(e.builder, "pow", e.widen(type, base), converted)
    else:
        found = e.builder.call(
            wide.register, "pow", [(wide.register, v) for v in (base, converted)]
        )
    e.bind(op.results[0], e.narrow(type, found))


@scalar_rule("math.isnan", "math.isinf", "math.isfinite")
def _classify(e: Emitter, op: Operation) -> None:
    type = e.type(op.operands[0].type)
    wide = e.computing_type(type).register
    x = e.widen(type, e.scalar(op.operands[0]))
    if op.name == "math.isnan":
        e.bind(op.results[0], e.builder.value(f"fcmp uno {wide} {x}, {x}"))
        return
    magnitude = e.builder.call(wide, f"llvm.fabs.{suffix(wide)}", [(wide, x)])
    infinity = "0x7FF0000000000000"
    predicate = "oeq" if op.name == "math.isinf" else "olt"
    e.bind(op.results[0], e.builder.value(f"fcmp {predicate} {wide} {magnitude}, {infinity}"))


LIBRARY_NAMES = re.compile(r"__nv_(?P<nv>\w+?)f?|__ocml_(?P<ocml>\w+)_f(?:32|64)")
"""How NVIDIA's libdevice and AMD's ocml call the functions of C's mathematical library."""

C_FUNCTIONS = {
    *LIBM.values(), "acosh", "fdim", "fmod", "hypot", "ldexp", "lgamma", "logb", "nearbyint",
    "nextafter", "remainder", "rint", "round", "sqrt", "tgamma", "trunc", "ceil", "floor", "fabs",
    "j0", "j1", "y0", "y1",
}  # fmt: skip


def call_library(e: Emitter, op: Operation, symbol: str) -> None:
    """Call a function of a GPU's mathematical library by its counterpart on the CPU."""
    match = LIBRARY_NAMES.fullmatch(symbol)
    name = (match["nv"] or match["ocml"]) if match else None
    types = [e.type(value.type) for value in (*op.operands, *op.results)]
    if (rule := device_function(symbol)) is not None:
        registers = types[0].register, types[-1].register
        e.bind(op.results[0], rule(e.builder, *registers, e.scalars(op.operands)))
        return
    if name not in C_FUNCTIONS or len(set(types)) != 1 or types[0] not in (F32, F64):
        e.unsupported(op, f"function '{symbol}' has no body")
    if types[0] == F32 and name in FUNCTIONS:
        e.bind(op.results[0], call_f32(e.builder, name, *e.scalars(op.operands)))
        return
    arguments = [(types[0].register, value) for value in e.scalars(op.operands)]
    suffix = "f" if types[0] == F32 else ""
    e.bind(op.results[0], e.builder.call(types[0].register, f"{name}{suffix}", arguments))
