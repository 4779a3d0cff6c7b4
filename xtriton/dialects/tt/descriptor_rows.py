"""
Loads and stores of single rows through a tensor descriptor.

Upstream: `TritonOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    TT_I16OrI32,
    TT_Tensor,
    bit_width,
)
from xtriton.dialects.tt.descriptors import (
    FIRST_VERSION_OF_DESCRIPTORS,
    READ,
    READ_WRITE,
    OnceExperimental,
    block_type,
)
from xtriton.dialects.tt.shape_inference import tensor_type
from xtriton.dialects.tt.traits import TENSOR_TRAITS
from xtriton.ir.syntax import Syntax


@irdl_op_definition
class DescriptorGatherOp(OnceExperimental):
    """
    Load the rows `x_offsets` of a described tensor, from column `y_offset`.

    The block of the descriptor has one row. Upstream `TT_DescriptorGatherOp`, since
    Triton 3.3.

    ```mlir
    %r = tt.descriptor_gather %d[%rows, %j] : (!tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32)
        -> tensor<32x128xbf16>
    ```

    Shapes: as many rows as offsets, as many columns as the block.
    """

    name = "tt.descriptor_gather"

    desc = operand_def(AnyAttr())
    x_offsets = operand_def(TT_I16OrI32.tensor)
    y_offset = operand_def(i32)
    result = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, READ)
    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)",
        since=FIRST_VERSION_OF_DESCRIPTORS,
    )

    def __init__(
        self,
        desc: SSAValue | Operation,
        x_offsets: SSAValue | Operation,
        y_offset: SSAValue | Operation,
    ):
        desc, x_offsets = SSAValue.get(desc), SSAValue.get(x_offsets)
        block = block_type(desc.type)
        rows = tensor_type(x_offsets.type).get_shape()
        result_type = TensorType(block.element_type, [*rows, *block.get_shape()[1:]])
        super().__init__(operands=[desc, x_offsets, y_offset], result_types=[result_type])

    def verify_(self) -> None:
        _verify_rows(self.desc, self.x_offsets, self.result)


@irdl_op_definition
class DescriptorScatterOp(OnceExperimental):
    """
    Store rows into the rows `x_offsets` of a described tensor, from column `y_offset`.

    Upstream `TT_DescriptorScatterOp`, since Triton 3.3.

    ```mlir
    tt.descriptor_scatter %d[%rows, %j], %v
        : !tt.tensordesc<1x128xbf16>, tensor<32xi32>, i32, tensor<32x128xbf16>
    ```
    """

    name = "tt.descriptor_scatter"

    desc = operand_def(AnyAttr())
    x_offsets = operand_def(TT_I16OrI32.tensor)
    y_offset = operand_def(i32)
    src = operand_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, READ_WRITE)
    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)",
        since=FIRST_VERSION_OF_DESCRIPTORS,
    )

    def __init__(
        self,
        desc: SSAValue | Operation,
        x_offsets: SSAValue | Operation,
        y_offset: SSAValue | Operation,
        src: SSAValue | Operation,
    ):
        super().__init__(operands=[desc, x_offsets, y_offset, src])

    def verify_(self) -> None:
        _verify_rows(self.desc, self.x_offsets, self.src)


def _verify_rows(desc: SSAValue, offsets: SSAValue, value: SSAValue) -> None:
    """Check the types of a gather or scatter of rows, with the limits that TMA sets."""
    block, rows, tensor = block_type(desc.type), offsets.type, tensor_type(value.type)
    rows = tensor_type(rows)
    if block.get_num_dims() != 2:
        raise VerifyException(f"descriptor block must be a 2D tensor, but got '{block}'")
    if block.get_shape()[0] != 1:
        raise VerifyException(f"descriptor block must have exactly 1 row, but got '{block}'")
    if rows.get_num_dims() != 1:
        raise VerifyException(f"x offsets must be a 1D tensor, but got '{rows}'")
    if tensor.get_num_dims() != 2:
        raise VerifyException(f"result must be a 2D tensor, but got '{tensor}'")
    _verify_size_of_rows(tensor)
    if tensor.get_shape()[0] != rows.get_shape()[0]:
        raise VerifyException(
            f"result tensor must have as many rows as indices ({rows.get_shape()[0]}), "
            f"but got '{tensor}'"
        )
    if tensor.get_shape()[1] != block.get_shape()[1]:
        raise VerifyException(
            "result tensor number of columns must match block "
            f"({block.get_shape()[1]}), but got '{tensor}'"
        )
    if tensor.element_type != block.element_type:
        raise VerifyException(
            f"result tensor element type must match block ('{block.element_type}'), "
            f"but got '{tensor}'"
        )


def _verify_size_of_rows(tensor: TensorType) -> None:
    row_count, columns = tensor.get_shape()
    width = bit_width(tensor.element_type)
    if row_count < 8:
        raise VerifyException(f"must have at least 8 rows, but got {row_count}")
    if width > 32:
        raise VerifyException("TMA dtype cannot be greater than 32 bits")
    least = 32 // width * 8
    if columns < least:
        raise VerifyException(
            f"must have at least {least} columns for '{tensor.element_type}', but got {columns}"
        )
