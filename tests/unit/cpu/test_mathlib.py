"""Mathematical functions in f32, in units of the last place, and conversions, bit by bit."""

import ctypes
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from xtriton.cpu import jit
from xtriton.cpu.builder import IRBuilder, Module
from xtriton.cpu.mathlib import FUNCTIONS, call_f32, conversions, trigonometry
from xtriton.cpu.target import Target, host
from xtriton.cpu.types import SMALL_FLOATS, Type, encode_small_float, scalar_type
from xtriton.semantics.float_formats import FORMATS
from xtriton.semantics.formats import decode_table

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(5)
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 1e-45, 3e38, 88.72, -103.9, 128.0]


LOOKED_UP = [
    0,
    pytest.param(8, marks=pytest.mark.skipif(not host().looked_up, reason="a CPU without AVX2")),
    pytest.param(
        16, marks=pytest.mark.skipif(host().looked_up < 16, reason="a CPU without AVX-512")
    ),
]
"""How many numbers exponentials look up others by."""


def text_of_loop(
    source: str,
    target: str,
    body: Callable[[IRBuilder, str], str],
    *,
    looked_up: int,
    columns: int = 1,
) -> str:
    """Return a function `apply` that applies `body` to each element of some rows of an array."""
    module = Module(looked_up)
    builder = IRBuilder(module)

    def element(indices: list[Any]) -> None:
        place = builder.add(builder.mul(indices[0], columns), indices[1])
        value = builder.load(source, builder.element_pointer(source, "%x", place))
        builder.store(target, body(builder, value), builder.element_pointer(target, "%y", place))

    builder.nest(["%n", columns], element, parallel=True)
    builder.emit("ret void")
    return builder.text("define void @apply(ptr %x, ptr %y, i64 %n)") + module.text()


def loop(
    source: str,
    target: str,
    body: Callable[[IRBuilder, str], str],
    *,
    looked_up: int = 0,
    columns: int = 1,
) -> Callable[[Array, Array], None]:
    """Return that function, compiled."""
    text = text_of_loop(source, target, body, looked_up=looked_up, columns=columns)
    library = jit.load(text, ["apply"])
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    function = prototype(library.addresses["apply"])

    def apply(x: Array, y: Array) -> None:
        assert library.tracker is not None
        function(x.ctypes.data, y.ctypes.data, len(x) // columns)

    return apply


def applied_to_pairs(name: str, x: Array) -> Array:
    """Return what a function of two makes of each row of an array."""
    builder = IRBuilder(Module())

    def element(indices: list[Any]) -> None:
        first = builder.mul(indices[0], 2)
        places = [builder.element_pointer("float", "%x", builder.add(first, n)) for n in (0, 1)]
        values = [builder.load("float", place) for place in places]
        target = builder.element_pointer("float", "%y", indices[0])
        builder.store("float", call_f32(builder, name, *values), target)

    builder.nest(["%n"], element, parallel=True)
    builder.emit("ret void")
    text = builder.text("define void @apply(ptr %x, ptr %y, i64 %n)") + builder.module.text()
    library = jit.load(text, ["apply"])
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    y = np.empty(len(x), np.float32)
    prototype(library.addresses["apply"])(x.ctypes.data, y.ctypes.data, len(x))
    return y


REFERENCES: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    **{"exp_below": np.exp, "exp2_below": np.exp2},
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "sin_near": np.sin,
    "cos_near": np.cos,
    "tan": np.tan,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": lambda x: np.vectorize(math.erf, otypes=[np.float64])(x),
    **{"atan": np.arctan, "asin": np.arcsin, "acos": np.arccos, "sinh": np.sinh, "cosh": np.cosh},
    **{"asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "cbrt": np.cbrt},
}
OF_TWO: dict[str, Callable[[Array, Array], Array]] = {
    "pow": np.power,
    "atan2": np.arctan2,
    "hypot": np.hypot,
}
ULPS = {
    **dict.fromkeys(("atan", "asin", "acos", "sinh", "cosh", *OF_TWO), 0.51),
    **dict.fromkeys(("asinh", "acosh", "atanh", "cbrt"), 0.51),
    **{"log1p": 2.5, "tan": 2.0, "expm1": 1.6, "rsqrt": 1.6, "tanh": 1.5, "sin": 0.51, "cos": 0.51},
    **{"sin_near": 1.6, "cos_near": 1.6},
}
"""What each function may be off, in units of the last place; 1.2 for those not named."""


def test_every_function_has_a_reference():
    assert {*REFERENCES, *OF_TWO} == set(FUNCTIONS)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_function(name: str, looked_up: int):
    is_periodic = name.startswith(("sin", "cos", "tan"))
    wide = RNG.uniform(-1e4, 1e4, 20_000) if is_periodic else None
    if wide is None:
        wide = np.exp(RNG.uniform(-80, 80, 20_000)) * RNG.choice([-1, 1], 20_000)
    parts = [SPECIAL[:-6] if is_periodic else SPECIAL, wide]
    parts += [RNG.uniform(-100, 100, 20_000), RNG.uniform(-2, 2, 20_000), RNG.normal(1, 0.01, 999)]
    x = np.concatenate(parts).astype(np.float32)
    if name.endswith("_below"):
        x = -np.abs(x)
    y = np.empty_like(x)
    loop("float", "float", lambda b, v: call_f32(b, name, v), looked_up=looked_up)(x, y)
    exact = REFERENCES[name](x.astype(np.float64))
    rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(y), np.isnan(rounded))
    np.testing.assert_array_equal(y[np.isinf(rounded)], rounded[np.isinf(rounded)])
    finite = np.isfinite(rounded)
    off = np.abs(y[finite].astype(np.float64) - exact[finite]) / np.spacing(np.abs(rounded[finite]))
    assert off.max() <= ULPS.get(name, 1.2)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", OF_TWO)
