"""
The `llvm` dialect, as far as Triton's kernels and lowerings use it.

Repaired: flags of `getelementptr` (lost by xDSL), volatile and atomic accesses, overflow
flags' text. `llvm_ops` and `llvm_intrinsics` add what xDSL lacks.
"""

from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32, i64
from xdsl.dialects.llvm import (
    GEP_USE_SSA_VAL,
    LLVM as XDSL_LLVM,
    AddOp as AddOp,
    AddressOfOp as AddressOfOp,
    AllocaOp as AllocaOp,
    AndOp as AndOp,
    AShrOp as AShrOp,
    BitcastOp as BitcastOp,
    BrOp as BrOp,
    CallingConventionAttr as CallingConventionAttr,
    CallIntrinsicOp as CallIntrinsicOp,
    ConstantOp as ConstantOp,
    ExtractValueOp as ExtractValueOp,
    FAbsOp as FAbsOp,
    FAddOp as FAddOp,
    FastMathAttr as FastMathAttr,
    FCeilOp as FCeilOp,
    FCmpOp as FCmpOp,
    FCopySignOp as FCopySignOp,
    FCosOp as FCosOp,
    FDivOp as FDivOp,
    FExp2Op as FExp2Op,
    FExpOp as FExpOp,
    FFloorOp as FFloorOp,
    FLog2Op as FLog2Op,
    FLogOp as FLogOp,
    FMAOp as FMAOp,
    FMulOp as FMulOp,
    FNegOp as FNegOp,
    FPExtOp as FPExtOp,
    FPowOp as FPowOp,
    FPTruncOp as FPTruncOp,
    FramePointerKindAttr as FramePointerKindAttr,
    FRemOp as FRemOp,
    FSinOp as FSinOp,
    FSqrtOp as FSqrtOp,
    FSubOp as FSubOp,
    GEPOp as GEPOp,
    ICmpOp as ICmpOp,
    InlineAsmOp as InlineAsmOp,
    InsertElementOp as InsertElementOp,
    InsertValueOp as InsertValueOp,
    IntToPtrOp as IntToPtrOp,
    LinkageAttr as LinkageAttr,
    LLVMArrayType as LLVMArrayType,
    LLVMFunctionType as LLVMFunctionType,
    LLVMPointerType as LLVMPointerType,
    LLVMStructType as LLVMStructType,
    LLVMVoidType as LLVMVoidType,
    LoadOp as LoadOp,
    LShrOp as LShrOp,
    MaskedStoreOp as MaskedStoreOp,
    MulOp as MulOp,
    OrOp as OrOp,
    OverflowAttr as OverflowAttr,
    OverflowFlag,
    PtrToIntOp as PtrToIntOp,
    ReturnOp as ReturnOp,
    SDivOp as SDivOp,
    SelectOp as SelectOp,
    SExtOp as SExtOp,
    ShlOp as ShlOp,
    ShuffleVectorOp as ShuffleVectorOp,
    SIToFPOp as SIToFPOp,
    SRemOp as SRemOp,
    StackRestoreOp as StackRestoreOp,
    StackSaveOp as StackSaveOp,
    StoreOp as StoreOp,
    SubOp as SubOp,
    TailCallKindAttr as TailCallKindAttr,
    TargetFeaturesAttr as TargetFeaturesAttr,
    TruncOp as TruncOp,
    UDivOp as UDivOp,
    UndefOp as UndefOp,
    UnreachableOp as UnreachableOp,
    URemOp as URemOp,
    VectorFMaxOp as VectorFMaxOp,
    VectorFMinOp as VectorFMinOp,
    VectorReduceFAddOp as VectorReduceFAddOp,
    VectorReduceFMulOp as VectorReduceFMulOp,
    XOrOp as XOrOp,
    ZeroOp as ZeroOp,
    ZExtOp as ZExtOp,
)
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import opt_prop_def, prop_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xtriton.dialects.upstream.llvm_functions import (
    CallOp as CallOp,
    CondBrOp as CondBrOp,
    FuncOp as FuncOp,
    GlobalOp as GlobalOp,
)
from xtriton.dialects.upstream.llvm_intrinsics import (
    INTRINSICS,
    AbsOp as AbsOp,
    AssumeOp as AssumeOp,
)
from xtriton.dialects.upstream.llvm_ops import (
    OPS,
    AddrSpaceCastOp as AddrSpaceCastOp,
    AtomicCmpXchgOp as AtomicCmpXchgOp,
    AtomicOrdering,
    AtomicRMWOp as AtomicRMWOp,
    ExtractElementOp as ExtractElementOp,
    FenceOp as FenceOp,
    FPToSIOp as FPToSIOp,
    FPToUIOp as FPToUIOp,
    FreezeOp as FreezeOp,
    PoisonOp as PoisonOp,
    UIToFPOp as UIToFPOp,
)
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import print_attributes
from xtriton.ir.remembered_hash import shares_parts
from xtriton.ir.syntax import I64Enum

