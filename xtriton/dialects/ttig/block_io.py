"""
2D block accesses and accesses through descriptors. Upstream: `TritonIntelGPUOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    EnumValue,
    I32Value,
    TT_BoolLike,
    TT_I16OrI32,
    TT_PtrLike,
    TT_Tensor,
    TT_Type,
    i32_attr,
)
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy
from xtriton.dialects.tt.traits import GlobalEffects
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttg.types import element_bits
from xtriton.dialects.ttig.effects import PrefetchEffects
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import I32Enum, Syntax

_SINCE = (3, 8)


class BlockIOMode(I32Enum):
    """Which dimension of a block is contiguous in memory."""

    row_major = 0
    column_major = 1


def _verify_tile(result: Attribute) -> None:
    assert is_tensor(result)
    if len(result.get_shape()) < 2:
        raise VerifyException(f"result tensor must have rank >= 2, got {len(result.get_shape())}")


@irdl_op_definition
class Subgroup2DBlockLoadOp(IRDLOperation):
    """
    Load a tile of a surface in memory, given by base, width and height in bytes and pitch.

    Out of bounds elements are zero, or NaN with `pad_nan`.
    Upstream `TTIG_Subgroup2DBlockLoadOp`.

    ```mlir
    %t = ttig.2d_block_load %base, %w, %h, %pitch[%x, %y] {row_major} : <f16> -> tensor<64x32xf16, #dot0>
    ```
    """

    name = "ttig.2d_block_load"

    base_ptr = operand_def(PtrType)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    offset_x = operand_def(i32)
    offset_y = operand_def(i32)
    pad_nan = opt_prop_def(UnitAttr)
    memory_layout = prop_def(EnumValue(BlockIOMode))
    result = result_def(TT_Tensor)

    traits = traits_def(GlobalEffects(read="base_ptr"))

    SYNTAX: ClassVar = Syntax(
        "$base_ptr `,` $base_width `,` $base_height `,` $base_pitch "
        "`[` $offset_x `,` $offset_y `]` "
        "`{` $memory_layout (`,` `pad_nan` $pad_nan^)? `}` "
        "attr-dict `:` type($base_ptr) `->` type($result)",
        since=_SINCE,
    )
    ENUMS: ClassVar = {"memory_layout": BlockIOMode}

    def verify_(self) -> None:
        _verify_tile(self.result.type)


@irdl_op_definition
class Subgroup2DBlockLoadFromPtrOp(IRDLOperation):
    """
    Load a tile whose elements a tensor of pointers names, `base_pitch` bytes from row to row.

    `other` comes with `mask`. Upstream `TTIG_Subgroup2DBlockLoadFromPtrOp`.

    ```mlir
    %t = ttig.2d_block_load_from_ptr %p, %pitch {row_major} {base_height = 64 : i32, base_width = 128 : i32} : (tensor<64x32x!tt.ptr<f16>, #dot0>, i32) -> tensor<64x32xf16, #dot0>
    ```
    """

    name = "ttig.2d_block_load_from_ptr"

    ptr = operand_def(TT_PtrLike)
    base_pitch = operand_def(i32)
    mask = opt_operand_def(TT_BoolLike)
    other = opt_operand_def(TT_Type)
    base_width = prop_def(I32Value)
    base_height = prop_def(I32Value)
    memory_layout = prop_def(EnumValue(BlockIOMode))
    result = result_def(TT_Tensor)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(GlobalEffects(read="ptr"))

    SYNTAX: ClassVar = Syntax(
        "$ptr `,` $base_pitch (`,` $mask^ `,` $other)? ` ` `{` $memory_layout `}` attr-dict "
        "`:` functional-type(operands, results)",
        since=_SINCE,
    )
    ENUMS: ClassVar = {"memory_layout": BlockIOMode}

    def verify_(self) -> None:
        _verify_tile(self.result.type)
        if self.mask is not None and self.other is None:
            raise VerifyException("'other' must be present when 'mask' is present")


@irdl_op_definition
class ExtractDescOp(IRDLOperation):
    """
    Field `index` of a descriptor of rank n: its n sizes, its n strides, its base pointer.

    Upstream `TTIG_ExtractDescOp`.

    ```mlir
    %stride = ttig.extract_desc %desc[2] : <64x32xf16> -> i64
    ```
    """

    name = "ttig.extract_desc"

    desc = operand_def(TensorDescType)
    index = prop_def(I32Value)
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $index `]` attr-dict `:` type($desc) `->` type($result)", since=_SINCE
    )


@irdl_op_definition
class DescriptorPrefetchOp(IRDLOperation):
    """
    Fetch the block at `indices` into the cache. Upstream `TTIG_DescriptorPrefetchOp`.

    ```mlir
    ttig.descriptor_prefetch %desc[%i, %j] : !tt.tensordesc<64x32xf16>
    ```
    """

    name = "ttig.descriptor_prefetch"

    desc = operand_def(TensorDescType)
    indices = var_operand_def(i32)
    cache = prop_def(EnumValue(CacheModifier), default_value=i32_attr(CacheModifier.none))
    evict = prop_def(EnumValue(EvictionPolicy), default_value=i32_attr(EvictionPolicy.evict_normal))

    traits = traits_def(PrefetchEffects())

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | "
        "`evictionPolicy` `=` $evict) attr-dict `:` qualified(type($desc))",
        since=(3, 7),
    )
    ENUMS: ClassVar = {"cache": CacheModifier, "evict": EvictionPolicy}

    def verify_(self) -> None:
        assert isinstance(self.desc.type, TensorDescType)
        rank = len(self.desc.type.get_shape())
        if len(self.indices) != rank:
            raise VerifyException(f"expected {rank} indices, but got {len(self.indices)}")


Offsets = TT_I16OrI32.tensor


def _verify_rows(desc: Attribute, rows: Attribute, offsets: Attribute) -> None:
    """What gathers and scatters of rows ask of descriptor, tensor of rows and offsets."""
    assert isinstance(desc, TensorDescType)
    assert is_tensor(rows) and is_tensor(offsets)
    block = desc.get_shape()
    element = desc.signless_block_type.element_type
    if len(block) != 2:
        raise VerifyException(f"descriptor block must be a 2D tensor, but got {desc}")
    if block[0] != 1:
        raise VerifyException(f"descriptor block must have exactly 1 row, but got {desc}")
    if len(offsets.get_shape()) != 1:
        raise VerifyException(f"x offsets must be a 1D tensor, but got {offsets}")
    shape = rows.get_shape()
    if len(shape) != 2:
        raise VerifyException(f"result must be a 2D tensor, but got {rows}")
    least = 256 // element_bits(rows.element_type)
    if shape[1] < least:
        raise VerifyException(
            f"must have at least {least} columns for {rows.element_type}, but got {shape[1]}"
        )
    if shape[0] != offsets.get_shape()[0]:
        raise VerifyException(
            f"result tensor must have as many rows as indices ({offsets.get_shape()[0]}), but "
            f"got {rows}"
        )
    if shape[1] != block[1]:
        raise VerifyException(
            f"result tensor number of columns must match block ({block[1]}), but got {rows}"
        )
    if rows.element_type != element:
        raise VerifyException(
            f"result tensor element type must match block ({element}), but got {rows}"
        )


@irdl_op_definition
class DescriptorGatherOp(IRDLOperation):
    """
    Load rows `x_offsets`, from column `y_offset` on; as `tt.descriptor_gather`.

    Upstream `TTIG_DescriptorGatherOp`.

    ```mlir
    %t = ttig.descriptor_gather %desc[%rows, %y] : (!tt.tensordesc<1x32xf16>, tensor<32xi32>, i32) -> tensor<32x32xf16>
    ```
    """

    name = "ttig.descriptor_gather"

    desc = operand_def(TensorDescType)
    x_offsets = operand_def(Offsets)
    y_offset = operand_def(i32)
    result = result_def(TT_Tensor)

    traits = traits_def(GlobalEffects(read="desc"))

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)",
        since=_SINCE,
    )

    def verify_(self) -> None:
        _verify_rows(self.desc.type, self.result.type, self.x_offsets.type)


@irdl_op_definition
class DescriptorScatterOp(IRDLOperation):
    """
    Store rows `x_offsets`, from column `y_offset` on; as `tt.descriptor_scatter`.

    Upstream `TTIG_DescriptorScatterOp`.

    ```mlir
    ttig.descriptor_scatter %desc[%rows, %y], %t : !tt.tensordesc<1x32xf16>, tensor<32xi32>, i32, tensor<32x32xf16>
    ```
    """

    name = "ttig.descriptor_scatter"

    desc = operand_def(TensorDescType)
    x_offsets = operand_def(Offsets)
    y_offset = operand_def(i32)
    src = operand_def(TT_Tensor)

    traits = traits_def(GlobalEffects(read="desc", write="desc"))

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)",
        since=_SINCE,
    )

    def verify_(self) -> None:
        _verify_rows(self.desc.type, self.src.type, self.x_offsets.type)
