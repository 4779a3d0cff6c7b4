# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
What an elementwise op computes, by its MLIR name: for folding, ranges and interpreting.

    add = function("arith.addi", ("i32", "i32"), "i32")
    add(np.int32(2**31 - 1), np.int32(1))  # wraps

Functions take and give carried arrays (see `elements`), broadcast as NumPy does, and never
look at shapes. `fold` does the same for Python numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from xtriton.semantics import casts, floats, integers, mathematics
from xtriton.semantics.elements import Array, Element, element
from xtriton.semantics.float_formats import Rounding

Function = Callable[..., Any]


@dataclass(frozen=True)
class Signature:
    """Elements of operands and first result, and those attributes that change a value."""

    operands: tuple[Element, ...]
    result: Element
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])


Maker = Callable[[Signature], Function]
OPERATIONS: dict[str, Maker] = {}
"""Makers of functions by op name."""

ROUNDINGS: tuple[Rounding, ...] = ("rtz", "rtne")
"""Rounding modes of `tt.fp_to_fp` in the order of their integer codes."""

_ARITH_ROUNDINGS: dict[int, Rounding] = {0: "rtne", 3: "rtz"}


def _define(*names: str) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        for name in names:
            OPERATIONS[name] = maker
        return maker

    return register


def _integer_maker(name: str) -> Maker:
    return lambda s: integers.integer_function(name, s.result)


def _float_maker(name: str) -> Maker:
    return lambda s: floats.float_function(name, s.result)


for _name in integers.INTEGER_OPERATIONS:
    OPERATIONS[f"arith.{_name}"] = _integer_maker(_name)
for _name in floats.FLOAT_OPERATIONS:
    OPERATIONS[f"arith.{_name}"] = _float_maker(_name)
OPERATIONS["tt.mulhiui"] = OPERATIONS.pop("arith.mulhiui")
del OPERATIONS["arith.mulhisi"]


@_define("arith.negf")
def _negate(s: Signature) -> Function:
    return np.negative


@_define("arith.cmpi")
def _compare_integers(s: Signature) -> Function:
    return integers.comparison(int(s.attributes["predicate"]), s.operands[0])


@_define("arith.cmpf")
def _compare_floats(s: Signature) -> Function:
    return floats.float_comparison(int(s.attributes["predicate"]))


@_define("arith.select")
def _select(s: Signature) -> Function:
    return np.where


@_define("arith.mului_extended")
def _multiply_extended_unsigned(s: Signature) -> Function:
    high = integers.integer_function("mulhiui", s.result)
    low = integers.integer_function("muli", s.result)
    return lambda a, b: (low(a, b), high(a, b))


@_define("arith.mulsi_extended")
def _multiply_extended_signed(s: Signature) -> Function:
    high = integers.integer_function("mulhisi", s.result)
    low = integers.integer_function("muli", s.result)
    return lambda a, b: (low(a, b), high(a, b))


@_define("arith.subui_extended")
def _subtract_extended(s: Signature) -> Function:
    return integers.extended_difference


@_define("arith.flush_denormals")
def _flush(s: Signature) -> Function:
    of = s.result
    least = np.finfo(of.carrier).tiny if of.format is None else 2.0**of.format.smallest_exponent
    return lambda x: np.where(np.abs(x) < least, np.copysign(of.carrier.type(0), x), x)


@_define("arith.addui_extended")
def _add_extended(s: Signature) -> Function:
    return integers.extended_sum


def _cast_maker(make: Callable[[Element, Element], casts.Cast]) -> Maker:
    return lambda s: make(s.operands[0], s.result)


