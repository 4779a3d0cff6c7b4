"""
Views of all of a buffer: transposed, of another shape or element type.

Upstream: `TritonGPUOps.td`.
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Array
from xtriton.dialects.tt.hooks import Canonicalizes, Folds
from xtriton.dialects.tt.shapes import LAST_VERSION_OF_TRANSPOSED_BUFFERS, TransOp
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.interfaces import buffer_layouts
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr
from xtriton.dialects.ttg.partitioned_shared import PartitionedSharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType, element_bits
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, release

LAST_RELEASE_OF_LOOSE_VIEWS: Version = (3, 7)
_LAST_RELEASE_OF_ANY_FOOTPRINT: Version = (3, 8)

VIEW_PATTERNS = "xtriton.transforms.cleanup.canonicalization.memdesc:"
VIEW_SYNTAX = "attr-dict `:` qualified(type($src)) `->` qualified(type($result))"


def view_types(op: "Operation") -> tuple[MemDescType, MemDescType]:
    source, result = op.operands[0].type, op.results[0].type
    assert isinstance(source, MemDescType) and isinstance(result, MemDescType)
    return source, result


@irdl_op_definition
class MemDescTransOp(IRDLOperation):
    """
    A transposed view: dimension `i` of the result is dimension `order[i]` of the source.

    Upstream `TTG_MemDescTransOp`.

    ```mlir
    %b = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #shared1, #smem>
    ```
    """

    name = "ttg.memdesc_trans"

    src = operand_def(MemDescType)
    order = prop_def(I32Array)
    result = result_def(MemDescType)

    traits = traits_def(
        *GPU_TRAITS, Pure(), Folds(), Canonicalizes(VIEW_PATTERNS + "TRANS_PATTERNS")
    )

    SYNTAX: ClassVar = Syntax("$src " + VIEW_SYNTAX)

    def __init__(self, src: SSAValue | Operation, order: Sequence[int], result_type: MemDescType):
        super().__init__(
            operands=[src],
            result_types=[result_type],
            properties={"order": DenseArrayBase.from_list(i32, order)},
        )

    def text_name(self, version: Version) -> str:
        """Return the name in `version`: up to Triton 3.2, `tt.trans` was for buffers too."""
        return self.name if version > LAST_VERSION_OF_TRANSPOSED_BUFFERS else TransOp.name

    def verify_(self) -> None:
        source, result = view_types(self)
        order = tuple(self.order.iter_values())
        if sorted(order) != list(range(source.rank)):
            raise VerifyException("order must be a permutation of the dimensions of 'src'")
        shape = source.get_shape()
        if tuple(shape[dim] for dim in order) != result.get_shape():
            raise VerifyException("the shape of 'result' must be that of 'src' transposed")
        if source.element_type != result.element_type:
            raise VerifyException("requires the same element type for all operands and results")

    def fold(self) -> Sequence[SSAValue] | None:
        """A transpose that changes nothing is its source."""
        order = tuple(self.order.iter_values())
        if self.src.type != self.result.type:
            return None
        return (self.src,) if order == tuple(range(len(order))) else None


@irdl_op_definition
class MemDescReshapeOp(IRDLOperation):
    """
    A view of another shape with as many elements. Upstream `TTG_MemDescReshapeOp`.

    ```mlir
    %b = ttg.memdesc_reshape %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<2048xf16, #shared1, #smem>
    ```
    """

    name = "ttg.memdesc_reshape"

    src = operand_def(MemDescType)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax("$src " + VIEW_SYNTAX, since=(3, 4))

    def __init__(self, src: SSAValue | Operation, result_type: MemDescType):
        super().__init__(operands=[src], result_types=[result_type])

    def verify_(self) -> None:
        source, result = view_types(self)
        if prod(source.get_shape()) != prod(result.get_shape()):
            raise VerifyException("number of src and dst elements of reshape must be the same")
        if source.element_type != result.element_type:
            raise VerifyException("result element type must match src element type")


def _gaps(type: MemDescType) -> list[tuple[int, int]]:
    encoding = type.encoding
    assert isinstance(encoding, PaddedSharedEncodingAttr)
    size = element_bits(type.element_type) // 8
    pairs = zip(encoding.intervals, encoding.paddings, strict=True)
    return [(interval * size, padding * size) for interval, padding in pairs]


def _verify_padding(source: MemDescType, result: MemDescType) -> None:
    """Two views of the same bytes must have their gaps in the same places."""
    encodings = (source.encoding, result.encoding)
    if any(isinstance(encoding, PartitionedSharedEncodingAttr) for encoding in encodings):
        raise VerifyException("cannot reinterpret partitioned shared layouts")
    padded = [isinstance(encoding, PaddedSharedEncodingAttr) for encoding in encodings]
    if padded[0] != padded[1]:
        raise VerifyException("cannot reinterpret between padded and non-padded layouts")
    if not padded[0]:
        return
    if source.get_shape() != source.alloc_shape[len(source.alloc_shape) - source.rank :]:
        raise VerifyException("cannot reinterpret a padded source subview")
    if _gaps(source) != _gaps(result):
        raise VerifyException("cannot reinterpret with different padding pattern")


@irdl_op_definition
class MemDescReinterpretOp(IRDLOperation):
    """
    A view of another shape and element type over the same bytes.

    Upstream `TTG_MemDescReinterpretOp`.

    ```mlir
    %b = ttg.memdesc_reinterpret %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf32, #shared, #smem>
    ```
    """

    name = "ttg.memdesc_reinterpret"

    src = operand_def(MemDescType)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure(), Folds())

    SYNTAX: ClassVar = Syntax("$src " + VIEW_SYNTAX, since=(3, 4))

    def verify_(self) -> None:
        source, result = view_types(self)
        _verify_padding(source, result)
        if source.memory_space != result.memory_space:
            raise VerifyException("source and result must have the same memory space")
        if source.mutable != result.mutable:
            raise VerifyException("source and result must have the same mutability")
        if release() > _LAST_RELEASE_OF_ANY_FOOTPRINT:
            buffer_layouts().verify_reinterpretation(source, result)

    def fold(self) -> Sequence[SSAValue] | None:
        """A view of the same type, or of a view that leads back, is the source."""
        if self.src.type == self.result.type:
            return (self.src,)
        other = self.src.owner
        if isinstance(other, MemDescReinterpretOp) and other.src.type == self.result.type:
            return (other.src,)
        return None
