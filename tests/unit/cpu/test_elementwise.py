"""Ops of arith and math, on tensors: native code against the interpreter, edge values included."""

import math
from typing import Any

import numpy as np
import pytest

N = 64
RNG = np.random.default_rng(0)

NUMPY: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


def values(type: str) -> np.ndarray[Any, Any]:
    """Return N values of a type, special ones first."""
    dtype = NUMPY[type]
    if type == "i1":
        return RNG.integers(0, 2, N).astype(np.bool_)
    if type[0] == "i":
        info = np.iinfo(dtype)
        found = RNG.integers(info.min, info.max, N, dtype=np.int64).astype(dtype)
        special = [0, 1, -1, info.min, info.max, 7, -7, 31]
        # Pairs of special values meet when the second operand is rolled.
        found[: len(special)] = special
        found[len(special) : 2 * len(special)] = np.roll(special, 1)
        return found
    found = RNG.normal(0, 3, N).astype(dtype)
    found[:10] = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5, -1.5]
    return found


def elementwise(op: str, operand_types: list[str], result: str) -> tuple[str, str]:
    """Return arguments and body of a kernel that applies `op`, with operands %a to %d."""
    names = "abcd"[: len(operand_types)]
    arguments = [f"%p{n}: memref<*x{t}>" for n, t in zip(names, operand_types, strict=True)]
    arguments.append(f"%out: memref<*x{result}>")
    lines: list[str] = []
    for n, t in zip(names, operand_types, strict=True):
        lines.append(
            f"%v{n} = memref.reinterpret_cast %p{n} to offset: [0], sizes: [{N}], strides: [1] : "
            f"memref<*x{t}> to memref<{N}x{t}, strided<[1]>>"
        )
        lines.append(
            f"%t{n} = bufferization.to_tensor %v{n} restrict : memref<{N}x{t}, strided<[1]>> to "
            f"tensor<{N}x{t}>"
        )
    inputs = ", ".join(f"%t{n}" for n in names)
    types = ", ".join(f"tensor<{N}x{t}>" for t in operand_types)
    maps = ", ".join(["#id"] * (len(names) + 1))
    block = ", ".join(f"%{n}: {t}" for n, t in zip(names, operand_types, strict=True))
    lines += [
        f"%e = tensor.empty() : tensor<{N}x{result}>",
        f'%r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} '
        f"ins({inputs} : {types}) outs(%e : tensor<{N}x{result}>) {{",
        f"^bb0({block}, %old: {result}):",
        f"  %s = {op}",
        f"  linalg.yield %s : {result}",
        f"}} -> tensor<{N}x{result}>",
        f"%vo = memref.reinterpret_cast %out to offset: [0], sizes: [{N}], strides: [1] : "
        f"memref<*x{result}> to memref<{N}x{result}, strided<[1]>>",
        f"bufferization.materialize_in_destination %r in writable %vo : (tensor<{N}x{result}>, "
        f"memref<{N}x{result}, strided<[1]>>) -> ()",
    ]
    return ", ".join(arguments), "\n".join("    " + line for line in lines)


def run(check: Any, op: str, operand_types: list[str], result: str, rtol: float = 0.0) -> None:
    arguments, body = elementwise(op, operand_types, result)
    operands = [np.roll(values(t), i) for i, t in enumerate(operand_types)]
    check(arguments, body, [*operands, np.zeros(N, NUMPY[result])], rtol=rtol)


