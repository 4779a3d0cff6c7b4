"""
The `affine` dialect: index arithmetic as affine maps, loops and accesses over them.

Repaired: symbols in the subscripts of accesses, discardable attributes, effects, text of
`affine.if`. Added: `max`, `delinearize_index`, `linearize_index`. `affine.parallel` has
no text of its own here.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from xdsl.dialects.affine import (
    Affine,
    ApplyOp as ApplyOp,
    ForOp as ForOp,
    IfOp as IfOp,
    LoadOp as LoadOp,
    MinOp as MinOp,
    ParallelOp as ParallelOp,
    StoreOp as StoreOp,
    VectorLoadOp as VectorLoadOp,
    VectorStoreOp as VectorStoreOp,
    YieldOp as YieldOp,
)
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.irdl import (
    AttrSizedOperandSegments,
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
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import (
    DynamicIndexList,
    ensure_terminator,
    parse_initial_values,
    parse_optional_arrow_types,
    print_attributes,
    print_initial_values,
    print_optional_arrow_types,
    print_types,
    print_values,
    resolve_all,
    segments,
)
from xtriton.dialects.upstream.volatile import VolatileEffect
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax
from xtriton.ir.writing.affine_text import expression_text

# --- maps applied to operands ----------------------------------------------------------


def parse_map_operands(parser: Parser, dimensions: int, symbols: int) -> list[SSAValue]:
    """Read `(%dimensions)[%symbols]`."""
    found: list[SSAValue] = []
    for delimiter, count, what in (
        (parser.Delimiter.PAREN, dimensions, "dimensions"),
        (parser.Delimiter.SQUARE, symbols, "symbols"),
    ):
        operands = parser.parse_optional_comma_separated_list(
            delimiter, parser.parse_unresolved_operand
        )
        if len(operands or ()) != count:
            parser.raise_error(f"expected {count} {what}, got {len(operands or ())}")
        found += [parser.resolve_operand(o, IndexType()) for o in operands or ()]
    return found


def print_map_operands(printer: Printer, operands: Sequence[SSAValue], dimensions: int) -> None:
    """Write `(%dimensions)[%symbols]`."""
    printer.print_string("(")
    print_values(printer, operands[:dimensions])
    printer.print_string(")")
    if len(operands) > dimensions:
        printer.print_string("[")
        print_values(printer, operands[dimensions:])
        printer.print_string("]")


def _parse_applied_map(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    map = parser.parse_attribute()
    if not isinstance(map, AffineMapAttr):
        parser.raise_error("expected an affine map")
    return map, parse_map_operands(parser, map.data.num_dims, map.data.num_symbols)


def _parse_apply(cls: Any, parser: Parser) -> Any:
    map, operands = _parse_applied_map(parser)
    return cls.create(
        operands=operands,
        result_types=[IndexType()],
        properties={"map": map},
        attributes=parser.parse_optional_attr_dict(),
    )


def _print_apply(self: Any, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_attribute(self.map)
    print_map_operands(printer, self.operands, self.map.data.num_dims)
    print_attributes(printer, self)


def verify_map(op: Operation) -> None:
    """Raise `VerifyException` unless the operands of an op are those that its map wants."""
    map: Any = op.properties["map"]
    if len(op.operands) != map.data.num_dims + map.data.num_symbols:
        raise VerifyException(f"operands are {len(op.operands)}, map {map.data} wants others")


repair(ApplyOp, parse=classmethod(_parse_apply), print=_print_apply)
repair(MinOp, parse=classmethod(_parse_apply), print=_print_apply, verify=verify_map)
add_traits(MinOp, Pure())


@irdl_op_definition
class MaxOp(IRDLOperation):
    """
    The greatest of the results of a map.

    ```mlir
    %m = affine.max affine_map<(d0) -> (d0, 16)>(%i)
    ```
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType)
    result = result_def(IndexType)
    map = prop_def(AffineMapAttr)

    traits = traits_def(Pure())

    parse = classmethod(_parse_apply)  # pyright: ignore[reportAssignmentType]
    print = _print_apply

    def verify_(self) -> None:
        verify_map(self)


# --- for -------------------------------------------------------------------------------


def _parse_bound(parser: Parser, keyword: str) -> tuple[AffineMapAttr, list[SSAValue]]:
    parser.parse_optional_keyword(keyword)
    if (operand := parser.parse_optional_unresolved_operand()) is not None:
        map = AffineMap(0, 1, (AffineExpr.symbol(0),))
        return AffineMapAttr(map), [parser.resolve_operand(operand, IndexType())]
    if (number := parser.parse_optional_integer()) is not None:
        return AffineMapAttr(AffineMap.constant_map(number)), []
    return _parse_applied_map(parser)


