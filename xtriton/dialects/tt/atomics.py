"""
Atomic accesses.

Upstream: "Atomic Ops" of `TritonOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    EnumValue,
    TT_BoolLike,
    TT_Int,
    TT_Ptr,
    TT_PtrLike,
    TT_Type,
    bit_width,
    i32_attr,
)
from xtriton.dialects.tt.enums import MemSemantic, MemSyncScope, RMWOp
from xtriton.dialects.tt.synchronization import SynchronizedOp, synchronized
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    GlobalEffects,
    SameOperandsAndResultEncoding,
    SameOperandsAndResultShape,
    SameOperandsEncoding,
    SameOperandsShape,
)
from xtriton.dialects.tt.type_relations import i1_like, mask_type, pointee_type, pointer_to
from xtriton.ir.syntax import Syntax, TypeRule

_ATOMIC_TRAITS = (
    *TENSOR_TRAITS,
    SameOperandsAndResultShape(),
    SameOperandsAndResultEncoding(),
    GlobalEffects(read="ptr", write="ptr"),
)


def _verify_semantics(op: SynchronizedOp, first: MemSemantic, second: MemSemantic) -> None:
    if op.sem.value.data not in (first, second):
        raise VerifyException(f"only supports {first.keyword} and {second.keyword} semantics")


@irdl_op_definition
class AtomicRMWOp(SynchronizedOp):
    """
    Combine `val` with what is in memory, element by element, and return what was there.

    Where `mask` is false memory is left alone and the result is undefined.
    Upstream `TT_AtomicRMWOp`.

    ```mlir
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m
        : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
    ```
    """

    name = "tt.atomic_rmw"

    atomic_rmw_op = prop_def(EnumValue(RMWOp))
    ptr = operand_def(TT_PtrLike)
    val = operand_def(TT_Type)
    mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_Type)

    traits = traits_def(*_ATOMIC_TRAITS)
    SYNTAX: ClassVar = Syntax(
        "$atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? "
        "attr-dict `:` functional-type(operands, $result)"
    )
    TYPES: ClassVar = (
        TypeRule("ptr", "val", pointer_to),
        TypeRule("mask", "val", i1_like),
    )
    ENUMS: ClassVar = {"atomic_rmw_op": RMWOp, **SynchronizedOp.ENUMS}

    def __init__(
        self,
        op: RMWOp,
        ptr: SSAValue | Operation,
        val: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        sem: MemSemantic = MemSemantic.acq_rel,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        val = SSAValue.get(val)
        super().__init__(
            operands=[ptr, val, mask],
            result_types=[val.type],
            properties={
                "atomic_rmw_op": i32_attr(op),
                **synchronized(sem, scope),
            },
        )


@irdl_op_definition
class AtomicCASOp(SynchronizedOp):
    """
    Where memory holds `cmp`, replace it by `val`; return what was there.

    Upstream `TT_AtomicCASOp`.

    ```mlir
    %old = tt.atomic_cas acq_rel, gpu, %p, %c, %v : (!tt.ptr<i32>, i32, i32) -> i32
    ```
    """

    name = "tt.atomic_cas"

    ptr = operand_def(TT_PtrLike)
    cmp = operand_def(TT_Type)
    val = operand_def(TT_Type)
    result = result_def(TT_Type)

    traits = traits_def(*_ATOMIC_TRAITS)
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr `,` $cmp `,` $val "
        "attr-dict `:` functional-type(operands, $result)"
    )
    TYPES: ClassVar = (
        TypeRule("ptr", "cmp", pointer_to, "ptr type matches cmp type"),
        TypeRule("ptr", "val", pointer_to, "ptr type matches value type"),
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        cmp: SSAValue | Operation,
        val: SSAValue | Operation,
        *,
        sem: MemSemantic = MemSemantic.acq_rel,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        cmp = SSAValue.get(cmp)
        super().__init__(
            operands=[ptr, cmp, val],
            result_types=[cmp.type],
            properties=synchronized(sem, scope),
        )


@irdl_op_definition
class AtomicPollOp(SynchronizedOp):
    """
    Read an integer again and again until it is `expected`, or `timeout` runs out.

    One thread reads, the others wait; with `acquire` a fence follows the last read. The
    result says whether the value was seen. Upstream `TT_AtomicPollOp`, since Triton 3.9.

    ```mlir
    %ok = tt.atomic_poll acquire, gpu, %p, %v timeout %t : !tt.ptr<i32>, i32 -> i1
    ```
    """

    name = "tt.atomic_poll"

    ptr = operand_def(TT_Ptr)
    expected = operand_def(TT_Int)
    timeout = opt_operand_def(i64)
    result = result_def(i1)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(read="ptr", write="ptr"))
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict "
        "`:` qualified(type($ptr)) `,` type($expected) `->` type($result)",
        since=(3, 9),
    )
    TYPES: ClassVar = (TypeRule("ptr", "expected", pointer_to),)

    def __init__(
        self,
        ptr: SSAValue | Operation,
        expected: SSAValue | Operation,
        timeout: SSAValue | Operation | None = None,
        *,
        sem: MemSemantic = MemSemantic.acquire,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        super().__init__(
            operands=[ptr, expected, timeout],
            result_types=[i1],
            properties=synchronized(sem, scope),
        )

    def verify_(self) -> None:
        _verify_semantics(self, MemSemantic.acquire, MemSemantic.relaxed)
        if bit_width(self.expected.type) not in (16, 32, 64):
            raise VerifyException("only supports integer elements with width {16, 32, 64}")


@irdl_op_definition
class AtomicLoadOp(SynchronizedOp):
    """
    Read from each pointer atomically.

    Where `mask` is false nothing is read and the result is undefined.
    Upstream `TT_AtomicLoadOp`, since Triton 3.9.

    ```mlir
    %v = tt.atomic_load acquire, gpu, %p, %m : (!tt.ptr<i32>, i1) -> i32
    ```
    """

    name = "tt.atomic_load"

    ptr = operand_def(TT_PtrLike)
    mask = opt_operand_def(TT_BoolLike)
    result = result_def(TT_Type)

    traits = traits_def(*_ATOMIC_TRAITS)
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)",
        since=(3, 9),
    )
    TYPES: ClassVar = (
        TypeRule("result", "ptr", pointee_type),
        TypeRule("mask", "ptr", mask_type),
    )

    def __init__(
        self,
        ptr: SSAValue | Operation,
        mask: SSAValue | Operation | None = None,
        *,
        sem: MemSemantic = MemSemantic.acquire,
        scope: MemSyncScope = MemSyncScope.gpu,
    ):
        ptr = SSAValue.get(ptr)
        super().__init__(
            operands=[ptr, mask],
            result_types=[pointee_type(ptr.type)],
            properties=synchronized(sem, scope),
        )

    def verify_(self) -> None:
        _verify_semantics(self, MemSemantic.acquire, MemSemantic.relaxed)


@irdl_op_definition
class AtomicStoreOp(SynchronizedOp):
    """
    Write to each pointer atomically, where `mask` is true.

    Upstream `TT_AtomicStoreOp`, since Triton 3.9.

    ```mlir
    tt.atomic_store release, gpu, %p, %v, %m : !tt.ptr<i32>
    ```
    """

    name = "tt.atomic_store"

    ptr = operand_def(TT_PtrLike)
    value = operand_def(TT_Type)
    mask = opt_operand_def(TT_BoolLike)

    traits = traits_def(
        *TENSOR_TRAITS,
        SameOperandsShape(),
        SameOperandsEncoding(),
        GlobalEffects(read="ptr", write="ptr"),
    )
    SYNTAX: ClassVar = Syntax(
        "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)",
        since=(3, 9),
    )
    TYPES: ClassVar = (
        TypeRule("value", "ptr", pointee_type),
        TypeRule("mask", "ptr", mask_type),
    )

    def verify_(self) -> None:
        _verify_semantics(self, MemSemantic.release, MemSemantic.relaxed)
