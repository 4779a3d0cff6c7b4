"""Products on the units that a CPU has for narrow numbers: code for all, results where they are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_matmul import matmul_body
from tests.unit.cpu.test_panels import COLUMNS, ROWS, lying, pitches, product
from xtriton.cpu import compile_module, jit, target
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.emitter.unit_tiles import ACCUMULATORS, REGISTERS, Layout, layout_for
from xtriton.cpu.target import TILE_UNITS, Target, host, llvm

RNG = np.random.default_rng(6)
SAPPHIRE_RAPIDS = Target(
    "x86_64-unknown-linux-gnu", "sapphirerapids", 512, 32, fma=True, half=True, units=TILE_UNITS
)
INSTRUCTION = {"bf16": "tdpbf16ps", "i8": "tdpbssd"}
RESULT = {"bf16": "f32", "i8": "i32"}
NUMPY = {"f32": np.float32, "i32": np.int32}
TYPES = sorted(INSTRUCTION)

on_x86 = pytest.mark.skipif(
    not host().triple.startswith("x86_64"), reason="LLVM has this target there"
)
on_tiles = pytest.mark.skipif(
    not host().units >= TILE_UNITS, reason="this CPU, or its system, has no tiles"
)


def in_memory(values: Any, type: str) -> Any:
    """Return whole numbers as elements of a type; bf16 is the upper half of an f32."""
    if type == "i8":
        return values.astype(np.int8)
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def code(arguments: str, body: str, target: Target) -> str:
    return emit_kernel(xtriton.parse(kernel_text(arguments, body)), target).text


def single(m: int, n: int, k: int, type: str, strides: str = "") -> tuple[str, str]:
    """Return the arguments and the body of a product that is no part of a loop."""
    result = RESULT[type]
    arguments = f"%a: memref<*x{type}>, %b: memref<*x{type}>, %c: memref<*x{result}>"
    return arguments, matmul_body(m, n, k, type, result, strides)


def summed(type: str, turned: str = "") -> tuple[str, str]:
    """Return the arguments and the body of a product that a loop adds up."""
    arguments, body = product(turned, type)
    if type == "i8":
        arguments, body = arguments.replace("f32", "i32"), body.replace("f32", "i32")
        body = body.replace("constant 0.0", "constant 0")
    return arguments, body


# --- code -------------------------------------------------------------------------------


@on_x86
@pytest.mark.parametrize("type", TYPES)
def test_code_for_tiles(type: str):
    for arguments, body in (single(32, 32, 64, type), summed(type)):
        text = code(arguments, body, SAPPHIRE_RAPIDS)
        assembly = jit.assembly(text, target=SAPPHIRE_RAPIDS)
        for instruction in ("ldtilecfg", INSTRUCTION[type], "tilestored", "tilerelease"):
            assert instruction in assembly


@pytest.mark.parametrize("kernel, within", [(single(32, 32, 64, "i8"), 0), (summed("i8"), 2)])
def test_the_unit_is_configured_once(kernel: tuple[str, str], within: int):
    """When a launch begins; within programs only for what fills no tile."""
    text = code(*kernel, SAPPHIRE_RAPIDS)
    programs, _, behind = text.partition("define i32")
    launcher = behind.partition("\n}\n")[0]
    assert programs.count("call void @llvm.x86.ldtilecfg") == within
    assert launcher.count("call void @llvm.x86.ldtilecfg") == 1
    assert launcher.count("call void @llvm.x86.tilerelease") == launcher.count("  ret ") == 1
    assert "@llvm.x86.tilerelease()\n  ret" in launcher


@pytest.mark.parametrize("type", TYPES)
def test_other_targets_have_none(type: str):
    text = code(*single(32, 32, 64, type), replace(SAPPHIRE_RAPIDS, units=frozenset()))
    assert "llvm.x86" not in text


@pytest.mark.parametrize("m, n, k, why", [(17, 32, 64, "rows"), (32, 32, 6, "a depth")])
def test_what_tiles_do_not_fit(m: int, n: int, k: int, why: str):
    assert "llvm.x86" not in code(*single(m, n, k, "i8"), SAPPHIRE_RAPIDS), why


def test_code_is_kept_by_the_units_that_it_may_use():
    without = replace(SAPPHIRE_RAPIDS, units=frozenset())
    assert jit.machine(SAPPHIRE_RAPIDS) != jit.machine(without)


def test_a_system_that_refuses_tiles(monkeypatch: pytest.MonkeyPatch):
    def refused(triple: str) -> bool:
        return False

    monkeypatch.setattr(target, "_may_use_tiles", refused)
    assert not host.__wrapped__().units & TILE_UNITS


@pytest.mark.parametrize("rows", [1, 8, 16, 32, 48, 64, 128])
@pytest.mark.parametrize("columns", [1, 16, 32, 80, 128])
def test_registers_of_a_layout(rows: int, columns: int):
    layout = layout_for(rows, columns)
    assert layout is not None
    assert rows % layout.rows == 0
    assert columns % layout.columns == 0
    results = {layout.result(i, j) for i in range(layout.down) for j in range(layout.across)}
    assert len(results) == layout.down * layout.across <= ACCUMULATORS
    lefts = {layout.left(i) for i in range(layout.down)}
    rights = {layout.right(j) for j in range(layout.across)}
    assert not results & lefts
    assert not results & rights
    assert not lefts & rights
    assert max(lefts | rights) < REGISTERS
    # What of B is read again for the next row of tiles is still there.
    assert layout.down == 1 or len(rights) == layout.across


def test_configuration():
    content = Layout(down=2, across=2, height=8, width=16).configuration(4)
    assert len(content) == 64
    assert content[0] == 1
    assert list(content[16:32:2]) == [64] * 4 + [16] * 2 + [64] * 2
    assert list(content[48:56]) == [8] * 6 + [4] * 2
    assert not any(content[1:16] + content[17:32:2] + content[32:48] + content[56:])


@dataclass(frozen=True)
class Words:
    """A unit of vectors: how wide they are, a CPU that has it, its instruction, its elements."""

    bits: int
    cpu: str
    instruction: str
    type: str = "i8"


WORDS = {
    "avx512bf16": Words(512, "cooperlake", "vdpbf16ps", "bf16"),
    "avx512vnni": Words(512, "sapphirerapids", "vpdpbusd"),
    "avxvnni": Words(256, "alderlake", "vpdpbusd"),
    "avx512bw": Words(512, "skylake-avx512", "vpmaddwd"),
    "avx2": Words(256, "haswell", "vpmaddwd"),
}


def on_words(feature: str, triple: str, cpu: str) -> Target:
    bits = WORDS[feature].bits
    return Target(triple, cpu, bits, bits // 16, fma=True, half=True, units=frozenset([feature]))


@on_x86
@pytest.mark.parametrize("feature", WORDS)
def test_code_for_words(feature: str):
    words = WORDS[feature]
    target = on_words(feature, "x86_64-unknown-linux-gnu", words.cpu)
    for arguments, body in (single(32, 32, 64, words.type), summed(words.type)):
        assembly = jit.assembly(code(arguments, body, target), target=target)
        register = "zmm" if words.bits == 512 else "ymm"
        assert re.search(rf"{words.instruction}\t.*%{register}", assembly)
        assert not re.search("vpmulld|vfmadd", assembly)


@on_x86
def test_words_where_tiles_do_not_fit():
    both = replace(SAPPHIRE_RAPIDS, units=TILE_UNITS | {"avx512bf16"})
    for rows, instruction in ((32, "tdpbf16ps"), (17, "dpbf16ps.512")):
        text = code(*single(rows, 32, 64, "bf16"), both)
        found = set(re.findall(r"@llvm\.x86\.(?:avx512bf16\.)?(t?dpbf16ps[.\d]*)\(", text))
        assert found == {instruction}


@pytest.mark.parametrize("feature", WORDS)
def test_zeros_behind_both_operands_of_words(feature: str):
    """Only those: a block that ends in ones is multiplied whole."""
    words = WORDS[feature]
    target = on_words(feature, "x86_64-unknown-linux-gnu", words.cpu)
    arguments, body = summed(words.type)
    ones = re.sub("(%zero_a = arith.constant) 0", r"\1 1", body)
    zeros, some = (code(arguments, x, target).count("@llvm.smin.i64(") for x in (body, ones))
    assert zeros > some > 0


# --- results ----------------------------------------------------------------------------

SHAPES = [
    (1, 1, 4),
    (16, 16, 64),
    (32, 32, 32),
    (8, 64, 128),
    (64, 16, 64),
    (48, 80, 16),
    (128, 64, 256),
]


@on_tiles
@pytest.mark.parametrize("m, n, k", SHAPES)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("strides", ["", "a", "b", "ab"])
def test_products(native: Any, m: int, n: int, k: int, type: str, strides: str):
    a, b = RNG.integers(-128, 128, (m, k)), RNG.integers(-128, 128, (k, n))
    c = RNG.integers(-4, 5, (m, n)).astype(NUMPY[RESULT[type]])
    stored = [lying(in_memory(x, type), name in strides) for x, name in ((a, "a"), (b, "b"))]
    found = native(*single(m, n, k, type, strides), [*stored, c])[2]
    np.testing.assert_array_equal(found, c + a @ b)


@on_tiles
# Less than a block, one, an odd number of them, whole panels and parts of one.
@pytest.mark.parametrize("depth", [3, 8, 24, 512, 700, 1100])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("type", TYPES)
def test_sums(native: Any, depth: int, turned: str, type: str):
    a, b = RNG.integers(-128, 128, (ROWS, depth)), RNG.integers(-128, 128, (depth, COLUMNS))
    stored = [lying(in_memory(x, type), name in turned) for x, name in ((a, "a"), (b, "b"))]
    c = np.zeros((ROWS, COLUMNS), NUMPY[RESULT[type]])
    values = [*stored, c, depth, *pitches(*stored)]
    found = native(*summed(type, turned), values, grid=(3, 2, 1))[2]
    np.testing.assert_array_equal(found, a @ b)


def here(feature: str) -> Target:
    """Return this machine with one unit; skips where it has none like that."""
    names = {"avxvnni": ("avxvnni", "avx512vnni")}.get(feature, (feature,))
    found: dict[str, bool] = llvm().get_host_cpu_features()
    if not any(found.get(name) for name in names):
        pytest.skip(f"this CPU has no {feature}")
    return on_words(feature, host().triple, host().cpu)


def run_on(
    target: Target, kernel: tuple[str, str], values: list[Any], grid: Sequence[int] = (1, 1, 1)
) -> Any:
    """Return the third argument behind a launch."""
    module = xtriton.parse(kernel_text(*kernel))
    compile_module(module, optimization=1, target=target)(grid, values)
    return values[2]


@pytest.mark.parametrize("m, n, k", [*SHAPES, (5, 12, 4), (13, 100, 38), (64, 2, 8), (9, 20, 7)])
@pytest.mark.parametrize("feature", WORDS)
@pytest.mark.parametrize("strides", ["", "a", "b", "ab"])
def test_products_of_words(m: int, n: int, k: int, feature: str, strides: str):
    type = WORDS[feature].type
    a, b = RNG.integers(-128, 128, (m, k)), RNG.integers(-128, 128, (k, n))
    c = RNG.integers(-4, 5, (m, n)).astype(NUMPY[RESULT[type]])
    stored = [lying(in_memory(x, type), name in strides) for x, name in ((a, "a"), (b, "b"))]
    found = run_on(here(feature), single(m, n, k, type, strides), [*stored, c.copy()])
    np.testing.assert_array_equal(found, c + a @ b)


@pytest.mark.parametrize("depth", [3, 24, 1100])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("feature", WORDS)
def test_sums_of_words(depth: int, turned: str, feature: str):
    type = WORDS[feature].type
    a, b = RNG.integers(-128, 128, (ROWS, depth)), RNG.integers(-128, 128, (depth, COLUMNS))
    stored = [lying(in_memory(x, type), name in turned) for x, name in ((a, "a"), (b, "b"))]
    c = np.zeros((ROWS, COLUMNS), NUMPY[RESULT[type]])
    values = [*stored, c, depth, *pitches(*stored)]
    found = run_on(here(feature), summed(type, turned), values, (3, 2, 1))
    np.testing.assert_array_equal(found, a @ b)


@on_tiles
def test_int8_wraps_as_other_products_do(native: Any):
    """The least numbers, whose products are the largest, and a sum that overflows."""
    a, b = (np.full((16, 16), -128, np.int8) for _ in "ab")
    c = np.full((16, 16), np.iinfo(np.int32).max, np.int32)
    found = native(*single(16, 16, 16, "i8"), [a, b, c])[2]
    np.testing.assert_array_equal(found, np.iinfo(np.int32).min + 128 * 128 * 16 - 1)


@pytest.fixture(params=["amx-bf16", "avx512bf16"])
def with_bf16(request: pytest.FixtureRequest) -> Target:
    """Return this machine with one unit for products of bf16."""
    feature: str = request.param
    if feature in WORDS:
        return here(feature)
    if feature not in host().units:
        pytest.skip("this CPU, or its system, has no tiles")
    return replace(host(), units=frozenset([feature]))


def test_what_is_no_number_stays_where_it_is(with_bf16: Target):
    a, b = np.ones((32, 32)), np.ones((32, 32))
    a[3, 5], b[7, 9] = np.nan, np.inf
    c = np.zeros((32, 32), np.float32)
    stored = [in_memory(x, "bf16") for x in (a, b)]
    found = run_on(with_bf16, single(32, 32, 32, "bf16"), [*stored, c])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found, a @ b)


def test_numbers_below_the_normal_range_count_as_nothing(with_bf16: Target):
    a, b = np.full((16, 16), 2.0**-127), np.full((16, 16), 2.0**64)
    a[1] = 2.0**-126
    c = np.zeros((16, 16), np.float32)
    stored = [in_memory(x, "bf16") for x in (a, b)]
    found = run_on(with_bf16, single(16, 16, 16, "bf16"), [*stored, c])
    expected = np.zeros((16, 16), np.float32)
    expected[1] = 2.0**-58
    np.testing.assert_array_equal(found, expected)


# --- where operands are read ------------------------------------------------------------

LOADED_ROWS, LOADED_COLUMNS, LOADED_DEPTH = 16, 32, 64


def loaded(between: str = "", turned: bool = False) -> tuple[str, str]:
    """Return a product of blocks that are loaded, and what is done in between; B may be turned."""
    m, n, k = LOADED_ROWS, LOADED_COLUMNS, LOADED_DEPTH
    strides = {"a": f"[{k}, 1]", "b": f"[1, {k}]" if turned else f"[{n}, 1]"}
    body = ""
    for name, sizes in {"a": (m, k), "b": (k, n)}.items():
        shape = f"{sizes[0]}x{sizes[1]}xi8"
        source = f"memref<{shape}, strided<{strides[name]}>>"
        body += f"""
    %v{name} = memref.reinterpret_cast %{name} to offset: [0], sizes: [{sizes[0]}, {sizes[1]}], strides: {strides[name]} : memref<*xi8> to {source}
    %m{name} = memref.alloc() : memref<{shape}>
    memref.copy %v{name}, %m{name} : {source} to memref<{shape}>
    %t{name} = bufferization.to_tensor %m{name} restrict writable : memref<{shape}> to tensor<{shape}>