def _print_bound(
    printer: Printer, map: AffineMapAttr, operands: Sequence[SSAValue], keyword: str
) -> None:
    results = map.data.results
    if len(results) == 1:
        if isinstance(results[0], AffineConstantExpr) and not operands:
            printer.print_string(str(results[0].value))
            return
        if isinstance(results[0], AffineSymExpr) and not map.data.num_dims:
            printer.print_ssa_value(operands[0])
            return
    else:
        printer.print_string(keyword + " ")
    printer.print_attribute(map)
    print_map_operands(printer, operands, map.data.num_dims)


def _parse_for(cls: type[ForOp], parser: Parser) -> ForOp:
    induction = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    lower, lower_operands = _parse_bound(parser, "max")
    parser.parse_keyword("to")
    upper, upper_operands = _parse_bound(parser, "min")
    step = parser.parse_integer() if parser.parse_optional_keyword("step") else 1
    arguments: list[Parser.UnresolvedArgument] = []
    values: list[UnresolvedOperand] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        arguments, values = parse_initial_values(parser)
        types = parse_optional_arrow_types(parser)
    initial = resolve_all(parser, values, types, "iter_args")
    resolved = [a.resolve(t) for a, t in zip(arguments, types, strict=True)]
    body = parser.parse_region([induction.resolve(IndexType()), *resolved])
    if not types:
        ensure_terminator(body, YieldOp)
    return cls.create(
        operands=[*lower_operands, *upper_operands, *initial],
        result_types=types,
        properties={
            "lowerBoundMap": lower,
            "upperBoundMap": upper,
            "step": IntegerAttr(step, IndexType()),
            **segments(len(lower_operands), len(upper_operands), len(initial)),
        },
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def _print_for(self: Any, printer: Printer) -> None:
    induction, *arguments = self.body.block.args
    printer.print_string(" ")
    printer.print_ssa_value(induction)
    printer.print_string(" = ")
    _print_bound(printer, self.lowerBoundMap, self.lowerBoundOperands, "max")
    printer.print_string(" to ")
    _print_bound(printer, self.upperBoundMap, self.upperBoundOperands, "min")
    if (step := self.step.value.data) != 1:
        printer.print_string(f" step {step}")
    print_initial_values(printer, " iter_args", arguments, self.inits)
    if arguments:
        printer.print_string(" -> ")
        print_types(printer, self.inits.types)
    printer.print_string(" ")
    printer.print_region(self.body, False, False, print_block_terminators=bool(arguments))
    print_attributes(printer, self)


repair(ForOp, parse=classmethod(_parse_for), print=_print_for)
add_traits(ForOp, RecursiveMemoryEffect())
repair(YieldOp, syntax="attr-dict ($arguments^ `:` type($arguments))?")
add_traits(ParallelOp, RecursiveMemoryEffect())

# --- if --------------------------------------------------------------------------------


def _parse_if(cls: type[IfOp], parser: Parser) -> IfOp:
    condition = parser.parse_attribute()
    if not isinstance(condition, AffineSetAttr):
        parser.raise_error("expected an affine set")
    operands = parse_map_operands(parser, condition.data.num_dims, condition.data.num_symbols)
    types = parse_optional_arrow_types(parser)
    regions = [parser.parse_region()]
    has_else = parser.parse_optional_keyword("else") is not None
    regions.append(parser.parse_region() if has_else else Region())
    if not types:
        for region in regions[: 1 + has_else]:
            ensure_terminator(region, YieldOp)
    return cls.create(
        operands=operands,
        result_types=types,
        properties={"condition": condition},
        attributes=parser.parse_optional_attr_dict(),
        regions=regions,
    )


def _print_if(self: Any, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_attribute(self.condition)
    print_map_operands(printer, self.operands, self.condition.data.num_dims)
    print_optional_arrow_types(printer, self.result_types)
    for word, region in zip((" ", " else "), self.regions, strict=True):
        if region.blocks:
            printer.print_string(word)
            printer.print_region(region, False, False, print_block_terminators=bool(self.results))
    print_attributes(printer, self)


repair(IfOp, parse=classmethod(_parse_if), print=_print_if)

# --- accesses --------------------------------------------------------------------------


class SubscriptParser(AffineParser):
    """Reads `[%i + 1, symbol(%n) * 2]`: affine expressions of values."""

    def __init__(self, state: Any):
        super().__init__(state)
        self.dimensions: list[Span] = []
        self.symbols: list[Span] = []

    def parse_subscripts(self) -> AffineMap:
        """Return the map; `dimensions` and `symbols` hold the operands."""
        results = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, lambda: self._parse_affine_expr(self._value)
        )
        return AffineMap(len(self.dimensions), len(self.symbols), tuple(results))

    def _value(self) -> AffineExpr | None:
        token = self._current_token
        if token.kind is MLIRTokenKind.PERCENT_IDENT:
            self._consume_token()
            return AffineExpr.dimension(_place(self.dimensions, token.span))
        if token.text != "symbol":
            return None
        self._consume_token()
        self.parse_punctuation("(")
        span = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "expected a value").span
        self.parse_punctuation(")")
        return AffineExpr.symbol(_place(self.symbols, span))


