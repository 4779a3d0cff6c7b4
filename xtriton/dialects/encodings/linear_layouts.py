"""
The linear layouts of encodings: what `#ttg.blocked<...>` on a tensor of some shape means.

The bridge between the attributes of `ttg` and `ttig` and the mathematics of
`xtriton.layouts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, singledispatch
from types import ModuleType
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.linear import GenericLinearEncodingAttr, LinearEncodingAttr
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr, SharedLinearEncodingAttr
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.shared import (
    AMDRotatingSharedEncodingAttr,
    NVMMASharedEncodingAttr,
    SharedEncodingAttr,
    SwizzledSharedEncodingAttr,
)
from xtriton.dialects.ttig.encodings import (
    DpasEncodingAttr,
    Subgroup2DBlockEncodingAttr,
    WarpEncodingAttr,
)
from xtriton.layouts import distributed, intel, nvidia, shaping, shared
from xtriton.layouts.conversion import Movement, is_expensive_view, movement
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import CGA

Shape = tuple[int, ...]


class NoLinearLayout(Exception):
    """An encoding that has no linear layout, or none for the shape asked for."""


@lru_cache(maxsize=8192)
def layout_of(encoding: Attribute, shape: Shape) -> LinearLayout:
    """
    Return where an encoding puts the elements of a tensor of `shape`.

    From register, lane, warp, block (offset, block in shared memory; row, col, block in tensor
    memory) to dim0, dim1, ....
    Raises `NoLinearLayout` where there is none.
    """
    try:
        return _layout(encoding, shape)
    except ValueError as error:
        raise NoLinearLayout(f"{encoding} has no layout of shape {list(shape)}: {error}") from error


def layout_of_type(type: TensorType[Any]) -> LinearLayout:
    """Return where the elements of a tensor are; raise `NoLinearLayout` without an encoding."""
    return layout_of(type.encoding, type.get_shape())


def cga_of(encoding: Attribute) -> tuple[tuple[int, ...], ...]:
    """Return which part of a tensor CTA 1, 2, 4, ... have."""
    if isinstance(encoding, SliceEncodingAttr):
        dim = encoding.dim
        return tuple(basis[:dim] + basis[dim + 1 :] for basis in cga_of(encoding.parent))
    if isinstance(encoding, DotOperandEncodingAttr):
        k_dim = encoding.rank - 1 if encoding.op_idx == 0 else encoding.rank - 2
        parent = cga_of(encoding.parent)
        return tuple(map(tuple, distributed.operand_cga(parent, k_dim)))
    cga = getattr(encoding, "cga", None)
    if cga is not None:
        return cga.block_bases
    if isinstance(encoding, LinearEncodingAttr | GenericLinearEncodingAttr):
        return encoding.in_dims["block"]
    return ()


def _elsewhere(encoding: Attribute) -> ModuleType | None:
    """Return the module that says what an encoding means which few kernels have."""
    if encoding.name in ("ttg.amd_mfma", "ttg.amd_wmma"):
        from xtriton.dialects.encodings import amd_layouts

        return amd_layouts
    if encoding.name.startswith("ttng."):
        from xtriton.dialects.encodings import tensor_memory_layouts

        return tensor_memory_layouts
    return None


@singledispatch
def _layout(encoding: Attribute, shape: Shape) -> LinearLayout:
    home = _elsewhere(encoding)
    rule = None if home is None else home.LAYOUTS.get(encoding.name)
    if rule is None:
        raise NoLinearLayout(f"{encoding} has no linear layout")
    return rule(encoding, shape)


@_layout.register(BlockedEncodingAttr)
def _(encoding: BlockedEncodingAttr, shape: Shape) -> LinearLayout:
    return distributed.blocked(shape, *_grid(encoding))


def _grid(encoding: BlockedEncodingAttr) -> tuple[Shape, Shape, Shape, Shape, CGA]:
    """Return registers, lanes and warps of each dimension, their order, and the CTAs."""
    return (
        encoding.size_per_thread,
        encoding.threads_per_warp,
        encoding.warps_per_cta,
        encoding.order,
        encoding.cga.block_bases,
    )


@_layout.register(SliceEncodingAttr)
def _(encoding: SliceEncodingAttr, shape: Shape) -> LinearLayout:
    padded = (*shape[: encoding.dim], 1, *shape[encoding.dim :])
    return distributed.slice_of(layout_of(encoding.parent, padded), encoding.dim)


@_layout.register(LinearEncodingAttr)
@_layout.register(GenericLinearEncodingAttr)
def _(encoding: LinearEncodingAttr, shape: Shape) -> LinearLayout:
    given = LinearLayout.of(encoding.in_dims, shaping.dims(encoding.rank))
    return distributed.linear(given, shape)


@_layout.register(DotOperandEncodingAttr)
def _(encoding: DotOperandEncodingAttr, shape: Shape) -> LinearLayout:
    return _operand(encoding.parent, encoding.op_idx, encoding.k_width, shape)


@_layout.register(NvidiaMmaEncodingAttr)
def _(encoding: NvidiaMmaEncodingAttr, shape: Shape) -> LinearLayout:
    return nvidia.mma_result(
        shape,
        encoding.version_major,
        encoding.warps_per_cta,
        encoding.instr_shape,
        encoding.cga.block_bases,
    )


@_layout.register(DpasEncodingAttr)
def _(encoding: DpasEncodingAttr, shape: Shape) -> LinearLayout:
    return intel.dpas(dpas_parameters(encoding), shape, intel.C)


@_layout.register(Subgroup2DBlockEncodingAttr)
def _(encoding: Subgroup2DBlockEncodingAttr, shape: Shape) -> LinearLayout:
    return intel.block_2d(
        shape,
        encoding.warps_per_cta,
        encoding.instr_shape,
        encoding.num_blocks,
        encoding.order,
        encoding.threads_per_warp,
        encoding.cga.block_bases,
    )


@_layout.register(WarpEncodingAttr)
def _(encoding: WarpEncodingAttr, shape: Shape) -> LinearLayout:
    return intel.warp(shape, encoding.size_per_thread, encoding.threads_per_warp, encoding.order)


@_layout.register(SwizzledSharedEncodingAttr)
@_layout.register(AMDRotatingSharedEncodingAttr)
def _(encoding: SwizzledSharedEncodingAttr, shape: Shape) -> LinearLayout:
    rotating = isinstance(encoding, AMDRotatingSharedEncodingAttr)
    return shared.swizzled(shape, *_swizzle(encoding), rotating=rotating)


def _swizzle(
    encoding: SwizzledSharedEncodingAttr | SharedEncodingAttr,
) -> tuple[int, int, int, Shape, CGA]:
    """Return vector, rows per phase, phases, order and CTAs."""
    return (
        encoding.vec,
        encoding.per_phase,
        encoding.max_phase,
        encoding.order,
        encoding.cga.block_bases,
    )


@_layout.register(SharedEncodingAttr)
def _(encoding: SharedEncodingAttr, shape: Shape) -> LinearLayout:
    if encoding.hasLeadingOffset.data:
        raise NoLinearLayout(f"{encoding} has a leading offset")
    return shared.swizzled(shape, *_swizzle(encoding))


@_layout.register(NVMMASharedEncodingAttr)
def _(encoding: NVMMASharedEncodingAttr, shape: Shape) -> LinearLayout:
    return shared.nvmma(
        shape,
        encoding.swizzling_byte_width,
        encoding.transposed,
        encoding.element_bit_width,
        encoding.fp4_padded,
        encoding.cga.block_bases,
    )


@_layout.register(SharedLinearEncodingAttr)
def _(encoding: SharedLinearEncodingAttr, shape: Shape) -> LinearLayout:
    bases = {"offset": encoding.offset_bases, "block": encoding.block_bases}
    layout = LinearLayout.of(bases, shaping.dims(encoding.rank))
    if layout.out_shape != shape:
        raise NoLinearLayout(f"{encoding} is of shape {list(layout.out_shape)}")
    return layout


@_layout.register(PaddedSharedEncodingAttr)
def _(encoding: PaddedSharedEncodingAttr, shape: Shape) -> LinearLayout:
    if encoding.shape is None:
        return shared.plain(shape, encoding.order, encoding.cga.block_bases)
    bases = {"offset": encoding.offset_bases, "block": encoding.block_bases}
    return LinearLayout.of(bases, shaping.dims(encoding.rank))


@singledispatch
def _operand(parent: Attribute, operand: int, k_width: int, shape: Shape) -> LinearLayout:
    home = _elsewhere(parent)
    rule = None if home is None else home.OPERANDS.get(parent.name)
    if rule is None:
        raise NoLinearLayout(f"operands of {parent} have no linear layout")
    return rule(parent, operand, k_width, shape)


@_operand.register(BlockedEncodingAttr)
def _(parent: BlockedEncodingAttr, operand: int, k_width: int, shape: Shape) -> LinearLayout:
    return distributed.fma_operand(shape, operand, *_grid(parent))


@_operand.register(NvidiaMmaEncodingAttr)
def _(parent: NvidiaMmaEncodingAttr, operand: int, k_width: int, shape: Shape) -> LinearLayout:
    return nvidia.mma_operand(
        shape,
        operand,
        k_width,
        parent.version_major,
        parent.warps_per_cta,
        parent.cga.block_bases,
    )


@_operand.register(DpasEncodingAttr)
def _(parent: DpasEncodingAttr, operand: int, k_width: int, shape: Shape) -> LinearLayout:
    return intel.dpas(dpas_parameters(parent), shape, operand)


def dpas_parameters(encoding: DpasEncodingAttr) -> intel.Dpas:
    """Return the parameters of `#ttig.dpas` as numbers."""
    return intel.Dpas(
        encoding.repeat_count,
        encoding.systolic_depth,
        encoding.execution_size,
        encoding.ops_per_channel,
        encoding.warps_per_cta,
        encoding.rep_cluster,
        encoding.threads_per_warp,
    )


# --- what passes ask -----------------------------------------------------------------------


def order_of(encoding: Attribute, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the dimensions in the order in which the registers of a thread move along them."""
    return shaping.register_order(layout_of(encoding, tuple(shape)))


