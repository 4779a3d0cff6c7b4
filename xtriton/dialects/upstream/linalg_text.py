"""How `linalg` ops are written: structured ops, named ops, short forms of their bodies."""

from collections.abc import Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, TensorType, i64
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from xtriton.dialects.upstream.arith import FASTMATH_NONE
from xtriton.dialects.upstream.text import (
    parse_optional_arrow_types,
    print_attributes,
    print_optional_arrow_types,
    print_values,
    segments,
)
from xtriton.dialects.upstream.types import element_or_self
from xtriton.ir.attributes import integers_of
from xtriton.ir.op_plan import plan_of
from xtriton.ir.reading.format_parser import split_attributes

OpT = TypeVar("OpT", bound=Operation)
Values = Sequence[SSAValue]

_HIDDEN = frozenset({"operandSegmentSizes", "linalg.memoized_indexing_maps", "indexing_maps"})
_GENERIC = ("doc", "indexing_maps", "iterator_types", "library_call")

# --- operands --------------------------------------------------------------------------


def parse_ins_and_outs(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """Read `ins(%a : type) outs(%b : type)`, each of them optional."""
    groups: list[list[SSAValue]] = []
    for word in ("ins", "outs"):
        group: list[SSAValue] = []
        if parser.parse_optional_keyword(word):
            parser.parse_punctuation("(")
            operands = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, parser.parse_unresolved_operand
            )
            parser.parse_punctuation(":")
            position = parser.pos
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            group = list(parser.resolve_operands(operands, types, position))
        groups.append(group)
    return groups[0], groups[1]


def print_ins_and_outs(printer: Printer, inputs: Values, outputs: Values) -> None:
    """Write what `parse_ins_and_outs` reads."""
    for word, values in ((" ins(", inputs), (" outs(", outputs)):
        if values:
            printer.print_string(word)
            print_values(printer, values)
            printer.print_string(" : ")
            printer.print_list((v.type for v in values), printer.print_attribute)
            printer.print_string(")")


def tensor_types(outputs: Values) -> list[Attribute]:
    """Return the types of the results: those of the outputs that are tensors."""
    return [o.type for o in outputs if isinstance(o.type, TensorType)]  # pyright: ignore[reportUnknownMemberType]


def _split(cls: type[Operation], found: dict[str, Attribute]) -> Any:
    plan = plan_of(cls)
    assert plan is not None
    return split_attributes(plan, found)


# --- generic ---------------------------------------------------------------------------


def parse_generic(cls: type[OpT], parser: Parser) -> OpT:
    """Read `linalg.generic`."""
    position = parser.pos
    found = parser.parse_optional_attr_dict()
    for name in ("indexing_maps", "iterator_types"):
        if not isinstance(found.get(name), ArrayAttr):
            parser.raise_error(f"expected {name} of linalg.generic", position)
    found["iterator_types"] = _iterator_types(parser, found["iterator_types"])
    inputs, outputs = parse_ins_and_outs(parser)
    if parser.parse_optional_keyword("attrs"):
        parser.parse_punctuation("=")
        found |= parser.parse_optional_attr_dict()
    body = parser.parse_region()
    types = parse_optional_arrow_types(parser)
    properties, attributes = _split(cls, found)
    return cls.create(
        operands=[*inputs, *outputs],
        result_types=types,
        properties=properties | segments(len(inputs), len(outputs)),
        attributes=attributes,
        regions=[body],
    )


def _iterator_types(parser: Parser, found: Any) -> ArrayAttr[IteratorTypeAttr]:
    names = {kind.value: IteratorTypeAttr(kind) for kind in IteratorType}
    types: list[IteratorTypeAttr] = []
    for attribute in found.data:
        if isinstance(attribute, StringAttr):
            attribute = names.get(attribute.data)  # pyright: ignore[reportArgumentType]
        if not isinstance(attribute, IteratorTypeAttr):
            parser.raise_error("expected an iterator type: parallel, reduction or window")
        types.append(attribute)
    return ArrayAttr(types)


def print_generic(self: Any, printer: Printer) -> None:
    """Write `linalg.generic`."""
    named: dict[str, Attribute] = {n: self.properties[n] for n in _GENERIC if n in self.properties}
    named["iterator_types"] = ArrayAttr(StringAttr(t.data.value) for t in self.iterator_types)
    printer.print_string(" ")
    printer.print_attr_dict(named)
    print_ins_and_outs(printer, self.inputs, self.outputs)
    if self.attributes:
        printer.print_string(" attrs = ")
        printer.print_op_attributes(self.attributes)
    printer.print_string(" ")
    printer.print_region(self.body)
    print_optional_arrow_types(printer, self.result_types)


# --- named ops -------------------------------------------------------------------------


def parse_named(cls: Any, parser: Parser) -> Any:
    """Read a named op, whose body follows from its operands."""
    found: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("indexing_maps"):
        parser.parse_punctuation("=")
        found["indexing_maps"] = parser.parse_attribute()
    found |= parser.parse_optional_properties_dict()
    found |= parser.parse_optional_attr_dict()
    inputs, outputs = parse_ins_and_outs(parser)
    types = parse_optional_arrow_types(parser)
    properties, attributes = _split(cls, found)
    return cls.create(
        operands=[*inputs, *outputs],
        result_types=types,
        properties=properties | segments(len(inputs), len(outputs)),
        attributes=attributes,
        regions=[cls.hidden_region(inputs, outputs, properties)],
    )


