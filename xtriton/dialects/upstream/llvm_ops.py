"""
Ops of the `llvm` dialect that xDSL lacks or has incomplete: casts, vectors, atomics.

The repairs of xDSL's classes are in `llvm`, the intrinsics in `llvm_intrinsics`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, VectorType, i1, i64
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xtriton.dialects.upstream.types import vector_element
from xtriton.ir.syntax import I64Enum, Syntax, TypeRule, same_type

CAST = "$arg attr-dict `:` type($arg) `to` type($result)"
NON_NEGATIVE_CAST = f"(`nneg` $nonNeg^)? {CAST}"


class AtomicOrdering(I64Enum):
    """What other threads see of an access, and when."""

    not_atomic = 0
    unordered = 1
    monotonic = 2
    acquire = 4
    release = 5
    acq_rel = 6
    seq_cst = 7


class AtomicBinOp(I64Enum):
    """What `llvm.atomicrmw` computes."""

    xchg = 0
    add = 1
    sub = 2
    _and = 3
    nand = 4
    _or = 5
    _xor = 6
    max = 7
    min = 8
    umax = 9
    umin = 10
    fadd = 11
    fsub = 12
    fmax = 13
    fmin = 14
    uinc_wrap = 15
    udec_wrap = 16
    usub_cond = 17
    usub_sat = 18
    fmaximum = 19
    fminimum = 20


def value_and_success(t: Attribute) -> Attribute:
    """Return the type of what `llvm.cmpxchg` on values of type `t` gives."""
    return LLVMStructType.from_type_list([t, i1])


class CastOp(IRDLOperation):
    """A conversion of one value, or of each element of a vector."""

    arg = operand_def()
    result = result_def()

    SYNTAX: ClassVar = Syntax(CAST)

    traits = traits_def(Pure())

    def __init__(self, arg: Operation | SSAValue, result_type: Attribute):
        super().__init__(operands=[arg], result_types=[result_type])


@irdl_op_definition
class AddrSpaceCastOp(CastOp):
    """
    The same memory as a pointer of another address space.

    ```mlir
    %q = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr
    ```
    """

    name = "llvm.addrspacecast"


@irdl_op_definition
class FPToSIOp(CastOp):
    """
    Float to signed integer, towards zero.

    ```mlir
    %i = llvm.fptosi %f : f32 to i32
    ```
    """

    name = "llvm.fptosi"


@irdl_op_definition
class FPToUIOp(CastOp):
    """
    Float to unsigned integer, towards zero.

    ```mlir
    %i = llvm.fptoui %f : f32 to i32
    ```
    """

    name = "llvm.fptoui"


@irdl_op_definition
class UIToFPOp(CastOp):
    """
    Unsigned integer to float; `nneg` says that it is not negative as a signed one.

    ```mlir
    %f = llvm.uitofp nneg %i : i32 to f32
    ```
    """

    name = "llvm.uitofp"

    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")

    SYNTAX: ClassVar = Syntax(NON_NEGATIVE_CAST)


@irdl_op_definition
class PoisonOp(IRDLOperation):
    """
    A poison value.

    ```mlir
    %0 = llvm.mlir.poison : i32
    ```
    """

    name = "llvm.mlir.poison"

    res = result_def()

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($res)")

    traits = traits_def(Pure())


@irdl_op_definition
class FreezeOp(IRDLOperation):
    """
    `val`, or some fixed value where that is poison.

    ```mlir
    %b = llvm.freeze %a : i32
    ```
    """

    name = "llvm.freeze"

    val = operand_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax("$val attr-dict `:` type($val)")
    TYPES: ClassVar = same_type("val", "res")

    traits = traits_def(Pure())


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """
    An element of a vector.

    ```mlir
    %x = llvm.extractelement %v[%i : i32] : vector<4xf32>
    ```
    """

    name = "llvm.extractelement"

    vector = operand_def(VectorType)
    position = operand_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax(
        "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
    )
    TYPES: ClassVar = (TypeRule("res", "vector", vector_element),)

    traits = traits_def(Pure())


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """
    Replace a value in memory by a function of itself; the result is the old value.

    ```mlir
    %old = llvm.atomicrmw fadd %p, %x syncscope("agent") monotonic : !llvm.ptr<1>, f32
    ```
    """

    name = "llvm.atomicrmw"

    bin_op = prop_def(IntegerAttr)
    ptr = operand_def(LLVMPointerType)
    val = operand_def()
    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr.constr(i64))
    is_volatile = opt_prop_def(UnitAttr, prop_name="volatile_")
    res = result_def()

    SYNTAX: ClassVar = Syntax(
        "(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)?"
        " $ordering attr-dict `:` qualified(type($ptr)) `,` type($val)"
    )
    TYPES: ClassVar = same_type("val", "res")
    ENUMS: ClassVar = {"bin_op": AtomicBinOp, "ordering": AtomicOrdering}

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class AtomicCmpXchgOp(IRDLOperation):
    """
    Store `val` where `cmp` is; the result is the old value and whether it was stored.

    ```mlir
    %r = llvm.cmpxchg %p, %expected, %new acq_rel monotonic : !llvm.ptr<1>, i32
    ```
    """

    name = "llvm.cmpxchg"

    ptr = operand_def(LLVMPointerType)
    cmp = operand_def()
    val = operand_def()
    success_ordering = prop_def(IntegerAttr)
    failure_ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(IntegerAttr.constr(i64))
    weak = opt_prop_def(UnitAttr)
    is_volatile = opt_prop_def(UnitAttr, prop_name="volatile_")
    res = result_def(LLVMStructType)

    SYNTAX: ClassVar = Syntax(
        "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val"
        " (`syncscope` `(` $syncscope^ `)`)? $success_ordering $failure_ordering attr-dict"
        " `:` qualified(type($ptr)) `,` type($val)"
    )
    TYPES: ClassVar = (*same_type("val", "cmp"), TypeRule("res", "val", value_and_success))
    ENUMS: ClassVar = {"success_ordering": AtomicOrdering, "failure_ordering": AtomicOrdering}

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class FenceOp(IRDLOperation):
    """
    Order the accesses before against those after.

    ```mlir
    llvm.fence syncscope("agent") seq_cst
    ```
    """

    name = "llvm.fence"

    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)

    SYNTAX: ClassVar = Syntax("(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict")
    ENUMS: ClassVar = {"ordering": AtomicOrdering}

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


OPS = (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    ExtractElementOp,
    FPToSIOp,
    FPToUIOp,
    FenceOp,
    FreezeOp,
    PoisonOp,
    UIToFPOp,
)
