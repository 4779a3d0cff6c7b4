"""Blocks that are stored by the loop that adds them up, which asks for the next program's row."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import emit_kernel, late_stores, next_programs, streaming, summed_blocks
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.target import host
from xtriton.cpu.threads import limited_threads

RNG = np.random.default_rng(8)
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>"
ROWS = 3
EARLIER = """
    bufferization.materialize_in_destination %block in writable %to : (BLOCK, MEMORY) -> ()"""
"""A store between the block and its sum, of what the block is made of."""
SUM = """
    %start = tensor.from_elements %zero : tensor<1xf32>
    %total = linalg.reduce { arith.addf } ins(%weights : BLOCK) outs(%start : tensor<1xf32>) dimensions = [1]
    %sum = tensor.extract %total[%c0] : tensor<1xf32>"""


def body(columns: int = 1024, shift: str = "0.25", between: str = "", sum: str = SUM) -> str:
    """Return a kernel that stores exp(x - `shift`) by the sum of that, for a row of `columns`."""
    loop = '{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}'
    text = f"""
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %shift = arith.constant {shift} : f32
    %size = arith.constant {columns} : index
    %program = arith.index_cast %program_x : i32 to index
    %first = arith.muli %program, %size : index
    %view = memref.reinterpret_cast %x to offset: [%first], sizes: [1, {columns}], strides: [{columns}, 1] : memref<*xf32> to MEMORY
    %to = memref.reinterpret_cast %o to offset: [%first], sizes: [1, {columns}], strides: [{columns}, 1] : memref<*xf32> to MEMORY
    %buffer = memref.alloc() : memref<1x{columns}xf32>
    memref.copy %view, %buffer : MEMORY to memref<1x{columns}xf32>
    %block = bufferization.to_tensor %buffer restrict writable : memref<1x{columns}xf32> to BLOCK
    %e = tensor.empty() : BLOCK
    %weights = linalg.generic {loop} ins(%block : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: f32, %old: f32):
      %d = arith.subf %a, %shift : f32
      %p = math.exp %d : f32
      linalg.yield %p : f32
    }} -> BLOCK
{between}{sum}
    %shares = linalg.generic {loop} ins(%weights : BLOCK) outs(%e : BLOCK) {{
    ^bb0(%a: f32, %old: f32):
      %q = arith.divf %a, %sum : f32
      linalg.yield %q : f32
    }} -> BLOCK
    bufferization.materialize_in_destination %shares in writable %to : (BLOCK, MEMORY) -> ()
"""
    memory = f"memref<1x{columns}xf32, strided<[{columns}, 1], offset: ?>>"
    return text.replace("MEMORY", memory).replace("BLOCK", f"tensor<1x{columns}xf32>")


def emitted(**changed: Any) -> str:
    """Return the LLVM IR of the kernel."""
    text = kernel_text(ARGUMENTS, body(**changed))
    return emit_kernel(xtriton.parse(text), host()).text


@pytest.mark.parametrize("columns", [512, 1000, 1024, 4099])
@pytest.mark.parametrize("between", ["", EARLIER], ids=["at once", "stored to before"])
def test_the_block_and_its_sum(check: Callable[..., Any], columns: int, between: str) -> None:
    x = RNG.normal(size=ROWS * columns).astype(np.float32) * 4
    x[5], x[columns + 1] = -np.inf, -1e30
    values = [x, np.zeros_like(x)]
    check(ARGUMENTS, body(columns, between=between), values, grid=ROWS, rtol=1e-5)


def loads(**changed: Any) -> int:
    """Return how many times the code loads a number."""
    return emitted(**changed).count("= load float")


def nowhere(*_: object) -> tuple[None, list[Any]]:
    """Say that a row is not stored."""
    return None, []


def test_no_loop_only_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_stores, "_store_of", nowhere)
    together, elsewhere, short = loads(), loads(between=EARLIER), loads(columns=256)
    monkeypatch.setattr(summed_blocks, "SHORTEST", 1 << 20)
    assert together < loads()
    assert elsewhere == loads(between=EARLIER)
    assert short == loads(columns=256)


def asked(monkeypatch: pytest.MonkeyPatch, columns: int, *, in_order: bool) -> Any:
    """
    Return which lines are asked for, of the rows that a launch reads and the one behind them.

    They are marked here, a byte of each. `in_order` says that this goes line by line.
    """

    def bring(e: Emitter, pointer: str, **_: object) -> None:
        e.builder.emit(f"store volatile i8 1, ptr {pointer}")

    monkeypatch.setattr(next_programs, "bring", bring)
    x, out = np.zeros((ROWS + 1, columns), np.float32), np.zeros(ROWS * columns, np.float32)
    target = replace(host(), asks_in_order=in_order)
    module = xtriton.parse(kernel_text(ARGUMENTS, body(columns)))
    with limited_threads(1):
        compile_module(module, target=target)(ROWS, [x, out])
    return np.any(x.view(np.int32).reshape(ROWS + 1, -1, 16), axis=2)


PAGES = [1, 2, 3, 8, 32]
"""Of a row: as many as are asked for at a time, and others."""


@pytest.mark.parametrize("pages", PAGES)
@pytest.mark.parametrize("in_order", [False, True])
def test_the_next_row_is_asked_for_meanwhile(
    monkeypatch: pytest.MonkeyPatch, pages: int, in_order: bool
) -> None:
    marked = asked(monkeypatch, 1024 * pages, in_order=in_order)
    assert marked[1:].all()
    assert not marked[0].any()


@pytest.mark.parametrize("pages", PAGES)
@pytest.mark.parametrize("in_order", [False, True])
def test_a_store_around_the_caches_asks_for_half(
    monkeypatch: pytest.MonkeyPatch, pages: int, in_order: bool
) -> None:
    """In a launch that counts as large, where rows are long enough for that and where not."""
    monkeypatch.setattr(streaming, "LARGE", 1)
    monkeypatch.setattr(streaming, "PATCHED", streaming.SHORT)
    marked = asked(monkeypatch, 1024 * pages, in_order=in_order)
    assert marked[1:].all()
    assert not marked[0].any()
    monkeypatch.setattr(streaming, "PATCHED", 1 << 30)
    monkeypatch.setattr(streaming, "SHORT", 1 << 20)
    halves = asked(monkeypatch, 1024 * pages, in_order=in_order)[1:].reshape(ROWS, pages, 64)
    assert halves.sum() == halves.size // 2
    all_at_a_time = not in_order and pages in (2, 8)
    assert halves.any(axis=2).all() == (pages == 1 or all_at_a_time)
    if in_order:
        assert halves.reshape(ROWS, -1)[:, : pages * 32].all()


def test_it_is_asked_for_once() -> None:
    """A launch that stores around the caches does not ask again."""
    lines = 4096 * 4 // next_programs.LINE
    asked = emitted(columns=4096).count("call void @llvm.prefetch")
    assert 0 < asked <= lines
    assert "llvm.prefetch" not in emitted(columns=256)
