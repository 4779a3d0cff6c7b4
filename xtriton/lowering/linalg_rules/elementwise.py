"""
Elementwise ops: arith and math as they are, Triton's own in terms of these.

A rule says what one element becomes; the same rule serves scalars, the bodies of
reductions and scans, and tensors (inside a `linalg.generic`).
"""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerType, SymbolRefAttr, f32, i1
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith, func, math
from xtriton.ir.attributes import flag, integer, string
from xtriton.lowering.builder import Builder, predicate
from xtriton.lowering.linalg_rules.generic import element_type
from xtriton.lowering.linalg_rules.registry import SCALAR_RULES, scalar_rule
from xtriton.semantics.float_formats import FORMATS

Values = Sequence[SSAValue]

ELEMENTWISE_DIALECTS = ("arith.", "math.")
NOT_ELEMENTWISE = frozenset({"arith.constant"})


def is_elementwise(op: Operation) -> bool:
    """Return whether `lower_element` may know an op."""
    name = op.name
    return name in SCALAR_RULES or (
        name.startswith(ELEMENTWISE_DIALECTS) and name not in NOT_ELEMENTWISE
    )


def lower_element(op: Operation, builder: Builder, operands: Values) -> Values | None:
    """
    Return what one element of an elementwise op becomes, None if the op is not elementwise.

    `operands` are the elements of the operands.
    """
    rule = SCALAR_RULES.get(op.name)
    if rule is not None:
        return rule(op, builder, operands)
    if is_elementwise(op):
        types = [element_type(result.type) for result in op.results]
        return builder.make(type(op), operands, types, op.properties).results
    return None


def fastmath() -> dict[str, Attribute]:
    """Return the properties of a float op without fast-math flags."""
    return {"fastmath": arith.FASTMATH_NONE}


def float_op(builder: Builder, cls: type[Operation], *operands: SSAValue) -> SSAValue:
    """Return the result of a float op whose result has the type of its operands."""
    return builder.value(cls, operands, operands[-1].type, fastmath())


def cast(builder: Builder, cls: type[Operation], value: SSAValue, target: Attribute) -> SSAValue:
    """Return `value` cast by an arith cast that has no properties."""
    return builder.value(cls, (value,), target)


# --- Triton's arithmetic ----------------------------------------------------------------


@scalar_rule("tt.clampf")
def clampf(op: Operation, builder: Builder, operands: Values) -> Values:
    """`min(max(x, low), high)`, NaN as `propagateNan` says."""
    propagate = flag(op, "propagateNan")
    low, high = (
        (arith.MaximumfOp, arith.MinimumfOp) if propagate else (arith.MaxnumfOp, arith.MinnumfOp)
    )
    x, least, most = operands
    return (float_op(builder, high, float_op(builder, low, x, least), most),)


@scalar_rule("tt.precise_sqrt")
def precise_sqrt(op: Operation, builder: Builder, operands: Values) -> Values:
    return (float_op(builder, math.SqrtOp, *operands),)


@scalar_rule("tt.precise_divf")
def precise_divf(op: Operation, builder: Builder, operands: Values) -> Values:
    return (float_op(builder, arith.DivfOp, *operands),)


@scalar_rule("tt.mulhiui")
def mulhiui(op: Operation, builder: Builder, operands: Values) -> Values:
    """The high half of the unsigned product."""
    kind = operands[0].type
    return (builder.make(arith.MulUIExtendedOp, operands, (kind, kind)).results[1],)


# --- casts ------------------------------------------------------------------------------


@scalar_rule("tt.bitcast")
def bitcast(op: Operation, builder: Builder, operands: Values) -> Values | None:
    """`arith.bitcast`; pointers are not numbers, and stay for the passes that follow."""
    target = element_type(op.results[0].type)
    if isinstance(target, tt.PtrType) or isinstance(operands[0].type, tt.PtrType):
        return None
    if operands[0].type == target:
        return (operands[0],)
    return (cast(builder, arith.BitcastOp, operands[0], target),)


RTZ = 0


@scalar_rule("tt.fp_to_fp")
def fp_to_fp(op: Operation, builder: Builder, operands: Values) -> Values | None:
    """
    Float conversion; rounding toward zero and types of equal width go their own ways.

    To an 8-bit float it saturates, as GPUs do, where `arith.truncf` gives infinity or NaN.
    """
    source: Any = operands[0].type
    target: Any = element_type(op.results[0].type)
    toward_zero = integer(op, "rounding", None) == RTZ
    value = operands[0]
    saturates = target.bitwidth == 8 < source.bitwidth
    if source == target:
        return (value,)
    if source.bitwidth == target.bitwidth:
        # f16 and bf16, or two 8-bit types: through a type that holds both exactly.
        value = cast_extf(builder, value, f32)
        source = f32
    if source.bitwidth < target.bitwidth:
        return (cast_extf(builder, value, target),)
    if toward_zero and target.name.endswith("FNUZ"):
        # One step back from the negative number next to zero is the code of NaN.
        return None
    if saturates:
        value = saturated(builder, value, FORMATS[target.name].largest)
    if toward_zero:
        return (truncate_toward_zero(builder, value, target),)
    return (cast_truncf(builder, value, target),)


