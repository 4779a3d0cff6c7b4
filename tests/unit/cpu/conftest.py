"""Fixtures: run a lowered module natively and in the interpreter, and compare."""

import ctypes
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xtriton
from xtriton.cpu import Kernel, claims, compile_module
from xtriton.cpu.emitter import emit_kernel, lookahead, loop_lookahead
from xtriton.cpu.target import host
from xtriton.interpreter.api import run as interpret

PROGRAM_ARGUMENTS = ", ".join(
    [f"%programs_{axis}: i32" for axis in "xyz"] + [f"%program_{axis}: i32" for axis in "xyz"]
)

WHOLE = "memref<64xf32, strided<[1]>>"
"""What `whole` makes."""

Check = Callable[..., list[np.ndarray[Any, Any]]]


def run_compiled(module: Any, grid: int, values: list[Any]) -> None:
    """Run a kernel natively, as `interpret` runs it."""
    compile_module(module)(grid, values)


@pytest.fixture(autouse=True)
def object_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or leaves objects in the user's cache."""
    folder = tmp_path_factory.getbasetemp() / "objects"
    monkeypatch.setenv("XTRITON_CACHE_DIR", str(folder))
    return folder


def kernel_text(arguments: str, body: str, helpers: str = "") -> str:
    """Return a module with one kernel; `arguments` are the user's, `helpers` more functions."""
    both = f"{arguments}, {PROGRAM_ARGUMENTS}" if arguments else PROGRAM_ARGUMENTS
    return f"""
#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
module {{
  func.func @kernel({both}) {{
{body}
    return
  }}
{helpers}
}}
"""


def emitted(arguments: str, body: str) -> str:
    """Return the LLVM IR that a kernel becomes on this machine."""
    return emit_kernel(xtriton.parse(kernel_text(arguments, body)), host()).text


def loops_of(text: str) -> list[str]:
    """Return the innermost loops of a kernel's LLVM IR, each up to where it ends."""
    return _loops(text[: text.index("ret void")])


def loops_in_rows(text: str) -> list[str]:
    """Return those of the first loop in rows, but for the one that does without them."""
    before, _, after = text.partition("\nrow")
    usual = re.findall(r"\nthen(\d+):", before)[-1]
    return _loops(after[: after.index(f"\nelse{int(usual) + 1}:")])


def _loops(text: str) -> list[str]:
    loops = text[text.index("\nloop") :].split("\nloop")[1:]
    return [loop[: loop.index("\ndone")] for loop in loops]


def integers_of_places(size: int, constants: str, each: str, result: str) -> str:
    """Return a kernel that stores an i32 to %o for each place, which `each` makes of %sum, base + i."""
    return f"""{constants}
    %e = tensor.empty() : tensor<{size}xi32>
    %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<{size}xi32>) {{
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %sum = arith.addi %base, %n : i32
{each}
      linalg.yield {result} : i32
    }} -> tensor<{size}xi32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{size}], strides: [1] : memref<*xi32> to memref<{size}xi32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<{size}xi32>, memref<{size}xi32, strided<[1]>>) -> ()
"""


def of_some(kernel: str, size: int) -> str:
    """Return a kernel of so many places that stores those below %count only, which may be none."""
    block, part = f"memref<{size}xi32, strided<[1]>>", "memref<?xi32, strided<[1]>>"
    return f"""{kernel[: kernel.index("    bufferization")]}
    %n = arith.index_cast %count : i32 to index
    %some = tensor.extract_slice %r[0] [%n] [1] : tensor<{size}xi32> to tensor<?xi32>
    %part = memref.subview %to[0] [%n] [1] : {block} to {part}
    bufferization.materialize_in_destination %some in writable %part : (tensor<?xi32>, {part}) -> ()
"""


def whole(*pairs: tuple[str, str]) -> str:
    """Return views `name` of 64 floats at arguments, as pairs (name, argument)."""
    lines = (
        f"%{name} = memref.reinterpret_cast %{argument} to offset: [0], sizes: [64], strides: [1] : memref<*xf32> to {WHOLE}"
        for name, argument in pairs
    )
    return "\n".join(lines)


