"""
Atomic accesses. Ours, not triton-shared's at 1c203ca.

`tts.atomic_rmw` and `tts.atomic_cas` go through structured pointers and access a window as
`tts.masked_load` does; `tts.unstructured_atomic_rmw` (of the name and text that Meta's fork
of triton-shared gave it) and `tts.unstructured_atomic_cas` take a base and offsets as
`tts.gather` does.
"""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xtriton.dialects.tt.constraints import (
    EnumValue,
    TT_AnyPtr,
    TT_BoolLike,
    TT_IntLike,
    TT_Tensor,
    TT_Type,
    i32_attr,
)
from xtriton.dialects.tt.enums import MemSemantic, MemSyncScope, RMWOp
from xtriton.dialects.tt.synchronization import SynchronizedOp, synchronized
from xtriton.dialects.tt.type_relations import i1_like
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.lists import INDEX_LISTS, I64Array, MixedList, split
from xtriton.dialects.tts.memory import accessed_type, verify_gathered
from xtriton.dialects.tts.windows import WINDOW_SYNTAX, WindowedOp
from xtriton.ir.syntax import Syntax, TypeRule, same_type


@irdl_op_definition
class AtomicRMWOp(SynchronizedOp, WindowedOp):
    """
    Combine a block atomically with what is in memory, and return what was there.

    Lanes outside of the window or where `mask` is false leave memory alone; their result is
    undefined. The order of lanes that meet at one address is unspecified.

    ```mlir
    %old = tts.atomic_rmw fadd, acq_rel, gpu, %p, %v from [0] to [%n] mask = %m
        : tensor<64x!tt.ptr<f32>> -> tensor<64xf32>
    ```

    Shapes: value, mask and result have that of the block.
    """

    name = "tts.atomic_rmw"

    atomic_rmw_op = prop_def(EnumValue(RMWOp))
    ptr = operand_def(TT_AnyPtr)
    value = operand_def(TT_Tensor)
    starts = var_operand_def(IndexType())
    ends = var_operand_def(IndexType())
    static_starts = prop_def(I64Array)
    static_ends = prop_def(I64Array)
    mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_Tensor)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        f"$atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $value {WINDOW_SYNTAX}"
        "(`mask` `=` $mask^)? attr-dict `:` type($ptr) `->` type($result)"
    )
    TYPES: ClassVar = (
        TypeRule("result", "ptr", accessed_type),
        *same_type("result", "value"),
        TypeRule("mask", "result", i1_like),
    )
    ENUMS: ClassVar = {"atomic_rmw_op": RMWOp, **SynchronizedOp.ENUMS}
    DIRECTIVES: ClassVar = INDEX_LISTS

    def __init__(
        self,
        op: RMWOp,
        ptr: SSAValue | Operation,
        value: SSAValue | Operation,
        starts: MixedList = (),
        ends: MixedList = (),
        mask: SSAValue | Operation | None = None,
        *,
        sem: MemSemantic = MemSemantic.acq_rel,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        value = SSAValue.get(value)
        static_starts, dynamic_starts = split(starts)
        static_ends, dynamic_ends = split(ends)
        super().__init__(
            operands=[ptr, value, dynamic_starts, dynamic_ends, mask],
            result_types=[value.type],
            properties={
                "atomic_rmw_op": i32_attr(op),
                **synchronized(sem, scope),
                "static_starts": static_starts,
                "static_ends": static_ends,
            },
        )


@irdl_op_definition
class AtomicCASOp(SynchronizedOp):
    """
    Where memory holds `cmp`, replace it by `value`, lane by lane; return what was there.

    ```mlir
    %old = tts.atomic_cas acq_rel, gpu, %p, %c, %v : tensor<64x!tt.ptr<i32>> -> tensor<64xi32>
    ```

    Shapes: cmp, value and result have that of the block. As in `tt.atomic_cas`, there is no
    mask.
    """

    name = "tts.atomic_cas"

    ptr = operand_def(TT_AnyPtr)
    cmp = operand_def(TT_Tensor)
    value = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr `,` $cmp `,` $value attr-dict `:` type($ptr) `->` type($result)"
    )
    TYPES: ClassVar = (
        TypeRule("result", "ptr", accessed_type),
        *same_type("result", "cmp", "value"),
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        cmp: SSAValue | Operation,
        value: SSAValue | Operation,
        *,
        sem: MemSemantic = MemSemantic.acq_rel,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        value = SSAValue.get(value)
        super().__init__(
            operands=[ptr, cmp, value],
            result_types=[value.type],
            properties=synchronized(sem, scope),
        )


@irdl_op_definition
class UnstructuredAtomicRMWOp(SynchronizedOp):
    """
    Combine values atomically with what is at `ptr + offset`, and return what was there.

    Where `mask` is false memory is left alone and the result is undefined.

    ```mlir
    %old = tts.unstructured_atomic_rmw fadd, acq_rel, gpu, %base[%offsets], %v (mask = %m)
        : (<f32>, tensor<64xi32>, tensor<64xf32>) -> tensor<64xf32>
    ```

    Shapes: value, mask and result have that of `offset`, a scalar or a tensor.
    """

    name = "tts.unstructured_atomic_rmw"

    atomic_rmw_op = prop_def(EnumValue(RMWOp))
    ptr = operand_def(PtrType)
    offset = operand_def(TT_IntLike)
    value = operand_def(TT_Type)
    mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_Type)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        "$atomic_rmw_op `,` $sem `,` $scope `,` $ptr `[` $offset `]` `,` $value "
        "(`(` `mask` `=` $mask^ `)`)? attr-dict "
        "`:` `(` type($ptr) `,` type($offset) `,` type($value) `)` `->` type($result)"
    )
    TYPES: ClassVar = (
        TypeRule("mask", "offset", i1_like),
        *same_type("result", "value"),
    )
    ENUMS: ClassVar = {"atomic_rmw_op": RMWOp, **SynchronizedOp.ENUMS}

    def verify_(self) -> None:
        verify_gathered(self.ptr, self.offset, self.value, "value")


@irdl_op_definition
class UnstructuredAtomicCASOp(SynchronizedOp):
    """
    Where `ptr + offset` holds `cmp`, replace it by `value`; return what was there.

    ```mlir
    %old = tts.unstructured_atomic_cas acq_rel, gpu, %base[%offsets], %c, %v
        : (<i32>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    ```

    Shapes: cmp, value and result have that of `offset`, a scalar or a tensor.
    """

    name = "tts.unstructured_atomic_cas"

    ptr = operand_def(PtrType)
    offset = operand_def(TT_IntLike)
    cmp = operand_def(TT_Type)
    value = operand_def(TT_Type)
    result = result_def(TT_Type)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr `[` $offset `]` `,` $cmp `,` $value attr-dict "
        "`:` `(` type($ptr) `,` type($offset) `,` type($value) `)` `->` type($result)"
    )
    TYPES: ClassVar = same_type("value", "cmp", "result")

    def verify_(self) -> None:
        verify_gathered(self.ptr, self.offset, self.value, "value")