def saturated(builder: Builder, value: SSAValue, largest: float) -> SSAValue:
    """Return a float no further from zero than `largest`, or NaN."""
    high, low = builder.number(largest, value.type), builder.number(-largest, value.type)
    bounded = float_op(builder, arith.MinimumfOp, value, high)
    return float_op(builder, arith.MaximumfOp, bounded, low)


def cast_extf(builder: Builder, value: SSAValue, target: Attribute) -> SSAValue:
    return cast(builder, arith.ExtFOp, value, target)


def cast_truncf(builder: Builder, value: SSAValue, target: Attribute) -> SSAValue:
    return cast(builder, arith.TruncFOp, value, target)


def truncate_toward_zero(builder: Builder, value: SSAValue, target: Any) -> SSAValue:
    """
    Round to nearest, and step one representable number back where that went too far.

    The step is on the bits, which for floats of one sign are ordered as the numbers are.
    """
    nearest = cast_truncf(builder, value, target)
    back = cast_extf(builder, nearest, value.type)
    too_far = builder.value(
        arith.CmpfOp,
        (float_op(builder, math.AbsFOp, back), float_op(builder, math.AbsFOp, value)),
        i1,
        {"predicate": predicate(arith.CmpFPredicate.ogt), **fastmath()},
    )
    bits = IntegerType(target.bitwidth)
    pattern = cast(builder, arith.BitcastOp, nearest, bits)
    one = builder.integer(1, bits)
    stepped = builder.value(
        arith.SubiOp, (pattern, one), bits, {"overflowFlags": arith.OVERFLOW_NONE}
    )
    chosen = builder.value(arith.SelectOp, (too_far, stepped, pattern), bits)
    return cast(builder, arith.BitcastOp, chosen, target)


# --- functions of device libraries ------------------------------------------------------

_LIBRARY: dict[str, type[Operation]] = {
    "acos": math.AcosOp, "acosh": math.AcoshOp, "asin": math.AsinOp, "asinh": math.AsinhOp,
    "atan": math.AtanOp, "atan2": math.Atan2Op, "atanh": math.AtanhOp, "cbrt": math.CbrtOp,
    "ceil": math.CeilOp, "copysign": math.CopySignOp, "cos": math.CosOp, "cosh": math.CoshOp,
    "erf": math.ErfOp, "exp": math.ExpOp, "exp2": math.Exp2Op, "expm1": math.ExpM1Op,
    "fabs": math.AbsFOp, "floor": math.FloorOp, "fma": math.FmaOp, "log": math.LogOp,
    "log10": math.Log10Op, "log1p": math.Log1pOp, "log2": math.Log2Op, "pow": math.PowFOp,
    "rint": math.RoundEvenOp, "nearbyint": math.RoundEvenOp, "round": math.RoundOp,
    "rsqrt": math.RsqrtOp, "sin": math.SinOp, "sinh": math.SinhOp, "sqrt": math.SqrtOp,
    "tan": math.TanOp, "tanh": math.TanhOp, "trunc": math.TruncOp, "fmax": arith.MaxnumfOp,
    "fmin": arith.MinnumfOp,
}  # fmt: skip
"""C library names, which libdevice (`__nv_expf`) and ocml (`__ocml_exp_f32`) decorate."""

_DEVICE_SPELLINGS = {
    "fast_expf": "exp", "fast_logf": "log", "fast_log2f": "log2", "fast_log10f": "log10",
    "fast_sinf": "sin", "fast_cosf": "cos", "fast_tanf": "tan", "fast_powf": "pow",
    "fsqrt_rn": "sqrt", "frsqrt_rn": "rsqrt",
}  # fmt: skip


def library_name(symbol: str) -> str | None:
    """Return the C name of a device library's function, None if it has none."""
    if symbol.startswith("__nv_"):
        name = symbol.removeprefix("__nv_")
        if name in _DEVICE_SPELLINGS:
            return _DEVICE_SPELLINGS[name]
        return name if name in _LIBRARY else name.removesuffix("f")
    if symbol.startswith("__ocml_"):
        return symbol.removeprefix("__ocml_").rsplit("_", 1)[0]
    return None


def library_op(symbol: str) -> type[Operation] | None:
    """Return the math op that computes a device library's function."""
    name = library_name(symbol)
    return None if name is None else _LIBRARY.get(name)


@scalar_rule("tt.extern_elementwise")
def extern_elementwise(op: Operation, builder: Builder, operands: Values) -> Values:
    """The math op of the same meaning, or a call of the function by its name."""
    symbol: str = string(op, "symbol")
    cls = library_op(symbol)
    result = element_type(op.results[0].type)
    if cls is not None:
        return (builder.value(cls, operands, result, fastmath()),)
    return (builder.value(func.CallOp, operands, result, {"callee": SymbolRefAttr(symbol)}),)
