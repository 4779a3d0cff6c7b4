"""
Ops of early releases around on-device TMA descriptors.

Upstream: `TritonOps.td` of 2024 and early 2025. Later releases have tensor descriptors.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
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

from xtriton.dialects.tt.constraints import EnumValue, I32Value, TT_Tensor, i32_attr
from xtriton.dialects.tt.descriptor_rows import DescriptorGatherOp, DescriptorScatterOp
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy
from xtriton.dialects.tt.traits import TENSOR_TRAITS, GlobalEffects
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.ir.syntax import Syntax


class _Modernized(IRDLOperation):
    """
    An op whose name Triton 3.3 gives to another one: to that on tensor descriptors.

    `modern_class` is asked by the parser, with the rest of the op's line.
    """

    @classmethod
    def modern_class(cls, line: str) -> type[Operation]:
        """Return the class of the op that this line describes."""
        return _SUCCESSORS[cls] if "!tt.tensordesc<" in line else cls


@irdl_op_definition
class ExperimentalDescriptorLoadOp(_Modernized):
    """
    Load a block through a TMA descriptor in memory.

    Upstream `TT_ExperimentalDescriptorLoadOp`, up to Triton 3.2.

    ```mlir
    %b = tt.experimental_descriptor_load %p[%i, %j] : !tt.ptr<i8> -> tensor<64x32xf16>
    ```
    """

    name = "tt.experimental_descriptor_load"

    desc_ptr = operand_def(PtrType)
    indices = var_operand_def(i32)
    cache = prop_def(EnumValue(CacheModifier), default_value=i32_attr(CacheModifier.none))
    evict = prop_def(EnumValue(EvictionPolicy), default_value=i32_attr(EvictionPolicy.evict_normal))
    result = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(read=""))
    SYNTAX: ClassVar = Syntax(
        "$desc_ptr `[` $indices `]` "
        "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) "
        "attr-dict `:` qualified(type($desc_ptr)) `->` type($result)",
        until=(3, 2),
    )
    ENUMS: ClassVar = {"cache": CacheModifier, "evict": EvictionPolicy}


@irdl_op_definition
class ExperimentalDescriptorStoreOp(_Modernized):
    """
    Store a block through a TMA descriptor in memory.

    Upstream `TT_ExperimentalDescriptorStoreOp`, up to Triton 3.2.

    ```mlir
    tt.experimental_descriptor_store %p[%i, %j], %b : !tt.ptr<i8>, tensor<64x32xf16>
    ```
    """

    name = "tt.experimental_descriptor_store"

    desc_ptr = operand_def(PtrType)
    src = operand_def(TT_Tensor)
    indices = var_operand_def(i32)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(read="", write=""))
    SYNTAX: ClassVar = Syntax(
        "$desc_ptr `[` $indices `]` `,` $src attr-dict `:` "
        "qualified(type($desc_ptr)) `,` type($src)",
        until=(3, 2),
    )


@irdl_op_definition
class ExperimentalDescriptorGatherOp(_Modernized):
    """
    `tt.descriptor_gather` as Triton 3.3 calls it; read as that op.

    ```mlir
    %r = tt.experimental_descriptor_gather %d[%rows, %j]
        : (!tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32) -> tensor<32x128xbf16>
    ```
    """

    name = "tt.experimental_descriptor_gather"


@irdl_op_definition
class ExperimentalDescriptorScatterOp(_Modernized):
    """
    `tt.descriptor_scatter` as Triton 3.3 calls it; read as that op.

    ```mlir
    tt.experimental_descriptor_scatter %d[%rows, %j], %v
        : !tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32>, i32, tensor<32x128xbf16>
    ```
    """

    name = "tt.experimental_descriptor_scatter"


_SUCCESSORS: dict[type[Operation], type[Operation]] = {
    ExperimentalDescriptorGatherOp: DescriptorGatherOp,
    ExperimentalDescriptorLoadOp: DescriptorLoadOp,
    ExperimentalDescriptorScatterOp: DescriptorScatterOp,
    ExperimentalDescriptorStoreOp: DescriptorStoreOp,
}

_TENSORMAP_LIMITS = {
    "elem_type": 15,
    "interleave_layout": 2,
    "swizzle_mode": 3,
    "fill_mode": 1,
}

TENSORMAP_FORMAT = (
    "$desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` "
    "`[` $global_stride `]` `,` `[` $element_stride `]` attr-dict `:` "
    "functional-type(operands, results)"
)


class TensormapCreate(IRDLOperation):
    """What writes a TMA descriptor of a tensor at `global_address` to `desc_ptr`."""

    desc_ptr = operand_def(PtrType)
    global_address = operand_def(PtrType)
    box_dim = var_operand_def(i32)
    global_dim = var_operand_def(i32)
    global_stride = var_operand_def(i64)
    element_stride = var_operand_def(i32)
    elem_type = prop_def(I32Value)
    interleave_layout = prop_def(I32Value)
    swizzle_mode = prop_def(I32Value)
    fill_mode = prop_def(I32Value)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        desc_ptr: SSAValue | Operation,
        global_address: SSAValue | Operation,
        box_dim: Sequence[SSAValue | Operation],
        global_dim: Sequence[SSAValue | Operation],
        global_stride: Sequence[SSAValue | Operation],
        element_stride: Sequence[SSAValue | Operation],
        *,
        elem_type: int,
        interleave_layout: int = 0,
        swizzle_mode: int = 0,
        fill_mode: int = 0,
    ):
        super().__init__(
            operands=[
                desc_ptr,
                global_address,
                box_dim,
                global_dim,
                global_stride,
                element_stride,
            ],
            properties={
                "elem_type": i32_attr(elem_type),
                "interleave_layout": i32_attr(interleave_layout),
                "swizzle_mode": i32_attr(swizzle_mode),
                "fill_mode": i32_attr(fill_mode),
            },
        )

    def verify_(self) -> None:
        for name, limit in _TENSORMAP_LIMITS.items():
            if not 0 <= getattr(self, name).value.data <= limit:
                raise VerifyException(f"'{name}' must be between 0 and {limit}")
        rank = len(self.box_dim)
        for what, found, expected in (
            ("global dim", len(self.global_dim), rank),
            ("global stride", len(self.global_stride), rank - 1),
            ("element stride", len(self.element_stride), rank),
        ):
            if found != expected:
                raise VerifyException(
                    f"Rank mismatch for {what}. Got {found} but expected {expected}"
                )


@irdl_op_definition
class ExperimentalTensormapCreateOp(TensormapCreate):
    """
    Write a TMA descriptor of a tensor at `global_address` to `desc_ptr`.

    The numbers are those of CUDA's `cuTensorMapEncodeTiled`, innermost dimension first.
    Upstream `TT_ExperimentalTensormapCreateOp`, Triton 3.2 and 3.3.

    ```mlir
    tt.experimental_tensormap_create %d, %p, [%bx, %by], [%gx, %gy], [%s], [%ex, %ey] {elem_type = 6
        : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ```
    """

    name = "tt.experimental_tensormap_create"

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(read="", write=""))
    SYNTAX: ClassVar = Syntax(TENSORMAP_FORMAT, since=(3, 2), until=(3, 3))


@irdl_op_definition
class ExperimentalTensormapFenceproxyAcquireOp(IRDLOperation):
    """
    Make a TMA descriptor that was written to memory visible to the TMA unit.

    Upstream `TT_ExperimentalTensormapFenceproxyAcquireOp`, Triton 3.2 and 3.3.

    ```mlir
    tt.experimental_tensormap_fenceproxy_acquire %d : !tt.ptr<i8>
    ```
    """

    name = "tt.experimental_tensormap_fenceproxy_acquire"

    desc_ptr = operand_def(PtrType)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(write=""))
    SYNTAX: ClassVar = Syntax(
        "$desc_ptr attr-dict `:` qualified(type($desc_ptr))", since=(3, 2), until=(3, 3)
    )


@irdl_op_definition
class ReinterpretTensorDescOp(IRDLOperation):
    """
    Take a pointer to a TMA descriptor as a tensor descriptor.

    Upstream `ReinterpretTensorDescOp`, Triton 3.3 only.

    ```mlir
    %d = tt.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<64x32xf16>>
    ```
    """

    name = "tt.reinterpret_tensor_descriptor"

    rawDesc = operand_def(PtrType)
    result = result_def(TensorDescType)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax(
        "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))",
        since=(3, 3),
        until=(3, 3),
    )

    def __init__(self, raw_desc: SSAValue | Operation, descriptor: TensorDescType):
        super().__init__(operands=[raw_desc], result_types=[descriptor])
