"""
Memory accesses of a sub-group: blocks, predicates, gathers.

Upstream: `TritonGENOps.td`.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import IntegerType, VectorType, i1, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen.attributes import (
    LoadCacheControl,
    StoreCacheControl,
)
from xtriton.dialects.triton_gen.types import BlockData, Pointer
from xtriton.dialects.triton_gen.vectors import AnyVector, bits_of
from xtriton.dialects.tt.constraints import EnumValue, TypeClass, bit_width, i32_attr
from xtriton.dialects.ttg.context import launch_context
from xtriton.dialects.utils.effects import OperandEffects
from xtriton.dialects.utils.tensors import is_vector
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, version_text

LAST_VERSION_OF_SIMD_NAMES: Version = (3, 2)

LAST_VERSION_OF_ALIGNMENT: Version = (3, 7)


@irdl_op_definition
class SubGroupBlockReadOp(IRDLOperation):
    """
    Each work item loads its part of a contiguous block, interleaved with the others.

    Upstream `TritonGEN_SubGroupBlockReadOp`.

    ```mlir
    %v = triton_gen.sub_group_block_read %p : !llvm.ptr<3> -> vector<8xi16>
    ```
    """

    name = "triton_gen.sub_group_block_read"

    ptr = operand_def(Pointer)
    res = result_def(BlockData)

    traits = traits_def(OperandEffects(read="ptr"))

    SYNTAX: ClassVar = Syntax(
        "$ptr attr-dict `:` qualified(type($ptr)) `->` type($res)", since=(3, 3)
    )


@irdl_op_definition
class SubGroupBlockWriteOp(IRDLOperation):
    """
    Each work item stores its part of a contiguous block, interleaved with the others.

    Upstream `TritonGEN_SubGroupBlockWriteOp`.

    ```mlir
    triton_gen.sub_group_block_write %p, %v : !llvm.ptr<3>, vector<8xi16>
    ```
    """

    name = "triton_gen.sub_group_block_write"

    ptr = operand_def(Pointer)
    val = operand_def(BlockData)

    traits = traits_def(OperandEffects(write="ptr"))

    SYNTAX: ClassVar = Syntax(
        "$ptr `,` $val attr-dict `:` qualified(type($ptr)) `,` type($val)", since=(3, 3)
    )


@irdl_op_definition
class SIMDBlockReadOp(IRDLOperation):
    """
    A block read of Triton 3.1 and 3.2. Upstream `TritonGEN_SIMDBlockReadOp`.

    ```mlir
    %v = triton_gen.simdblockread %p : (!llvm.ptr) -> vector<64xi16>
    ```
    """

    name = "triton_gen.simdblockread"

    ptr = operand_def(Pointer)
    res = result_def(AnyVector)

    traits = traits_def(OperandEffects(read="ptr"))

    SYNTAX: ClassVar = Syntax(
        "operands ` ` attr-dict `:` functional-type(operands, results)",
        until=LAST_VERSION_OF_SIMD_NAMES,
    )

    def verify_(self) -> None:
        _verify_simd_block(self.res.type)


@irdl_op_definition
class SIMDBlockWriteOp(IRDLOperation):
    """
    A block write of Triton 3.1 and 3.2. Upstream `TritonGEN_SIMDBlockWriteOp`.

    ```mlir
    triton_gen.simdblockwrite %p, %v : (!llvm.ptr, vector<64xi16>)
    ```
    """

    name = "triton_gen.simdblockwrite"

    ptr = operand_def(Pointer)
    val = operand_def(AnyVector)

    traits = traits_def(OperandEffects(write="ptr"))

    SYNTAX: ClassVar = Syntax(
        "operands ` ` attr-dict `:` `(` type(operands) `)`", until=LAST_VERSION_OF_SIMD_NAMES
    )

    def verify_(self) -> None:
        _verify_simd_block(self.val.type)


def _verify_simd_block(type: Attribute) -> None:
    assert is_vector(type)
    width = bit_width(type.element_type)
    lanes = bits_of(type) // width
    if lanes not in (1, 2, 4, 8) and (width != 8 or lanes != 16):
        raise VerifyException("unsupported vector type")


class _PredicatedOp(IRDLOperation):
    """An access under a predicate; releases up to `LAST_VERSION_OF_ALIGNMENT` state an alignment."""

    if TYPE_CHECKING:
        alignment: Any

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes as `version` writes them."""
        old = version <= LAST_VERSION_OF_ALIGNMENT
        if old != (self.alignment is not None):
            raise UserError(
                f"'{self.name}' {'without' if old else 'with'} an alignment cannot be written in "
                f"the syntax of Triton {version_text(version)}"
            )
        return self.properties | self.attributes


