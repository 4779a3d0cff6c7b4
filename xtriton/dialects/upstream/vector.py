"""
The `vector` dialect, as far as it meets Triton: no contraction, mask regions or scans.

Repaired: text and effects of xDSL's ops, rank-n masked accesses. Added: shape changes,
constant masks, gather and scatter, multi-dimensional reduction, strided slices.
"""

from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    VectorType,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import (
    BitcastOp as BitcastOp,
    BroadcastOp as BroadcastOp,
    CombiningKindAttr as CombiningKindAttr,
    CreateMaskOp as CreateMaskOp,
    ExtractOp as ExtractOp,
    FMAOp as FMAOp,
    InsertOp as InsertOp,
    LoadOp as LoadOp,
    MaskedLoadOp as MaskedLoadOp,
    MaskedStoreOp as MaskedStoreOp,
    PrintOp as PrintOp,
    ReductionOp as ReductionOp,
    ShuffleOp as ShuffleOp,
    StoreOp as StoreOp,
    TransferReadOp as TransferReadOp,
    TransferWriteOp as TransferWriteOp,
    Vector,
)
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream.effects import BufferEffects
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import (
    DynamicIndexList,
    InBrackets,
    print_attributes,
    print_values,
)
from xtriton.dialects.upstream.types import BOOL_LIKE, vector_element
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax, TypeRule, same_type

VECTOR_TYPE = base(VectorType)
SHAPED = base(MemRefType) | base(TensorType)
_INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}
_ALIGNMENT = opt_prop_def(IntegerAttr[I64])
_TO = "$source attr-dict `:` type($source) `to` type($result)"


def _print_kind(self: CombiningKindAttr, printer: Printer) -> None:
    printer.print_string(f"<{self.data.value}>")


CombiningKindAttr.print_parameter = _print_kind

# --- accesses --------------------------------------------------------------------------

