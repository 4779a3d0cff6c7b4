"""Intrinsics of the `llvm` dialect that xDSL lacks."""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, StringAttr, i1, i32
from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.repair import op_family
from xtriton.dialects.upstream.text import print_values
from xtriton.ir.syntax import GENERIC, Syntax
from xtriton.ir.versions import Version

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState

_FASTMATH_NONE = FastMathAttr(None)
_NO_BUNDLES = DenseArrayBase.from_list(i32, [])

LAST_VERSION_WITHOUT_BUNDLES: Version = (3, 1)
"""The last Triton whose MLIR has no bundles of `llvm.intr.assume`, and no syntax for it."""


class OpBundles:
    """`["tag"(%operands : types), ...]`: operands that only assumptions and calls have."""

    @staticmethod
    def starts(parser: Parser) -> bool:
        return parser._current_token.text == "["

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
        " $op_bundle_tags, $op_bundle_sizes)^)? `:` type($cond) attr-dict",
        older=((LAST_VERSION_WITHOUT_BUNDLES, GENERIC),),
    )
    DIRECTIVES: ClassVar = {"OpBundles": OpBundles()}

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes as the MLIR of Triton `version` writes them."""
        encoded = self.properties | self.attributes
        if version <= LAST_VERSION_WITHOUT_BUNDLES and not self.op_bundle_operands:
            del encoded["op_bundle_sizes"]
        return encoded

    def verify_(self) -> None:
        sizes = self.op_bundle_sizes.get_values()
        if sum(sizes) != len(self.op_bundle_operands):
            raise VerifyException("op_bundle_sizes do not add up to the number of operands")
        if len(sizes) != len(self.op_bundle_tags or ()):
            raise VerifyException("op_bundle_tags and op_bundle_sizes differ in number")


# --- elementwise intrinsics ------------------------------------------------------------

_CALL = Syntax("`(` operands `)` attr-dict `:` functional-type(operands, results)")


class IntegerUnaryIntrinsicOp(IRDLOperation):
    """A function of an integer."""

    arg = operand_def()
    res = result_def()

    SYNTAX: ClassVar = _CALL

    traits = traits_def(Pure())


class IntegerBinaryIntrinsicOp(IRDLOperation):
    """A function of two integers."""

    a = operand_def()
    b = operand_def()
    res = result_def()

    SYNTAX: ClassVar = _CALL

    traits = traits_def(Pure())


class FloatUnaryIntrinsicOp(IRDLOperation):
    """A function of a float."""

    arg = operand_def()
    fastmath_flags = prop_def(FastMathAttr, default_value=_FASTMATH_NONE, prop_name="fastmathFlags")
    res = result_def()

    SYNTAX: ClassVar = _CALL

    traits = traits_def(Pure())


class FloatBinaryIntrinsicOp(IRDLOperation):
    """A function of two floats."""

    a = operand_def()
    b = operand_def()
    fastmath_flags = prop_def(FastMathAttr, default_value=_FASTMATH_NONE, prop_name="fastmathFlags")
    res = result_def()

    SYNTAX: ClassVar = _CALL

    traits = traits_def(Pure())


class FloatTernaryIntrinsicOp(IRDLOperation):
    """A function of three floats."""

    a = operand_def()
    b = operand_def()
    c = operand_def()
    fastmath_flags = prop_def(FastMathAttr, default_value=_FASTMATH_NONE, prop_name="fastmathFlags")
    res = result_def()

    SYNTAX: ClassVar = _CALL

    traits = traits_def(Pure())


class PoisonAtZeroIntrinsicOp(IRDLOperation):
    """A count of bits that may be undefined for zero; has no text of its own."""

    arg = operand_def()
    is_zero_poison = prop_def(BoolAttr)
    res = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class AbsOp(IRDLOperation):
    """
    Absolute value of an integer, poison for the least one if `is_int_min_poison`.

    ```mlir
    %r = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
    ```
    """

    name = "llvm.intr.abs"

    arg = operand_def()
    is_int_min_poison = prop_def(BoolAttr)
    res = result_def()

    traits = traits_def(Pure())


_FAMILIES: tuple[tuple[type[IRDLOperation], dict[str, str]], ...] = (
    (
        IntegerUnaryIntrinsicOp,
        {
            "CtPopOp": "intr.ctpop: Number of bits that are set.",
            "ByteSwapOp": "intr.bswap: Bytes in the other order.",
            "BitReverseOp": "intr.bitreverse: Bits in the other order.",
        },
    ),
    (
        IntegerBinaryIntrinsicOp,
        {
            "SMaxOp": "intr.smax: The greater of two signed integers.",
            "SMinOp": "intr.smin: The lesser of two signed integers.",
            "UMaxOp": "intr.umax: The greater of two unsigned integers.",
            "UMinOp": "intr.umin: The lesser of two unsigned integers.",
        },
    ),
    (
        FloatUnaryIntrinsicOp,
        {
            "Exp10Op": "intr.exp10: Ten to the power of the operand.",
            "Log10Op": "intr.log10: Logarithm to the base of ten.",
            "RintOp": "intr.rint: Rounded as the mode says, which may raise `inexact`.",
            "NearbyintOp": "intr.nearbyint: Rounded as the mode says.",
            "RoundOp": "intr.round: Rounded, halves away from zero.",
            "RoundEvenOp": "intr.roundeven: Rounded, halves to even.",
            "FTruncOp": "intr.trunc: Rounded towards zero.",
            "TanOp": "intr.tan: Tangent.",
            "TanhOp": "intr.tanh: Hyperbolic tangent.",
        },
    ),
    (
        FloatBinaryIntrinsicOp,
        {
            "MaximumOp": "intr.maximum: The greater of two floats, NaN if one is NaN.",
            "MinimumOp": "intr.minimum: The lesser of two floats, NaN if one is NaN.",
        },
    ),
    (
        FloatTernaryIntrinsicOp,
        {"FMulAddOp": "intr.fmuladd: `a * b + c`, rounded once or twice."},
    ),
    (
        PoisonAtZeroIntrinsicOp,
        {
            "CountLeadingZerosOp": "intr.ctlz: Number of zeros before the first bit set.",
            "CountTrailingZerosOp": "intr.cttz: Number of zeros after the last bit set.",
        },
    ),
)

INTRINSICS: tuple[type[IRDLOperation], ...] = (
    AbsOp,
    AssumeOp,
    *(op for base, ops in _FAMILIES for op in op_family(base, "llvm", ops).values()),
)
