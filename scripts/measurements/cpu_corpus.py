"""
Does every kernel compile natively, and store what the interpreter stores?

Each kernel of FOLDER (`**/*.ttir`) goes through the CPU backend's pipeline to machine code, with an
empty cache, and runs in a process of its own on arrays that hold what the interpreter's made-up
memory holds; before that on others at the same addresses, of which nothing may be left behind.
Where programs race nobody can say what is right. What calls functions of libdevice that the
interpreter does not know, which it takes as opaque, comes out as wrong.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from array_launches import Argument, NotComparable, compare, in_child, launch_on_arrays
from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Bar, Figure, kernels, progress
from xtriton.cpu.kernel import Kernel, compile_module
from xtriton.errors import UserError
from xtriton.interop.native import PIPELINE, WITHOUT_DESCRIPTORS
from xtriton.interpreter.arguments import Parameter, PerProgram
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.launches.draws import Draw
from xtriton.lowering.combiner_checks import drop_assertions_of_combiners
from xtriton.lowering.descriptors import by_pointers
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.tools.semantics_check import kernel_names
from xtriton.universe import context

MOST_PROGRAMS = (4, 2, 2)
"""Of a grid, by axis: machine code runs all programs, the interpreter is slow."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many kernels compile, how many are right, and what compiling takes."""
    found: Counter[str] = Counter()
    seconds: list[float] = []
    files = kernels(data, "**/*.ttir")
    with TemporaryDirectory() as folder:
        os.environ["XTRITON_CACHE_DIR"] = folder
        for path in progress(files, "kernels"):
            verdict = check(path, seconds)
            found[verdict.partition(":")[0]] += 1
            if verdict != "right":
                print(f"{path.name}: {verdict}")
    yield Figure("kernels", len(files))
    yield Figure("refused", found["refused"], "", 0, Bar.AT_MOST)
    yield Figure("wrong", found["wrong"], "", 0, Bar.AT_MOST)
    yield Figure("right", found["right"])
    yield Figure("no launch fits, or programs race", found["no launch"])
    name = "CPU time from structured IR to machine code"
    yield Figure(f"{name}, median", median(seconds), "s", 0.12, Bar.AT_MOST)
    slow = sorted(seconds)[len(seconds) * 95 // 100]
    yield Figure(f"{name}, 95 in 100", slow, "s", 0.5, Bar.AT_MOST)
    yield Figure(f"{name}, most", max(seconds), "s", 3, Bar.AT_MOST)


def check(path: Path, seconds: list[float]) -> str:
    """Return what came out for a kernel; note the CPU time that its machine code took to make."""
    text = path.read_text()
    try:
        module = lowered(parse_module(text, context(), file=str(path)))
        start = time.process_time()
        kernel = compile_module(module)
        seconds.append(time.process_time() - start)
    except UserError as error:
        return f"refused: {error.message}"
    original = parse_module(text, context(), file=str(path))
    try:
        draw, expected, arrays, known = launch_on_arrays(
            original, kernel_names(original)[0], of_whole_grids
        )
    except NotComparable as error:
        return f"no launch: {error}"

    def run() -> str:
        with _turned_around(arrays, known):
            _call(kernel, draw, arrays)
        _call(kernel, draw, arrays)
        return compare(expected, arrays, known)

    return in_child(run)


def lowered(module: ModuleOp) -> ModuleOp:
    """Bring a kernel to what the CPU backend compiles."""
    drop_assertions_of_combiners(module)
    for _, passes in PIPELINE:
        own = f"{WITHOUT_DESCRIPTORS},{passes}" if by_pointers(module) else passes
        PassManager(context(), make_steps(parse_pipeline(own)), False).run(module)
    return module


def of_whole_grids(draws: Iterable[Draw]) -> Iterator[Draw]:
    """Yield launches with all programs of small grids, to which scalars are the same."""
    for draw in draws:
        x, y, z = (min(n, most) for n, most in zip(draw.grid, MOST_PROGRAMS, strict=True))
        values = tuple(
            value.of(draw.programs[0]) if isinstance(value, PerProgram) else value
            for value in draw.values
        )
        programs = tuple(range(x * y * z))
        yield replace(draw, grid=(x, y, z), programs=programs, values=values, smaller=())


@contextmanager
def _turned_around(arrays: dict[int, Argument], known: list[Parameter]) -> Generator[None]:
    """Have arrays of floats end with what they begin with, and all be as they were behind."""
    before = {k: argument.data.copy() for k, argument in arrays.items()}
    for k, argument in arrays.items():
        of = known[k].stored
        if of is not None and of.is_float:
            whole = argument.data[argument.start % of.size :]
            values = whole[: whole.size // of.size * of.size].reshape(-1, of.size)
            values[:] = values[::-1].copy()
    yield
    for k, data in before.items():
        arrays[k].data[:] = data


def _call(kernel: Kernel, draw: Draw, arrays: dict[int, Argument]) -> None:
    """Run a kernel on addresses, on this thread alone."""
    values = [
        arrays[k].data.ctypes.data + arrays[k].start if k in arrays else value
        for k, value in enumerate(draw.values)
    ]
    kernel(draw.grid, values, threads=1)
