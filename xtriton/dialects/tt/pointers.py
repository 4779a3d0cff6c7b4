"""
Pointer arithmetic, and block pointers, which Triton has up to 3.7.

Upstream: "Pointer Arith Ops" and "Make Tensor Pointer Op" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    I32Array,
    TT_IntLike,
    TT_Ptr,
    TT_PtrLike,
)
from xtriton.dialects.tt.hooks import Folds
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    Elementwise,
    SameOperandsAndResultEncoding,
    SameOperandsAndResultShape,
)
from xtriton.dialects.tt.type_relations import block_pointer_base_type
from xtriton.dialects.tt.types import LAST_VERSION_OF_BLOCK_POINTERS, PtrType
from xtriton.dialects.utils.constants import is_constant_int
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax, TypeRule, same_type


@irdl_op_definition
class AddPtrOp(IRDLOperation):
    """
    Move a pointer, or each pointer of a tensor, by a number of elements.

    Upstream `TT_AddPtrOp`.

    ```mlir
    %p = tt.addptr %ptrs, %offsets : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    ```

    Shapes: `ptr`, `offset` and the result have the same.
    """

    name = "tt.addptr"

    ptr = operand_def(TT_PtrLike)
    offset = operand_def(TT_IntLike)
    result = result_def(TT_PtrLike)

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        Elementwise(),
        SameOperandsAndResultShape(),
        SameOperandsAndResultEncoding(),
        Folds(),
    )

    SYNTAX: ClassVar = Syntax("$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)")
    TYPES: ClassVar = same_type("result", "ptr")

    def __init__(self, ptr: SSAValue | Operation, offset: SSAValue | Operation):
        ptr = SSAValue.get(ptr)
        super().__init__(operands=[ptr, offset], result_types=[ptr.type])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """`addptr(p, 0)` is `p`."""
        return (self.ptr,) if is_constant_int(self.offset, 0) else None


@irdl_op_definition
class MakeTensorPtrOp(IRDLOperation):
    """
    Make a block pointer: a parent tensor in memory and the block of it to access.

    `shape` and `strides` (in elements) describe the parent, `offsets` is where the block
    begins, `order` lists the dimensions from the one that varies fastest.
    Upstream `TT_MakeTensorPtrOp`, up to Triton 3.7.

    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %k], [%sm, %sk], [%i, %j] {order = array<i32: 1, 0>}
        : <tensor<64x32xf16>>
    ```

    Shapes: `shape`, `strides`, `offsets` and `order` have the rank of the block.
    """

    name = "tt.make_tensor_ptr"

    base = operand_def(TT_Ptr)
    shape = var_operand_def(i64)
    strides = var_operand_def(i64)
    offsets = var_operand_def(i32)
    order = prop_def(I32Array)
    result = result_def(PtrType)

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(*TENSOR_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` "
        "attr-dict `:` type($result)",
        until=LAST_VERSION_OF_BLOCK_POINTERS,
    )
    TYPES: ClassVar = (TypeRule("base", "result", block_pointer_base_type),)

    def __init__(
        self,
        base: SSAValue | Operation,
        shape: Sequence[SSAValue | Operation],
        strides: Sequence[SSAValue | Operation],
        offsets: Sequence[SSAValue | Operation],
        block_shape: Sequence[int],
        order: Sequence[int],
    ):
        base = SSAValue.get(base)
        pointer = base.type
        if not isinstance(pointer, PtrType):
            raise VerifyException(f"operand 'base' must be ptr, but got '{pointer}'")
        block = TensorType(pointer.pointee_type, block_shape)
        super().__init__(
            operands=[base, shape, strides, offsets],
            result_types=[PtrType(block, pointer.address_space)],
            properties={"order": DenseArrayBase.from_list(i32, order)},
        )

    @property
    def block_type(self) -> TensorType[Attribute]:
        """The type of the block: what a load through the result yields."""
        assert is_tensor(self.result.type.pointee_type)
        return self.result.type.pointee_type

    def verify_(self) -> None:
        block = self.result.type.pointee_type
        assert is_tensor(block)
        # Upstream leaves the ranks unchecked and fails later.
        rank = block.get_num_dims()
        if len(self.shape) != rank:
            raise VerifyException(
                f"operands 'shape', 'strides' and 'offsets' must each have as many values "
                f"as the block has dimensions ({rank}), but got {len(self.shape)}"
            )


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """
    Move a block pointer by an offset for each dimension.

    Upstream `TT_AdvanceOp`, up to Triton 3.7. Trailing dimensions without an offset do not move.

    ```mlir
    %q = tt.advance %p, [%i, %j] : <tensor<64x32xf16>>
    ```
    """

    name = "tt.advance"

    ptr = operand_def(PtrType)
    offsets = var_operand_def(i32)
    result = result_def(PtrType)

    traits = traits_def(*TENSOR_TRAITS, Pure(), Folds())

    SYNTAX: ClassVar = Syntax(
        "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)",
        until=LAST_VERSION_OF_BLOCK_POINTERS,
    )
    TYPES: ClassVar = same_type("result", "ptr")

    def __init__(self, ptr: SSAValue | Operation, offsets: Sequence[SSAValue | Operation]):
        ptr = SSAValue.get(ptr)
        super().__init__(operands=[ptr, offsets], result_types=[ptr.type])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """`advance(p, [0, 0])` is `p`."""
        if all(is_constant_int(offset, 0) for offset in self.offsets):
            return (self.ptr,)
        return None

    def verify_(self) -> None:
        pointer = self.ptr.type
        block = pointer.pointee_type if isinstance(pointer, PtrType) else pointer
        if not is_tensor(block):
            raise VerifyException(
                f"operand 'ptr' must be ptr to a block, but got '{self.ptr.type}'"
            )
        if len(self.offsets) > block.get_num_dims():
            raise VerifyException(
                f"operand 'offsets' must not have more values than the block has dimensions "
                f"({block.get_num_dims()}), but got {len(self.offsets)}"
            )