repair(
    LoadOp,
    syntax="$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)",
    properties={"alignment": _ALIGNMENT},
    traits=(MemoryReadEffect(),),
)
repair(
    StoreOp,
    syntax="$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)",
    properties={"alignment": _ALIGNMENT},
    traits=(MemoryWriteEffect(),),
)
repair(
    MaskedLoadOp,
    syntax="$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict"
    " `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    operands={"mask": operand_def(BOOL_LIKE)},
    results={"result": result_def(VECTOR_TYPE)},
    properties={"alignment": _ALIGNMENT},
    traits=(MemoryReadEffect(),),
)
repair(
    MaskedStoreOp,
    syntax="$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict"
    " `:` type($base) `,` type($mask) `,` type($value_to_store)",
    operands={"mask": operand_def(BOOL_LIKE), "value_to_store": operand_def(VECTOR_TYPE)},
    properties={"alignment": _ALIGNMENT},
    traits=(MemoryWriteEffect(),),
)
add_traits(TransferReadOp, BufferEffects(lambda op: (op.source,), lambda op: ()))
add_traits(TransferWriteOp, BufferEffects(lambda op: (), lambda op: (op.source,)))


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    Elements at `offsets` plus each of `indices` where `mask` holds, else of `pass_thru`.

    ```mlir
    %v = vector.gather %m[%i] [%indices], %mask, %other
      : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    ```
    """

    name = "vector.gather"

    base = operand_def(SHAPED)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(BOOL_LIKE)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax(
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict"
        " `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru)"
        " `into` type($result)"
    )

    traits = traits_def(BufferEffects(lambda op: (op.base,), lambda op: ()))


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """
    Store elements at `offsets` plus each of `indices` where `mask` holds, in order.

    ```mlir
    vector.scatter %m[%i] [%indices], %mask, %v
      : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    ```
    """

    name = "vector.scatter"

    base = operand_def(SHAPED)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(BOOL_LIKE)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = opt_result_def(TensorType)

    SYNTAX: ClassVar = Syntax(
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict"
        " `:` type($base) `,` type($indices) `,` type($mask) `,` type($value_to_store)"
        " (`->` type($result)^)?"
    )

    traits = traits_def(BufferEffects(lambda op: (), lambda op: (op.base,)))


# --- masks -----------------------------------------------------------------------------

repair(
    CreateMaskOp,
    syntax="$mask_dim_sizes attr-dict `:` type($mask_vector)",
    traits=(Pure(),),
)


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """
    A mask whose first elements of each dimension are set.

    ```mlir
    %m = vector.constant_mask [2] : vector<4xi1>
    ```
    """

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(BOOL_LIKE)

    SYNTAX: ClassVar = Syntax("$mask_dim_sizes attr-dict `:` type($result)")

    traits = traits_def(Pure())


# --- elements --------------------------------------------------------------------------

repair(
    ExtractOp,
    syntax="$vector `` custom<DynamicIndexList>($dynamic_position, $static_position)"
    " attr-dict `:` type($result) `from` type($vector)",
    directives=_INDEX_LISTS,
)
repair(
    InsertOp,
    syntax="$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position)"
    " attr-dict `:` type($source) `into` type($dest)",
    types=same_type("dest", "result"),
    directives=_INDEX_LISTS,
)
repair(
    FMAOp,
    syntax="$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    types=same_type("lhs", "rhs", "acc", "res"),
)
repair(BitcastOp, syntax=_TO)
add_traits(BitcastOp, Pure())
repair(BroadcastOp, syntax="$source attr-dict `:` type($source) `to` type($vector)")
repair(
    ReductionOp,
    syntax="$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict"
    " `:` type($vector) `into` type($dest)",
    types=(*same_type("acc", "dest"), TypeRule("dest", "vector", vector_element)),
    traits=(Pure(),),
)


def _parse_shuffle(cls: type[ShuffleOp], parser: Parser) -> ShuffleOp:
    operands = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    mask = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    first = types[0]
    if len(types) != 2 or not isinstance(first, VectorType):
        parser.raise_error("expected two vector types", position)
    return cls.create(
        operands=parser.resolve_operands(operands, types, position),
        result_types=[VectorType(first.element_type, [len(mask), *first.get_shape()[1:]])],  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        properties={"mask": DenseArrayBase.from_list(i64, mask)},
        attributes=attributes,
    )


def _print_shuffle(self: ShuffleOp, printer: Printer) -> None:
    printer.print_string(" ")
    print_values(printer, self.operands)
    printer.print_string(f" [{', '.join(map(str, self.mask.get_values()))}]")
    print_attributes(printer, self)
    printer.print_string(" : ")
    printer.print_list(self.operand_types, printer.print_attribute)


def _verify_shuffle(op: ShuffleOp) -> None:
    mask, result = op.mask.get_values(), op.result.type
    assert isinstance(result, VectorType)
    if result.get_shape()[0] != len(mask):
        raise VerifyException(f"mask has {len(mask)} elements, but result has type {result}")


repair(
    ShuffleOp,
    operands={"v1": operand_def(VECTOR_TYPE), "v2": operand_def(VECTOR_TYPE)},
    results={"result": result_def(VECTOR_TYPE)},
    properties={"mask": prop_def(DenseArrayBase.constr(i64))},
    verify=_verify_shuffle,
    parse=classmethod(_parse_shuffle),
    print=_print_shuffle,
)
add_traits(ShuffleOp, Pure())


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """
    A vector of these elements.

    ```mlir
    %v = vector.from_elements %a, %b : vector<2xf32>
    ```
    """

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    SYNTAX: ClassVar = Syntax("$elements attr-dict `:` type($dest)")
    TYPES: ClassVar = (TypeRule("elements", "dest", vector_element),)

    traits = traits_def(Pure())


@irdl_op_definition
class StepOp(IRDLOperation):
    """
    The numbers from 0 on.

    ```mlir
    %v = vector.step : vector<4xindex>
    ```
    """

    name = "vector.step"

    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($result)")

    traits = traits_def(Pure())


@irdl_op_definition
class VScaleOp(IRDLOperation):
    """
    The factor by which the target's scalable vectors are longer than they say.

    ```mlir
    %n = vector.vscale
    ```
    """

    name = "vector.vscale"

    res = result_def(IndexType)

    SYNTAX: ClassVar = Syntax("attr-dict")

    traits = traits_def(Pure())


# --- shapes ----------------------------------------------------------------------------


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """
    The same elements in another shape.

    ```mlir
    %w = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>
    ```
    """

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax(_TO)

    traits = traits_def(Pure())


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """
    The dimensions in another order.

    ```mlir
    %w = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    ```
    """

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax(
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    )

    traits = traits_def(Pure())


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """
    The elements of two vectors by turns, along the last dimension.

    ```mlir
    %w = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>
    ```
    """

    name = "vector.interleave"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
    TYPES: ClassVar = same_type("lhs", "rhs")

    traits = traits_def(Pure())


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """
    The even and the odd elements of a vector, along the last dimension.

    ```mlir
    %a, %b = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>
    ```
    """

    name = "vector.deinterleave"

    source = operand_def(VectorType)
    res1 = result_def(VectorType)
    res2 = result_def(VectorType)

    SYNTAX: ClassVar = Syntax("$source attr-dict `:` type($source) `->` type($res1)")
    TYPES: ClassVar = same_type("res1", "res2")

    traits = traits_def(Pure())


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """
    A part of a vector.

    ```mlir
    %w = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]}
      : vector<4x8xf32> to vector<2x4xf32>
    ```
    """

    name = "vector.extract_strided_slice"

    source = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    sizes = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax(_TO)

    traits = traits_def(Pure())


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """
    A vector with a part replaced.

    ```mlir
    %w = vector.insert_strided_slice %a, %v {offsets = [0, 2], strides = [1]}
      : vector<4xf32> into vector<4x8xf32>
    ```
    """

    name = "vector.insert_strided_slice"

    value_to_store = operand_def(VectorType)
    dest = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    result = result_def(VectorType)

    SYNTAX: ClassVar = Syntax(
        "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest)"
    )
    TYPES: ClassVar = same_type("dest", "result")

    traits = traits_def(Pure())


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation):
    """
    Some dimensions combined into an accumulator.

    ```mlir
    %r = vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32>
    ```
    """

    name = "vector.multi_reduction"

    kind = prop_def(CombiningKindAttr)
    source = operand_def(VectorType)
    acc = operand_def()
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def()

    SYNTAX: ClassVar = Syntax(
        "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"
    )
    TYPES: ClassVar = same_type("acc", "dest")

    traits = traits_def(Pure())


# --- print -----------------------------------------------------------------------------


class PrintPunctuation(StrEnum):
    """What `vector.print` writes after the value."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PrintPunctuationAttr(InBrackets, EnumAttribute[PrintPunctuation]):
    """`#vector.punctuation<comma>`."""

    name = "vector.punctuation"


_NEWLINE = PrintPunctuationAttr(PrintPunctuation.NEWLINE)

repair(
    PrintOp,
    syntax="($source^ `:` type($source))? oilist(`str` $stringLiteral | `punctuation` $punctuation)"
    " attr-dict",
    operands={"source": opt_operand_def()},
    properties={
        "string_literal": opt_prop_def(StringAttr, prop_name="stringLiteral"),
        "punctuation": prop_def(PrintPunctuationAttr, default_value=_NEWLINE),
    },
    traits=(MemoryWriteEffect(),),
)

VECTOR = dialect_of(globals(), "vector", Vector)