for _name, _make in {
    "arith.extsi": casts.extend_signed,
    "arith.extui": casts.extend_unsigned,
    "arith.trunci": casts.truncate,
    "arith.index_cast": casts.index_cast,
    "arith.index_castui": casts.index_cast_unsigned,
    "arith.sitofp": casts.signed_to_float,
    "arith.uitofp": casts.unsigned_to_float,
    "arith.fptosi": casts.float_to_signed,
    "arith.fptoui": casts.float_to_unsigned,
    "arith.bitcast": casts.bitcast,
    "tt.bitcast": casts.bitcast,
    "tt.int_to_ptr": casts.bitcast,
    "tt.ptr_to_int": casts.bitcast,
}.items():
    OPERATIONS[_name] = _cast_maker(_make)


@_define("arith.extf")
def _extend_float(s: Signature) -> Function:
    return casts.float_to_float(s.operands[0], s.result)


@_define("arith.truncf", "arith.convertf")
def _truncate_float(s: Signature) -> Function:
    mode = s.attributes.get("roundingmode")
    rounding = "rtne" if mode is None else _ARITH_ROUNDINGS.get(int(mode), "rtne")
    return casts.float_to_float(s.operands[0], s.result, rounding)


@_define("tt.fp_to_fp")
def _float_to_float(s: Signature) -> Function:
    """To an 8-bit float the conversion saturates, as the hardware's does."""
    mode = s.attributes.get("rounding")
    rounding = "rtne" if mode is None else ROUNDINGS[int(mode)]
    saturate = s.result.width <= 8 < s.operands[0].width
    return casts.float_to_float(s.operands[0], s.result, rounding, saturate)


def _math_maker(function: mathematics.Function) -> Maker:
    contiguous = mathematics.contiguous(function)

    def maker(s: Signature) -> Function:
        if s.result.format is None:
            return contiguous
        return lambda *xs: s.result.round(contiguous(*xs))

    return maker


for _name, _function in mathematics.FUNCTIONS.items():
    OPERATIONS[f"math.{_name}"] = _math_maker(_function)
for _name in ("absf", "ceil", "floor", "trunc", "roundeven", "copysign"):
    OPERATIONS[f"math.{_name}"] = lambda s, f=mathematics.FUNCTIONS[_name]: f
OPERATIONS["tt.precise_sqrt"] = OPERATIONS["math.sqrt"]
OPERATIONS["tt.precise_divf"] = OPERATIONS["arith.divf"]
OPERATIONS["tt.approx_divf"] = OPERATIONS["arith.divf"]


_INDEX_OPERATIONS = {
    "add": "addi", "sub": "subi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori",
    "divs": "divsi", "divu": "divui", "ceildivs": "ceildivsi", "ceildivu": "ceildivui",
    "floordivs": "floordivsi", "rems": "remsi", "remu": "remui", "maxs": "maxsi",
    "maxu": "maxui", "mins": "minsi", "minu": "minui", "shl": "shli", "shrs": "shrsi",
    "shru": "shrui",
}  # fmt: skip
for _name, _like in _INDEX_OPERATIONS.items():
    OPERATIONS[f"index.{_name}"] = OPERATIONS[f"arith.{_like}"]
OPERATIONS["index.casts"] = OPERATIONS["arith.index_cast"]
OPERATIONS["index.castu"] = OPERATIONS["arith.index_castui"]


@_define("math.fma")
def _fma(s: Signature) -> Function:
    return lambda a, b, c: floats.fused_multiply_add(a, b, c, s.result)


@_define("math.absi")
def _absolute_integer(s: Signature) -> Function:
    return (lambda x: x) if s.result.name == "i1" else (lambda x: s.result.wrap(np.abs(x)))


@_define("math.ctpop")
def _count_ones(s: Signature) -> Function:
    return lambda x: integers.population_count(x, s.result)


@_define("math.ctlz")
def _count_leading_zeros(s: Signature) -> Function:
    return lambda x: integers.leading_zeros(x, s.result)


@_define("math.cttz")
def _count_trailing_zeros(s: Signature) -> Function:
    return lambda x: integers.trailing_zeros(x, s.result)


@_define("math.fpowi")
def _float_to_integer_power(s: Signature) -> Function:
    return lambda x, n: s.result.round(np.power(x.astype(np.float64), n))


