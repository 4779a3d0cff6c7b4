"""Blocks are updated alike with atomic ops, and without them where no other launch has any."""

import threading
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.doors import another_launch
from xtriton.cpu import Kernel, compile_module, exclusion

SIZE, LONG = 64, 256
TYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i32": np.int32,
    "i64": np.int64,
}


def _newer(_: object, new: object) -> object:
    return new


COMBINED: dict[str, Any] = {
    "addf": np.add,
    "addi": np.add,
    "maxs": np.maximum,
    "maximumf": np.maximum,
    "mulf": np.multiply,
    "assign": _newer,
}


def block(name: str, argument: str, type: str, rows: int) -> str:
    """Return what loads the block of a program from an argument, as %name."""
    shape, sizes, strides = f"{SIZE}x{type}", f"{SIZE}", "1"
    if rows > 1:
        shape, sizes, strides = f"{rows}x{shape}", f"{rows}, {sizes}", f"{SIZE}, 1"
    part = f"memref<{shape}, strided<[{strides}], offset: ?>>"
    return f"""
    %{name}_from = memref.reinterpret_cast %{argument} to offset: [%begin], sizes: [{sizes}], strides: [{strides}] : memref<*x{type}> to {part}
    %{name}_in = memref.alloc() : memref<{shape}>
    "memref.copy"(%{name}_from, %{name}_in) : ({part}, memref<{shape}>) -> ()
    %{name} = bufferization.to_tensor %{name}_in restrict writable : memref<{shape}> to tensor<{shape}>"""


def kernel_of(
    kind: str,
    type: str,
    *,
    index: str = "i64",
    scope: int = 1,
    more: str = "",
    rows: int = 1,
    values: str = "x",
) -> str:
    """Return a kernel that updates %o at %i with %x, or what `values` names, where %m says so."""
    types = {"at": ("i", index), "values": (values, type), "mask": ("m", "i1")}
    blocks = "".join(block(name, *of, rows) for name, of in types.items())
    shape = f"{rows}x{SIZE}" if rows > 1 else f"{SIZE}"
    tensors = ", ".join(f"tensor<{shape}x{of}>" for _, of in types.values())
    map, loops = ("#id2", 2) if rows > 1 else ("#id", 1)
    kinds = ", ".join(['"parallel"'] * loops)
    return kernel_text(
        f"%o: memref<*x{type}>, %i: memref<*x{index}>, %x: memref<*x{type}>, %m: memref<*xi1>",
        f"""
    %size = arith.constant {rows * SIZE} : i32
    %begins = arith.muli %program_x, %size : i32
    %begin = arith.index_cast %begins : i32 to index{blocks}
    %to = "memref.cast"(%o) : (memref<*x{type}>) -> memref<?x{type}>{more}
    linalg.generic {{indexing_maps = [{map}, {map}, {map}], iterator_types = [{kinds}]}} ins(%at, %values, %mask : {tensors}) {{
    ^bb0(%n: {index}, %v: {type}, %is: i1):
      scf.if %is {{
        %place = arith.index_cast %n : {index} to index
        %old = memref.atomic_rmw {kind} %v, %to[%place] {{tt.scope = {scope} : i32}} : ({type}, memref<?x{type}>) -> {type}
      }}
      linalg.yield
    }}""",
    )


def compiled(*arguments: Any, **options: Any) -> Kernel:
    return compile_module(xtriton.parse(kernel_of(*arguments, **options)), optimization=2)


