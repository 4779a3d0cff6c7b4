"""
Accesses through tensor descriptors.

Upstream: "Make Tensor Descriptor Op" and the descriptor ops of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
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

from xtriton.dialects.tt.cache_policy import (
    LAST_VERSION_WITHOUT_CACHE_POLICY,
    CachePolicyOp,
)
from xtriton.dialects.tt.constraints import (
    EnumValue,
    TT_Tensor,
    i32_attr,
)
from xtriton.dialects.tt.enums import (
    CacheModifier,
    DescriptorReduceKind,
    EvictionPolicy,
    PaddingOption,
)
from xtriton.dialects.tt.shape_inference import tensor_type
from xtriton.dialects.tt.traits import TENSOR_TRAITS, GlobalEffects
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules

FIRST_VERSION_OF_DESCRIPTORS: Version = (3, 3)

LAST_VERSION_OF_EXPERIMENTAL_NAMES: Version = (3, 3)
"""Triton 3.3 has these ops on tensor descriptors with `experimental_` in their names."""


class OnceExperimental(IRDLOperation):
    """
    What Triton 3.3 calls `tt.experimental_descriptor_...`.

    `text_name` is asked by the printer.
    """

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        if version <= LAST_VERSION_OF_EXPERIMENTAL_NAMES:
            return self.name.replace("tt.", "tt.experimental_", 1)
        return self.name


READ = GlobalEffects(read="desc")
READ_WRITE = GlobalEffects(read="desc", write="desc")


@irdl_op_definition
class MakeTensorDescOp(IRDLOperation):
    """
    Make a descriptor of a tensor in memory that is accessed in blocks of one shape.

    `shape` is that of the tensor, `strides` are in elements (the last is 1), `padding` is
    what loads read out of bounds. Upstream `TT_MakeTensorDescOp`, since Triton 3.3.

    ```mlir
    %d = tt.make_tensor_descriptor %p, [%m, %k], [%s, %c1_i64] : <f16>, <64x32xf16>
    ```

    Shapes: `shape` and `strides` have the rank of the block.
    """

    name = "tt.make_tensor_descriptor"

    base = operand_def(PtrType)
    shape = var_operand_def(i32)
    strides = var_operand_def(i64)
    padding = prop_def(EnumValue(PaddingOption), default_value=i32_attr(PaddingOption.zero))
    result = result_def(TensorDescType)

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax(
        "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)",
        since=FIRST_VERSION_OF_DESCRIPTORS,
        attributes_since={"padding": (3, 5)},
    )
    ENUMS: ClassVar = {"padding": PaddingOption}

    def __init__(
        self,
        base: SSAValue | Operation,
        shape: Sequence[SSAValue | Operation],
        strides: Sequence[SSAValue | Operation],
        block_shape: Sequence[int],
        *,
        padding: PaddingOption = PaddingOption.zero,
        signed: bool = True,
    ):
        """`signed` is the signedness that the type keeps of integer elements."""
        base = SSAValue.get(base)
        if not isinstance(base.type, PtrType):
            raise VerifyException(f"operand 'base' must be ptr, but got '{base.type}'")
        descriptor = TensorDescType(base.type.pointee_type, block_shape)
        super().__init__(
            operands=[base, shape, strides],
            result_types=[descriptor.with_signedness(signed)],
            properties={"padding": i32_attr(padding)},
        )

    def verify_(self) -> None:
        # Upstream leaves this unchecked and fails later.
        assert isinstance(self.result.type, TensorDescType)
        rank = len(self.result.type.shape)
        if len(self.shape) != rank:
            raise VerifyException(
                "operands 'shape' and 'strides' must each have as many values as the block "
                f"has dimensions ({rank}), but got {len(self.shape)}"
            )


@irdl_op_definition
class DescriptorLoadOp(CachePolicyOp, OnceExperimental):
    """
    Load the block of a described tensor that begins at `indices`.

    Elements out of bounds read the descriptor's padding.
    Upstream `TT_DescriptorLoadOp`, since Triton 3.3.

    ```mlir
    %b = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
    ```

    Shapes: the result has as many elements as the block.
    """

    name = "tt.descriptor_load"

    desc = operand_def(AnyAttr())
    indices = var_operand_def(i32)
    result = result_def(TT_Tensor)

    traits = traits_def(*TENSOR_TRAITS, READ)
    SYNTAX: ClassVar = Syntax(
        "$desc `[` $indices `]` attr-dict `:` qualified(type($desc)) `->` type($result)",
        older=(
            (
                LAST_VERSION_WITHOUT_CACHE_POLICY,
                "$desc `[` $indices `]` "
                "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) "
                "attr-dict `:` qualified(type($desc)) `->` type($result)",
            ),
        ),
        since=FIRST_VERSION_OF_DESCRIPTORS,
    )

    def __init__(
        self,
        desc: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        result_type: TensorType[Attribute] | None = None,
        *,
        cache: CacheModifier = CacheModifier.none,
        evict: EvictionPolicy = EvictionPolicy.evict_normal,
    ):
        """Without `result_type` the result is the block."""
        desc = SSAValue.get(desc)
        if result_type is None:
            result_type = block_type(desc.type)
        super().__init__(
            operands=[desc, indices],
            result_types=[result_type],
            properties={"cache": i32_attr(cache), "evict": i32_attr(evict)},
        )

    def verify_(self) -> None:
        _verify_block(self.desc, self.indices, self.result)


@irdl_op_definition
class DescriptorStoreOp(OnceExperimental):
    """
    Store a block into a described tensor at `indices`; what is out of bounds is dropped.

    Upstream `TT_DescriptorStoreOp`, since Triton 3.3.

    ```mlir
    tt.descriptor_store %d[%i, %j], %b : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
    ```
    """

    name = "tt.descriptor_store"

    desc = operand_def(AnyAttr())
    src = operand_def(TT_Tensor)
    indices = var_operand_def(i32)

    traits = traits_def(*TENSOR_TRAITS, READ_WRITE)
    SYNTAX: ClassVar = Syntax(
        "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)",
        since=FIRST_VERSION_OF_DESCRIPTORS,
    )

    def __init__(
        self,
        desc: SSAValue | Operation,
        src: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(operands=[desc, src, indices])

    def verify_(self) -> None:
        _verify_block(self.desc, self.indices, self.src)


@irdl_op_definition
class DescriptorReduceOp(IRDLOperation):
    """
    Combine a block atomically with what a described tensor holds at `indices`.

    Upstream `TT_DescriptorReduceOp`, since Triton 3.4.

    ```mlir
    tt.descriptor_reduce add, %d[%i, %j], %b : !tt.tensordesc<64x32xf32>, tensor<64x32xf32>
    ```
    """

    name = "tt.descriptor_reduce"

    kind = prop_def(EnumValue(DescriptorReduceKind))
    desc = operand_def(AnyAttr())
    src = operand_def(TT_Tensor)
    indices = var_operand_def(i32)

    traits = traits_def(*TENSOR_TRAITS, READ_WRITE)
    SYNTAX: ClassVar = Syntax(
        "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` "
        "qualified(type($desc)) `,` type($src)",
        since=(3, 4),
    )
    ENUMS: ClassVar = {"kind": DescriptorReduceKind}

    def __init__(
        self,
        kind: DescriptorReduceKind,
        desc: SSAValue | Operation,
        src: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(operands=[desc, src, indices], properties={"kind": i32_attr(kind)})

    def verify_(self) -> None:
        _verify_block(self.desc, self.indices, self.src)


def block_type(descriptor: Attribute) -> TensorType[Attribute]:
    """Return the signless block type of a tensor descriptor of any kind."""
    block = getattr(descriptor, "signless_block_type", None)
    if block is None or not is_tensor(block):
        raise VerifyException(
            f"operand 'desc' must be tensor descriptor type, but got '{descriptor}'"
        )
    return block


def _verify_block(desc: SSAValue, indices: Sequence[SSAValue], value: SSAValue) -> None:
    """Check that a tensor holds a block, possibly in another shape."""
    block, tensor = block_type(desc.type), tensor_type(value.type)
    if early_rules():
        _verify_block_early(block, tensor)
        return
    if block.element_type != tensor.element_type:
        raise VerifyException(
            "descriptor block and tensor element types must match, but got descriptor "
            f"element type '{block.element_type}' and tensor element type "
            f"'{tensor.element_type}'"
        )
    if block.element_count() != tensor.element_count():
        raise VerifyException(
            "descriptor block and tensor must have the same number of elements, but got "
            f"descriptor block with {block.element_count()} elements tensor with "
            f"{tensor.element_count()} elements"
        )


def _verify_block_early(block: TensorType, tensor: TensorType) -> None:
    shape = block.get_shape()
    dropped = max(len(shape) - tensor.get_num_dims(), 0)
    if any(extent != 1 for extent in shape[:dropped]):
        raise VerifyException("ranked reduce load only allowed for unit dimension leading dim.")
    if (shape[dropped:], block.element_type) != (tensor.get_shape(), tensor.element_type):
        raise VerifyException("tensor descriptor block and tensor types must match")