def test_function_of_two(name: str):
    """All pairs of special values, with their signs, and others at random."""
    special = np.array([*SPECIAL, -1e-45, -3e38, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.0**24, 1e9])
    pairs = np.stack(np.meshgrid(special, special), -1).reshape(-1, 2)
    sizes = np.exp(RNG.uniform(-80, 80, (20_000, 2))) * RNG.choice([-1, 1], (20_000, 2))
    near = np.stack([RNG.uniform(0, 40, 20_000), RNG.uniform(-30, 30, 20_000)], 1)
    whole = np.stack([RNG.uniform(-9, 9, 5000), RNG.integers(-30, 30, 5000)], 1)
    ones = np.stack([RNG.normal(1, 1e-4, 5000), RNG.uniform(-1e5, 1e5, 5000)], 1)
    x = np.concatenate([pairs, sizes, near, whole, ones]).astype(np.float32)
    found = applied_to_pairs(name, x)
    exact = OF_TWO[name](*x.astype(np.float64).T)
    rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(rounded))
    ends = np.isinf(rounded) | (rounded == 0)
    np.testing.assert_array_equal(found[ends], rounded[ends])
    np.testing.assert_array_equal(np.signbit(found[ends]), np.signbit(rounded[ends]))
    finite = np.isfinite(rounded)
    off = np.abs(found[finite].astype(np.float64) - exact[finite])
    assert (off / np.spacing(np.abs(rounded[finite]))).max() <= ULPS[name]


@pytest.mark.parametrize("name", ["sin_near", "cos_near"])
def test_angles_near_multiples_of_a_quarter_turn(name: str):
    """What is left of these is small, so that all parts of π count."""
    turns = np.arange(-41_000, 41_000) * (math.pi / 2)
    x = np.concatenate([turns, [trigonometry.NEAR, -trigonometry.NEAR]]).astype(np.float32)
    y = np.empty_like(x)
    loop("float", "float", lambda b, v: call_f32(b, name, v))(x, y)
    exact = REFERENCES[name](x.astype(np.float64))
    off = np.abs(y - exact) / np.spacing(np.abs(exact.astype(np.float32)))
    assert off.max() <= ULPS[name]


def test_the_sine_of_a_zero_has_its_sign():
    x, y = np.array([0.0, -0.0], np.float32), np.empty(2, np.float32)
    for name in ("sin", "sin_near"):
        loop("float", "float", lambda b, v, name=name: call_f32(b, name, v))(x, y)
        assert np.signbit(y).tolist() == [False, True]
        assert not y.any()


