"""
Structured pointers: where the elements of a block are.

Upstream: `TritonStructuredDialect.td` of microsoft/triton-shared at 1c203ca. Offsets and
strides are in elements, and an offset has been multiplied by its stride. Upstream leaves
most of this unverified; the rules here are those that its lowering relies on.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    I32Array,
    I32Value,
    TT_AnyPtr,
    TT_BoolLike,
    TypeClass,
    i32_attr,
    is_int_of,
)
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.lists import (
    INDEX_LISTS,
    I64Array,
    IndexArray,
    MixedList,
    dense,
    integers,
    mixed,
    split,
    verify_list,
)
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.op_parts import operand_group
from xtriton.ir.syntax import Syntax

TTS_OffsetTensor = TypeClass(
    "32-bit signless integer or 64-bit signless integer", is_int_of(32, 64)
).tensor
TTS_StateInput = TypeClass(
    "ptr, ranked tensor of ptr or ranked tensor of 32-bit signless integer values",
    lambda t: TT_AnyPtr.accepts(t) or (is_tensor(t) and is_int_of(32)(t.element_type)),
)


def pointer_type(value: SSAValue, operand: str) -> PtrType:
    """Return the type of a scalar pointer; raise `VerifyException` for anything else."""
    type = value.type
    if not isinstance(type, PtrType) or type.is_block_pointer:
        raise VerifyException(f"operand '{operand}' must be a scalar ptr, but got '{type}'")
    return type


class _StridedOp(IRDLOperation):
    """An op that makes a block of pointers with strides and offsets, constant or not."""

    if TYPE_CHECKING:
        static_strides: IndexArray
        static_offsets: IndexArray

    @property
    def mixed_strides(self) -> list[int | SSAValue]:
        """The stride of each dimension in elements."""
        return mixed(self.static_strides, operand_group(self, "strides"))

    @property
    def mixed_offsets(self) -> list[int | SSAValue]:
        """The offset of each dimension in elements."""
        return mixed(self.static_offsets, operand_group(self, "offsets"))


@irdl_op_definition
class MakeTensorPtrOp(_StridedOp):
    """
    A block of pointers: element `i` is at `base + Σ offsets[d] + i[d] * strides[d]`.

    `order` empty: the result is a tensor of pointers, and an entry of `shape` that is not 0
    is the bound at which the addresses of its dimension wrap around, in elements and
    multiplied by the stride (a *split* pointer; without any, a *structured* one). The
    remainder has the sign of the dividend, as that of `arith.remsi` it stands for.
    `order` given: the result is a block pointer, `shape` that of the parent tensor.
    Upstream `TTS_MakeTensorPtrOp`.

    ```mlir
    %p = tts.make_tptr %base to sizes: [4, 256], strides: [1, %s],
        offsets: [%o, 0], shape: [0, 0], order: [] : <bf16> to tensor<4x256x!tt.ptr<bf16>>
    ```

    Shapes: `sizes`, `strides`, `offsets`, `shape` and a given `order` have one length.
    """

    name = "tts.make_tptr"

    base = operand_def(PtrType)
    sizes = prop_def(I64Array)
    strides = var_operand_def(IndexType())
    offsets = var_operand_def(IndexType())
    shape = var_operand_def(IndexType())
    static_strides = prop_def(I64Array)
    static_offsets = prop_def(I64Array)
    static_shape = prop_def(I64Array)
    order = prop_def(I32Array)
    result = result_def(TT_AnyPtr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())
    SYNTAX: ClassVar = Syntax(
        "$base `to` `sizes` `` `:` $sizes "
        "`` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) "
        "`` `,` `offsets` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) "
        "`` `,` `shape` `` `:` custom<DynamicIndexList>($shape, $static_shape) "
        "`` `,` `order` `` `:` $order attr-dict `:` type($base) `to` type($result)"
    )
    DIRECTIVES: ClassVar = INDEX_LISTS

    def __init__(
        self,
        base: SSAValue | Operation,
        sizes: Sequence[int],
        strides: MixedList,
        offsets: MixedList,
        shape: MixedList | None = None,
        order: Sequence[int] = (),
    ):
        """Without `shape` nothing wraps around."""
        base = SSAValue.get(base)
        static_strides, dynamic_strides = split(strides)
        static_offsets, dynamic_offsets = split(offsets)
        static_shape, dynamic_shape = split([0] * len(sizes) if shape is None else shape)
        pointer = pointer_type(base, "base")
        lists = (dynamic_strides, dynamic_offsets, dynamic_shape)
        # the constructor of IRDL would take most of the time of raising
        Operation.__init__(
            self,
            operands=[base, *dynamic_strides, *dynamic_offsets, *dynamic_shape],
            result_types=[_block_of(pointer, tuple(sizes), block_pointer=bool(order))],
            properties={
                "operandSegmentSizes": dense(i32, (1, *map(len, lists))),
                "sizes": dense(i64, tuple(sizes)),
                "static_strides": static_strides,
                "static_offsets": static_offsets,
                "static_shape": static_shape,
                "order": dense(i32, tuple(order)),
            },
        )

    @property
    def mixed_shape(self) -> list[int | SSAValue]:
        """The bound at which each dimension wraps around, or the extents of the parent tensor."""
        return mixed(self.static_shape, operand_group(self, "shape"))

    @property
    def is_block_pointer(self) -> bool:
        """Whether the result is a pointer to a block."""
        return len(self.order) > 0

    def verify_(self) -> None:
        sizes = integers(self.sizes)
        rank = len(sizes)
        pointer = pointer_type(self.base, "base")
        verify_list("strides", self.static_strides, self.strides, rank)
        verify_list("offsets", self.static_offsets, self.offsets, rank)
        verify_list("shape", self.static_shape, self.shape, rank)
        _verify_positive("sizes", sizes)
        if any(e < 0 and e != DYNAMIC_INDEX for e in integers(self.static_shape)):
            raise VerifyException("'shape' must not be negative")
        order = integers(self.order)
        if order and sorted(order) != list(range(rank)):
            raise VerifyException(
                f"'order' must be empty or a permutation of 0..{rank - 1}, got {list(order)}"
            )
        expected = _block_of(pointer, sizes, block_pointer=bool(order))
        if self.result.type != expected:
            raise VerifyException(f"result must be '{expected}', but got '{self.result.type}'")


@irdl_op_definition
class MakeGatherScatterTensorPtrOp(_StridedOp):
    """
    A block of pointers of which one dimension is given by a vector of offsets.

    In dimension `gather_scatter_dim` index `i` stands for `gather_scatter_offset[i]`, which
    is multiplied by the stride there (unlike `offsets`) and, where `gather_scatter_mask` is
    false, not accessed at all; the other dimensions are as in `tts.make_tptr`.
    Upstream `TTS_MakeGatherScatterTensorPtrOp`.

    ```mlir
    %p = tts.make_gather_scatter_tptr %base to sizes: [4, 64] gather_scatter_dim: 0
        gather_scatter_offset: %rows, strides: [64, 1], offsets: [0, 0]
        : tensor<4xi32>  <f32> to !tt.ptr<tensor<4x64xf32>>
    ```

    Shapes: offset and mask are vectors of the size of the dimension; the static offset of
    that dimension is 0.
    """

    name = "tts.make_gather_scatter_tptr"

    base = operand_def(PtrType)
    gather_scatter_offset = operand_def(TTS_OffsetTensor)
    gather_scatter_dim = prop_def(I32Value)
    sizes = prop_def(I64Array)
    strides = var_operand_def(IndexType())
    offsets = var_operand_def(IndexType())
    static_strides = prop_def(I64Array)
    static_offsets = prop_def(I64Array)
    gather_scatter_mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_AnyPtr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())
    SYNTAX: ClassVar = Syntax(
        "$base `to` `sizes` `` `:` $sizes "
        "`gather_scatter_dim` `` `:` $gather_scatter_dim "
        "`gather_scatter_offset` `` `:` $gather_scatter_offset "
        "(`gather_scatter_mask` `` `:` $gather_scatter_mask^)? "
        "`` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides) "
        "`` `,` `offsets` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) "
        "attr-dict `:` type($gather_scatter_offset) type($gather_scatter_mask) "
        "type($base) `to` type($result)"
    )
    DIRECTIVES: ClassVar = INDEX_LISTS

    def __init__(
        self,
        base: SSAValue | Operation,
        sizes: Sequence[int],
        gather_scatter_dim: int,
        gather_scatter_offset: SSAValue | Operation,
        strides: MixedList,
        offsets: MixedList,
        gather_scatter_mask: SSAValue | Operation | None = None,
    ):
        """The entry of `offsets` for the gathered dimension is ignored and becomes 0."""
        base = SSAValue.get(base)
        static_strides, dynamic_strides = split(strides)
        static_offsets, dynamic_offsets = split(
            [0 if d == gather_scatter_dim else o for d, o in enumerate(offsets)]
        )
        pointer = pointer_type(base, "base")
        super().__init__(
            operands=[
                base,
                gather_scatter_offset,
                dynamic_strides,
                dynamic_offsets,
                gather_scatter_mask,
            ],
            result_types=[_block_of(pointer, tuple(sizes), block_pointer=True)],
            properties={
                "gather_scatter_dim": i32_attr(gather_scatter_dim),
                "sizes": dense(i64, tuple(sizes)),
                "static_strides": static_strides,
                "static_offsets": static_offsets,
            },
        )

    def verify_(self) -> None:
        sizes = integers(self.sizes)
        rank, dim = len(sizes), self.gather_scatter_dim.value.data
        if not 0 <= dim < rank:
            raise VerifyException("gatherScatterDim is out of bounds")
        if {len(self.static_strides), len(self.static_offsets)} != {rank}:
            raise VerifyException(
                "sizes, strides, and offsets must have the same number of dimensions"
            )
        verify_list("strides", self.static_strides, self.strides, rank)
        verify_list("offsets", self.static_offsets, self.offsets, rank)
        _verify_positive("sizes", sizes)
        self._verify_vectors(sizes[dim])
        pointer = pointer_type(self.base, "base")
        expected = _block_of(pointer, sizes, block_pointer=True)
        if self.result.type != expected:
            raise VerifyException(f"result must be '{expected}', but got '{self.result.type}'")
        if self.gather_scatter_mask is not None:
            self._verify_users(dim)

    def _verify_vectors(self, size: int) -> None:
        offset = self.gather_scatter_offset.type
        if not is_tensor(offset) or offset.get_num_dims() != 1:
            raise VerifyException("gatherScatterOffset must be a 1D tensor")
        if offset.get_shape()[0] != size:
            raise VerifyException(
                f"gatherScatterOffset must have the size of its dimension, {size}, but got "
                f"'{offset}'"
            )
        if self.gather_scatter_mask is None:
            return
        mask = self.gather_scatter_mask.type
        if not is_tensor(mask) or mask.get_num_dims() != 1:
            raise VerifyException("gatherScatterMask must be a 1D tensor of boolean type")
        if mask.get_shape() != offset.get_shape():
            raise VerifyException(
                "gatherScatterMask must have the same size as gatherScatterOffset"
            )

    def _verify_users(self, dim: int) -> None:
        """With a mask of its own, each access must say that it has none there: size 0."""
        for use in self.result.uses:
            user = use.operation
            if user.name not in ("tts.load", "tts.store"):
                raise VerifyException(
                    "tts.make_gather_scatter_tptr can only be used in tts.load or "
                    "tts.store operations"
                )
            dims = user.properties["static_mask_dims"]
            entries = integers(dims) if I64Array.verifies(dims) else ()
            what = f"{user.name} user of tts.make_gather_scatter_tptr with gather_scatter_mask"
            if not entries:
                raise VerifyException(f"{what} must have mask provided")
            if entries[dim] != 0:
                raise VerifyException(f"{what} must have mask size of 0 for gather_scatter_dim")


@lru_cache(maxsize=4096)
def _block_of(pointer: PtrType, sizes: tuple[int, ...], *, block_pointer: bool) -> Attribute:
    """Return the type of a block of pointers, or of a pointer to a block; kernels have few."""
    if block_pointer:
        return PtrType(TensorType(pointer.pointee_type, sizes), pointer.address_space)
    return TensorType(pointer, sizes)


def _verify_positive(name: str, entries: Sequence[int]) -> None:
    if any(entry <= 0 for entry in entries):
        raise VerifyException(f"'{name}' must be positive, got {list(entries)}")
