"""What generators of random kernels have in common: values, and Triton IR line by line."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

Shape = tuple[int, ...]
Array = np.ndarray[Any, Any]

INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDTHS = {**INTEGERS, **FLOATS, "f8E5M2": 8, "f8E4M3FN": 8}


@dataclass(frozen=True)
class Value:
    """A value of the kernel; scalars have no shape."""

    name: str
    shape: Shape | None
    element: str

    @property
    def type(self) -> str:
        return type_of(self.shape, self.element)

    @property
    def is_integer(self) -> bool:
        return self.element in INTEGERS


def type_of(shape: Shape | None, element: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element


class Writer:
    """Writes one kernel; equal seeds write equal kernels."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.depth = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)


def constant_of(shape: Shape | None, element: str, value: object) -> str:
    """Return the op for a constant."""
    if element == "i1":
        value = "true" if value else "false"
    inside = f"dense<{value}>" if shape else value
    kind = "" if not shape and element == "i1" else f" : {type_of(shape, element)}"
    return f"arith.constant {inside}{kind}"


def is_nan(bits: Array, element: str) -> Array:
    """Return which of the elements of a buffer are no number."""
    exponents = {"f16": 5, "bf16": 8, "f32": 8, "f64": 11, "f8E5M2": 5}
    if element == "f8E4M3FN":
        return (bits & 0x7F) == 0x7F
    if element not in exponents:
        return np.zeros(bits.shape, bool)
    width = WIDTHS[element]
    mantissa = width - 1 - exponents[element]
    infinity = ((1 << exponents[element]) - 1) << mantissa
    magnitude = bits & bits.dtype.type((1 << (width - 1)) - 1)
    return magnitude > bits.dtype.type(infinity)