def _place(spans: list[Span], span: Span) -> int:
    names = [s.text for s in spans]
    if span.text in names:
        return names.index(span.text)
    spans.append(span)
    return len(spans) - 1


def parse_subscripts(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    """Read the subscripts of an access: a map and its operands."""
    subscripts = SubscriptParser(parser._parser_state)
    map = subscripts.parse_subscripts()
    spans = [*subscripts.dimensions, *subscripts.symbols]
    operands = [parser.resolve_operand(UnresolvedOperand(s, 0), IndexType()) for s in spans]
    return AffineMapAttr(map), operands  # pyright: ignore[reportReturnType]


def print_subscripts(printer: Any, map: AffineMap, operands: Sequence[SSAValue]) -> None:
    """Write what `parse_subscripts` reads."""

    def name(position: int, is_symbol: bool) -> str:
        text: str = printer.name_of(operands[position + (map.num_dims if is_symbol else 0)])
        return f"symbol({text})" if is_symbol else text

    printer.print_string("[")
    printer.print_string(", ".join(expression_text(result, name) for result in map.results))
    printer.print_string("]")


def _access_text(*, stores: bool, vector: bool) -> tuple[Any, Callable[[Any, Printer], None]]:
    def parse(cls: Any, parser: Parser) -> Any:
        value: UnresolvedOperand | None = None
        if stores:
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        map, indices = parse_subscripts(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, MemRefType):
            parser.raise_error("expected a memref type")
        accessed = type.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if vector:
            parser.parse_punctuation(",")
            accessed = parser.parse_type()
        operands = [parser.resolve_operand(memref, type), *indices]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        if value is not None:
            operands.insert(0, parser.resolve_operand(value, accessed))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        return cls.create(
            operands=operands,
            result_types=[] if stores else [accessed],
            properties={"map": map},
            attributes=attributes,
        )

    def print(self: Any, printer: Printer) -> None:
        printer.print_string(" ")
        if stores:
            printer.print_ssa_value(self.value)
            printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        print_subscripts(printer, self.map.data, self.indices)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)
        if vector:
            printer.print_string(", ")
            printer.print_attribute(self.value.type if stores else self.result.type)

    return classmethod(parse), print


def _verify_access(op: Any) -> None:
    map = op.map.data
    if len(op.indices) != map.num_dims + map.num_symbols:
        raise VerifyException(f"indices are {len(op.indices)}, map {map} wants others")
    if len(map.results) != op.memref.type.get_num_dims():
        raise VerifyException(f"map {map} does not give an index for each dimension of memref")


for _op, _stores, _vector in (
    (LoadOp, False, False),
    (StoreOp, True, False),
    (VectorLoadOp, False, True),
    (VectorStoreOp, True, True),
):
    _parse, _print = _access_text(stores=_stores, vector=_vector)
    repair(_op, parse=_parse, print=_print, verify=_verify_access)
    add_traits(_op, MemoryWriteEffect() if _stores else MemoryReadEffect())
add_traits(LoadOp, VolatileEffect())

# --- linear indices --------------------------------------------------------------------

_BASIS = {"DynamicIndexList": DynamicIndexList(square=False)}


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """
    The coordinates of a linear index in a space whose extents the basis gives.

    ```mlir
    %i:2 = affine.delinearize_index %n into (4, 5) : index, index
    ```
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType)

    SYNTAX: ClassVar = Syntax(
        "$linear_index `into` custom<DynamicIndexList>($dynamic_basis, $static_basis)"
        " attr-dict `:` type($multi_index)"
    )
    DIRECTIVES: ClassVar = _BASIS

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if len(self.multi_index) - len(self.static_basis) not in (0, 1):
            raise VerifyException("multi_index and basis differ in number")


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """
    The linear index of coordinates in a space whose extents the basis gives.

    ```mlir
    %n = affine.linearize_index disjoint [%i, %j] by (4, 5) : index
    ```
    """

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr)
    linear_index = result_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = Syntax(
        "(`disjoint` $disjoint^)? ` ` `[` $multi_index `]` `by`"
        " custom<DynamicIndexList>($dynamic_basis, $static_basis)"
        " attr-dict `:` type($linear_index)"
    )
    DIRECTIVES: ClassVar = _BASIS

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if len(self.multi_index) - len(self.static_basis) not in (0, 1):
            raise VerifyException("multi_index and basis differ in number")


AFFINE = dialect_of(globals(), "affine", Affine)
