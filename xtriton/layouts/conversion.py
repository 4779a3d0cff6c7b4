"""
What it takes to change a tensor's layout: nothing, other registers, lanes, warps or CTAs.

Source: `minimalCvtLayout`, `cvtReordersRegisters`, `cvtNeedsWarpShuffle`,
`cvtNeedsSharedMemory` in Triton's `lib/Analysis/Utility.cpp`.
"""

from __future__ import annotations

from enum import Enum

from xtriton.layouts.algebra import free_variables, invert_and_compose
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import BLOCK, LANE, REGISTER, WARP


class Movement(Enum):
    """How far elements move."""

    NOTHING = "nothing"
    REGISTERS = "registers"
    LANES = "lanes"
    WARPS = "warps"
    BLOCKS = "blocks"


def minimal_conversion(source: LinearLayout, target: LinearLayout) -> LinearLayout:
    """
    Return where in `source` each place of `target` finds its element.

    Dimensions on which this is the identity are left out, the slowest first: block, warp,
    lane, register.
    """
    conversion = invert_and_compose(target, source)
    for a, b in zip(reversed(source.in_names), reversed(target.in_names), strict=False):
        if a != b:
            break
        quotient = conversion.quotient((a,))
        if quotient is None:
            break
        conversion = quotient
    return conversion


def movement(source: LinearLayout, target: LinearLayout) -> Movement:
    """Return how far elements move from `source` to `target`."""
    remaining = minimal_conversion(source, target).out_names
    for name, kind in (
        (BLOCK, Movement.BLOCKS),
        (WARP, Movement.WARPS),
        (LANE, Movement.LANES),
        (REGISTER, Movement.REGISTERS),
    ):
        if name in remaining:
            return kind
    return Movement.NOTHING


def reorders_registers(source: LinearLayout, target: LinearLayout) -> bool:
    """Return whether each thread has the elements it needs, in whatever registers."""
    return movement(source, target) in (Movement.NOTHING, Movement.REGISTERS)


def is_expensive_view(source: LinearLayout, target: LinearLayout) -> bool:
    """
    Return whether a view that may reorder elements would cost more than renaming registers.

    It does where copies are held by other threads or where threads have another number of
    elements.
    """
    a, b = free_variables(source), free_variables(target)
    return a != b or source.in_size(REGISTER) != target.in_size(REGISTER)
