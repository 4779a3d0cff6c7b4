"""Stores around the caches: the same numbers in the same places, and only where they pay."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel, next_programs, streaming
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.target import host
from xtriton.cpu.threads import limited_threads

pytestmark = pytest.mark.skipif(
    not host().triple.startswith("x86_64"), reason="only x86-64 has these stores here"
)
RNG = np.random.default_rng(5)
ARGUMENTS = "%x: memref<*xT>, %o: memref<*xT>, %n: i32, %at: i32"
TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def body(rows: int, columns: int, type: str, source: str = "%x", more: str = "") -> str:
    """Return a kernel that stores %x + %x to the first %n columns of %o from %at on."""
    shape, strided = f"{rows}x{columns}x{type}", f"strided<[{columns}, 1]"
    cut = f"memref<{rows}x?x{type}, {strided}, offset: ?>>"
    return f"""
    %programs = arith.index_cast %program_x : i32 to index
    %size = arith.constant {rows * columns} : index
    %first = arith.muli %programs, %size : index
    %view = memref.reinterpret_cast {source} to offset: [%first], sizes: [{rows}, {columns}], strides: [{columns}, 1] : memref<*x{type}> to memref<{shape}, {strided}, offset: ?>>
    %buffer = memref.alloc() : memref<{shape}>
    memref.copy %view, %buffer : memref<{shape}, {strided}, offset: ?>> to memref<{shape}>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{shape}> to tensor<{shape}>
    %e = tensor.empty() : tensor<{shape}>
    %sum = linalg.generic {{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%block : tensor<{shape}>) outs(%e : tensor<{shape}>) {{
    ^bb0(%a: {type}, %old: {type}):
      %s = arith.addi %a, %a : {type}
      linalg.yield %s : {type}
    }} -> tensor<{shape}>
    %count = arith.index_cast %n : i32 to index
    %begin = arith.index_cast %at : i32 to index
    %place = arith.addi %begin, %first : index
    %to = memref.reinterpret_cast %o to offset: [%place], sizes: [{rows}, {columns}], strides: [{columns}, 1] : memref<*x{type}> to memref<{shape}, {strided}, offset: ?>>
    %part = tensor.extract_slice %sum[0, 0] [{rows}, %count] [1, 1] : tensor<{shape}> to tensor<{rows}x?x{type}>
    %there = memref.subview %to[0, 0] [{rows}, %count] [1, 1] : memref<{shape}, {strided}, offset: ?>> to {cut}
    bufferization.materialize_in_destination %part in writable %there : (tensor<{rows}x?x{type}>, {cut}) -> ()
{more}
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let launches of any size count as large, and rows that begin anywhere as long."""
    monkeypatch.setattr(streaming, "LARGE", 1)
    monkeypatch.setattr(streaming, "PATCHED", streaming.SHORT)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("at", [0, 1, 16, 37])
@pytest.mark.parametrize("columns", [4096, 4095, 2100, 0, 5])
@pytest.mark.parametrize("type", TYPES)
def test_every_element_is_stored_and_no_other(
    check: Callable[..., Any], type: str, columns: int, at: int
) -> None:
    x = RNG.integers(-100, 100, 3 * 2 * 4096).astype(TYPES[type])
    out = np.full(x.size + 64, 7, TYPES[type])
    values = [x, out, np.int32(columns), np.int32(at)]
    check(ARGUMENTS.replace("T", type), body(2, 4096, type), values, grid=3)


@pytest.mark.usefixtures("small")
def test_memory_between_multiples_of_an_element(native: Callable[..., Any]) -> None:
    bytes = np.zeros(4 * 4096 + 8, np.uint8)
    x, out = np.arange(4096, dtype=np.int32), bytes[1:-7].view(np.int32)
    text = xtriton.parse(kernel_text(ARGUMENTS.replace("T", "i32"), body(1, 4096, "i32")))
    kernel = compile_module(text)
    kernel(1, [x.ctypes.data, out.ctypes.data, np.int32(4096), np.int32(0)])
    np.testing.assert_array_equal(out, 2 * x)


def emitted(
    columns: int = 4096, source: str = "%x", more: str = "", last: int = 0, *, near: bool = False
) -> str:
    """
    Return the LLVM IR of the kernel on 32-bit integers.

    `last` is the size of the last cache, `near` says that rows are asked for into the first one.
    """
    text = kernel_text(ARGUMENTS.replace("T", "i32"), body(1, columns, "i32", source, more))
    target = replace(host(), last_cache=last, asks_near=near)
    return emit_kernel(xtriton.parse(text), target).text


def test_stores_are_waited_for() -> None:
    text = emitted()
    assert "!nontemporal" in text
    launcher = text.split("_launch(ptr %job")[1].partition("\n}\n")[0]
    assert text.count("call void @llvm.x86.sse.sfence()") == launcher.count("  ret ") == 1
    assert "call void @llvm.x86.sse.sfence()\n  ret" in launcher


@pytest.mark.parametrize(
    "changed",
    [
        {"columns": 256},
        {"source": "%o"},
        {
            "more": """
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : index
    %m = memref.cast %x : memref<*xi32> to memref<?xi32>
    %was = memref.atomic_rmw addi %one, %m[%zero] : (i32, memref<?xi32>) -> i32"""
        },
    ],
    ids=["short rows", "memory that is read", "atomics"],
)
def test_other_stores_go_through_the_caches(changed: dict[str, Any]) -> None:
    text = emitted(**changed)
    assert "!nontemporal" not in text
    assert "sfence" not in text


@pytest.mark.parametrize("last, large", [(0, 32 << 20), (8 << 20, 4 << 20), (1 << 30, 32 << 20)])
def test_small_launches_go_through_the_caches(last: int, large: int) -> None:
    """What is asked at run time is whether all programs store half of the last cache or so much."""
    block = 4 * 4096
    assert f"icmp slt i64 {large // block - 1}, " in emitted(4096, last=last)


def test_copies_go_through_the_caches_for_longer() -> None:
    text = kernel_text(ARGUMENTS.replace("T", "i32"), body(1, 4096, "i32"))
    text = text.replace("tensor.extract_slice %sum", "tensor.extract_slice %block")
    found = emit_kernel(xtriton.parse(text), replace(host(), last_cache=8 << 20)).text
    assert f"icmp slt i64 {streaming.LARGE // (4 * 4096) - 1}, " in found


def test_rows_that_share_lines_have_to_be_longer() -> None:
    """A line that two of them store to is read, and stores wait for it."""
    for least in (streaming.SHORT, streaming.PATCHED):
        assert re.search(rf"icmp slt i64 {least // 4 - 1}, ", emitted(4096))


SUM = """
    %none = arith.constant dense<0> : tensor<1xi32>
    %all = linalg.reduce {arith.addi} ins(%block : tensor<1x4096xi32>) outs(%none : tensor<1xi32>) dimensions = [1]"""
"""Reads the block once more."""


def test_the_rows_of_the_next_program_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is asked for is marked here, a byte of each line."""

    def bring(e: Emitter, pointer: str, **_: object) -> None:
        e.builder.emit(f"store volatile i8 1, ptr {pointer}")

    monkeypatch.setattr(next_programs, "bring", bring)
    monkeypatch.setattr(streaming, "LARGE", 1)
    x, out = np.zeros(4 * 4096, np.int32), np.zeros(3 * 4096, np.int32)
    text = kernel_text(ARGUMENTS.replace("T", "i32"), body(1, 4096, "i32", more=SUM))
    with limited_threads(1):
        compile_module(xtriton.parse(text))(3, [x, out, np.int32(4096), np.int32(0)])
    marked = np.sum(x.reshape(4, 256, 16), axis=2) != 0
    assert marked[1:].all()
    assert not marked[0].any()


@pytest.mark.parametrize("near", [False, True])
def test_rows_are_asked_for_into_the_cache_that_suits_the_cpu(near: bool) -> None:
    pattern = r"llvm.prefetch.p0\(ptr %\w+, i32 0, i32 (\d)"
    levels = set(re.findall(pattern, emitted(more=SUM, near=near)))
    assert levels == {"3" if near else "2"}


def test_rows_that_are_read_once_are_not_asked_for() -> None:
    assert "llvm.prefetch" in emitted(more=SUM)
    assert "llvm.prefetch" not in emitted()
