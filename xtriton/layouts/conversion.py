"""
What it takes to change a tensor's layout: nothing, other registers, lanes, warps or CTAs.

Source: `minimalCvtLayout`, `cvtReordersRegisters`, `cvtNeedsWarpShuffle`,
`cvtNeedsSharedMemory` in Triton's `lib/Analysis/Utility.cpp`.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from xtriton.layouts.algebra import free_variables, invert_and_compose
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import BLOCK, LANE, REGISTER, WARP
from xtriton.layouts.swizzling import optimal_swizzle


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


@lru_cache(maxsize=8192)
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


def mixed_transpositions(source: LinearLayout, target: LinearLayout) -> int:
    """
    Return how many bits of the register number and the lane number change places.

    Of a conversion within warps, taken as a permutation of these bits.
    """
    s, t = (_of_a_warp(layout) for layout in (source, target))
    sizes = {name: max(s.in_bits(name), t.in_bits(name)) for name in (REGISTER, LANE)}
    images = invert_and_compose(s, t).bases_of
    count = sum(1 for image in images.get(REGISTER, ()) if any(image) and image[1] and not image[0])
    # Bits without effect on one side go to those without effect on the other.
    idle: tuple[list[str], list[str]] = ([], [])
    for name, size in sizes.items():
        for i in range(size):
            effects = [any(_image(layout, name, i)) for layout in (s, t)]
            for own, other, places in ((0, 1, idle[0]), (1, 0, idle[1])):
                if not effects[own] and effects[other]:
                    places.append(name)
    return count + sum(1 for a, b in zip(*idle, strict=False) if a == REGISTER and b == LANE)


def _of_a_warp(layout: LinearLayout) -> LinearLayout:
    return layout.remove_zero_bases(REGISTER).sublayout((REGISTER, LANE), layout.out_names)


def _image(layout: LinearLayout, name: str, i: int) -> tuple[int, ...]:
    images = layout.bases_of.get(name, ())
    return images[i] if i < len(images) else ()


@lru_cache(maxsize=8192)
def needs_shared_memory(source: LinearLayout, target: LinearLayout) -> bool:
    """
    Return whether a conversion is done through shared memory.

    Between lanes it is unless at most one bit of the register number becomes one of the
    lane's: then shuffles are cheaper.
    """
    kind = movement(source, target)
    if kind is Movement.LANES:
        if minimal_conversion(source, target).out_names == (REGISTER, LANE):
            return mixed_transpositions(source, target) >= 2
        return True
    return kind in (Movement.WARPS, Movement.BLOCKS)


def scratch_bytes(source: LinearLayout, target: LinearLayout, bits: int) -> int:
    """Return how many bytes of shared memory a conversion of elements of `bits` bits needs."""
    if not needs_shared_memory(source, target):
        return 0
    a, b = (layout.remove_zero_bases(REGISTER) for layout in (source, target))
    return optimal_swizzle(a, b, bits).elements * bits // 8