@irdl_op_definition
class PredicatedLoadOp(_PredicatedOp):
    """
    Load if `predicate` holds, else take `default_value`.

    Up to Triton 3.7 the alignment is an operand and there is no cache control.
    Upstream `TritonGEN_PredicatedLoadOp`.

    ```mlir
    %v = triton_gen.predicated_load %p, %c, %d {cache_control = Default} : (!llvm.ptr<1>, i1, i32) -> i32
    ```
    """

    name = "triton_gen.predicated_load"

    ptr = operand_def(Pointer)
    alignment = opt_operand_def(i64)
    predicate = operand_def(i1)
    default_value = operand_def(AnyAttr())
    cache_control = prop_def(
        EnumValue(LoadCacheControl), default_value=i32_attr(LoadCacheControl.Default)
    )
    res = result_def(AnyAttr())

    traits = traits_def(OperandEffects(read="ptr"))

    SYNTAX: ClassVar = Syntax(
        "operands ` ` `{` `cache_control` `=` $cache_control `}` attr-dict `:` "
        "functional-type(operands, results)",
        older=(
            (
                LAST_VERSION_OF_ALIGNMENT,
                "$ptr `,` $alignment `,` $predicate `,` $default_value attr-dict `:` "
                "qualified(type($ptr)) `,` type($alignment) `,` type($predicate) `,` "
                "type($default_value) `->` type($res)",
            ),
        ),
        since=(3, 5),
    )
    ENUMS: ClassVar = {"cache_control": LoadCacheControl}


@irdl_op_definition
class PredicatedStoreOp(_PredicatedOp):
    """
    Store if `predicate` holds; see `triton_gen.predicated_load`.

    Upstream `TritonGEN_PredicatedStoreOp`.

    ```mlir
    triton_gen.predicated_store %p, %v, %c {cache_control = Default} : (!llvm.ptr<1>, i32, i1) -> ()
    ```
    """

    name = "triton_gen.predicated_store"

    ptr = operand_def(Pointer)
    value = operand_def(AnyAttr())
    alignment = opt_operand_def(i64)
    predicate = operand_def(i1)
    cache_control = prop_def(
        EnumValue(StoreCacheControl), default_value=i32_attr(StoreCacheControl.Default)
    )

    traits = traits_def(OperandEffects(write="ptr"))

    SYNTAX: ClassVar = Syntax(
        "operands ` ` `{` `cache_control` `=` $cache_control `}` attr-dict `:` "
        "functional-type(operands, results)",
        older=(
            (
                LAST_VERSION_OF_ALIGNMENT,
                "$ptr `,` $value `,` $alignment `,` $predicate attr-dict `:` "
                "qualified(type($ptr)) `,` type($value) `,` type($alignment) `,` "
                "type($predicate)",
            ),
        ),
        since=(3, 5),
    )
    ENUMS: ClassVar = {"cache_control": StoreCacheControl}


def _gathered(element: IntegerType) -> TypeClass:
    """Return the constraint of one value for each of the 32 addresses of a gathering load."""
    width = element.width.data
    return TypeClass(
        f"fixed-length vector of {width}-bit signless integer values of length 32",
        lambda t: t == VectorType(element, [32]),
    )


@irdl_op_definition
class SubGroupGatherLoadOp(IRDLOperation):
    """
    Load from 32 addresses that all work items of a sub-group share.

    Upstream `TritonGEN_SubGroupGatherLoadOp`.

    ```mlir
    %v = triton_gen.sub_group_gather_load %addrs, %preds : (vector<32xi64>, vector<32xi1>) -> vector<4xi32>
    ```
    """

    name = "triton_gen.sub_group_gather_load"

    addrs = operand_def(_gathered(i64))
    preds = operand_def(_gathered(i1))
    res = result_def(
        TypeClass(
            "fixed-length vector of integer or floating-point values",
            lambda t: isinstance(t, VectorType),
        )
    )

    SYNTAX: ClassVar = Syntax(
        "$addrs `,` $preds attr-dict `:` functional-type(operands, results)", since=(3, 8)
    )

    def verify_(self) -> None:
        assert is_vector(self.res.type)
        if bit_width(self.res.type.element_type) not in (8, 16, 32, 64):
            raise VerifyException("expects result element bit width to be 8, 16, 32, or 64")
        threads = launch_context(self).threads_per_warp
        if threads is None:
            return
        bits = bits_of(self.res.type) * threads
        if bits % 256:
            raise VerifyException("expects result_bits * subgroup_size to be divisible by 256")
        if bits // 256 > 8:
            raise VerifyException("expects each gather address to load at most 8 bytes")
