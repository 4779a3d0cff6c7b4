"""
Loads and stores through pointers.

Upstream: "Load/Store Ops" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from xtriton.dialects.tt.cache_policy import (
    LAST_VERSION_OF_BLOCK_POINTERS,
    LAST_VERSION_WITHOUT_CACHE_POLICY,
    NO_CHECKS,
    CachePolicyOp,
)
from xtriton.dialects.tt.constraints import (
    FALSE,
    BoolValue,
    EnumValue,
    I32Array,
    TT_AnyPtr,
    TT_BoolLike,
    TT_Type,
    bool_attr,
    i32_attr,
)
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy, PaddingOption
from xtriton.dialects.tt.hooks import Canonicalizes
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    ChecksDimensions,
    GlobalEffects,
    GlobalMemory,
    SameOperandsAndResultEncoding,
    SameOperandsAndResultShape,
    SameOperandsEncoding,
    SameOperandsShape,
)
from xtriton.dialects.tt.type_relations import mask_type, pointee_type
from xtriton.ir.syntax import Syntax, TypeRule


class LoadEffects(MemoryEffect):
    """Reads global memory; a volatile load also counts as a write of everything."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        assert isinstance(op, LoadOp)
        read = EffectInstance(MemoryEffectKind.READ, op.ptr, GlobalMemory())
        if op.isVolatile.value.data:
            return frozenset((read, EffectInstance(MemoryEffectKind.WRITE)))
        return frozenset((read,))


@irdl_op_definition
class LoadOp(CachePolicyOp):
    """
    Load from a pointer, from each pointer of a tensor, or through a block pointer.

    Where `mask` is false nothing is read; the value there is that of `other`, or undefined
    without it. `boundaryCheck` (the dimensions to check) and `padding` (what is read out of
    bounds) belong to block pointers, which Triton has up to 3.7. Since 3.9 the two cache
    hints are written as one attribute, `cachePolicy`; here they stay apart, and
    `cachePolicy` is kept only where the two cannot say the same.
    Upstream `TT_LoadOp`.

    ```mlir
    %v = tt.load %ptr, %mask, %other evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
    %b = tt.load %block {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
        : !tt.ptr<tensor<64x32xf16>>
    ```

    Shapes: mask, other and result have that of `ptr`, or of the block it points to.
    """

    name = "tt.load"

    ptr = operand_def(TT_AnyPtr)
    mask = opt_operand_def(TT_BoolLike)
    other = opt_operand_def(TT_Type)
    boundaryCheck = prop_def(I32Array, default_value=NO_CHECKS)
    padding = opt_prop_def(EnumValue(PaddingOption))
    isVolatile = prop_def(BoolValue, default_value=FALSE)
    result = result_def(TT_Type)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(
        *TENSOR_TRAITS,
        SameOperandsAndResultShape(),
        SameOperandsAndResultEncoding(),
        ChecksDimensions(),
        LoadEffects(),
        Canonicalizes("xtriton.transforms.cleanup.canonicalization.tt:LOAD_PATTERNS"),
    )

    SYNTAX: ClassVar = Syntax(
        "$ptr (`,` $mask^)? (`,` $other^)? attr-dict `:` type($ptr)",
        older=(
            (
                LAST_VERSION_WITHOUT_CACHE_POLICY,
                "$ptr (`,` $mask^)? (`,` $other^)? "
                "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) "
                "attr-dict `:` type($ptr)",
            ),
        ),
        attributes_until={
            "boundaryCheck": LAST_VERSION_OF_BLOCK_POINTERS,
            "padding": LAST_VERSION_OF_BLOCK_POINTERS,
        },
    )
    TYPES: ClassVar = (
        TypeRule("result", "ptr", pointee_type),
        TypeRule("mask", "ptr", mask_type),
        TypeRule("other", "ptr", pointee_type),
    )
    ENUMS: ClassVar = {**CachePolicyOp.ENUMS, "padding": PaddingOption}

    def __init__(
        self,
        ptr: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        other: SSAValue | Operation | None = None,
        *,
        boundary_check: Sequence[int] = (),
        padding: PaddingOption | None = None,
        cache: CacheModifier = CacheModifier.none,
        evict: EvictionPolicy = EvictionPolicy.evict_normal,
        is_volatile: bool = False,
    ):
        ptr = SSAValue.get(ptr)
        super().__init__(
            operands=[ptr, mask, other],
            result_types=[pointee_type(ptr.type)],
            properties={
                "boundaryCheck": DenseArrayBase.from_list(i32, boundary_check),
                "padding": None if padding is None else i32_attr(padding),
                "cache": i32_attr(cache),
                "evict": i32_attr(evict),
                "isVolatile": bool_attr(is_volatile),
            },
        )


@irdl_op_definition
class StoreOp(CachePolicyOp):
    """
    Store to a pointer, to each pointer of a tensor, or through a block pointer.

    Where `mask` is false nothing is written. `boundaryCheck` belongs to block pointers (up
    to Triton 3.7). `ignore_cta` (since 3.8) lets every CTA of a cluster store, also those
    that hold copies. For `cachePolicy` see `tt.load`.
    Upstream `TT_StoreOp`.

    ```mlir
    tt.store %ptr, %value, %mask cacheModifier = wb : tensor<128x!tt.ptr<f32>>
    ```

    Shapes: value and mask have that of `ptr`, or of the block it points to.
    """

    name = "tt.store"

    ptr = operand_def(TT_AnyPtr)
    value = operand_def(TT_Type)
    mask = opt_operand_def(TT_BoolLike)
    boundaryCheck = prop_def(I32Array, default_value=NO_CHECKS)
    ignore_cta = opt_prop_def(UnitAttr)

    traits = traits_def(
        *TENSOR_TRAITS,
        SameOperandsShape(),
        SameOperandsEncoding(),
        ChecksDimensions(),
        GlobalEffects(write="ptr"),
        Canonicalizes("xtriton.transforms.cleanup.canonicalization.tt:STORE_PATTERNS"),
    )

    SYNTAX: ClassVar = Syntax(
        "$ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)",
        older=(
            (
                LAST_VERSION_WITHOUT_CACHE_POLICY,
                "$ptr `,` $value (`,` $mask^)? "
                "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) "
                "attr-dict `:` type($ptr)",
            ),
        ),
        attributes_until={"boundaryCheck": LAST_VERSION_OF_BLOCK_POINTERS},
        attributes_since={"ignore_cta": (3, 8)},
    )
    TYPES: ClassVar = (
        TypeRule("value", "ptr", pointee_type),
        TypeRule("mask", "ptr", mask_type),
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        value: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        boundary_check: Sequence[int] = (),
        cache: CacheModifier = CacheModifier.none,
        evict: EvictionPolicy = EvictionPolicy.evict_normal,
        ignore_cta: bool = False,
    ):
        super().__init__(
            operands=[ptr, value, mask],
            properties={
                "boundaryCheck": DenseArrayBase.from_list(i32, boundary_check),
                "cache": i32_attr(cache),
                "evict": i32_attr(evict),
                "ignore_cta": UnitAttr() if ignore_cta else None,
            },
        )