@pytest.mark.parametrize("name", ["exp", "exp2"])
def test_exponentials_choose_for_their_bounds_only(name: str):
    module = Module()
    call_f32(IRBuilder(module), name, "%x")
    assert module.text().count("select") == 2


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_exponentials_below_the_smallest_f32_are_zero(name: str, looked_up: int):
    x = np.linspace(-160, -80, 100_001, dtype=np.float32)
    y = np.empty_like(x)
    loop("float", "float", lambda b, v: call_f32(b, name, v), looked_up=looked_up)(x, y)
    exact = REFERENCES[name](x.astype(np.float64))
    np.testing.assert_allclose(y, exact, rtol=2**-22, atol=2**-149)
    assert not y[exact < 2.0**-151].any()


@pytest.mark.parametrize("name", ["exp", "exp2"])
def test_exponentials_that_look_up_fractions_are_off_by_less_than_a_unit(name: str):
    """All sixteenths, and zero itself, of which the exponential is one."""
    x = np.linspace(-80, 80, 5_000_001, dtype=np.float32)
    y = np.empty_like(x)
    loop("float", "float", lambda b, v: call_f32(b, name, v), looked_up=host().looked_up)(x, y)
    exact = REFERENCES[name](x.astype(np.float64))
    off = np.abs(y - exact) / np.spacing(exact.astype(np.float32))
    assert off.max() < 0.96
    assert y[x == 0] == 1


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_exponentials_of_single_lanes_round_as_those_of_vectors(name: str, looked_up: int):
    x = RNG.uniform(-100, 100, 67).astype(np.float32)
    apply = loop("float", "float", lambda b, v: call_f32(b, name, v), looked_up=looked_up)
    y, single = np.empty_like(x), np.empty_like(x)
    apply(x, y)
    for i in range(len(x)):
        apply(x[i : i + 1], single[i : i + 1])
    np.testing.assert_array_equal(y, single)


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize("looked_up", LOOKED_UP)
@pytest.mark.parametrize("columns", [1, 64])
def test_lanes_do_not_mind_what_is_beside_them(name: str, looked_up: int, columns: int):
    """Vectors with a lane that is far from zero are computed by another function."""
    x = RNG.uniform(-80, 80, 4096).astype(np.float32)
    mixed = x.copy()
    far = RNG.random(len(x)) < 0.1
    far[: len(x) // 2] &= RNG.random(len(x) // 2) < 0.1
    mixed[far] = RNG.choice([-np.inf, np.inf, np.nan, -1e6, 1e30, -100.0], far.sum())

    def body(b: IRBuilder, x: str) -> str:
        return call_f32(b, name, x)

    apply = loop("float", "float", body, looked_up=looked_up, columns=columns)
    y, beside, single = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    apply(x, y)
    apply(mixed, beside)
    np.testing.assert_array_equal(beside[~far], y[~far])
    alone = loop("float", "float", body, looked_up=looked_up)
    for i in np.flatnonzero(far):
        alone(mixed[i : i + 1], single[i : i + 1])
    np.testing.assert_array_equal(beside[far], single[far])


@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_what_is_far_from_zero_leaves_other_registers_alone(looked_up: int):
    """The function that computes it saves those that it uses."""

    def body(b: IRBuilder, x: str) -> str:
        half = b.value(f"fmul float {x}, 5.0e-01")
        parts = [call_f32(b, name, v) for name in ("exp", "exp2") for v in (x, half)]
        for part in (*parts, half, x):
            x = b.value(f"fadd float {x}, {part}")
        return x

    x = RNG.uniform(-8, 8, 1003).astype(np.float32)
    x[RNG.random(len(x)) < 0.2] = -90.5
    y = np.empty_like(x)
    loop("float", "float", body, looked_up=looked_up)(x, y)
    exact = sum(np.exp(v) + np.exp2(v) for v in (x, x / 2)) + 2.5 * x
    np.testing.assert_allclose(y, exact, rtol=1e-5, atol=1e-4)


X86 = "x86_64-unknown-linux-gnu"
AVX512 = Target(X86, "sapphirerapids", 512, 32, fma=True, half=True, looked_up=16)
AVX2 = Target(X86, "haswell", 256, 16, fma=True, half=True, looked_up=8)


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["AVX2", "AVX-512"])
def test_loops_look_up_fractions_in_a_register(name: str, target: Target):
    """LLVM vectorises the calls, and none of them are left but those that are hardly ever done."""
    numbers = target.looked_up
    text = text_of_loop("float", "float", lambda b, v: call_f32(b, name, v), looked_up=numbers)
    assembly = jit.assembly(text, target=target)
    assert re.search(r"vperm(ps|d)\s.*%[yz]mm", assembly)
    assert bool(re.search(r"vscalefps\s+%[yz]mm", assembly)) == (numbers == 16)
    calls = set(re.findall(r"call\w*\s+(\S+)", assembly))
    assert calls <= {f"xt.lanes8.{name}.far"}


