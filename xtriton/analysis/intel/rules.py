"""
Whose rules Intel's passes follow: what differs between the backend's releases, by behaviour.

Its state of January 2026 goes with Triton up to 3.8, that of August with 3.9.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from xtriton.dialects.ttg.context import module_of
from xtriton.ir.versions import Version, release, version_read

_SINCE: Version = (3, 9)

_LAST_WITH_BLOCK_POINTERS: Version = (3, 7)


@dataclass(frozen=True)
class IntelRules:
    """What the backend does in one release."""

    has_block_pointers: bool
    """Whether there are block pointers, and passes take care of them."""

    has_descriptors: bool
    """Whether passes take care of tensor descriptors, down to layouts and 2D block accesses."""

    notes_base_alignment: bool
    """Whether the module says to how many bytes the surfaces of 2D block accesses are aligned."""

    masked_pointers_of_any_rank: bool
    """Whether masked tensors of pointers, of more than two dimensions too, are 2D accesses."""

    chains_products_by_operand: bool
    """Whether the operand that feeds a product decides how warps are spread over it."""

    splits_loops_by_any_mask: bool
    """Whether loops are versioned by several masks alike, and those without results as well."""

    scales_products: bool
    """Whether DPAS takes the scales of block-scaled products, on devices that can."""

    spreads_scales_in_place: bool
    """Whether scales are repeated in the layout of what they scale."""

    unpacks_in_shape_of_result: bool
    """Whether pairs of 4-bit floats are unpacked in the layout that fits their result."""

    dpas_of_32_lanes: bool
    """Whether DPAS takes subgroups of 32 threads."""

    accesses_flat_tiles_as_rows: bool
    """Whether accesses of one dimension that stand for rows of a matrix become 2D accesses."""

    split_barriers_are_values: bool
    """Whether arriving at a split barrier gives what waiting for it takes."""

    looks_through_loops_and_truncations: bool
    """Whether the search for what makes a value goes on over `arith.trunci` and loops."""


JANUARY_2026 = IntelRules(
    has_block_pointers=True,
    has_descriptors=False,
    notes_base_alignment=False,
    masked_pointers_of_any_rank=False,
    chains_products_by_operand=False,
    splits_loops_by_any_mask=False,
    scales_products=False,
    spreads_scales_in_place=False,
    unpacks_in_shape_of_result=False,
    dpas_of_32_lanes=False,
    accesses_flat_tiles_as_rows=False,
    split_barriers_are_values=False,
    looks_through_loops_and_truncations=False,
)

AUGUST_2026 = IntelRules(
    has_block_pointers=False,
    has_descriptors=True,
    notes_base_alignment=True,
    masked_pointers_of_any_rank=True,
    chains_products_by_operand=True,
    splits_loops_by_any_mask=True,
    scales_products=True,
    spreads_scales_in_place=True,
    unpacks_in_shape_of_result=True,
    dpas_of_32_lanes=True,
    accesses_flat_tiles_as_rows=True,
    split_barriers_are_values=True,
    looks_through_loops_and_truncations=True,
)


def rules_for(op: Operation) -> IntelRules:
    """
    Return the rules that hold for the module around `op`.

    They are those of August 2026 unless an earlier release's rules are asked for, or the module
    was read from text of a time with block pointers, of which these rules know nothing.
    """
    if release() >= _SINCE and version_read(module_of(op)) > _LAST_WITH_BLOCK_POINTERS:
        return AUGUST_2026
    return JANUARY_2026