def copied(values: Sequence[object]) -> list[Any]:
    """Return `values` with the arrays copied."""
    return [v.copy() if isinstance(v, np.ndarray) else v for v in values]


def arrays(values: Sequence[Any]) -> list[np.ndarray[Any, Any]]:
    return [v for v in values if isinstance(v, np.ndarray)]


@contextmanager
def turned_around(values: Sequence[object]) -> Generator[None]:
    """
    Have arrays of floats end with what they begin with, and be as they were behind.

    A launch meanwhile must leave nothing behind that the next one takes for what it loads.
    """
    before = arrays(copied(values))
    for array in arrays(values):
        if array.dtype.kind == "f":
            array[...] = array[..., ::-1].copy()
    yield
    for array, old in zip(arrays(values), before, strict=True):
        array[...] = old


@pytest.fixture
def native() -> Callable[..., list[np.ndarray[Any, Any]]]:
    """
    Run a kernel natively, for the second time; return its arrays, which are copied before.
    """

    def run(
        arguments: str,
        body: str,
        values: Sequence[object],
        *,
        grid: int | Sequence[int] = 1,
        optimization: int = 1,
        helpers: str = "",
    ) -> list[np.ndarray[Any, Any]]:
        module = xtriton.parse(kernel_text(arguments, body, helpers))
        copies, kernel = copied(values), compile_module(module, optimization=optimization)
        with turned_around(copies):
            kernel(grid, copies)
        kernel(grid, copies)
        return arrays(copies)

    return run


@pytest.fixture
def check(native: Callable[..., list[np.ndarray[Any, Any]]]) -> Check:
    """
    Run a kernel natively and in the interpreter; every array must be the same after it.

    With `rtol` floats may differ by so much, relatively; NaN equals NaN.
    """

    def run(
        arguments: str,
        body: str,
        values: Sequence[object],
        *,
        grid: int | Sequence[int] = 1,
        optimization: int = 1,
        helpers: str = "",
        rtol: float = 0.0,
    ) -> list[np.ndarray[Any, Any]]:
        module = xtriton.parse(kernel_text(arguments, body, helpers))
        copies = copied(values)
        interpret(module, grid, copies)
        expected = arrays(copies)
        options = {"grid": grid, "optimization": optimization, "helpers": helpers}
        found = native(arguments, body, values, **options)
        for a, b in zip(found, expected, strict=True):
            if rtol:
                np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)
            else:
                np.testing.assert_array_equal(a, b)
        return found

    return run


@pytest.fixture
def build() -> Callable[..., Kernel]:
    """
    Compile a kernel, for a CPU of which other `facts` hold than of this one.

    Its panels are as deep as `panel_depth` says unless these tell.
    """

    def compile_text(
        arguments: str, body: str, *, optimization: int = 1, **facts: object
    ) -> Kernel:
        module = xtriton.parse(kernel_text(arguments, body))
        target = replace(host(), **{"depth_in_place": 1} | facts)
        return compile_module(module, optimization=optimization, target=target)

    return compile_text


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """
    Give the addresses of what code that is compiled meanwhile asks for.

    That code has no clock: calling Python it would outlast its slice of time, and begin again.
    """
    found: list[int] = []
    listen = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(found.append)
    address = ctypes.cast(listen, ctypes.c_void_p).value

    def bring(e: Any, pointer: str, **_: object) -> None:
        e.builder.emit(f"call void inttoptr (i64 {address} to ptr)(ptr {pointer})")

    def clock_of(*_: object) -> tuple[str, int]:
        return "add i64 0, 0", 1

    for module in (lookahead, loop_lookahead):
        monkeypatch.setattr(module, "bring", bring)
    monkeypatch.setattr(claims, "clock_of", clock_of)
    claims.symbols.cache_clear()
    yield found
    claims.symbols.cache_clear()
    del listen