shares_parts(LLVMFunctionType)
shares_parts(LLVMStructType)

# --- types within types ----------------------------------------------------------------


def _print_nested(printer: Printer, type: Attribute) -> None:
    """Write a type inside another of the dialect, whose name MLIR leaves out there."""
    if isinstance(type, ParametrizedAttribute) and type.name.startswith("llvm."):
        printer.print_string(type.name.removeprefix("llvm."))
        type.print_parameters(printer)
    else:
        printer.print_attribute(type)


def _print_array(self: LLVMArrayType, printer: Printer) -> None:
    printer.print_string(f"<{self.size.data} x ")
    _print_nested(printer, self.type)
    printer.print_string(">")


def _print_struct(self: LLVMStructType, printer: Printer) -> None:
    printer.print_string("<")
    if self.struct_name.data:
        printer.print_string_literal(self.struct_name.data)
        printer.print_string(", ")
    printer.print_string("(")
    printer.print_list(self.types.data, lambda t: _print_nested(printer, t))
    printer.print_string(")>")


def _print_function_type(self: LLVMFunctionType, printer: Printer) -> None:
    printer.print_string("<")
    _print_nested(printer, self.output)
    printer.print_string(" (")
    printer.print_list(self.inputs.data, lambda t: _print_nested(printer, t))
    if self.is_variadic:
        printer.print_string(", ..." if self.inputs.data else "...")
    printer.print_string(")>")


LLVMFunctionType.print_parameters = _print_function_type
LLVMArrayType.print_parameters = _print_array
LLVMStructType.print_parameters = _print_struct

# --- flags -----------------------------------------------------------------------------


def _print_overflow(self: OverflowAttr, printer: Printer) -> None:
    flags = [flag.value for flag in OverflowFlag if flag in self.data]
    printer.print_string(f"<{', '.join(flags) or 'none'}>")


OverflowAttr.print_parameter = _print_overflow


def _encode_trunc(self: TruncOp, version: object) -> dict[str, Attribute]:
    """MLIR stores the flags as a number."""
    found = {**self.properties, **self.attributes}
    flags = found.get("overflowFlags")
    if isinstance(flags, OverflowAttr):
        found["overflowFlags"] = IntegerAttr(flags.to_int(), i32)
    return found


def _decode_trunc(cls: type[TruncOp], found: dict[str, Attribute]) -> dict[str, Attribute]:
    flags = found.get("overflowFlags")
    if isinstance(flags, IntegerAttr):
        return {**found, "overflowFlags": OverflowAttr.from_int(flags.value.data)}
    return found


repair(TruncOp, encode_attributes=_encode_trunc, decode_attributes=classmethod(_decode_trunc))

# --- getelementptr ---------------------------------------------------------------------

INBOUNDS, NUSW, NUW = 3, 2, 4
"""Bits of `noWrapFlags`; `inbounds` includes `nusw`."""

_FLAGS = {"inbounds": INBOUNDS, "nusw": NUSW, "nuw": NUW}


def _parse_gep(cls: type[GEPOp], parser: Parser) -> GEPOp:
    flags = 0
    while (word := next(filter(parser.parse_optional_keyword, _FLAGS), None)) is not None:
        flags |= _FLAGS[word]
        if not parser.parse_optional_punctuation("|"):
            break
    base = parser.parse_unresolved_operand()
    operands: list[UnresolvedOperand] = []

    def index() -> int:
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            return parser.parse_integer()
        operands.append(operand)
        return GEP_USE_SSA_VAL

    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, index)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_function_type()
    parser.parse_punctuation(",")
    element = parser.parse_type()
    return cls.create(
        operands=parser.resolve_operands([base, *operands], type.inputs.data, parser.pos),
        result_types=type.outputs.data,
        properties={
            "elem_type": element,
            "noWrapFlags": IntegerAttr(flags, i32),
            "rawConstantIndices": DenseArrayBase.from_list(i32, indices),
        },
        attributes=attributes,
    )