"""
    result, store = f"tensor<{m}x{n}xi32>", f"memref<{m}x{n}xi32, strided<[{n}, 1]>>"
    body += f"""
    %first = arith.constant 0 : index
    %seven = arith.constant 7 : i8
    {between}
    %zero = arith.constant 0 : i32
    %empty = tensor.empty() : {result}
    %begin = linalg.fill ins(%zero : i32) outs(%empty : {result}) -> {result}
    %sum = linalg.matmul ins(%ta, %tb : tensor<{m}x{k}xi8>, tensor<{k}x{n}xi8>) outs(%begin : {result}) -> {result}
    %vc = memref.reinterpret_cast %c to offset: [0], sizes: [{m}, {n}], strides: [{n}, 1] : memref<*xi32> to {store}
    bufferization.materialize_in_destination %sum in writable %vc : ({result}, {store}) -> ()
"""
    return "%a: memref<*xi8>, %b: memref<*xi8>, %c: memref<*xi32>", body


STORES = {
    name: f"memref.store %seven, %v{name}[%first, %first] : memref<{shape}xi8, strided<[{row}, 1]>>"
    for name, shape, row in (
        ("a", f"{LOADED_ROWS}x{LOADED_DEPTH}", LOADED_DEPTH),
        ("b", f"{LOADED_DEPTH}x{LOADED_COLUMNS}", LOADED_COLUMNS),
    )
}


def buffers(between: str, turned: bool = False) -> list[bool]:
    """Return whether A and B are copied to buffers of their own."""
    text = code(*loaded(between, turned), SAPPHIRE_RAPIDS)
    sizes = LOADED_ROWS * LOADED_DEPTH, LOADED_COLUMNS * LOADED_DEPTH
    places = [re.search(rf"(%\w+) = alloca \[{size} x i8\]", text) for size in sizes]
    return [place is not None and len(re.findall(rf"{place[1]}\b", text)) > 1 for place in places]


@pytest.mark.parametrize("turned", [False, True])
def test_operands_are_packed_from_where_they_lie(turned: bool):
    assert buffers("", turned) == [False, False]


@pytest.mark.parametrize("name", STORES)
def test_operands_that_may_be_stored_to_meanwhile_are_not(name: str):
    """The other one is where arguments overlap."""
    assert buffers(STORES[name]) == [True, True]


@pytest.mark.parametrize(
    ("between", "turned"),
    # The store to B is for rows.
    [("", False), ("", True), (STORES["a"], False), (STORES["a"], True), (STORES["b"], False)],
)
def test_products_of_what_was_loaded(native: Any, between: str, turned: bool):
    a = RNG.integers(-128, 128, (LOADED_ROWS, LOADED_DEPTH)).astype(np.int8)
    b = RNG.integers(-128, 128, (LOADED_DEPTH, LOADED_COLUMNS)).astype(np.int8)
    c = np.zeros((LOADED_ROWS, LOADED_COLUMNS), np.int32)
    found = native(*loaded(between, turned), [a, lying(b, turned), c])[2]
    np.testing.assert_array_equal(found, a.astype(np.int32) @ b.astype(np.int32))
