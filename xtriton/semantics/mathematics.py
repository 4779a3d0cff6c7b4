# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Mathematical functions on carried arrays: the math dialect and device libraries by symbol.

Each function takes and gives float32 or float64. The accuracy is NumPy's (or C's, where
NumPy has none), within an ulp or two; GPUs differ from it and from each other by more.
Arguments are made contiguous first: NumPy chooses between implementations by stride, and
a result must not depend on how its argument lies in memory.
"""

import math
import re
from collections.abc import Callable
from functools import cache

import numpy as np

from xtriton.semantics.elements import Array
from xtriton.semantics.floats import fused_multiply_add as _fma

Function = Callable[..., Array]


def _scalarwise(function: Callable[..., float]) -> Function:
    """Vectorise a function of Python floats; errors of its domain become NaN."""

    def one(*x: float) -> float:
        try:
            return function(*x)
        except (ValueError, OverflowError):
            return math.nan

    vectorised = np.frompyfunc(one, function.__code__.co_argcount, 1)

    def apply(*xs: Array) -> Array:
        dtype = np.result_type(*xs)
        wide = [np.asarray(x, np.float64) for x in xs]
        return np.asarray(vectorised(*wide)).astype(dtype)

    return apply


def _lgamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


def _tgamma(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else math.gamma(x)


def _erfinv(y: float) -> float:
    """Inverse error function by Newton's method on Winitzki's approximation."""
    if abs(y) >= 1:
        return math.copysign(math.inf, y) if abs(y) == 1 else math.nan
    log = math.log1p(-y * y)
    half = 2 / (math.pi * 0.147) + log / 2
    x = math.copysign(math.sqrt(math.sqrt(half * half - log / 0.147) - half), y)
    for _ in range(4):
        slope = 2 / math.sqrt(math.pi) * math.exp(-x * x)
        if slope == 0:
            break
        x -= (math.erf(x) - y) / slope
    return x


def _bessel(kind: int) -> Callable[[float], float]:
    """Bessel function of the first kind of order 0 or 1, by its integral (trapezoids)."""

    def bessel(x: float) -> float:
        n = 64 + 2 * int(abs(x))
        total = 0.0
        for k in range(n):
            angle = math.pi * (k + 0.5) / n
            total += math.cos(kind * angle - x * math.sin(angle))
        return total / n

    return bessel


def _modified_bessel(order: int) -> Callable[[float], float]:
    def bessel(x: float) -> float:
        n = 64 + 2 * int(abs(x))
        angles = [math.pi * (k + 0.5) / n for k in range(n)]
        return sum(math.exp(x * math.cos(t)) * math.cos(order * t) for t in angles) / n

    return bessel


def _erf(x: float) -> float:
    return math.erf(x)


def _erfc(x: float) -> float:
    return math.erfc(x)


def _power(x: Array, y: Array) -> Array:
    return np.power(x, y)


def round_half_away(x: Array) -> Array:
    """To the nearest integer, ties away from zero (`math.round`)."""
    whole = np.trunc(x)
    return np.copysign(whole + np.where(np.abs(x - whole) >= 0.5, np.copysign(1, x), 0), x).astype(
        x.dtype
    )


def _reciprocal_sqrt(x: Array) -> Array:
    return (1 / np.sqrt(x)).astype(x.dtype, copy=False)


def _cube_root(x: Array) -> Array:
    return np.cbrt(x)


def _pi_scaled(function: Function) -> Function:
    return lambda x: function(np.pi * x.astype(np.float64)).astype(x.dtype)


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _erfcx(x: float) -> float:
    if x > 25:
        return 1 / (x * math.sqrt(math.pi)) * (1 - 0.5 / (x * x))
    return math.exp(x * x) * math.erfc(x)


FUNCTIONS: dict[str, Function] = {
    "absf": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": _cube_root,
    "ceil": np.ceil,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": _scalarwise(_erf),
    "erfc": _scalarwise(_erfc),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "powf": _power,
    "round": round_half_away,
    "roundeven": np.rint,
    "rsqrt": _reciprocal_sqrt,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}
"""Functions of the math dialect that take floats and give one float, by op name."""

LIBRARY: dict[str, Function] = {
    **FUNCTIONS,
    "abs": np.abs,
    "fabs": np.abs,
    "cospi": _pi_scaled(np.cos),
    "cyl_bessel_i0": _scalarwise(_modified_bessel(0)),
    "cyl_bessel_i1": _scalarwise(_modified_bessel(1)),
    "div_rn": np.divide,
    "erfcx": _scalarwise(_erfcx),
    "erfinv": _scalarwise(_erfinv),
    "exp10": lambda x: np.power(x.dtype.type(10), x),
    "fast_cosf": np.cos,
    "fast_dividef": np.divide,
    "fast_expf": np.exp,
    "fast_exp10f": lambda x: np.power(x.dtype.type(10), x),
    "fast_log10f": np.log10,
    "fast_log2f": np.log2,
    "fast_logf": np.log,
    "fast_powf": np.power,
    "fast_sinf": np.sin,
    "fast_tanf": np.tan,
    "fast_tanhf": np.tanh,
    "fdim": lambda x, y: np.where(x > y, x - y, np.where(x <= y, x.dtype.type(0), x + y)),
    "fma": lambda x, y, z: _fma(x, y, z, _element_of(x)),
    "fma_rn": lambda x, y, z: _fma(x, y, z, _element_of(x)),
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmod": np.fmod,
    "hypot": np.hypot,
    "j0": _scalarwise(_bessel(0)),
    "j1": _scalarwise(_bessel(1)),
    "lgamma": _scalarwise(_lgamma),
    "log_b": lambda x: np.floor(np.log2(np.abs(x))),
    "logb": lambda x: (np.frexp(x)[1] - 1).astype(x.dtype),
    "mul_rn": np.multiply,
    "add_rn": np.add,
    "sub_rn": np.subtract,
    "nearbyint": np.rint,
    "nextafter": np.nextafter,
    "normcdf": _scalarwise(_normal_cdf),
    "pow": np.power,
    "rcbrt": lambda x: (1 / np.cbrt(x)).astype(x.dtype),
    "rcp_rn": lambda x: (1 / x).astype(x.dtype),
    "remainder": lambda x, y: x - np.rint(x / y) * y,
    "rint": np.rint,
    "rsqrt_rn": _reciprocal_sqrt,
    "saturatef": lambda x: np.fmin(np.fmax(x, x.dtype.type(0)), x.dtype.type(1)),
    "sinpi": _pi_scaled(np.sin),
    "sqrt_rn": np.sqrt,
    "tgamma": _scalarwise(_tgamma),
}
"""Functions of device libraries by their name without prefix and type suffix."""


def _element_of(x: Array):
    from xtriton.semantics.elements import element

    return element("f64" if x.dtype == np.float64 else "f32")


def contiguous(function: Function) -> Function:
    """Call `function` on contiguous arguments."""

    def apply(*xs: Array) -> Array:
        return function(*[x if x.ndim == 0 else np.ascontiguousarray(x) for x in xs])

    return apply


_PREDICATES: dict[str, Function] = {
    "isnan": np.isnan,
    "isinf": np.isinf,
    "finite": np.isfinite,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
}

_PREFIXES = re.compile(r"^(?:__nv_|__ocml_|__imf_|__spirv_ocl_|__builtin_|native_|half_)+")
_SUFFIXES = re.compile(r"_(?:f16|f32|f64|bf16)$")


def library_name(symbol: str) -> str | None:
    """Return the plain name of a device library's symbol (`__nv_expf`: "exp") or None."""
    name = _SUFFIXES.sub("", _PREFIXES.sub("", symbol))
    for candidate in (name, name.removesuffix("f"), name.removesuffix("d")):
        if candidate in LIBRARY or candidate in _PREDICATES or candidate in _INTEGERS:
            return candidate
    return None