def _flags_of(op: GEPOp) -> int:
    flags = op.noWrapFlags.value.data
    return flags | INBOUNDS if "inbounds" in op.properties else flags


def _print_gep(self: GEPOp, printer: Printer) -> None:
    flags = _flags_of(self)
    words = [word for word, bits in _FLAGS.items() if flags & bits == bits]
    if "inbounds" in words and "nusw" in words:
        words.remove("nusw")
    printer.print_string(" ")
    if words:
        printer.print_string("|".join(words) + " ")
    printer.print_ssa_value(self.ptr)
    operands = iter(self.ssa_indices)

    def index(value: int) -> None:
        if value == GEP_USE_SSA_VAL:
            printer.print_ssa_value(next(operands))
        else:
            printer.print_string(str(value))

    printer.print_string("[")
    printer.print_list(self.rawConstantIndices.get_values(), index)
    printer.print_string("]")
    print_attributes(printer, self)
    printer.print_string(" : ")
    printer.print_function_type(self.operand_types, self.result_types)
    printer.print_string(", ")
    printer.print_attribute(self.elem_type)


def _encode_gep(self: GEPOp, version: object) -> dict[str, Attribute]:
    found = {**self.properties, **self.attributes, "noWrapFlags": IntegerAttr(_flags_of(self), i32)}
    found.pop("inbounds", None)
    return found


repair(
    GEPOp,
    parse=classmethod(_parse_gep),
    print=_print_gep,
    encode_attributes=_encode_gep,
    traits=(Pure(),),
)

# --- accesses --------------------------------------------------------------------------

_ORDERED = "(`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)?"
_ACCESS: dict[str, Any] = {
    "is_volatile": opt_prop_def(UnitAttr, prop_name="volatile_"),
    "nontemporal": opt_prop_def(UnitAttr),
    "invariant_group": opt_prop_def(UnitAttr, prop_name="invariantGroup"),
    "syncscope": opt_prop_def(StringAttr),
    **{
        name: opt_prop_def() for name in ("access_groups", "alias_scopes", "noalias_scopes", "tbaa")
    },
}

repair(
    LoadOp,
    syntax=f"(`volatile` $volatile_^)? $ptr {_ORDERED} (`invariant` $invariant^)?"
    " (`invariant_group` $invariantGroup^)? attr-dict"
    " `:` qualified(type($ptr)) `->` type($dereferenced_value)",
    enums={"ordering": AtomicOrdering},
    properties={
        **_ACCESS,
        "invariant": opt_prop_def(UnitAttr),
        "dereferenceable": opt_prop_def(),
    },
    traits=(MemoryReadEffect(),),
)
repair(
    StoreOp,
    syntax=f"(`volatile` $volatile_^)? $value `,` $ptr {_ORDERED}"
    " (`invariant_group` $invariantGroup^)? attr-dict"
    " `:` type($value) `,` qualified(type($ptr))",
    enums={"ordering": AtomicOrdering},
    properties={
        **_ACCESS,
        "ordering": prop_def(IntegerAttr, default_value=IntegerAttr(0, i64)),
    },
    traits=(MemoryWriteEffect(),),
)


def _with_trailing_space(op: type[Operation]) -> None:
    """MLIR ends the line of ops whose type directive says nothing with a space."""
    without = op.print

    def print(self: Operation, printer: Printer) -> None:
        without(self, printer)
        printer.print_string(" ")

    repair(op, print=print)  # pyright: ignore[reportArgumentType]


for _op in (ShuffleVectorOp, InsertValueOp, ExtractValueOp):
    _with_trailing_space(_op)
add_traits(ShuffleVectorOp, Pure())

# --- inline assembly -------------------------------------------------------------------


class AsmDialect(I64Enum):
    """Whose syntax inline assembly has."""

    att = 0
    intel = 1


repair(
    InlineAsmOp,
    syntax="(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)?"
    " (`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)?"
    " (`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints operands"
    " `:` functional-type(operands, results)",
    enums={"asm_dialect": AsmDialect},
    properties={"operand_attrs": opt_prop_def()},
)

LLVM = Dialect("llvm", [*XDSL_LLVM.operations, *OPS, *INTRINSICS], list(XDSL_LLVM.attributes))