@_define("math.ipowi")
def _integer_power(s: Signature) -> Function:
    """Wraps; a negative exponent gives the integer part of the reciprocal."""

    def power(x: Array, n: Array) -> Array:
        r = np.power(x, np.where(n < 0, 0, n).astype(x.dtype))
        small = np.where(x == 1, 1, np.where(x == -1, np.where(n & 1, -1, 1), 0))
        return s.result.wrap(np.where(n < 0, small, r).astype(x.dtype))

    return power


@_define("math.sincos")
def _sine_and_cosine(s: Signature) -> Function:
    sine, cosine = OPERATIONS["math.sin"](s), OPERATIONS["math.cos"](s)
    return lambda x: (sine(x), cosine(x))


@_define("math.isnan")
def _is_nan(s: Signature) -> Function:
    return np.isnan


@_define("math.isinf")
def _is_infinite(s: Signature) -> Function:
    return np.isinf


@_define("math.isfinite")
def _is_finite(s: Signature) -> Function:
    return np.isfinite


@_define("math.isnormal")
def _is_normal(s: Signature) -> Function:
    of = s.operands[0]
    least = np.finfo(of.carrier).tiny if of.format is None else 2.0**of.format.smallest_exponent
    return lambda x: np.isfinite(x) & (np.abs(x) >= least)


@_define("math.clampf")
def _clamp(s: Signature) -> Function:
    return lambda x, low, high: floats.minimum(floats.maximum(x, low), high)


@_define("tt.clampf")
def _triton_clamp(s: Signature) -> Function:
    """`propagateNan` is 0 for the numbers' minimum and maximum, else NaN stays NaN."""
    if int(s.attributes.get("propagateNan", 0)) == 0:
        return lambda x, low, high: floats.minimum_number(floats.maximum_number(x, low), high)
    return lambda x, low, high: floats.minimum(floats.maximum(x, low), high)


@_define("tt.extern_elementwise")
def _external(s: Signature) -> Function:
    """A symbol of a device library; raises `KeyError` for one that is not known."""
    symbol = str(s.attributes["symbol"])
    function = mathematics.library_function(symbol)
    if function is None:
        raise KeyError(f"no meaning is known for the external symbol '{symbol}'")
    result = s.result
    if result.kind == "float":
        return lambda *xs: result.round(np.asarray(function(*xs)))
    if result.name == "i1":
        return lambda *xs: np.asarray(function(*xs)).astype(np.bool_)
    return lambda *xs: np.asarray(function(*xs)).astype(result.carrier)


def function(
    name: str,
    operands: Sequence[str | Element],
    result: str | Element,
    attributes: Mapping[str, Any] | None = None,
) -> Function:
    """
    Return what the elementwise op `name` computes on carried arrays.

    `attributes` holds the value-changing ones as Python values: `predicate` of cmpi and
    cmpf, `rounding`, `roundingmode`, `propagateNan` as their integer codes, `symbol`.
    Raise `KeyError` for an op that is not elementwise. An op with two results gives two.
    """
    elements = tuple(element(o) if isinstance(o, str) else o for o in operands)
    signature = Signature(
        elements, element(result) if isinstance(result, str) else result, attributes or {}
    )
    return OPERATIONS[name](signature)


def fold(
    name: str,
    values: Sequence[int | float | bool],
    operands: Sequence[str],
    result: str,
    attributes: Mapping[str, Any] | None = None,
) -> int | float | bool | tuple[int | float | bool, ...]:
    """
    Return what the op gives for Python numbers: int, float or, for `i1`, bool.

    Raise `KeyError` for an op that is not elementwise.
    """
    carried = [element(o).constant(v) for o, v in zip(operands, values, strict=True)]
    with np.errstate(all="ignore"):
        value = function(name, operands, result, attributes)(*carried)
    if isinstance(value, tuple):
        return tuple(np.asarray(v).item() for v in value)
    return np.asarray(value).item()
