"""
Parts of buffers: one of several, a slice at constant offsets, a subview.

Upstream: `TritonGPUOps.td`. Up to Triton 3.4 `ttg.memdesc_subview` was what
`ttg.memdesc_index` and `ttg.memdesc_subslice` are since.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Array
from xtriton.dialects.tt.hooks import Canonicalizes
from xtriton.dialects.ttg.constraints import GPU_TRAITS, layout_rank_shape
from xtriton.dialects.ttg.interfaces import SharedEncoding, buffer_layouts
from xtriton.dialects.ttg.linear_shared import (
    PaddedSharedEncodingAttr,
)
from xtriton.dialects.ttg.memdesc_views import (
    LAST_RELEASE_OF_LOOSE_VIEWS,
    VIEW_PATTERNS,
    VIEW_SYNTAX,
    view_types,
)
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, release

LAST_VERSION_OF_SUBVIEW: Version = (3, 4)

_LAST_RELEASE_OF_ANY_OFFSET: Version = (3, 2)


def _verify_part(source: MemDescType, result: MemDescType) -> None:
    if source.element_type != result.element_type:
        raise VerifyException("result element type must match desc element type")


@irdl_op_definition
class MemDescIndexOp(IRDLOperation):
    """
    The `index`-th of the buffers that a descriptor with one more dimension counts.

    Upstream `TTG_MemDescIndexOp`.

    ```mlir
    %b = ttg.memdesc_index %a[%i] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```
    """

    name = "ttg.memdesc_index"

    src = operand_def(MemDescType)
    index = operand_def(i32)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax("$src `[` $index `]` " + VIEW_SYNTAX, since=(3, 5))

    def verify_(self) -> None:
        source, result = view_types(self)
        _verify_part(source, result)
        loose = release() <= LAST_RELEASE_OF_LOOSE_VIEWS
        if source.encoding != result.encoding and not loose:
            raise VerifyException("src and result must have the same encoding")
        if source.rank != result.rank + 1:
            raise VerifyException("result rank must be input rank - 1")
        if len(source.alloc_shape) != source.rank:
            raise VerifyException("We don't allow taking memdesc_index of a memdesc_index")
        if source.get_shape()[1:] != result.get_shape():
            raise VerifyException("result shape must equal to srcShape[1:]")
        if source.alloc_shape[1:] != result.get_shape():
            raise VerifyException("We only support memdesc_index of a multibuffer-prefix subview")
        if result.alloc_shape != result.get_shape():
            both = "both result and src" if loose else "the result"
            raise VerifyException(f"alloc shape must match shape for {both}")


def _verify_split(source: MemDescType, result: MemDescType, loose: bool) -> None:
    """Check that a part of a buffer is a part of each swizzled row."""
    problem = buffer_layouts().problem_of_split(
        source.encoding, source.get_shape(), result.get_shape(), loose
    )
    if problem is not None:
        raise VerifyException(problem)


class OffsetsDirective:
    """`custom<Offsets>($offsets)`: integers separated by commas."""

    def parse(self, parser: Any, state: Any, name: str) -> None:
        read = parser.parse_integer
        values = [read()]
        while parser.parse_optional_punctuation(",") is not None:
            values.append(read())
        state.attributes[name] = DenseArrayBase.from_list(i32, values)

    def print(self, printer: Any, op: Operation, name: str) -> None:
        offsets = op.properties[name]
        assert isinstance(offsets, DenseArrayBase)
        printer.print_string(", ".join(map(str, offsets.iter_values())))


@irdl_op_definition
class MemDescSubsliceOp(IRDLOperation):
    """
    A part of a buffer at constant offsets, of the same rank.

    Upstream `TTG_MemDescSubsliceOp`. Offsets are multiples of the part's shape.

    ```mlir
    %b = ttg.memdesc_subslice %a[32, 0] : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable, 64x32>
    ```
    """

    name = "ttg.memdesc_subslice"

    src = operand_def(MemDescType)
    offsets = prop_def(I32Array)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure(), Canonicalizes(VIEW_PATTERNS + "SUBSLICE_PATTERNS"))

    SYNTAX: ClassVar = Syntax("$src `[` custom<Offsets>($offsets) `]` " + VIEW_SYNTAX, since=(3, 5))
    DIRECTIVES: ClassVar = {"Offsets": OffsetsDirective()}

    def __init__(self, src: SSAValue | Operation, offsets: Sequence[int], result_type: MemDescType):
        super().__init__(
            operands=[src],
            result_types=[result_type],
            properties={"offsets": DenseArrayBase.from_list(i32, offsets)},
        )

    def verify_(self) -> None:
        source, result = view_types(self)
        _verify_part(source, result)
        loose = release() <= LAST_RELEASE_OF_LOOSE_VIEWS
        if source.encoding != result.encoding and not loose:
            raise VerifyException("src and result must have the same encoding")
        offsets = tuple(self.offsets.iter_values())
        if len(offsets) != source.rank:
            raise VerifyException("offsets must have the same rank as input")
        if source.rank != result.rank:
            raise VerifyException("result rank must equal to input rank")
        if source.alloc_shape != result.alloc_shape and not loose:
            raise VerifyException("source and result must have the same allocation shape")
        if not isinstance(source.encoding, SharedEncoding):
            raise VerifyException("src and dst must both be of shared memory encoding")
        prefix = source.rank - len(layout_rank_shape(source))
        if (
            prefix
            and isinstance(source.encoding, PaddedSharedEncodingAttr)
            and source.get_shape() != result.get_shape()
        ):
            raise VerifyException(
                "SubSlice of low rank PaddedSharedEncoding from higher rank tensors is not "
                "supported yet"
            )
        sizes = zip(source.get_shape(), result.get_shape(), offsets, strict=True)
        for dim, (whole, part, offset) in enumerate(sizes):
            if whole == part and offset != 0:
                raise VerifyException(
                    "A non zero offset found in a dimension that is not being split"
                )
            if not 0 <= offset <= whole - part:
                raise VerifyException("The split offset may not exceed the source shape")
            if dim >= prefix and whole != part and offset & (part - 1):
                raise VerifyException("The split offset may not touch the tile")
        if source.get_shape() != result.get_shape():
            _verify_split(source, result, loose)


@irdl_op_definition
class MemDescSubviewOp(IRDLOperation):
    """
    A part of a buffer at offsets that need not be constant (up to Triton 3.4).

    The result may have a lower rank; then the leading offset picks one of several buffers.
    Upstream `TTG_MemDescSubviewOp`.

    ```mlir
    %b = ttg.memdesc_subview %a[%i, %c0, %c0] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```
    """

    name = "ttg.memdesc_subview"
    VERIFY_EACH: ClassVar[bool] = True

    src = operand_def(MemDescType)
    offsets = var_operand_def(i32)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax("$src `[` $offsets `]` " + VIEW_SYNTAX, until=LAST_VERSION_OF_SUBVIEW)

    def verify_(self) -> None:
        source, result = view_types(self)
        _verify_part(source, result)
        if len(self.offsets) != source.rank:
            raise VerifyException("offsets must have the same rank as input")
        if source.rank < result.rank:
            raise VerifyException("result rank must be less than or equal to input rank")
        trailing = source.get_shape()[source.rank - result.rank :]
        for dim, (part, whole) in enumerate(zip(result.get_shape(), trailing, strict=True)):
            if part > whole:
                raise VerifyException(
                    f"result shape cannot be larger than input shape at dimension {dim}"
                )
        if isinstance(source.encoding, SharedEncoding) and release() > _LAST_RELEASE_OF_ANY_OFFSET:
            self._verify_offsets(source, result)

    def _verify_offsets(self, source: MemDescType, result: MemDescType) -> None:
        """Check that all offsets but the one that picks a buffer are constants that fit."""
        constants = [constant_int(offset) for offset in self.offsets]
        if source.rank != result.rank:
            if source.rank - result.rank != 1:
                raise VerifyException("only nD -> (n-1)D rank-reducing subviews are supported")
            if any(offset is None for offset in constants[1:]):
                raise VerifyException(
                    "only constant values are allowed outside the front dimension in a "
                    "rank-reducing subview"
                )
            if any(constants[1:]):
                raise VerifyException(
                    "only first offset can be non-zero for a rank-reducing subview"
                )
            return
        sizes = list(zip(source.get_shape(), result.get_shape(), constants, strict=True))
        split = [(part, offset) for whole, part, offset in sizes if whole != part]
        if source.rank == 1 and result.get_shape() == (1,):
            return
        if len(split) > 1:
            raise VerifyException("We don't allow subviews that split along multiple dimensions")
        if any(offset is None for offset in constants):
            raise VerifyException("only constant values are allowed for the split")
        if any(offset is not None and offset & (part - 1) for part, offset in split):
            raise VerifyException("The split offset may not touch the tile")
        if split:
            _verify_split(source, result, True)
