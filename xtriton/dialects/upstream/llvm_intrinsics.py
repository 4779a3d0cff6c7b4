"""Intrinsics of the `llvm` dialect that xDSL lacks."""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.text import print_values
from xtriton.ir.syntax import Syntax

if TYPE_CHECKING:
    from xtriton.ir.format_parser import OpState

_NO_BUNDLES = DenseArrayBase.from_list(i32, [])


class OpBundles:
    """`["tag"(%operands : types), ...]`: operands that only assumptions and calls have."""

    @staticmethod
    def starts(parser: Parser) -> bool:
        return parser._current_token.text == "["  # pyright: ignore[reportPrivateUsage]

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        operands: list[UnresolvedOperand] = []
        types: list[Attribute] = []
        sizes: list[int] = []
        tags: list[StringAttr] = []

        def bundle() -> None:
            tags.append(StringAttr(parser.parse_str_literal()))
            parser.parse_punctuation("(")
            found = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            sizes.append(len(found or ()))
            if found:
                parser.parse_punctuation(":")
                operands.extend(found)
                types.extend(
                    parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
                )
            parser.parse_punctuation(")")

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, bundle)
        state.operands["op_bundle_operands"] = operands
        state.types["op_bundle_operands"] = types
        state.attributes["op_bundle_sizes"] = DenseArrayBase.from_list(i32, sizes)
        state.attributes["op_bundle_tags"] = ArrayAttr(tags)

    def print(self, printer: Printer, op: "AssumeOp", *arguments: str) -> None:
        operands = list(op.op_bundle_operands)
        printer.print_string("[")
        first = 0
        for index, (tag, size) in enumerate(
            zip(op.op_bundle_tags or (), op.op_bundle_sizes.get_values(), strict=True)
        ):
            bundle = operands[first : first + size]
            first += size
            printer.print_string(", " if index else "")
            printer.print_attribute(tag)
            printer.print_string("(")
            if bundle:
                print_values(printer, bundle)
                printer.print_string(" : ")
                printer.print_list((o.type for o in bundle), printer.print_attribute)
            printer.print_string(")")
        printer.print_string("]")


@irdl_op_definition
class AssumeOp(IRDLOperation):
    """
    Tell the optimiser that `cond` holds; the behaviour is undefined where it does not.

    `op_bundle_tags` name facts about the operands of the bundles, such as `"align"`.

    ```mlir
    llvm.intr.assume %positive : i1
    llvm.intr.assume %true ["align"(%p, %n : !llvm.ptr, i64)] : i1
    ```
    """

    name = "llvm.intr.assume"

    cond = operand_def(i1)
    op_bundle_operands = var_operand_def()
    op_bundle_sizes = prop_def(DenseArrayBase.constr(i32), default_value=_NO_BUNDLES)
    op_bundle_tags = opt_prop_def(ArrayAttr[StringAttr])

    SYNTAX: ClassVar = Syntax(
        "$cond (custom<OpBundles>($op_bundle_operands, type($op_bundle_operands),"
        " $op_bundle_tags, $op_bundle_sizes)^)? `:` type($cond) attr-dict"
    )
    DIRECTIVES: ClassVar = {"OpBundles": OpBundles()}

    def __init__(self, cond: Operation | SSAValue):
        super().__init__(operands=[cond, []])

    def verify_(self) -> None:
        sizes = self.op_bundle_sizes.get_values()
        if sum(sizes) != len(self.op_bundle_operands):
            raise VerifyException("op_bundle_sizes do not add up to the number of operands")
        if len(sizes) != len(self.op_bundle_tags or ()):
            raise VerifyException("op_bundle_tags and op_bundle_sizes differ in number")
