"""The `cf` dialect: branches between blocks, and assertions."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, DenseIntElementsAttr, VectorType, i32
from xdsl.dialects.cf import (
    AssertOp as AssertOp,
    BranchOp as BranchOp,
    Cf,
    ConditionalBranchOp as ConditionalBranchOp,
    SwitchOp as SwitchOp,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect, Pure

from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import print_attributes, print_values, segments
from xtriton.dialects.utils.contents import dialect_of

repair(AssertOp, syntax="$arg `,` $msg attr-dict")
add_traits(AssertOp, MemoryWriteEffect())

repair(
    BranchOp,
    syntax="$successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict",
)
add_traits(BranchOp, Pure())

repair(
    ConditionalBranchOp,
    syntax="$cond (`weights` `(` $branch_weights^ `)`)? `,`"
    " $then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,`"
    " $else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict",
    properties={"branch_weights": opt_prop_def(DenseArrayBase.constr(i32))},
)
add_traits(ConditionalBranchOp, Pure())


# --- switch ----------------------------------------------------------------------------


def _parse_target(parser: Parser) -> tuple[Block, list[SSAValue]]:
    """Read `: ^block(%operands : types)`."""
    parser.parse_punctuation(":")
    block = parser.parse_successor()
    if not parser.parse_optional_punctuation("("):
        return block, []
    operands = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return block, list(parser.resolve_operands(operands, types, parser.pos))


def _parse_switch(cls: type[SwitchOp], parser: Parser) -> SwitchOp:
    unresolved = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    flag = parser.resolve_operand(unresolved, parser.parse_type())
    parser.parse_punctuation(",")
    parser.parse_punctuation("[")
    parser.parse_keyword("default")
    default, default_operands = _parse_target(parser)
    values: list[int] = []
    targets: list[tuple[Block, list[SSAValue]]] = []
    while parser.parse_optional_punctuation(","):
        values.append(parser.parse_integer())
        targets.append(_parse_target(parser))
    parser.parse_punctuation("]")
    attributes = parser.parse_optional_attr_dict()
    case_operands = [operand for _, operands in targets for operand in operands]
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayBase.from_list(i32, [len(o) for _, o in targets]),
        **segments(1, len(default_operands), len(case_operands)),
    }
    if values:
        properties["case_values"] = DenseIntElementsAttr.from_list(  # pyright: ignore[reportCallIssue]
            VectorType(flag.type, [len(values)]),  # pyright: ignore[reportArgumentType]
            values,
        )
    return cls.create(
        operands=[flag, *default_operands, *case_operands],
        properties=properties,
        attributes=attributes,
        successors=[default, *(block for block, _ in targets)],
    )


def _print_target(printer: Printer, block: Block, operands: Sequence[SSAValue]) -> None:
    printer.print_string(": ")
    printer.print_block_name(block)
    if operands:
        printer.print_string("(")
        print_values(printer, operands)
        printer.print_string(" : ")
        printer.print_list((o.type for o in operands), printer.print_attribute)
        printer.print_string(")")


def _print_switch(self: SwitchOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(self.flag)
    printer.print_string(" : ")
    printer.print_attribute(self.flag.type)
    printer.print_string(", [\n  default")
    _print_target(printer, self.default_block, self.default_operands)
    if self.case_values is not None:
        width = self.case_values.get_element_type().bitwidth  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        for value, block, operands in zip(
            self.case_values.get_values(), self.case_blocks, self.case_operand, strict=True
        ):
            # MLIR writes the bits of a case as an unsigned number.
            printer.print_string(f",\n  {int(value) % (1 << width)}")
            _print_target(printer, block, operands)
        printer.print_string("\n")
    printer.print_string("]")
    print_attributes(printer, self)


repair(SwitchOp, parse=classmethod(_parse_switch), print=_print_switch)

CF = dialect_of(globals(), "cf", Cf)
