"""
Shuffles, conversions, reductions and numbers of sub-groups. Upstream: `TritonGENOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, i32
from xdsl.ir import Operation
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.triton_gen.attributes import (
    ReduceKind,
    ScanKind,
)
from xtriton.dialects.triton_gen.subgroup_memory import LAST_VERSION_OF_SIMD_NAMES
from xtriton.dialects.triton_gen.vectors import AnyVector, bits_of
from xtriton.dialects.tt.constraints import EnumValue, I32Value, TypeClass
from xtriton.dialects.ttg.parameters import is_power_of_two
from xtriton.dialects.utils.tensors import is_vector
from xtriton.ir.syntax import Syntax, same_type
from xtriton.ir.versions import Version, release

_TARGET_NEEDED_UNTIL: Version = (3, 2)

Float = TypeClass(
    "32-bit float or LLVM dialect-compatible vector of 32-bit float",
    lambda t: isinstance(t.element_type if is_vector(t) else t, Float32Type),
)


@irdl_op_definition
class SubGroupBitcastShuffleOp(IRDLOperation):
    """
    Read the registers of a sub-group as elements of another width.

    Upstream `TritonGEN_SubGroupBitcastShuffleOp`.

    ```mlir
    %r = triton_gen.sub_group_bitcast_shuffle %v : vector<8xi16> -> vector<4xi32>
    ```
    """

    name = "triton_gen.sub_group_bitcast_shuffle"

    value = operand_def(AnyVector)
    result = result_def(AnyVector)

    SYNTAX: ClassVar = Syntax("$value attr-dict `:` type($value) `->` type($result)", since=(3, 8))

    def verify_(self) -> None:
        if bits_of(self.value.type) != bits_of(self.result.type):
            raise VerifyException("input and result must have the same total number of bits")


@irdl_op_definition
class FToTf32Op(IRDLOperation):
    """
    Round floats to the precision of tf32. Upstream `TritonGEN_FToTf32Op`.

    ```mlir
    %r = triton_gen.f_to_tf32 %x : f32
    ```
    """

    name = "triton_gen.f_to_tf32"

    val = operand_def(Float)
    res = result_def(Float)

    SYNTAX: ClassVar = Syntax("$val attr-dict `:` type($val)", since=(3, 3))
    TYPES: ClassVar = same_type("val", "res")


@irdl_op_definition
class SubGroupReduceOp(IRDLOperation):
    """
    Reduce over groups of `size` work items (Triton 3.1). Upstream `TritonGEN_SubGroupReduceOp`.

    ```mlir
    %r = triton_gen.sub_group_reduce add %x {size = 16} : i32
    ```
    """

    name = "triton_gen.sub_group_reduce"

    value = operand_def(AnyAttr())
    kind = prop_def(EnumValue(ReduceKind))
    size = prop_def(I32Value)
    res = result_def(AnyAttr())

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax(
        "$kind $value ` ` `{` `size` `=` $size `}` attr-dict `:` type($value)",
        until=LAST_VERSION_OF_SIMD_NAMES,
    )
    TYPES: ClassVar = same_type("value", "res")
    ENUMS: ClassVar = {"kind": ReduceKind}

    def verify_(self) -> None:
        if release() <= _TARGET_NEEDED_UNTIL and not _has_target(self):
            raise VerifyException("expecting valid target env attribute")
        if not is_power_of_two(self.size.value.data):
            raise VerifyException("expecting size to be a power of 2 between 1 and subgroup size")


def _has_target(op: Operation) -> bool:
    """Whether an op around, or the op itself, names the SPIR-V target."""
    around: Operation | None = op
    while around is not None and "spirv.target_env" not in around.attributes:
        around = around.parent_op()
    return around is not None


@irdl_op_definition
class SubGroupScanOp(IRDLOperation):
    """
    Scan over a sub-group (Triton 3.1). Upstream `TritonGEN_SubGroupScanOp`.

    ```mlir
    %r = triton_gen.sub_group_scan add %x {kind = exclusive} : i32
    ```
    """

    name = "triton_gen.sub_group_scan"

    value = operand_def(AnyAttr())
    reduce_kind = prop_def(EnumValue(ReduceKind))
    scan_kind = prop_def(EnumValue(ScanKind))
    res = result_def(AnyAttr())

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax(
        "$reduce_kind $value ` ` `{` `kind` `=` $scan_kind `}` attr-dict `:` type($value)",
        until=LAST_VERSION_OF_SIMD_NAMES,
    )
    TYPES: ClassVar = same_type("value", "res")
    ENUMS: ClassVar = {"reduce_kind": ReduceKind, "scan_kind": ScanKind}


@irdl_op_definition
class SubgroupIdOp(IRDLOperation):
    """
    The number of the sub-group (Triton 3.1). Upstream `TritonGEN_SubgroupIdOp`.

    ```mlir
    %i = triton_gen.subgroup.id : i32
    ```
    """

    name = "triton_gen.subgroup.id"

    res = result_def(i32)

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($res)", until=LAST_VERSION_OF_SIMD_NAMES)


@irdl_op_definition
class SubgroupLocalIdOp(IRDLOperation):
    """
    The number of the work item in its sub-group (Triton 3.1).

    Upstream `TritonGEN_SubgroupLocalIdOp`.

    ```mlir
    %i = triton_gen.subgroup.local.id : i32
    ```
    """

    name = "triton_gen.subgroup.local.id"

    res = result_def(i32)

    traits = traits_def(Pure())

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($res)", until=LAST_VERSION_OF_SIMD_NAMES)
