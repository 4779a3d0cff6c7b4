"""
The `memref` dialect: memory, views of it and accesses to it.

Repaired: casts and metadata of unranked memrefs, copies between dynamic and static
shapes, globals without visibility, with another initial value or none, text of all ops
that xDSL writes in generic form only. Added: generic atomics, `reshape`, `transpose`,
`realloc`, `prefetch`, `distinct_objects`.
"""

from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i32,
)
from xdsl.dialects.memref import (
    AllocaOp as AllocaOp,
    AllocaScopeOp as AllocaScopeOp,
    AllocaScopeReturnOp as AllocaScopeReturnOp,
    AllocOp as AllocOp,
    AssumeAlignmentOp as AssumeAlignmentOp,
    AtomicRMWOp as AtomicRMWOp,
    CastOp as CastOp,
    CollapseShapeOp as CollapseShapeOp,
    CopyOp as CopyOp,
    DeallocOp as DeallocOp,
    DimOp as DimOp,
    DmaStartOp as DmaStartOp,
    DmaWaitOp as DmaWaitOp,
    ExpandShapeOp as ExpandShapeOp,
    ExtractAlignedPointerAsIndexOp as ExtractAlignedPointerAsIndexOp,
    ExtractStridedMetaDataOp as ExtractStridedMetaDataOp,
    GetGlobalOp as GetGlobalOp,
    GlobalOp as GlobalOp,
    LoadOp as LoadOp,
    MemorySpaceCastOp as MemorySpaceCastOp,
    MemRef,
    RankOp as RankOp,
    ReinterpretCastOp as ReinterpretCastOp,
    StoreOp as StoreOp,
    SubviewOp as SubviewOp,
    ViewOp as ViewOp,
)
from xdsl.dialects.utils import verify_dynamic_index_list
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.arith import AtomicRMWKind
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import (
    DynamicIndexList,
    ensure_terminator,
    parse_optional_arrow_types,
    print_attributes,
    print_types,
    print_values,
)
from xtriton.dialects.upstream.types import INTEGER_OR_FLOAT, element_of, same_dimensions
from xtriton.dialects.upstream.volatile import VolatileEffect
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax, TypeRule, same_type

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState

INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}
RANKED = base(MemRefType)
ANY_MEMREF: AttrConstraint = base(MemRefType) | base(UnrankedMemRefType)


def element_type(t: Attribute) -> Attribute:
    """Return the element type of a memref."""
    if isinstance(t, (MemRefType, UnrankedMemRefType)):
        return element_of(t)
    raise VerifyException(f"expected a memref, got {t}")


def _verify_indices(op: Any) -> None:
    rank = op.memref.type.get_num_dims()
    if len(op.indices) != rank:
        raise VerifyException(f"indices are {len(op.indices)}, but memref has rank {rank}")


# --- accesses --------------------------------------------------------------------------

_ALIGNMENT = opt_prop_def(IntegerAttr[I64])


repair(
    LoadOp,
    syntax="$memref `[` $indices `]` attr-dict `:` type($memref)",
    types=(TypeRule("res", "memref", element_type),),
    operands={"memref": operand_def(RANKED)},
    results={"res": result_def()},
    properties={"alignment": _ALIGNMENT},
    verify=_verify_indices,
)
add_traits(LoadOp, VolatileEffect())
repair(
    StoreOp,
    syntax="$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
    types=(TypeRule("value", "memref", element_type),),
    operands={"value": operand_def(), "memref": operand_def(RANKED)},
    properties={"alignment": _ALIGNMENT},
    verify=_verify_indices,
)