@cache
def library_function(symbol: str) -> Function | None:
    """
    Return what an external symbol of libdevice, ocml or SPIR-V's OpenCL set computes.

    The function takes and gives carried arrays in float32 or float64, or integers for
    the few symbols on integers; None for a symbol that is not known.
    """
    name = library_name(symbol)
    if name is None:
        return None
    function = LIBRARY.get(name) or _PREDICATES.get(name) or _INTEGERS[name]
    return contiguous(function)


def _llrint(x: Array) -> Array:
    return np.rint(x).astype(np.int64)


_INTEGERS: dict[str, Function] = {
    "ffs": lambda x: np.where(
        x == 0, 0, np.bitwise_count((x & -x) - 1).astype(np.int32) + 1
    ).astype(np.int32),
    "popc": lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(np.int32),
    "popcll": lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(np.int32),
    "ilogb": lambda x: (np.frexp(x)[1] - 1).astype(np.int32),
    "llrint": _llrint,
    "float2int_rz": lambda x: np.trunc(x).astype(np.int32),
    "float2int_rn": lambda x: np.rint(x).astype(np.int32),
    "float2int_rd": lambda x: np.floor(x).astype(np.int32),
    "float2int_ru": lambda x: np.ceil(x).astype(np.int32),
    "float_as_int": lambda x: x.view(np.int32),
    "int_as_float": lambda x: x.view(np.float32),
    "double2int_rz": lambda x: np.trunc(x).astype(np.int32),
    "sad": lambda x, y, z: (np.abs(x - y) + z).astype(np.int32),
    "mulhi": lambda x, y: ((x.astype(np.int64) * y.astype(np.int64)) >> 32).astype(np.int32),
}
