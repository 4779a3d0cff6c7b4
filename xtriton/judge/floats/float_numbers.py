# NumPy arrays of any element type: pyright cannot follow them.
# pyright: basic
"""Floats that are tried in the place of what a kernel loads: ordinary ones, and those at limits."""

from __future__ import annotations

from math import frexp, sqrt
from typing import Any

import numpy as np

from xtriton.semantics import Element

_PLAIN = (0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 3.0, -0.5)

KINDS = 6


def numbers(of: Element, rng: Any, shape: tuple[int, ...], kind: int) -> Any:
    """
    Return floats of one kind.

    0: near 1; 1: small whole numbers; 2: of any magnitude; 3: near the largest and near where
    squares overflow; 4: denormal and the smallest normal ones; 5: plain ones, zero above all.
    """
    least = float(of.from_bits(1))
    largest = of.largest
    low, high = frexp(least)[1], frexp(largest)[1] - 1
    signs = rng.choice((-1.0, 1.0), shape)
    match kind:
        case 0:
            value = rng.standard_normal(shape) * np.exp2(rng.integers(-3, 4, shape))
        case 1:
            value = rng.integers(-300, 301, shape).astype(np.float64)
        case 2:
            value = signs * (1 + rng.random(shape)) * np.exp2(rng.integers(low, high, shape))
        case 3:
            tops = np.array((largest, largest, sqrt(largest)))[rng.integers(0, 3, shape)]
            value = signs * tops * (1.0 - 0.6 * rng.random(shape))
        case 4:
            smallest = 1 if of.width < 16 else 1 << 6 if of.width == 16 and high < 16 else 1 << 16
            value = signs * least * rng.integers(1, smallest + 1, shape)
        case _:
            value = np.array(_PLAIN)[rng.integers(0, len(_PLAIN), shape)]
    return rounded(of, value)


def rounded(of: Element, value: Any) -> Any:
    """Return floats of 64 bits as those of a type."""
    with np.errstate(all="ignore"):
        return of.round(value if of.width == 64 else value.astype(np.float32))


def mixed(of: Element, rng: Any, shape: tuple[int, ...], kinds: Any) -> Any:
    """Return floats, each of the kind that `kinds` of that shape says."""
    found = numbers(of, rng, shape, 0)
    for kind in range(1, KINDS):
        here = kinds == kind
        count = int(np.count_nonzero(here))
        if count:
            found[here] = numbers(of, rng, (count,), kind)
    return found


def beside(of: Element, rng: Any, value: Any) -> Any:
    """Return floats that are the same, next to some or a power of two away."""
    steps = rng.integers(-2, 3, value.shape)
    bits = of.to_bits(value)
    with np.errstate(over="ignore"):
        near = of.decode((bits + steps.astype(bits.dtype)).view(of.storage))
    scaled = rounded(of, value.astype(np.float64) * np.exp2(rng.integers(-3, 4, value.shape)))
    return np.where(rng.random(value.shape) < 0.6, near, scaled)