repair(
    AtomicRMWOp,
    syntax="$kind $value `,` $memref `[` $indices `]` attr-dict `:`"
    " `(` type($value) `,` type($memref) `)` `->` type($result)",
    types=(TypeRule("value", "memref", element_type), *same_type("value", "result")),
    enums={"kind": AtomicRMWKind},
    verify=_verify_indices,
)


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """
    Give the value that `memref.generic_atomic_rmw` stores.

    ```mlir
    memref.atomic_yield %new : f32
    ```
    """

    name = "memref.atomic_yield"

    result = operand_def()

    SYNTAX: ClassVar = Syntax("$result attr-dict `:` type($result)")

    traits = lazy_traits_def(
        lambda: (HasParent(GenericAtomicRMWOp), IsTerminator(), ReturnLike(), Pure())
    )


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """
    Replace an element of a memref by a function of itself, atomically.

    The region gets the element as it was and yields the new one; the result is the old.

    ```mlir
    %old = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
    ^bb0(%value: f32):
      %new = arith.maximumf %value, %x : f32
      memref.atomic_yield %new : f32
    }
    ```
    """

    name = "memref.generic_atomic_rmw"

    memref = operand_def(RANKED)
    indices = var_operand_def(IndexType)
    result = result_def(INTEGER_OR_FLOAT)
    atomic_body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_indices(self)
        element = element_type(self.memref.type)
        if self.result.type != element:
            raise VerifyException(f"result has type {self.result.type}, memref holds {element}")
        if tuple(self.atomic_body.block.arg_types) != (element,):
            raise VerifyException(f"the body must have one argument of type {element}")
        last = self.atomic_body.block.last_op
        if not isinstance(last, AtomicYieldOp) or last.result.type != element:
            raise VerifyException(f"the body must end with memref.atomic_yield of a {element}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        type = parser.parse_type()
        operands = [parser.resolve_operand(memref, type)]
        operands += [parser.resolve_operand(index, IndexType()) for index in indices]
        body = parser.parse_region()
        return cls.create(
            operands=operands,
            result_types=[element_type(type)],
            attributes=parser.parse_optional_attr_dict(),
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        printer.print_string("[")
        print_values(printer, self.indices)
        printer.print_string("] : ")
        printer.print_attribute(self.memref.type)
        printer.print_string(" ")
        printer.print_region(self.atomic_body)
        print_attributes(printer, self)


# --- allocation ------------------------------------------------------------------------

_ALLOC = "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"

repair(AllocOp, syntax=_ALLOC, properties={"alignment": _ALIGNMENT})
repair(AllocaOp, syntax=_ALLOC, properties={"alignment": _ALIGNMENT})
repair(DeallocOp, syntax="$memref attr-dict `:` type($memref)")


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """
    Move a buffer of rank 1 to another size; the source must not be used after.

    ```mlir
    %new = memref.realloc %old(%size) : memref<64xf32> to memref<?xf32>
    ```
    """

    name = "memref.realloc"

    source = operand_def(RANKED)
    dynamic_result_size = opt_operand_def(IndexType)
    alignment = opt_prop_def(IntegerAttr[I64])
    result = result_def(RANKED)

    SYNTAX: ClassVar = Syntax(
        "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type($result)"
    )

    traits = traits_def(MemoryAllocEffect(), MemoryFreeEffect())


def _parse_alloca_scope(cls: type[AllocaScopeOp], parser: Parser) -> AllocaScopeOp:
    types = parse_optional_arrow_types(parser)
    region = parser.parse_region()
    if not types:
        ensure_terminator(region, AllocaScopeReturnOp)
    return cls.create(
        result_types=types, attributes=parser.parse_optional_attr_dict(), regions=[region]
    )


def _print_alloca_scope(self: AllocaScopeOp, printer: Printer) -> None:
    printer.print_string("  ")
    if self.results:
        printer.print_string("-> ")
        print_types(printer, self.result_types)
        printer.print_string(" ")
    printer.print_region(
        self.scope,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=bool(self.results),
    )
    print_attributes(printer, self)


repair(AllocaScopeOp, parse=classmethod(_parse_alloca_scope), print=_print_alloca_scope)
add_traits(AllocaScopeOp, RecursiveMemoryEffect())
repair(AllocaScopeReturnOp, syntax="attr-dict ($ops^ `:` type($ops))?")
add_traits(AllocaScopeReturnOp, Pure(), ReturnLike())

# --- globals ---------------------------------------------------------------------------


class GlobalTypeAndValue:
    """`memref<...> = dense<...>`, `= uninitialized`, or the type alone for an external."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        type: Any = parser.parse_type()
        state.attributes["type"] = type
        if not parser.parse_optional_punctuation("="):
            return
        if parser.parse_optional_keyword("uninitialized"):
            state.attributes["initial_value"] = UnitAttr()
        elif parser.parse_optional_keyword("dense"):
            value = parser.parse_dense_int_or_fp_elements_attr(
                TensorType(type.element_type, type.get_shape())
            )
            state.attributes["initial_value"] = value
        else:
            state.attributes["initial_value"] = parser.parse_attribute()

    def print(self, printer: Printer, op: Operation, *arguments: str) -> None:
        from xtriton.ir.writing.attribute_text import print_without_type

        printer.print_attribute(op.properties["type"])
        value = op.properties.get("initial_value")
        if isinstance(value, UnitAttr):
            printer.print_string(" = uninitialized")
        elif value is not None:
            printer.print_string(" = ")
            print_without_type(printer, value)  # pyright: ignore[reportArgumentType]


def _verify_global(op: GlobalOp) -> None:
    value = op.properties.get("initial_value")
    if isinstance(value, DenseIntOrFPElementsAttr):
        type: Any = op.type
        if tuple(value.get_shape()) != tuple(type.get_shape()) or (
            value.get_element_type() != type.element_type
        ):
            raise VerifyException(f"initial_value does not fit type {type}")


repair(
    GlobalOp,
    syntax="($sym_visibility^)? (`constant` $constant^)? $sym_name `:`"
    " custom<GlobalTypeAndValue>($type, $initial_value) attr-dict",
    directives={"GlobalTypeAndValue": GlobalTypeAndValue()},
    properties={
        "sym_visibility": opt_prop_def(StringAttr),
        "initial_value": opt_prop_def(),
    },
    traits=(SymbolOpInterface(),),
    verify=_verify_global,
)
repair(GetGlobalOp, syntax="$name `:` type($memref) attr-dict")

# --- casts and views -------------------------------------------------------------------

_CAST = "$source attr-dict `:` type($source) `to` type($dest)"


def _verify_cast(op: CastOp | MemorySpaceCastOp) -> None:
    source, dest = op.source.type, op.dest.type
    if element_type(source) != element_type(dest):
        raise VerifyException(f"source {source} and dest {dest} differ in element type")
    if isinstance(source, MemRefType) and isinstance(dest, MemRefType):
        if not same_dimensions(source.get_shape(), dest.get_shape()):
            raise VerifyException(f"source {source} and dest {dest} differ in shape")
    elif isinstance(op, CastOp) and type(source) is type(dest):  # pyright: ignore[reportUnknownArgumentType]
        raise VerifyException("one of source and dest must be ranked")


def _verify_copy(op: CopyOp) -> None:
    source, destination = op.source.type, op.destination.type
    if element_type(source) != element_type(destination):
        raise VerifyException(
            f"source {source} and destination {destination} differ in element type"
        )
    ranked = isinstance(source, MemRefType) and isinstance(destination, MemRefType)
    if ranked and not same_dimensions(source.get_shape(), destination.get_shape()):  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
        raise VerifyException(f"source {source} and destination {destination} differ in shape")


repair(CastOp, syntax=_CAST, verify=_verify_cast)
repair(MemorySpaceCastOp, syntax=_CAST, verify=_verify_cast)
repair(
    CopyOp,
    syntax="$source `,` $destination attr-dict `:` type($source) `to` type($destination)",
    operands={"source": operand_def(ANY_MEMREF), "destination": operand_def(ANY_MEMREF)},
    verify=_verify_copy,
)


def _verify_index_lists(op: ReinterpretCastOp | SubviewOp) -> None:
    for name in ("offsets", "sizes", "strides"):
        static = op.properties[f"static_{name}"]
        assert isinstance(static, DenseArrayBase)
        verify_dynamic_index_list(
            static.get_values(), getattr(op, name), DYNAMIC_INDEX, f" in {name}"
        )


def _verify_reinterpret_cast(op: ReinterpretCastOp) -> None:
    _verify_index_lists(op)
    result = op.result.type
    assert isinstance(result, MemRefType)
    shape = result.get_shape()
    sizes = op.static_sizes.get_values()
    if len(op.static_offsets) != 1:
        raise VerifyException(f"offsets are {len(op.static_offsets)}, expected one")
    if len(shape) != len(sizes) or len(shape) != len(op.static_strides):
        raise VerifyException(
            f"sizes are {len(sizes)} and strides {len(op.static_strides)}, "
            f"but result {result} has rank {len(shape)}"
        )
    for dimension, (extent, size) in enumerate(zip(shape, sizes, strict=True)):
        if extent not in (size, DYNAMIC_INDEX):
            raise VerifyException(
                f"result {result} has size {extent} in dimension {dimension}, sizes say {size}"
            )
    if element_type(op.source.type) != result.element_type:
        raise VerifyException(f"source {op.source.type} and result {result} differ in element type")


repair(
    ReinterpretCastOp,
    syntax="$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets)"
    " `` `,` `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes)"
    " `` `,` `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)"
    " attr-dict `:` type($source) `to` type($result)",
    directives=INDEX_LISTS,
    operands={"source": operand_def(ANY_MEMREF)},
    verify=_verify_reinterpret_cast,
)
repair(
    SubviewOp,
    syntax="$source `` custom<DynamicIndexList>($offsets, $static_offsets)"
    " custom<DynamicIndexList>($sizes, $static_sizes)"
    " custom<DynamicIndexList>($strides, $static_strides)"
    " attr-dict `:` type($source) `to` type($result)",
    directives=INDEX_LISTS,
    verify=_verify_index_lists,
)
repair(CollapseShapeOp, syntax="$src $reassociation attr-dict `:` type($src) `into` type($result)")
repair(
    ExpandShapeOp,
    syntax="$src $reassociation `output_shape`"
    " custom<DynamicIndexList>($output_shape, $static_output_shape)"
    " attr-dict `:` type($src) `into` type($result)",
    directives=INDEX_LISTS,
)
repair(
    ViewOp,
    syntax="$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict"
    " `:` type($source) `to` type($result)",
)
repair(
    AssumeAlignmentOp,
    syntax="$memref `,` $alignment attr-dict `:` type($memref)",
    types=same_type("memref", "result"),
    RESULT_NAMES="assume_align",
)

for _op in (
    CastOp,
    MemorySpaceCastOp,
    ReinterpretCastOp,
    SubviewOp,
    CollapseShapeOp,
    ExpandShapeOp,
    ViewOp,
    GetGlobalOp,
    RankOp,
    ExtractStridedMetaDataOp,
    ExtractAlignedPointerAsIndexOp,
):
    add_traits(_op, Pure())


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    The same elements under the shape that a memref of integers gives.

    ```mlir
    %r = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
    ```
    """

    name = "memref.reshape"

    source = operand_def(ANY_MEMREF)
    shape = operand_def(RANKED)
    result = result_def(ANY_MEMREF)

    SYNTAX: ClassVar = Syntax(
        "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure())


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """
    A view with the dimensions in another order; the result's layout says which.

    ```mlir
    %t = memref.transpose %m (d0, d1) -> (d1, d0)
      : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
    ```
    """

    name = "memref.transpose"

    source = operand_def(RANKED)
    permutation = prop_def(AffineMapAttr)
    result = result_def(RANKED)

    SYNTAX: ClassVar = Syntax(
        "$source custom<Permutation>($permutation) attr-dict `:` type($source) `to` type($result)"
    )

    traits = traits_def(Pure())


class Permutation:
    """An affine map without `affine_map<>` around it."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        state.attributes[arguments[0]] = AffineMapAttr(parser.parse_affine_map())

    def print(self, printer: Printer, op: Operation, *arguments: str) -> None:
        permutation = op.properties[arguments[0]]
        assert isinstance(permutation, AffineMapAttr)
        printer.print_string(permutation_text(permutation.data))


def permutation_text(permutation: AffineMap) -> str:
    """Return the map as MLIR writes it, `(d0, d1) -> (d1, d0)`."""
    dimensions = ", ".join(f"d{i}" for i in range(permutation.num_dims))
    results = ", ".join(str(result) for result in permutation.results)
    return f"({dimensions}) -> ({results})"


repair(TransposeOp, directives={"Permutation": Permutation()})


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """
    Tell that the operands do not overlap in memory; the results are the operands.

    ```mlir
    %1:2 = memref.distinct_objects %a, %b : memref<?xf32>, memref<?xf32>
    ```
    """

    name = "memref.distinct_objects"

    arguments = var_operand_def(RANKED)
    res = var_result_def(RANKED)

    SYNTAX: ClassVar = Syntax("$arguments attr-dict `:` custom<SameTypes>(type($arguments))")

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if tuple(self.arguments.types) != tuple(self.result_types):
            raise VerifyException("results differ in type from the arguments")


class SameTypes:
    """The types of the arguments, which are those of the results too."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        state.types["arguments"] = list(types)
        state.types["res"] = list(types)

    def print(self, printer: Printer, op: Operation, *arguments: str) -> None:
        printer.print_list(op.operand_types, printer.print_attribute)


repair(DistinctObjectsOp, directives={"SameTypes": SameTypes()})

# --- facts about a memref --------------------------------------------------------------

repair(DimOp, syntax="attr-dict $source `,` $index `:` type($source)")
repair(
    RankOp,
    syntax="$source attr-dict `:` type($source)",
    operands={"source": operand_def(ANY_MEMREF)},
)
repair(
    ExtractStridedMetaDataOp,
    syntax="$source `:` type($source) `->` type(results) attr-dict",
)
repair(
    ExtractAlignedPointerAsIndexOp,
    syntax="$source `:` type($source) `->` type(results) attr-dict",
    operands={"source": operand_def(ANY_MEMREF)},
)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    Bring an element into a cache.

    ```mlir
    memref.prefetch %m[%i], read, locality<3>, data : memref<?xf32>
    ```
    """

    name = "memref.prefetch"

    memref = operand_def(RANKED)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_indices(self)
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException("locality_hint must be from 0 to 3")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(",")
        write = parser.parse_optional_keyword("write") is not None
        if not write:
            parser.parse_keyword("read")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        parser.parse_punctuation("<")
        hint = parser.parse_integer()
        parser.parse_punctuation(">")
        parser.parse_punctuation(",")
        data = parser.parse_optional_keyword("data") is not None
        if not data:
            parser.parse_keyword("instr")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(memref, parser.parse_type())]
        operands += [parser.resolve_operand(index, IndexType()) for index in indices]
        return cls.create(
            operands=operands,
            properties={
                "isWrite": BoolAttr.from_bool(write),
                "localityHint": IntegerAttr(hint, i32),
                "isDataCache": BoolAttr.from_bool(data),
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        printer.print_string("[")
        print_values(printer, self.indices)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f"], {access}, locality<{self.locality_hint.value.data}>, {cache}")
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)


repair(
    DmaWaitOp,
    syntax="$tag `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag)",
)

MEMREF = dialect_of(globals(), "memref", MemRef)
