"""
Functions of GPUs' mathematical libraries that C's has none of, or of other types.

Symbols are those of NVIDIA's libdevice. Each file has a table of rules.
"""

from __future__ import annotations

from xtriton.cpu.emitter.libdevice import bessel, errors, integers, norms, rounding, simple, turns
from xtriton.cpu.emitter.libdevice.rules import Rule

_FAMILIES = (
    *simple.FAMILIES,
    *integers.FAMILIES,
    *rounding.FAMILIES,
    *errors.FAMILIES,
    *bessel.FAMILIES,
    *turns.FAMILIES,
    *norms.FAMILIES,
)


def device_function(symbol: str) -> Rule | None:
    """Return how a function of libdevice is computed, None if it is not known."""
    name = symbol.removeprefix("__nv_")
    if name == symbol:
        return None
    for pattern, make in _FAMILIES:
        if match := pattern.fullmatch(name):
            return make(match)
    return None
