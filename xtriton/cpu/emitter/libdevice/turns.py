"""Sine and cosine of multiples of π, whose angles lose no digit however large they are."""

from __future__ import annotations

import math
from functools import partial

from xtriton.cpu.emitter.libdevice.rules import Doubles, families, of_f64

_PI_REST = 1.2246467991473532e-16
"""What π is more than the double next to it."""


def _of_turns(e: Doubles, x: str, *, quarters: int) -> str:
    """
    The sine of π·(x + quarters/2).

    What is left of x after whole turns, and of that after quarters, is exact; the angle is in two
    parts.
    """
    rest = e.fma(e.intrinsic("roundeven", e.mul(x, 0.5)), -2.0, x)
    quarter = e.intrinsic("roundeven", e.mul(rest, 2.0))
    high, low = e.times_pair(e.fma(quarter, -0.5, rest), math.pi, _PI_REST)
    sine, cosine = (e.of_c(name, high) for name in ("sin", "cos"))
    sine, cosine = e.fma(low, cosine, sine), e.fma(e.negative(low), sine, cosine)
    b = e.builder
    # NaN has any quarter, and stays NaN.
    count = b.call("i32", "llvm.fptosi.sat.i32.f64", [("double", quarter)])
    count = e.integer("and", e.integer("add", count, quarters), 3)
    odd = b.value(f"trunc i32 {count} to i1")
    found = e.select(odd, cosine, sine)
    negative = b.value(f"icmp ugt i32 {count}, 1")
    found = e.select(negative, e.sub(0.0, found), found)
    if quarters:
        return e.add(found, 0.0)
    # The sine of whole numbers has their sign.
    return e.select(e.compare("oeq", found, 0.0), e.intrinsic("copysign", found, x), found)


FAMILIES = families(
    (r"sinpif?", of_f64("sinpi", partial(_of_turns, quarters=0))),
    (r"cospif?", of_f64("cospi", partial(_of_turns, quarters=1))),
)
