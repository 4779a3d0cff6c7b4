"""Rows that the next program stores: the same numbers, and only where nobody can tell."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.builder import IRBuilder
from xtriton.cpu.emitter import emit_kernel, late_stores, streaming
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.target import host
from xtriton.cpu.threads import limited_threads

pytestmark = pytest.mark.skipif(
    not host().triple.startswith("x86_64"), reason="only x86-64 has these stores here"
)
RNG = np.random.default_rng(12)
COLUMNS = 1024
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xT>, %n: i32, %at: i32, %bias: f32"


def body(columns: int = COLUMNS, more: str = "", stored: str = "f32", to: str = "%o") -> str:
    """
    Return a kernel that stores exp(x) by its sum, the number of the program and %bias on it.

    Of a row of `columns`, the first %n, to %o from %at on.
    """
    loop = '{indexing_maps = [#id, #id], iterator_types = ["parallel"]}'
    cut = f"memref<?x{stored}, strided<[1], offset: ?>>"
    rounded = "%w" if stored == "f32" else "%z"
    text = f"""
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %size = arith.constant {columns} : index
    %program = arith.index_cast %program_x : i32 to index
    %first = arith.muli %program, %size : index
    %view = memref.reinterpret_cast %x to offset: [%first], sizes: [{columns}], strides: [1] : memref<*xf32> to MEMORY
    %buffer = memref.alloc() : memref<{columns}xf32>
    memref.copy %view, %buffer : MEMORY to memref<{columns}xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{columns}xf32> to BLOCK
    %e = tensor.empty() : BLOCK
    %weights = linalg.generic {loop} ins(%block : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: f32, %old: f32):
      %p = math.exp %a : f32
      linalg.yield %p : f32
    }} -> BLOCK
    %start = tensor.from_elements %zero : tensor<f32>
    %total = linalg.reduce {{ arith.addf }} ins(%weights : BLOCK) outs(%start : tensor<f32>) dimensions = [0]
    %sum = tensor.extract %total[] : tensor<f32>
    %number = arith.sitofp %program_x : i32 to f32
    %shares = linalg.generic {loop} ins(%weights : BLOCK) outs(%weights : BLOCK) {{
    ^bb0(%a: f32, %old: f32):
      %q = arith.divf %a, %sum : f32
      linalg.yield %q : f32
    }} -> BLOCK
    %result = linalg.generic {loop} ins(%shares : BLOCK) outs(%result_e : tensor<{columns}x{stored}>) {{
    ^bb0(%a: f32, %old: {stored}):
      %v = arith.addf %a, %number : f32
      %w = arith.addf %v, %bias : f32
      ROUNDED
      linalg.yield {rounded} : {stored}
    }} -> tensor<{columns}x{stored}>
    %count = arith.index_cast %n : i32 to index
    %begin = arith.index_cast %at : i32 to index
    %offset = arith.addi %begin, %first : index
    %to = memref.reinterpret_cast {to} to offset: [%offset], sizes: [{columns}], strides: [1] : memref<*x{stored}> to memref<{columns}x{stored}, strided<[1], offset: ?>>
    %part = tensor.extract_slice %result[0] [%count] [1] : tensor<{columns}x{stored}> to tensor<?x{stored}>
    %there = memref.subview %to[0] [%count] [1] : memref<{columns}x{stored}, strided<[1], offset: ?>> to {cut}
    bufferization.materialize_in_destination %part in writable %there : (tensor<?x{stored}>, {cut}) -> ()
{more}
"""
    text = text.replace(
        "%e = tensor", f"%result_e = tensor.empty() : tensor<{columns}x{stored}>\n    %e = tensor"
    )
    text = text.replace(
        "ROUNDED", "" if stored == "f32" else f"%z = arith.truncf %w : f32 to {stored}"
    )
    memory = f"memref<{columns}xf32, strided<[1], offset: ?>>"
    return text.replace("MEMORY", memory).replace("BLOCK", f"tensor<{columns}xf32>")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let launches of any size count as large."""
    monkeypatch.setattr(streaming, "LARGE", 1)


