"""
Accesses of triton-shared: blocks with prefix masks, and gathers and scatters.

Upstream: `TritonStructuredDialect.td` of microsoft/triton-shared at 1c203ca.
"""

from functools import lru_cache
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, TensorType, i32
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
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    TT_AnyPtr,
    TT_BoolLike,
    TT_IntLike,
    TT_Scalar,
    TT_Tensor,
    TT_Type,
)
from xtriton.dialects.tt.type_relations import i1_like, with_element_type
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.lists import (
    I64Array,
    MixedList,
    dense,
    mixed,
    split,
    verify_mask_dims,
)
from xtriton.dialects.tts.pointers import pointer_type
from xtriton.dialects.upstream.volatile import VolatileEffect
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.op_parts import operand_group
from xtriton.ir.syntax import Syntax, TypeRule


@lru_cache(maxsize=4096)
def accessed_type(pointers: Attribute) -> TensorType[Attribute]:
    """Return the tensor that an access through a block of pointers reads or writes."""
    if isinstance(pointers, PtrType) and is_tensor(pointers.pointee_type):
        return pointers.pointee_type
    if is_tensor(pointers) and isinstance(pointers.element_type, PtrType):
        element = pointers.element_type.pointee_type
        return TensorType(element, pointers.shape.data, pointers.encoding)
    raise VerifyException(
        f"operand 'ptr' must be a tensor of ptr or a ptr to a block, but got '{pointers}'"
    )


@irdl_op_definition
class LoadOp(IRDLOperation):
    """
    Load a block, or the part of it that begins at its first element and has size `mask_dims`.

    Outside of that part nothing is read; the value there is the scalar `other`, or
    undefined. Upstream `TTS_LoadOp`.

    ```mlir
    %v = "tts.load"(%p, %n, %other) <{
        operandSegmentSizes = array<i32: 1, 1, 1>,
        static_mask_dims = array<i64: -9223372036854775808>
      }> : (tensor<64x!tt.ptr<f32>>, index, f32) -> tensor<64xf32>
    ```

    Shapes: `mask_dims` is empty or has an entry for each dimension of the block.
    """

    name = "tts.load"

    ptr = operand_def(TT_AnyPtr)
    mask_dims = var_operand_def(IndexType())
    static_mask_dims = prop_def(I64Array)
    other = opt_operand_def(TT_Scalar)
    result = result_def(TT_Tensor)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    TYPES: ClassVar = (TypeRule("result", "ptr", accessed_type),)

    def __init__(
        self,
        ptr: SSAValue | Operation,
        mask_dims: MixedList = (),
        other: SSAValue | Operation | None = None,
    ):
        ptr = SSAValue.get(ptr)
        static, dynamic = split(mask_dims)
        filler = [] if other is None else [SSAValue.get(other)]
        sizes = dense(i32, (1, len(dynamic), len(filler)))
        # see `MakeTensorPtrOp`
        Operation.__init__(
            self,
            operands=[ptr, *dynamic, *filler],
            result_types=[accessed_type(ptr.type)],
            properties={"operandSegmentSizes": sizes, "static_mask_dims": static},
        )

    @property
    def mixed_mask_dims(self) -> list[int | SSAValue]:
        """The size of the accessed part in each dimension; empty without a mask."""
        return mixed(self.static_mask_dims, operand_group(self, "mask_dims"))

    @property
    def has_mask(self) -> bool:
        """Whether only a part is accessed."""
        return len(self.static_mask_dims) > 0

    def verify_(self) -> None:
        accessed = accessed_type(self.ptr.type)
        verify_mask_dims(self.static_mask_dims, self.mask_dims, accessed.get_shape())
        if self.other is None:
            return
        if not self.has_mask:
            raise VerifyException("operand 'other' needs a mask")
        if self.other.type != accessed.element_type:
            raise VerifyException(
                f"operand 'other' must be '{accessed.element_type}', but got '{self.other.type}'"
            )