def elements_per_thread(encoding: Attribute, shape: Sequence[int]) -> int:
    """Return how many elements of a tensor a thread has, copies included."""
    return shaping.total_elements_per_thread(layout_of(encoding, tuple(shape)))


def contiguity_per_thread(encoding: Attribute, shape: Sequence[int]) -> tuple[int, ...]:
    """Return how many neighbours along each dimension a thread has."""
    return shaping.contiguity_per_thread(layout_of(encoding, tuple(shape)))


# --- what verifiers ask --------------------------------------------------------------------


@lru_cache(maxsize=4096)
def are_equivalent(
    first: Attribute, second: Attribute, shape: Shape, ignore_broadcast: bool
) -> bool:
    """
    Return whether two encodings put the same elements of a tensor into the same registers.

    With `ignore_broadcast`, registers that hold copies do not count. True where one of them
    has no linear layout.
    """
    try:
        layouts = layout_of(first, shape), layout_of(second, shape)
    except NoLinearLayout:
        return True
    if ignore_broadcast:
        layouts = tuple(layout.remove_zero_bases(shaping.REGISTER) for layout in layouts)
    return layouts[0] == layouts[1]


def unique_elements_per_thread(type: TensorType[Any]) -> int | None:
    """Return how many elements a thread has, copies not counted; None if nobody knows."""
    try:
        layout = layout_of_type(type)
    except NoLinearLayout:
        return None
    return layout.remove_zero_bases(shaping.REGISTER).in_size(shaping.REGISTER)


def contiguity_or_none(type: TensorType[Any]) -> tuple[int, ...] | None:
    """Return how many neighbours along each dimension a thread has, if that is known."""
    try:
        return contiguity_per_thread(type.encoding, type.get_shape())
    except NoLinearLayout:
        return None


@lru_cache(maxsize=4096)
def is_cheap_view(source: Attribute, before: Shape, target: Attribute, after: Shape) -> bool:
    """
    Return whether threads keep as many elements when `before` is seen as `after`.

    True where an encoding has no linear layout.
    """
    try:
        return not is_expensive_view(layout_of(source, before), layout_of(target, after))
    except NoLinearLayout:
        return True


def stays_in_warps(source: TensorType[Any], target: TensorType[Any]) -> bool:
    """Return whether no element of a conversion leaves its warp; True if nobody knows."""
    try:
        kind = movement(layout_of_type(source), layout_of_type(target))
    except NoLinearLayout:
        return True
    return kind not in (Movement.WARPS, Movement.BLOCKS)