def print_named(self: Any, printer: Printer) -> None:
    """Write a named op without its body."""
    definition = self.get_irdl_definition().properties
    maps = self.properties.get("indexing_maps")
    if maps is not None and maps != definition["indexing_maps"].default_value:
        printer.print_string(" indexing_maps = ")
        printer.print_attribute(maps)
    shown = {
        name: value
        for name, value in {**self.properties, **self.attributes}.items()
        if name not in _HIDDEN
        and not (name in definition and value == definition[name].default_value)
    }
    if shown:
        printer.print_op_attributes(shown)
    print_ins_and_outs(printer, self.inputs, self.outputs)
    print_optional_arrow_types(printer, self.result_types)


# --- bodies in short form --------------------------------------------------------------


def payload_of(block: Block, *, init_first: bool, maps_init: bool) -> Operation | None:
    """
    Return the one op that makes up a body and can be written instead of it, if any.

    Its operands are the block's arguments in order; with `init_first` the last argument
    (the initial value) comes first, without `maps_init` it is left out.
    """
    ops = list(block.ops)
    if len(ops) != 2:
        return None
    payload, last = ops
    expected = list(block.args) if maps_init else list(block.args)[:-1]
    if init_first:
        expected = [expected[-1], *expected[:-1]]
    if not expected or list(payload.operands) != expected:
        return None
    yields_it = len(last.operands) == 1 and last.operands[0].owner is payload
    return payload if yields_it else None


def print_payload(printer: Printer, payload: Operation) -> None:
    """Write ` { arith.addf }`."""
    printer.print_string(f" {{ {payload.name}")
    shown = {
        name: value
        for name, value in {**payload.properties, **payload.attributes}.items()
        if value != FASTMATH_NONE
    }
    if shown:
        printer.print_op_attributes(shown)
    printer.print_string(" }")


def parse_payload(parser: Parser) -> tuple[str, dict[str, Attribute]] | None:
    """Read `{ arith.addf {attributes} }`, if it comes next."""
    if not parser.parse_optional_punctuation("{"):
        return None
    name = parser.parse_identifier()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return name, attributes


def body_of_payload(
    parser: Parser,
    payload: tuple[str, dict[str, Attribute]],
    operands: Values,
    yield_op: type[IRDLOperation],
    *,
    init_first: bool,
    maps_init: bool,
) -> Region:
    """Return the body that a short form stands for."""
    name, found = payload
    cls = parser.ctx.get_optional_op(name)
    if cls is None:
        parser.raise_error(f"unknown op '{name}' in the short form of a body")
    block = Block(arg_types=[element_or_self(operand.type) for operand in operands])
    arguments = list(block.args) if maps_init else list(block.args)[:-1]
    if init_first:
        arguments = [arguments[-1], *arguments[:-1]]
    properties, attributes = _split(cls, found)
    op = cls.create(
        operands=arguments,
        result_types=[element_or_self(operands[-1].type)],
        properties=properties,
        attributes=attributes,
    )
    block.add_ops((op, yield_op.create(operands=op.results)))
    return Region(block)


def parse_body(parser: Parser) -> Region:
    """Read `(%a: f32, %b: f32) { ... }`."""

    def argument() -> Parser.Argument:
        found = parser.parse_argument()
        found.location = parser.parse_optional_location()
        return found

    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    return parser.parse_region(arguments)


def print_body(printer: Printer, body: Region) -> None:
    """Write what `parse_body` reads, on a line of its own."""
    with printer.indented():
        printer.print_string("\n(")
        printer.print_list(body.block.args, printer.print_block_argument)
        printer.print_string(") ")
        printer.print_region(body, print_entry_block_args=False)


# --- map, reduce, transpose, broadcast -------------------------------------------------


def parse_dense(parser: Parser, name: str) -> DenseArrayBase:
    """Read `name = [0, 1]`."""
    parser.parse_keyword(name)
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, values)


def print_dense(printer: Printer, name: str, values: DenseArrayBase) -> None:
    """Write ` name = [0, 1] `, with the space that MLIR leaves behind it."""
    numbers = ", ".join(map(str, integers_of(values)))
    printer.print_string(f" {name} = [{numbers}] ")


def parse_transposition(cls: type[OpT], parser: Parser, name: str) -> OpT:
    """Read `linalg.transpose` or `linalg.broadcast`; `name` is that of their one property."""
    inputs, outputs = parse_ins_and_outs(parser)
    values = parse_dense(parser, name)
    attributes = parser.parse_optional_attr_dict()
    from xdsl.dialects.linalg.ops import YieldOp

    block = Block(arg_types=[element_or_self(v.type) for v in (*inputs, *outputs)])
    block.add_op(YieldOp(block.args[0]))
    return cls.create(
        operands=[*inputs, *outputs],
        result_types=tensor_types(outputs),
        properties={name: values},
        attributes=attributes,
        regions=[Region(block)],
    )


def print_transposition(op: Operation, printer: Printer, name: str) -> None:
    """Write what `parse_transposition` reads."""
    values: Any = op.properties[name]
    print_ins_and_outs(printer, op.operands[:1], op.operands[1:])
    print_dense(printer, name, values)
    print_attributes(printer, op)