@irdl_op_definition
class StoreOp(IRDLOperation):
    """
    Store a block, or the part of it that begins at its first element and has size `mask_dims`.

    Upstream `TTS_StoreOp`.

    ```mlir
    "tts.store"(%p, %v, %n) <{static_mask_dims = array<i64: -9223372036854775808>}>
        : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, index) -> ()
    ```

    Shapes: `mask_dims` is empty or has an entry for each dimension of the block.
    """

    name = "tts.store"

    ptr = operand_def(TT_AnyPtr)
    value = operand_def(TT_Tensor)
    mask_dims = var_operand_def(IndexType())
    static_mask_dims = prop_def(I64Array)

    traits = traits_def(MemoryWriteEffect())
    TYPES: ClassVar = (TypeRule("value", "ptr", accessed_type),)

    def __init__(
        self,
        ptr: SSAValue | Operation,
        value: SSAValue | Operation,
        mask_dims: MixedList = (),
    ):
        static, dynamic = split(mask_dims)
        operands = [SSAValue.get(ptr), SSAValue.get(value), *dynamic]
        Operation.__init__(self, operands=operands, properties={"static_mask_dims": static})

    @property
    def mixed_mask_dims(self) -> list[int | SSAValue]:
        """The size of the accessed part in each dimension; empty without a mask."""
        return mixed(self.static_mask_dims, self.mask_dims)

    @property
    def has_mask(self) -> bool:
        """Whether only a part is accessed."""
        return len(self.static_mask_dims) > 0

    def verify_(self) -> None:
        accessed = accessed_type(self.ptr.type)
        verify_mask_dims(self.static_mask_dims, self.mask_dims, accessed.get_shape())


def gathered_type(pointer: Attribute, offset: Attribute) -> Attribute:
    """Return the type of what one base pointer points to, in the shape of the offsets."""
    if not isinstance(pointer, PtrType):
        raise VerifyException(f"operand 'ptr' must be ptr, but got '{pointer}'")
    return with_element_type(offset, pointer.pointee_type)


def verify_gathered(ptr: SSAValue, offset: SSAValue, value: SSAValue, name: str) -> None:
    """Check that a value has the element type of a pointer and the shape of the offsets."""
    expected = gathered_type(pointer_type(ptr, "ptr"), offset.type)
    if value.type != expected:
        raise VerifyException(f"'{name}' must be '{expected}', but got '{value.type}'")


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    Load from `ptr + offset`, for one offset or for each of a tensor, where `mask` is true.

    Elsewhere the value is the scalar `other`, or undefined. Upstream `TTS_GatherOp`.

    ```mlir
    %v = tts.gather %base[%offsets] mask = %m default = %other : (<f32>, tensor<64xi32>)
        -> tensor<64xf32>
    ```

    Shapes: mask and result have that of `offset`.
    """

    name = "tts.gather"

    ptr = operand_def(PtrType)
    offset = operand_def(TT_IntLike)
    mask = opt_operand_def(TT_BoolLike)
    other = opt_operand_def(TT_Type)
    result = result_def(TT_Type)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), VolatileEffect())
    SYNTAX: ClassVar = Syntax(
        "$ptr `[` $offset `]` (`mask` `=` $mask^)? (`default` `=` $other^)? attr-dict "
        "`:` `(` type($ptr) `,` type($offset) `)` `->` type($result)"
    )
    TYPES: ClassVar = (
        TypeRule("mask", "offset", i1_like),
        TypeRule("other", "ptr", lambda t: gathered_type(t, t)),
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        offset: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        other: SSAValue | Operation | None = None,
    ):
        ptr, offset = SSAValue.get(ptr), SSAValue.get(offset)
        super().__init__(
            operands=[ptr, offset, mask, other],
            result_types=[gathered_type(ptr.type, offset.type)],
        )

    def verify_(self) -> None:
        verify_gathered(self.ptr, self.offset, self.result, "result")
        if self.other is not None and self.mask is None:
            raise VerifyException("operand 'other' needs a mask")


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """
    Store to `ptr + offset`, for one offset or for each of a tensor, where `mask` is true.

    Upstream `TTS_ScatterOp`.

    ```mlir
    tts.scatter %v into %base[%offsets] mask = %m : tensor<64xf32> into (<f32>, tensor<64xi32>)
    ```

    Shapes: value and mask have that of `offset`.
    """

    name = "tts.scatter"

    ptr = operand_def(PtrType)
    offset = operand_def(TT_IntLike)
    value = operand_def(TT_Type)
    mask = opt_operand_def(TT_BoolLike)

    traits = traits_def(MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        "$value `into` $ptr `[` $offset `]` (`mask` `=` $mask^)? attr-dict "
        "`:` type($value) `into` ` ` `(` type($ptr) `,` type($offset) `)`"
    )
    TYPES: ClassVar = (TypeRule("mask", "offset", i1_like),)

    def __init__(
        self,
        value: SSAValue | Operation,
        ptr: SSAValue | Operation,
        offset: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
    ):
        super().__init__(operands=[ptr, offset, value, mask])

    def verify_(self) -> None:
        verify_gathered(self.ptr, self.offset, self.value, "value")
