"""
Pieces of custom assembly that ops of several upstream dialects share.

Each reads or writes what the helper of MLIR's assembly printer of the same purpose
writes, byte for byte.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.str_enum import StrEnum

from xtriton.ir.reading.attribute_parser import TYPE_TEXT

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState
    from xtriton.ir.reading.parser import Parser as FastParser


class InBrackets:
    """An attribute that is one of an enum, in angle brackets: `#gpu.address_space<workgroup>`."""

    if TYPE_CHECKING:
        enum_type: ClassVar[type[StrEnum]]
        data: Any

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(cls.enum_type)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data.value}>")


@dataclass(frozen=True)
class TypedAttribute:
    """`custom<TypedAttribute>($value)`: an attribute whose type is that of `result`."""

    result: str

    PATTERN: ClassVar[str] = rf'(?:dense<[^<>"]*> : |-?[\w.+-]+ : )?{TYPE_TEXT}'
    """The everyday constants, for the parser's fast path."""

    @staticmethod
    def read_text(parser: "FastParser", text: str, offset: int) -> tuple[Attribute, Attribute]:
        """Return the constant that `text`, found at `offset`, stands for, and its type."""
        return parser.constant_by_text(text, offset)

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        value: Any = parser.parse_attribute()
        get_type = getattr(value, "get_type", None)
        if get_type is None:
            parser.raise_error("expected a constant that has a type")
        state.attributes[arguments[0]] = value
        state.types[self.result] = [get_type()]

    def print(self, printer: Printer, op: Operation, *arguments: str) -> None:
        printer.print_attribute(op.properties[arguments[0]])


# --- lists of types and operands -------------------------------------------------------


def parse_optional_arrow_types(parser: Parser) -> list[Attribute]:
    """Read `-> type`, `-> (types)` or nothing."""
    if not parser.parse_optional_punctuation("->"):
        return []
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return list(types) if types is not None else [parser.parse_type()]


def print_optional_arrow_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Write ` -> type` or ` -> (types)`, nothing for no types."""
    if not types:
        return
    printer.print_string(" -> ")
    if len(types) == 1:
        printer.print_attribute(types[0])
    else:
        print_types(printer, types)


def print_types(printer: Printer, types: Iterable[Attribute]) -> None:
    """Write `(types)`."""
    printer.print_string("(")
    printer.print_list(types, printer.print_attribute)
    printer.print_string(")")


def print_values(printer: Printer, values: Iterable[SSAValue]) -> None:
    """Write `%a, %b`."""
    printer.print_list(values, printer.print_ssa_value)


def parse_operands_in(parser: Parser, delimiter: Parser.Delimiter) -> list[UnresolvedOperand]:
    """Read operands without types between delimiters."""
    return parser.parse_comma_separated_list(delimiter, parser.parse_unresolved_operand)


def print_attributes(printer: Printer, op: Operation) -> None:
    """Write ` {discardable attributes}`, nothing if there are none."""
    if op.attributes:
        printer.print_op_attributes(op.attributes)


# --- loops -----------------------------------------------------------------------------


def print_initial_values(
    printer: Printer, prefix: str, arguments: Sequence[SSAValue], values: Sequence[SSAValue]
) -> None:
    """Write `prefix(%argument = %value, ...)`, nothing if there are no arguments."""
    if not arguments:
        return

    def pair(both: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(both[0])
        printer.print_string(" = ")
        printer.print_ssa_value(both[1])

    printer.print_string(prefix + "(")
    printer.print_list(zip(arguments, values, strict=True), pair)
    printer.print_string(")")


def parse_initial_values(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand]]:
    """Read `(%argument = %value, ...)`."""
    arguments: list[Parser.UnresolvedArgument] = []
    values: list[UnresolvedOperand] = []

    def pair() -> None:
        arguments.append(parser.parse_argument(expect_type=False))
        parser.parse_punctuation("=")
        values.append(parser.parse_unresolved_operand())

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, pair)
    return arguments, values


def resolve_all(
    parser: Parser, operands: Sequence[UnresolvedOperand], types: Sequence[Attribute], what: str
) -> list[SSAValue]:
    """Return the operands of these types; a parse error if the numbers differ."""
    if len(operands) != len(types):
        parser.raise_error(f"{len(operands)} {what} present, but expected {len(types)}")
    return [parser.resolve_operand(o, t) for o, t in zip(operands, types, strict=True)]


def ensure_terminator(region: Region, make: type[Operation], **arguments: Any) -> Region:
    """
    Return the region, its last block ended by `make` if the text left that out.

    `arguments` are for `make.create`; those that are functions are called for it.
    """
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks.last
    assert block is not None
    if block.last_op is None or not block.last_op.has_trait(
        IsTerminator, value_if_unregistered=False
    ):
        made: dict[str, Any] = {k: v() if callable(v) else v for k, v in arguments.items()}
        block.add_op(make.create(**made))
    return region


def print_region_by_format(printer: Printer, region: Region) -> None:
    """Write a region as a declarative format does: without a terminator that says nothing."""
    last = region.blocks.last.last_op if region.blocks.last is not None else None
    telling = last is None or bool(last.attributes or last.operands or last.results)
    printer.print_region(region, print_block_terminators=telling, print_empty_block=False)


# --- static and dynamic indices --------------------------------------------------------


def segments(*sizes: int) -> dict[str, Attribute]:
    """Return the property that tells how many operands each group has."""
    return {"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)}


def parse_index_list(
    parser: Parser, delimiter: Parser.Delimiter
) -> tuple[list[SSAValue], list[int]]:
    """Read numbers and `index` operands; `DYNAMIC_INDEX` stands for an operand."""
    dynamic: list[SSAValue] = []
    static: list[int] = []

    def index() -> None:
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            static.append(parser.parse_integer())
        else:
            dynamic.append(parser.resolve_operand(operand, IndexType()))
            static.append(DYNAMIC_INDEX)

    parser.parse_comma_separated_list(delimiter, index)
    return dynamic, static


@dataclass(frozen=True)
class DynamicIndexList:
    """`custom<DynamicIndexList>($dynamic, $static)`: `[%a, 4]`, or in parentheses."""

    square: bool = True

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        dynamic, static = arguments[:2]
        operands: list[UnresolvedOperand] = []

        def index() -> int:
            operand = parser.parse_optional_unresolved_operand()
            if operand is None:
                return parser.parse_integer()
            operands.append(operand)
            return DYNAMIC_INDEX

        delimiter = parser.Delimiter.SQUARE if self.square else parser.Delimiter.PAREN
        values = parser.parse_comma_separated_list(delimiter, index)
        state.operands[dynamic] = operands
        state.attributes[static] = DenseArrayBase.from_list(i64, values)

    def print(self, printer: Printer, op: Any, *arguments: str) -> None:
        dynamic, static = arguments[:2]
        opening, closing = "[]" if self.square else "()"
        printer.print_string(opening)
        print_index_list(printer, getattr(op, dynamic), op.properties[static])
        printer.print_string(closing)


def print_index_list(printer: Printer, dynamic: Sequence[SSAValue], static: Any) -> None:
    """Write numbers and operands, without delimiters."""
    operands = iter(dynamic)

    def index(value: int) -> None:
        if value == DYNAMIC_INDEX:
            printer.print_ssa_value(next(operands))
        else:
            printer.print_string(str(value))

    printer.print_list(static.get_values(), index)