def places_of(name: str) -> Any:
    rng = np.random.default_rng(7)
    run = np.arange(LONG)
    return {
        "run": run,
        "runs": np.concatenate([part + 5 for part in np.split(run, 4)[::-1]]),
        "alike": np.full(LONG, 3),
        "backward": run[::-1].copy(),
        "apart": 2 * run % (LONG - 1),
        "chance": rng.integers(0, 20, LONG),
        # Ends and beginnings as of a run.
        "swapped": np.where((run % SIZE > 2) & (run % SIZE < 60), run ^ 1, run),
    }[name]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    "places", ["run", "runs", "alike", "backward", "apart", "chance", "swapped"]
)
@pytest.mark.parametrize(
    ("kind", "type"),
    [
        *(("addf", "f32"), ("addf", "f64"), ("addf", "f16"), ("addi", "i32"), ("addi", "i64")),
        *(("maxs", "i32"), ("maximumf", "f32"), ("mulf", "f32"), ("assign", "i32")),
    ],
)
def test_both_ways_update_alike(kind: str, type: str, places: str, masked: bool):
    rng = np.random.default_rng(3)
    dtype = TYPES[type]
    start = rng.integers(-9, 9, LONG + 8).astype(dtype)
    index, values = places_of(places), rng.integers(-3, 4, LONG).astype(dtype)
    mask = rng.random(LONG) > 0.3 if masked else np.ones(LONG, bool)
    expected = start.copy()
    for n in range(LONG):
        if mask[n]:
            expected[index[n]] = COMBINED[kind](expected[index[n]], values[n])
    for width, rows in (("i64", 1), ("i32", 1), ("i64", 2)):
        kernel = compiled(kind, type, index=width, rows=rows)
        for others in (nullcontext(), another_launch()):
            found = start.copy()
            with others:
                kernel(
                    LONG // SIZE // rows,
                    [found, index.astype(TYPES[width]), values, mask],
                    threads=1,
                )
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("values", ["x", "o"])
@pytest.mark.parametrize("places", ["run", "backward", "swapped", "chance"])
def test_values_are_loaded_before_any_is_updated(places: str, values: str):
    kernel = compiled("addf", "f32", values=values)
    found, index = np.arange(LONG + 8, dtype=np.float32), (places_of(places) + 5) % LONG
    expected = found.copy()
    for first in range(0, LONG, SIZE):
        np.add.at(expected, index[first : first + SIZE], expected[first : first + SIZE].copy())
    kernel(LONG // SIZE, [found, index, found, np.ones(LONG, bool)], threads=1)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("rows", [1, 2])
def test_neighbours_are_updated_as_vectors(rows: int):
    text = compiled("addf", "f32", rows=rows).code.text
    alone = text[text.index("br i1 %alone") :]
    assert "atomicrmw fadd" in alone
    assert "!llvm.access.group" in alone[: alone.index("atomicrmw fadd")]


WAITS = """
    %none = arith.constant 0 : i32
    %seen = scf.while (%turn = %none) : (i32) -> i32 {
      %more = arith.cmpi slt, %turn, %none : i32
      scf.condition(%more) %turn : i32
    } do {
    ^bb0(%turn: i32):
      scf.yield %turn : i32
    }"""


@pytest.mark.parametrize("options", [{"more": WAITS}, {"scope": 3}], ids=["waits", "of the system"])
def test_some_are_never_alone(options: dict[str, Any]):
    kernel = compiled("addi", "i32", **options)
    assert "%alone" not in kernel.code.text[: kernel.code.text.index("_launch")]
    assert f"call i32 @{exclusion.ENTER}(ptr %job, i32 0)" in kernel.code.text
    found = np.zeros(LONG, np.int32)
    ones = [np.arange(LONG), np.ones(LONG, np.int32), np.ones(LONG, bool)]
    kernel(LONG // SIZE, [found, *ones], threads=1)
    assert (found == 1).all()


def test_threads_lose_nothing():
    """Launches of other threads add to the same numbers, alone and on all cores."""
    kernel, turns, programs = compiled("addi", "i32"), 40, 2000
    found, count = np.zeros(4, np.int32), SIZE * programs
    rest = [np.arange(count) % 4, np.ones(count, np.int32), np.ones(count, bool)]

    def add(threads: int) -> None:
        for _ in range(turns):
            kernel(programs, [found, *rest], threads=threads)

    every = [threading.Thread(target=add, args=(1 + n % 2,)) for n in range(4)]
    for thread in every:
        thread.start()
    for thread in every:
        thread.join()
    np.testing.assert_array_equal(found, count // 4 * turns * len(every))
