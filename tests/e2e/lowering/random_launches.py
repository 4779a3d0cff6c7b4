"""Random kernels in machine code: whether they store what the interpreter stores."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from tests.e2e.lowering.native_modules import lowered
from tests.e2e.lowering.random_places import SIZE
from tests.e2e.lowering.random_writer import Array, is_nan
from xtriton.cpu import compile_module
from xtriton.errors import UserError
from xtriton.interpreter.api import run
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

NUMPY = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64}  # fmt: skip
MEMORY = SIZE + 128
TOLERANCES = {"f16": 4e-3, "bf16": 3e-2, "f32": 1e-4, "f64": 1e-4}


class RandomKernel(Protocol):
    """What a generator writes, and how it is launched."""

    parameters: dict[str, str]
    sizes: dict[str, int]
    shared: dict[str, tuple[str, int]]
    special: bool

    @property
    def grid(self) -> tuple[int, int, int]: ...
    def text(self) -> str: ...


def verdict(kernel: RandomKernel, seed: int, optimization: int = 3) -> str:
    """Return "right", or how the kernel is refused or what it stores wrong."""
    text = kernel.text()
    original = parse_module(text, context())
    verify(original)
    wanted = arguments(kernel, seed)
    with np.errstate(all="ignore"):
        run(original, kernel.grid, [*wanted.values()])
    try:
        code = compile_module(lowered(text), optimization=optimization)
    except UserError as error:
        return f"refused: {error.message}"
    for threads in (1, 2):
        found = arguments(kernel, seed)
        code(kernel.grid, [*found.values()], threads=threads)
        for name, element in kernel.parameters.items():
            if name not in kernel.sizes:
                differ = differences(found[name], wanted[name], element, name.startswith("near"))
                if differ.size:
                    return f"wrong: {name}, {threads} threads, {differ.size} at {differ[:8]}"
    return "right"


def differences(found: Array, wanted: Array, element: str, nearly: bool) -> Array:
    """Return where two buffers differ: any NaN is any other, and zeros have no sign."""
    if nearly:
        a, b = _floats(found, element), _floats(wanted, element)
        same = np.isclose(a, b, TOLERANCES[element], TOLERANCES[element], equal_nan=True)
        return np.flatnonzero(~same)
    differ = found != wanted
    if element == "bf16":
        differ &= ((found | wanted) & 0x7FFF) != 0
        differ &= ~(is_nan(found, element) & is_nan(wanted, element))
    elif found.dtype.kind == "f":
        differ &= ~(np.isnan(found) & np.isnan(wanted))
    return np.flatnonzero(differ)


def arguments(kernel: RandomKernel, seed: int) -> dict[str, Any]:
    """Return numbers to read, places, and nothing yet where it is stored; and the sizes."""
    draw = np.random.default_rng(seed)
    values: dict[str, Any] = {}
    for name, element in kernel.parameters.items():
        if name in kernel.sizes:
            values[name] = kernel.sizes[name]
        elif name in kernel.shared:
            other, start = kernel.shared[name]
            values[name] = values[other].base[start : start + SIZE]
        else:
            # There is more of it for those that begin somewhere in it.
            values[name] = _content(name, element, draw, kernel)[:SIZE]
    return values


def _content(name: str, element: str, draw: np.random.Generator, kernel: RandomKernel) -> Array:
    if name.startswith("index"):
        count = int(name.split("_")[1])
        return draw.integers(-count, count, MEMORY).astype(NUMPY[element])
    if not name.startswith(("in", "old")):
        return np.zeros(MEMORY, np.uint16 if element == "bf16" else NUMPY[element])
    numbers = draw.integers(-3, 4, MEMORY).astype(np.float64)
    if kernel.special and element[0] in "bf":
        special = draw.choice([np.inf, -np.inf, np.nan], MEMORY)
        numbers = np.where(draw.random(MEMORY) < 0.05, special, numbers)
    if element == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(NUMPY[element])


def _floats(values: Array, element: str) -> Array:
    if element == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values
