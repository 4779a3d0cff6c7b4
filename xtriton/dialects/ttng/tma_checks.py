"""
What TMA copies demand of descriptors, buffers, coordinates and offsets.

Upstream: the TMA verifiers of `TritonNvidiaGPU/IR/Ops.cpp`.
"""

from typing import Any

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Signedness
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.enums import DescriptorReduceKind
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr
from xtriton.dialects.ttng.attributes import TensorDescIm2ColType, TensorMode
from xtriton.dialects.ttng.cluster_checks import cga_bases, cluster_rules
from xtriton.dialects.utils.tensors import is_integer
from xtriton.ir.versions import release

_BITWISE = (DescriptorReduceKind.and_, DescriptorReduceKind.or_, DescriptorReduceKind.xor)
_EXTREMA = (DescriptorReduceKind.min, DescriptorReduceKind.max)


def reads_columns(op: Any) -> bool:
    """Return whether a copy reads an image as columns (im2col)."""
    mode = getattr(op, "tensorMode", None)
    is_im2col = mode is not None and mode.value.data == TensorMode.im2col
    return is_im2col or isinstance(op.desc.type, TensorDescIm2ColType)


def verify_coordinates(op: Any) -> None:
    """Check that there is a coordinate for each dimension of a block, or of an image."""
    count = len(op.coord)
    if reads_columns(op):
        if count < 3:
            raise VerifyException(f"IM2COL mode requires at least 3D coordinates, but got {count}D")
        if count > 5:
            raise VerifyException(f"IM2COL mode supports at most 5D coordinates, but got {count}D")
    elif not isinstance(op.desc.type, PtrType) and not 1 <= count <= 5:
        raise VerifyException("TMA copies must have between 1 and 5 coordinates")


def verify_offsets(op: Any) -> None:
    """Check that just im2col copies have offsets, two fewer than coordinates."""
    coordinates, offsets = len(op.coord), len(op.offsets)
    if not reads_columns(op):
        if offsets:
            raise VerifyException("TILED mode does not support offsets")
        return
    if not offsets:
        raise VerifyException("IM2COL mode requires offsets to be provided")
    if offsets != coordinates - 2:
        raise VerifyException(
            f"IM2COL mode with {coordinates}D coordinates requires {coordinates - 2} offsets, "
            f"but got {offsets}"
        )


def verify_layouts(desc: Attribute, buffer: Any) -> None:
    """Check that descriptor and buffer have the same layout, up to the rank."""
    if not isinstance(desc, TensorDescType | TensorDescIm2ColType) or release() < (3, 6):
        return
    own, wanted = buffer.encoding, _layout_of(desc)
    if not isinstance(own, NVMMASharedEncodingAttr):
        raise VerifyException("TMA descriptor must have NVMMA shared layout")
    if cluster_rules() and own.rank != buffer.rank:
        raise VerifyException("TMA shared memory and layout ranks must match")
    if not isinstance(wanted, NVMMASharedEncodingAttr) or _key(wanted) != _key(own):
        raise VerifyException(
            "TMA descriptor layout must match shared layout, but got descriptor layout "
            f"{wanted} and shared memory layout {own}"
        )
    if own.transposed:
        raise VerifyException("TMA descriptor layout must not be transposed")


def _layout_of(desc: TensorDescType | TensorDescIm2ColType) -> Attribute:
    return desc.block_type.encoding if isinstance(desc, TensorDescType) else desc.shared_layout


def _key(encoding: NVMMASharedEncodingAttr) -> tuple[object, ...]:
    return (
        encoding.transposed,
        encoding.swizzling_byte_width,
        encoding.element_bit_width,
        encoding.fp4_padded,
    )


def verify_multicast(op: Any) -> None:
    """Check that a copy to several CTAs is of something that they share."""
    if op.multicast is None or not cluster_rules():
        return
    if all(any(basis) for basis in cga_bases(op.result.type.encoding)):
        raise VerifyException("multicast requires the shared layout to broadcast across CTAs")


def verify_store_source(type: Any) -> None:
    """Check that no CTA stores what is in the memory of another one."""
    if not cluster_rules():
        return
    bases = cga_bases(type.encoding)
    rank = len(bases[0]) if bases else 0
    shape = type.get_shape()[len(type.get_shape()) - rank :]
    whole = type.alloc_shape[len(type.alloc_shape) - rank :]
    parts = [1] * rank
    for basis in bases:
        parts = [max(part, 2 * x) for part, x in zip(parts, basis, strict=True)]
    for basis in bases:
        for step, extent, size, part in zip(basis, shape, whole, parts, strict=True):
            if step and step * (size // part) >= extent:
                raise VerifyException("source subview may have an origin in another CTA")


def verify_reduction(kind: DescriptorReduceKind, type: Attribute) -> None:
    """Check that TMA has a reduction of elements of `type`."""
    if not cluster_rules() or _is_supported(kind, type):
        return
    raise VerifyException(f"unsupported reduce kind {kind.keyword} for element type '{type}'")


def _is_supported(kind: DescriptorReduceKind, type: Attribute) -> bool:
    halves = isinstance(type, Float16Type | BFloat16Type)
    wide = is_integer(type) and type.width.data in (32, 64)
    if kind in _BITWISE:
        return wide
    if kind in _EXTREMA:
        return wide or halves
    if kind is not DescriptorReduceKind.add:
        return False
    is_signed_long = (
        is_integer(type) and type.signedness.data is Signedness.SIGNED and type.width.data == 64
    )
    return (wide and not is_signed_long) or halves or isinstance(type, Float32Type)