@pytest.mark.parametrize(
    "columns, others, together", [(64, 0, True), (63, 0, False), (64, 24, False)]
)
def test_vectors_of_a_loop_are_looked_at_together(columns: int, others: int, together: bool):
    """In short loops whether any lane is far from zero is asked of the largest of four vectors."""

    def body(b: IRBuilder, x: str) -> str:
        y = call_f32(b, "exp", x)
        for _ in range(others):
            y = b.value(f"fmul float {y}, {x}")
        return y

    text = text_of_loop("float", "float", body, looked_up=8, columns=columns)
    loop = jit.assembly(text, target=AVX2).partition("apply:")[2].partition(".size")[0]
    largest = len(re.findall("vpmaxsd", loop))
    assert largest == (3 * len(re.findall(r"vtestps\s+%ymm", loop)) if together else 0)
    assert largest or not together


def test_erf_takes_no_exponential():
    module = Module(looked_up=8)
    call_f32(IRBuilder(module), "erf", "%x")
    assert not re.search("ldexp|fdiv|bitcast", module.text())


@pytest.mark.parametrize("looked_up", LOOKED_UP)
def test_erf_ends_at_one(looked_up: int):
    x = np.linspace(3.5, 4.5, 100_001, dtype=np.float32)
    y = np.empty_like(x)
    loop("float", "float", lambda b, v: call_f32(b, "erf", v), looked_up=looked_up)(x, y)
    assert y.max() == 1.0
    assert (y[x >= 4.0] == 1.0).all()


def small_type(name: str) -> Type:
    type = scalar_type(name)
    assert type is not None
    return type


def integer_of(type: Type) -> Any:
    return np.uint16 if type.bytes == 2 else np.uint8


def all_values(type: Type) -> tuple[Array, Array]:
    """Return every bit pattern of a small float and what our code makes of it in f32."""
    bits = np.arange(1 << (8 * type.bytes), dtype=integer_of(type))
    wide = np.empty(len(bits), np.float32)
    loop(type.memory, "float", lambda b, v: conversions.widen(b, type, v, native_half=False))(
        bits, wide
    )
    return bits, wide


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_widening_is_what_the_semantics_say(name: str):
    bits, wide = all_values(small_type(name))
    if name == "f16":
        expected = bits.view(np.float16)
    elif name == "bf16":
        expected = (bits.astype(np.uint32) << 16).view(np.float32)
    else:
        expected = decode_table(FORMATS[name])[bits]
    np.testing.assert_array_equal(wide, np.asarray(expected, np.float32))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_narrowing_rounds_to_nearest_even(name: str):
    """Every value, its neighbours, the ties between two, and values beyond the largest."""
    type = small_type(name)
    _, wide = all_values(type)
    exact = np.sort(wide[np.isfinite(wide)])
    ties = (exact[1:].astype(np.float64) + exact[:-1]) / 2
    x = np.concatenate([exact, np.nextafter(exact, np.float32(np.inf)), ties.astype(np.float32)])
    x = np.concatenate([x, [1e30, -1e30, np.inf, -np.inf], RNG.normal(size=500)]).astype(np.float32)
    x = np.ascontiguousarray(x[:: max(1, len(x) // 4000)])
    found = np.empty(len(x), integer_of(type))
    narrow = loop(
        "float", type.memory, lambda b, v: conversions.narrow(b, type, v, native_half=False)
    )
    narrow(x, found)
    assert type.small is not None
    expected = [encode_small_float(float(value), type.small) for value in x]
    np.testing.assert_array_equal(found, np.array(expected, integer_of(type)))