@pytest.fixture(params=[1, streaming.LARGE], ids=["past the caches", "through the caches"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let launches of any size count as large, or none of these tests'."""
    monkeypatch.setattr(streaming, "LARGE", request.param)


def aligned(bytes: int, begin: int = 0) -> Any:
    """Return so many bytes that begin so many behind a whole line."""
    memory = np.zeros(bytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + begin
    return memory[start : start + bytes]


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("rows", [1, 2, 3, 50])
@pytest.mark.parametrize("count", [COLUMNS, COLUMNS - 1, 100, 0])
@pytest.mark.parametrize("at", [0, 3, 16])
@pytest.mark.parametrize("type", [np.float32, np.float16])
def test_every_element_is_stored_and_no_other(rows: int, count: int, at: int, type: Any) -> None:
    stored = "f32" if type is np.float32 else "f16"
    out = aligned(type().itemsize * (rows * COLUMNS + 64)).view(type)
    x = launched(out, rows, count, at, stored)
    weights = np.exp(x.reshape(rows, COLUMNS))
    found = weights / weights.sum(1, keepdims=True) + np.arange(rows)[:, None] + 0.5
    expected = np.zeros_like(out)
    inner = expected[at : at + rows * COLUMNS].reshape(rows, COLUMNS)
    inner[:, :count] = found[:, :count]
    np.testing.assert_allclose(out, expected, rtol=1e-6 if stored == "f32" else 1e-3)


def launched(out: Any, rows: int, count: int, at: int = 0, stored: str = "f32") -> Any:
    """Return what a launch, on one thread, has made `out` of."""
    x = RNG.normal(size=rows * COLUMNS).astype(np.float32)
    text = kernel_text(ARGUMENTS.replace("T", stored), body(stored=stored))
    with limited_threads(1):
        kernel = compile_module(xtriton.parse(text))
        kernel(rows, [x, out, np.int32(count), np.int32(at), np.float32(0.5)])
    return x


def nothing(*_: object) -> None:
    """Store nothing."""


@pytest.mark.parametrize("large", [1, streaming.LARGE])
@pytest.mark.parametrize("begin", [0, 4])
@pytest.mark.parametrize("count", [COLUMNS, COLUMNS - 16])
def test_the_next_program_stores(
    monkeypatch: pytest.MonkeyPatch, large: int, begin: int, count: int
) -> None:
    """
    Whole rows to whole lines, all but those of a thread's last programs.

    Past the caches, where that is what misses, if all of them are large.
    """
    monkeypatch.setattr(streaming, "LARGE", large)
    if large == 1:
        monkeypatch.setattr(late_stores, "put_line", nothing)
    else:
        monkeypatch.setattr(IRBuilder, "copy", nothing)
    rows = 50
    out = aligned(4 * rows * COLUMNS, begin).view(np.float32)
    launched(out, rows, count)
    missing = (out.reshape(rows, COLUMNS)[:, :count] == 0).all(1)
    assert not missing[-1]
    assert missing.any() == (begin == 0 and count == COLUMNS)


@pytest.mark.usefixtures("either_way")
def test_rows_that_others_read_are_stored_at_once() -> None:
    """A launch in place, whose rows are one behind: each program reads what the one before wrote."""
    rows = 20
    memory = aligned(4 * (rows + 1) * COLUMNS).view(np.float32)
    memory[:] = RNG.normal(size=memory.size)
    row = memory[:COLUMNS].copy()
    text = kernel_text(ARGUMENTS.replace("T", "f32"), body())
    numbers = [np.int32(COLUMNS), np.int32(COLUMNS), np.float32(0)]
    with limited_threads(1):
        compile_module(xtriton.parse(text))(rows, [memory, memory, *numbers])
    for number in range(rows):
        row = np.exp(row) / np.exp(row).sum() + number
        np.testing.assert_allclose(memory[(number + 1) * COLUMNS :][:COLUMNS], row, rtol=1e-5)


def leaves(checked: bool = False, **changed: Any) -> bool:
    """Return whether programs of the kernel may leave their rows to others."""
    type = changed.pop("type", "f32")
    text = kernel_text(ARGUMENTS.replace("T", type), body(**changed))
    return "%again" in emit_kernel(xtriton.parse(text), host(), checked=checked).text.split("{")[0]


READ = """
    %again = memref.reinterpret_cast %o to offset: [0], sizes: [16], strides: [1] : memref<*xf32> to memref<16xf32, strided<[1]>>
    %c = memref.alloc() : memref<16xf32>
    memref.copy %again, %c : memref<16xf32, strided<[1]>> to memref<16xf32>"""


@pytest.mark.parametrize(
    "changed",
    [
        {"columns": 256},
        {"checked": True},
        {"to": "%x"},
        {"more": READ},
    ],
    ids=["short rows", "checked", "memory that is read", "memory that is read behind"],
)
def test_others_store_their_own(changed: Any) -> None:
    assert leaves()
    assert not leaves(**changed)


def test_a_number_of_elements_that_are_no_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def settled(columns: int) -> bool:
        found: list[Any] = []
        put = late_stores.store_left

        def watched(e: Emitter, left: Any, start: Any) -> None:
            found.append(left)
            put(e, left, start)

        monkeypatch.setattr("xtriton.cpu.emitter.reductions.store_left", watched)
        leaves(columns=columns)
        return any(left is not None for left in found)

    assert settled(1024)
    assert not settled(1023)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("in_order", "level"), [(False, 2), (True, 3)])
def test_which_cache_the_next_row_comes_to(in_order: bool, level: int):
    """Beside a row that is left the second one, unless the first has room for both."""
    target = replace(host(), asks_near=True, asks_in_order=in_order)
    module = xtriton.parse(kernel_text(ARGUMENTS.replace("T", "f32"), body()))
    text = emit_kernel(module, target).text
    levels = set(re.findall(r"@llvm.prefetch.p0\(ptr %\w+, i32 0, i32 (\d), i32 1\)", text))
    assert levels == {str(level)}


@pytest.mark.usefixtures("small")
def test_a_strip_is_stored_behind_loads_of_the_same_place():
    """Rows of whole pages lie at addresses that end alike, by which a load waits for a store."""
    module = xtriton.parse(kernel_text(ARGUMENTS.replace("T", "f32"), body()))
    lines = emit_kernel(module, host()).text.splitlines()
    stores = [n for n, line in enumerate(lines) if "nontemporal" in line and "store" in line]
    exponentials = [n for n, line in enumerate(lines) if "call" in line and ".exp" in line]
    assert stores
    assert exponentials
    assert stores[0] > exponentials[0]