INTEGER = (
    "addi", "subi", "muli", "andi", "ori", "xori", "divsi", "divui", "remsi", "remui", "shli",
    "shrsi", "shrui", "minsi", "maxsi", "minui", "maxui", "ceildivsi", "ceildivui", "floordivsi",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("type", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", INTEGER)
def test_integer_binary(check: Any, op: str, type: str):
    run(check, f"arith.{op} %a, %b : {type}", [type, type], type)


@pytest.mark.parametrize("op", ["divsi", "remsi", "floordivsi", "ceildivsi"])
def test_quotients_next_to_whole_numbers(check: Any, op: str):
    """Those of 32 bits are computed in f64."""
    arguments, body = elementwise(f"arith.{op} %a, %b : i32", ["i32", "i32"], "i32")
    random: Any = RNG
    for aside in (-1, 0, 1):
        magnitude = 2 ** random.uniform(0, 31, N)
        divisor = (magnitude * random.choice([-1, 1], N)).astype(np.int64)
        most: Any = np.maximum((2**31 - 2) // np.abs(divisor), 1)
        factor = random.integers(-most, most + 1)
        divided: Any = np.clip(factor * divisor + aside, -(2**31), 2**31 - 1)
        operands: list[Any] = [divided.astype(np.int32), divisor.astype(np.int32)]
        check(arguments, body, [*operands, np.zeros(N, np.int32)])


FLOAT = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
@pytest.mark.parametrize("op", FLOAT)
def test_float_binary(check: Any, op: str, type: str):
    run(check, f"arith.{op} %a, %b : {type}", [type, type], type)


PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@pytest.mark.parametrize("predicate", PREDICATES)
def test_integer_comparison(check: Any, predicate: str):
    run(check, f"arith.cmpi {predicate}, %a, %b : i32", ["i32", "i32"], "i1")


@pytest.mark.parametrize(
    "predicate", ["oeq", "ogt", "ole", "one", "ord", "ueq", "ult", "une", "uno"]
)
def test_float_comparison(check: Any, predicate: str):
    run(check, f"arith.cmpf {predicate}, %a, %b : f32", ["f32", "f32"], "i1")


@pytest.mark.parametrize(
    "op, source, target",
    [
        ("extsi", "i8", "i32"),
        ("extsi", "i1", "i32"),
        ("extui", "i8", "i64"),
        ("extui", "i1", "i8"),
        ("trunci", "i64", "i16"),
        ("trunci", "i32", "i1"),
        ("sitofp", "i32", "f32"),
        ("sitofp", "i64", "f16"),
        ("sitofp", "i1", "f32"),
        ("uitofp", "i8", "f32"),
        ("uitofp", "i1", "f64"),
        ("fptosi", "f32", "i32"),
        ("fptosi", "f64", "i64"),
        ("fptosi", "f16", "i8"),
        ("fptoui", "f32", "i16"),
        ("fptoui", "f64", "i64"),
        ("fptosi", "f32", "i1"),
        ("extf", "f16", "f32"),
        ("extf", "f32", "f64"),
        ("truncf", "f32", "f16"),
        ("truncf", "f64", "f32"),
        ("truncf", "f64", "f16"),
        ("bitcast", "f32", "i32"),
        ("bitcast", "i16", "f16"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_cast(check: Any, op: str, source: str, target: str):
    run(check, f"arith.{op} %a : {source} to {target}", [source], target)


@pytest.mark.parametrize(
    "cast, source, small, last_place",
    [
        ("truncf", "f64", "f16", 10),
        ("truncf", "f64", "bf16", 7),
        ("truncf", "f64", "f8E4M3FN", 3),
        ("truncf", "f64", "f8E5M2", 2),
        ("sitofp", "i32", "bf16", 7),
        ("uitofp", "i32", "bf16", 7),
        ("sitofp", "i64", "bf16", 7),
    ],
)
def test_narrow_casts_round_once(check: Any, cast: str, source: str, small: str, last_place: int):
    """Just beside half a last place, where rounding to f32 on the way would make a tie of it."""
    arguments, body = elementwise("OP", [source], "f32")
    two_steps = f"%n = arith.{cast} %a : {source} to {small}\n%s = arith.extf %n : {small} to f32"
    body = body.replace("%s = OP", two_steps)
    half, tiny = 2.0 ** -(last_place + 1), 2.0**-30
    x = [1 + half + tiny, 1 + half - tiny, 1 + 3 * half - tiny, 1 + half, 1 + 3 * half]
    wanted = [1 + 2 * half, 1.0, 1 + 2 * half, 1.0, 1 + 4 * half]
    if source == "f64":
        x += [2.0**-150, math.inf, math.nan, 1e308]
    scale = 1.0 if source == "f64" else 2.0**30
    a = np.zeros(N, NUMPY[source])
    a[: len(x)] = np.array(x) * scale
    a[-5:] = 0 if cast == "uitofp" else -a[:5]
    (_, out) = check(arguments, body, [a, np.zeros(N, np.float32)])
    np.testing.assert_array_equal(out[:5] / scale, wanted)


@pytest.mark.parametrize("cast", ["sitofp", "uitofp"])
def test_integers_that_no_f64_holds_round_once(check: Any, cast: str):
    """Just beside ties of bf16, where rounding to f64 on the way would make ties of them."""
    arguments, body = elementwise("OP", ["i64"], "f32")
    two_steps = f"%n = arith.{cast} %a : i64 to bf16\n%s = arith.extf %n : bf16 to f32"
    body = body.replace("%s = OP", two_steps)
    top = 62 if cast == "sitofp" else 63
    unit, a = 1 << top - 7, np.zeros(N, np.uint64)
    ties = [(1 << top) + unit // 2, (1 << top) + 3 * unit // 2]
    a[:6] = [tie + d for tie in ties for d in (-1, 0, 1)]
    wanted = [(1 << top) + k * unit for k in (0, 0, 1, 1, 2, 2)]
    a = a.view(np.int64)
    if cast == "sitofp":
        a[6:12] = -a[:6]
        wanted += [-w for w in wanted]
    (_, out) = check(arguments, body, [a, np.zeros(N, np.float32)])
    np.testing.assert_array_equal(out[: len(wanted)], np.array(wanted, np.float32))


def test_select(check: Any):
    run(check, "arith.select %a, %b, %c : i1, f32", ["i1", "f32", "f32"], "f32")


def test_negate(check: Any):
    run(check, "arith.negf %a : f16", ["f16"], "f16")


EXACT_UNARY = ("absf", "ceil", "floor", "trunc", "roundeven", "sqrt")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
@pytest.mark.parametrize("op", EXACT_UNARY)
def test_exact_functions(check: Any, op: str, type: str):
    run(check, f"math.{op} %a : {type}", [type], type)


CLOSE_UNARY = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "tanh", "erf",
    "rsqrt", "atan", "sinh",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("type, rtol", [("f32", 3e-6), ("f64", 1e-14)])
@pytest.mark.parametrize("op", CLOSE_UNARY)
def test_close_functions(check: Any, op: str, type: str, rtol: float):
    run(check, f"math.{op} %a : {type}", [type], type, rtol)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_power(check: Any):
    run(check, "math.powf %a, %b : f32", ["f32", "f32"], "f32", 1e-5)


def test_fused_multiply_add(check: Any):
    run(check, "math.fma %a, %b, %c : f32", ["f32"] * 3, "f32")


@pytest.mark.parametrize("op", ["ctpop", "ctlz", "cttz", "absi"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_bit_functions(check: Any, op: str):
    run(check, f"math.{op} %a : i32", ["i32"], "i32")


@pytest.mark.parametrize("symbol, type", [("__nv_lgammaf", "f32"), ("__ocml_erf_f64", "f64")])
def test_library_functions(native: Any, symbol: str, type: str):
    """Functions of a GPU's library that have a counterpart here."""
    arguments, body = elementwise(f"func.call @{symbol}(%a) : ({type}) -> {type}", [type], type)
    helpers = f"  func.func private @{symbol}({type}) -> {type}"
    x = np.linspace(0.5, 4, N).astype(NUMPY[type])
    found = native(arguments, body, [x, np.zeros_like(x)], helpers=helpers)[1]
    function = math.lgamma if "lgamma" in symbol else math.erf
    np.testing.assert_allclose(found, [function(float(v)) for v in x], rtol=1e-5, atol=1e-6)


SPECIAL_BF16 = (
    *(0x0000, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0xFFC0),
    # Numbers of their payload; the largest, the smallest, subnormal ones.
    *(0x7F81, 0x7FFF, 0xFFFF, 0xFF81, 0x7F7F, 0xFF7F, 0x0080, 0x8080, 0x0001, 0x807F),
)


@pytest.mark.parametrize("op", ["addf", "subf", "mulf", "divf", "maxnumf", "minimumf"])
def test_results_of_bf16(native: Any, op: str):
    """Every pair of special numbers, and ties; NaN stays that, whatever its bits."""
    some = RNG.integers(0, 1 << 16, N - len(SPECIAL_BF16) - 8)
    near = 0x3F80 + RNG.integers(0, 1 << 9, 8)
    numbers = np.array([*SPECIAL_BF16, *some, *near], np.uint16)
    f32 = (numbers.astype(np.uint32) << 16).view(np.float32)
    functions: dict[str, Any] = {
        "addf": np.add,
        "subf": np.subtract,
        "mulf": np.multiply,
        "divf": np.divide,
        "maxnumf": np.fmax,
        "minimumf": np.minimum,
    }
    arguments, body = elementwise(f"arith.{op} %a, %b : bf16", ["bf16", "bf16"], "bf16")
    for shift in range(N):
        second, out = np.roll(numbers, shift), np.zeros(N, np.uint16)
        found = native(arguments, body, [numbers, second, out])[2]
        with np.errstate(all="ignore"):
            exact = functions[op](f32, np.roll(f32, shift)).astype(np.float32)
        bits = exact.view(np.uint32)
        rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        is_nan = np.isnan(exact)
        wide = (found.astype(np.uint32) << 16).view(np.float32)
        np.testing.assert_array_equal(np.isnan(wide), is_nan)
        both_zero = (wide == 0) & (exact == 0) if op in ("maxnumf", "minimumf") else False
        left_out = is_nan | both_zero
        np.testing.assert_array_equal(np.where(left_out, 0, found), np.where(left_out, 0, rounded))
