"""
Ops on tensors in registers and other ops without a family.

Upstream: `TritonGPUOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Value,
    TT_FloatTensor,
    TT_Tensor,
    TypeClass,
    is_int_of,
)
from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.dialects.tt.traits import (
    EffectsUnlessPure,
    GlobalMemory,
    SameOperandsAndResultElementType,
    SameOperandsAndResultShape,
)
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.interfaces import (
    DistributedEncoding,
    LayoutEncoding,
    inference,
    linear_layouts,
)
from xtriton.dialects.utils.effects import Allocates
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules, release

_LAST_RELEASE_OF_ANY_SHUFFLE: Version = (3, 8)

I8Tensor = TypeClass("8-bit signless integer", is_int_of(8)).tensor


@irdl_op_definition
class ConvertLayoutOp(IRDLOperation):
    """
    The same tensor, its elements in other threads and registers.

    `force_warp_shuffle` promises that no element leaves its warp.
    Upstream `TTG_ConvertLayoutOp`.

    ```mlir
    %y = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #blocked1>
    ```

    Shapes: operand and result have the same.
    """

    name = "ttg.convert_layout"

    src = operand_def(TT_Tensor)
    force_warp_shuffle = opt_prop_def(UnitAttr)
    result = result_def(TT_Tensor)

    traits = traits_def(
        *GPU_TRAITS,
        SameOperandsAndResultShape(),
        SameOperandsAndResultElementType(),
        Pure(),
    )

    SYNTAX: ClassVar = Syntax(
        "$src attr-dict `:` type($src) `->` type($result)",
        attributes_since={"force_warp_shuffle": (3, 9)},
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        result_type: Attribute,
        *,
        force_warp_shuffle: bool = False,
    ):
        # By the plain constructor: passes make thousands, and xDSL's looks for variadic operands.
        Operation.__init__(
            self,
            operands=[SSAValue.get(src)],
            result_types=[result_type],
            properties={"force_warp_shuffle": UnitAttr()} if force_warp_shuffle else {},
        )

    def verify_(self) -> None:
        if self.force_warp_shuffle is None or release() <= _LAST_RELEASE_OF_ANY_SHUFFLE:
            return
        if not linear_layouts().stays_in_warps(self.src.type, self.result.type):
            raise VerifyException("force_warp_shuffle requires a conversion within one warp")


@irdl_op_definition
class Fp4ToFpOp(IRDLOperation):
    """
    Unpack pairs of 4-bit floats (e2m1) along `axis`, the low half of each byte first.

    Upstream `TTG_Fp4ToFpOp`.

    ```mlir
    %y = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #blocked1>
    ```

    Shapes: the result has twice as many elements along `axis`.
    """

    name = "ttg.fp4_to_fp"

    src = operand_def(I8Tensor)
    axis = prop_def(I32Value)
    result = result_def(TT_FloatTensor)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($src) `->` type($result)", since=(3, 3))

    def verify_(self) -> None:
        source, result = self.src.type, self.result.type
        assert is_tensor(source) and is_tensor(result)
        if not isinstance(result.element_type, Float16Type | BFloat16Type):
            raise VerifyException(
                f"only bf16 or f16 is supported for now, got {result.element_type}"
            )
        before, after = source.get_shape(), result.get_shape()
        if len(before) != len(after):
            raise VerifyException(f"source rank {len(before)} != result rank {len(after)}")
        axis = self.axis.value.data
        if not 0 <= axis < len(before):
            raise VerifyException(f"axis {axis} out of range for rank {len(before)}")
        for dim, (a, b) in enumerate(zip(before, after, strict=True)):
            if dim == axis and b != 2 * a:
                raise VerifyException(
                    f"axis {axis} dimension must be 2x source dimension (src={a}, dst={b})"
                )
            if dim != axis and a != b:
                raise VerifyException(f"dimension {dim} mismatch (src={a}, dst={b}, axis={axis})")
        if not early_rules():
            _verify_unpacked(source, result, axis)


def _verify_unpacked(
    source: TensorType[Attribute], result: TensorType[Attribute], axis: int
) -> None:
    """Check that a thread has the pairs that the elements of its result come from."""
    given, encoding = source.encoding, result.encoding
    if isinstance(given, NoneAttr) != isinstance(encoding, NoneAttr):
        raise VerifyException("source and result must both have an encoding, or neither")
    if not isinstance(encoding, DistributedEncoding):
        return
    wanted = inference().packed_encoding(encoding, result.get_shape(), axis)
    if wanted is None:
        raise VerifyException("failed to infer encoding")
    if isinstance(wanted, LayoutEncoding) and not wanted.is_equivalent(given, source.get_shape()):
        raise VerifyException(
            f"Src and Dst encodings are not compatible: expected {wanted}, but got {given}"
        )


@irdl_op_definition
class UpcastMXFPOp(IRDLOperation):
    """
    Convert microscaling floats to bf16, each times its scale (Triton 3.2 only).

    Upstream `TTG_UpcastMXFPOp`. `fp_type` is a `ScaleDotElemType`.

    ```mlir
    %y = triton_gpu.upcast_mxfp %x, %scale fp_type = e2m1 : tensor<64x32xi8, #blocked>, tensor<64x2xi8, #blocked> -> tensor<64x64xbf16, #blocked>
    ```
    """

    name = "ttg.upcast_mxfp"

    src = operand_def(TT_Tensor)
    scale = operand_def(TT_Tensor)
    fp_type = prop_def(EnumValue(ScaleDotElemType))
    fastMath = opt_prop_def(BoolValue)
    result = result_def(TT_Tensor)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$src `,` $scale `fp_type` `=` $fp_type attr-dict `:` type($src) `,` type($scale) "
        "`->` type($result)",
        since=(3, 2),
        until=(3, 2),
    )
    ENUMS: ClassVar = {"fp_type": ScaleDotElemType}


@irdl_op_definition
class WarpIdOp(IRDLOperation):
    """
    The number of the warp within the CTA.

    `omitUniformHint` keeps the NVIDIA backend from making the value uniform by a shuffle.
    Upstream `TTG_WarpIdOp`.

    ```mlir
    %warp = ttg.warp_id
    ```
    """

    name = "ttg.warp_id"

    omitUniformHint = opt_prop_def(UnitAttr)
    result = result_def(i32)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 7))


@irdl_op_definition
class GlobalScratchAllocOp(IRDLOperation):
    """
    Allocate `nbytes` of global memory for this program alone.

    `third_party_allocation` (3.8) and `backend` (3.7) say who provides the memory;
    `shared_cluster_state` that a cluster shares it. Upstream `TTG_GlobalScratchAllocOp`.

    ```mlir
    %p = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 512 : i32} : !tt.ptr<i8>
    ```
    """

    name = "ttg.global_scratch_alloc"

    nbytes = prop_def(I32Value)
    alignment = prop_def(I32Value)
    third_party_allocation = opt_prop_def(UnitAttr)
    shared_cluster_state = opt_prop_def(UnitAttr)
    backend = opt_prop_def(StringAttr)
    result = result_def(PtrType)

    traits = traits_def(*GPU_TRAITS, Allocates(GlobalMemory()))

    SYNTAX: ClassVar = Syntax(
        "attr-dict `:` qualified(type($result))",
        since=(3, 3),
        attributes_since={
            "third_party_allocation": (3, 8),
            "shared_cluster_state": (3, 9),
            "backend": (3, 7),
        },
        attributes_until={"backend": (3, 7)},
    )


@irdl_op_definition
class InlineAsmOp(IRDLOperation):
    """
    A piece of assembly that each thread runs once, on scalars (since Triton 3.9).

    Upstream `TTG_InlineAsmOp`. Unless `pure`, it may read and write anything.

    ```mlir
    %r = ttg.inline_asm "mov.u32 $0, $1;" {constraints = "=r,r", pure = true} %x : (i32) -> i32
    ```
    """

    name = "ttg.inline_asm"

    asm_string = prop_def(StringAttr)
    constraints = prop_def(StringAttr)
    pure = prop_def(BoolValue)
    args = var_operand_def(AnyAttr())
    result = var_result_def(AnyAttr())

    traits = traits_def(*GPU_TRAITS, EffectsUnlessPure())

    SYNTAX: ClassVar = Syntax(
        "$asm_string attr-dict ($args^)? `:` functional-type(operands, results)", since=(3, 9)
    )
