"""
The `arith` dialect: xDSL's ops, put right for tensors, with the properties that lack.

Every op works on scalars, vectors and tensors (with any encoding). What xDSL has wrong:
comparisons give a scalar, `select` wants a scalar condition, integer casts take scalars
only, `exact`, rounding modes and the overflow flags of `trunci` are missing, some
`Pure` and `Commutative` traits are not set.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import (
    AddfOp as AddfOp,
    AddiOp as AddiOp,
    AddUIExtendedOp as AddUIExtendedOp,
    AndIOp as AndIOp,
    ArithConstantMaterializationInterface,
    BitcastOp as BitcastOp,
    CeilDivSIOp as CeilDivSIOp,
    CeilDivUIOp as CeilDivUIOp,
    CmpfOp as CmpfOp,
    CmpiOp as CmpiOp,
    ConstantOp as ConstantOp,
    DivfOp as DivfOp,
    DivSIOp as DivSIOp,
    DivUIOp as DivUIOp,
    ExtFOp as ExtFOp,
    ExtSIOp as ExtSIOp,
    ExtUIOp as ExtUIOp,
    FastMathFlagsAttr as FastMathFlagsAttr,
    FloatingPointLikeBinaryOperation,
    FloorDivSIOp as FloorDivSIOp,
    FPToSIOp as FPToSIOp,
    FPToUIOp as FPToUIOp,
    IndexCastOp as IndexCastOp,
    IntegerOverflowAttr as IntegerOverflowAttr,
    IntegerOverflowFlag,
    MaximumfOp as MaximumfOp,
    MaxnumfOp as MaxnumfOp,
    MaxSIOp as MaxSIOp,
    MaxUIOp as MaxUIOp,
    MinimumfOp as MinimumfOp,
    MinnumfOp as MinnumfOp,
    MinSIOp as MinSIOp,
    MinUIOp as MinUIOp,
    MulfOp as MulfOp,
    MuliOp as MuliOp,
    MulSIExtendedOp as MulSIExtendedOp,
    MulUIExtendedOp as MulUIExtendedOp,
    NegfOp as NegfOp,
    OrIOp as OrIOp,
    RemSIOp as RemSIOp,
    RemUIOp as RemUIOp,
    SelectOp as SelectOp,
    ShLIOp as ShLIOp,
    ShRSIOp as ShRSIOp,
    ShRUIOp as ShRUIOp,
    SignlessIntegerBinaryOperation,
    SIToFPOp as SIToFPOp,
    SubfOp as SubfOp,
    SubiOp as SubiOp,
    TruncFOp as TruncFOp,
    TruncIOp as TruncIOp,
    UIToFPOp as UIToFPOp,
    XOrIOp as XOrIOp,
)
from xdsl.dialects.builtin import (
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    UnitAttr,
    i1,
)
from xdsl.dialects.utils import (
    FastMathFlag as FastMathFlag,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.repair import add_traits, repair, repairs, replace_trait
from xtriton.dialects.upstream.text import TypedAttribute
from xtriton.dialects.upstream.types import (
    BITCAST_LIKE,
    BOOL_LIKE,
    FLOAT_LIKE,
    INDEX_CAST_LIKE,
    INTEGER_LIKE,
    INTEGER_OR_INDEX_LIKE,
    element_or_self,
    i1_like,
    is_bool,
    same_shape,
)
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import I32Enum, I64Enum, Syntax, TypeRule, same_type
from xtriton.late_names import LateOps

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState


# An op is equal to itself only, which `object` says as well, in C (see `xtriton.ir.quick_core`).
del SignlessIntegerBinaryOperation.__hash__


class CmpIPredicate(I64Enum):
    """Predicates of `arith.cmpi`."""

    eq = 0
    ne = 1
    slt = 2
    sle = 3
    sgt = 4
    sge = 5
    ult = 6
    ule = 7
    ugt = 8
    uge = 9


class CmpFPredicate(I64Enum):
    """Predicates of `arith.cmpf`: `o…` is false and `u…` true where an operand is NaN."""

    false = 0
    oeq = 1
    ogt = 2
    oge = 3
    olt = 4
    ole = 5
    one = 6
    ord = 7
    ueq = 8
    ugt = 9
    uge = 10
    ult = 11
    ule = 12
    une = 13
    uno = 14
    true = 15


class RoundingMode(I32Enum):
    """How `arith.truncf` rounds."""

    to_nearest_even = 0
    downward = 1
    upward = 2
    toward_zero = 3
    to_nearest_away = 4


class AtomicRMWKind(I64Enum):
    """What an atomic read-modify-write of `memref` computes."""

    addf = 0
    addi = 1
    andi = 2
    assign = 3
    maximumf = 4
    maxnumf = 5
    maxs = 6
    maxu = 7
    minimumf = 8
    minnumf = 9
    mins = 10
    minu = 11
    mulf = 12
    muli = 13
    ori = 14
    xori = 15


def _print_overflow(self: IntegerOverflowAttr, printer: Printer) -> None:
    flags = [flag.value for flag in IntegerOverflowFlag if flag in self.data]
    printer.print_string(f"<{', '.join(flags) or 'none'}>")


IntegerOverflowAttr.print_parameter = _print_overflow


def _refuse_no_flags(cls: Any) -> None:
    """Let `<>` be an error; no flags are `<none>`."""
    parse: Callable[[AttrParser], Any] = cls.parse_parameter

    def parse_parameter(parser: AttrParser) -> Any:
        if parser.lexer.input.content.startswith("<>", parser.pos):
            parser.raise_error("expected valid keyword or string")
        return parse(parser)

    cls.parse_parameter = staticmethod(parse_parameter)


_refuse_no_flags(IntegerOverflowAttr)
_refuse_no_flags(FastMathFlagsAttr)

FASTMATH_NONE = FastMathFlagsAttr("none")
OVERFLOW_NONE = IntegerOverflowAttr("none")

_FASTMATH = "(`fastmath` `` $fastmath^)?"

# --- operands and result of one type ---------------------------------------------------

XDSL = LateOps(arith)

_BINARY = ("lhs", "rhs", "result")
_OVERFLOWING = (XDSL.AddiOp, XDSL.SubiOp, XDSL.MuliOp, XDSL.ShLIOp)
_EXACT = (XDSL.DivUIOp, XDSL.DivSIOp, XDSL.ShRUIOp, XDSL.ShRSIOp)
_CHOOSING_INTEGERS = (XDSL.MinUIOp, XDSL.MaxUIOp, XDSL.MinSIOp, XDSL.MaxSIOp)
_ROUNDED_BINARY = (XDSL.AddfOp, XDSL.SubfOp, XDSL.MulfOp, XDSL.DivfOp)
_CHOOSING_FLOATS = (XDSL.MaximumfOp, XDSL.MaxnumfOp, XDSL.MinimumfOp, XDSL.MinnumfOp)


@repairs(
    *(*_EXACT, *_OVERFLOWING, *_CHOOSING_INTEGERS),
    *(XDSL.FloorDivSIOp, XDSL.CeilDivSIOp, XDSL.CeilDivUIOp, XDSL.RemUIOp, XDSL.RemSIOp),
    *(XDSL.AndIOp, XDSL.OrIOp, XDSL.XOrIOp),
)
def _of_integers(op: type[IRDLOperation]) -> None:
    integers = VarConstraint("T", INTEGER_OR_INDEX_LIKE)
    repair(
        op,
        syntax="$lhs `,` $rhs attr-dict `:` type($result)",
        types=same_type(*_BINARY),
        operands={"lhs": operand_def(integers), "rhs": operand_def(integers)},
        results={"result": result_def(integers)},
    )


@repairs(*_EXACT)
def _exact(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=Syntax(
            "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
            older=(((3, 6), "$lhs `,` $rhs attr-dict `:` type($result)"),),
            attributes_since={"isExact": (3, 7)},
        ),
        properties={"is_exact": opt_prop_def(UnitAttr, prop_name="isExact")},
    )


@repairs(*_OVERFLOWING)
def _overflowing(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    )


_PLAIN_FLOAT_BINARY = f"$lhs `,` $rhs {_FASTMATH} attr-dict `:` type($result)"


@repairs(*_ROUNDED_BINARY, *_CHOOSING_FLOATS)
def _of_floats(op: type[IRDLOperation]) -> None:
    floats = VarConstraint("T", FLOAT_LIKE)
    repair(
        op,
        syntax=_PLAIN_FLOAT_BINARY,
        types=same_type(*_BINARY),
        operands={"lhs": operand_def(floats), "rhs": operand_def(floats)},
        results={"result": result_def(floats)},
    )


@repairs(*_ROUNDED_BINARY)
def _rounded(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=Syntax(
            f"$lhs `,` $rhs ($roundingmode^)? {_FASTMATH} attr-dict `:` type($result)",
            older=(((3, 7), _PLAIN_FLOAT_BINARY),),
            attributes_since={"roundingmode": (3, 8)},
        ),
        enums={"roundingmode": RoundingMode},
        properties={"roundingmode": opt_prop_def(IntegerAttr)},
    )


# The traits that xDSL left out.


@repairs(
    *(*_CHOOSING_INTEGERS, *_CHOOSING_FLOATS, XDSL.AddfOp, XDSL.MulfOp),
    *(XDSL.AddUIExtendedOp, XDSL.MulUIExtendedOp, XDSL.MulSIExtendedOp),
)
def _commutative(op: type[IRDLOperation]) -> None:
    add_traits(op, Commutative())


@repairs(XDSL.RemUIOp, XDSL.ExtSIOp)
def _pure(op: type[IRDLOperation]) -> None:
    add_traits(op, Pure())


@repairs(XDSL.CeilDivSIOp)
def _not_to_be_speculated(op: type[IRDLOperation]) -> None:
    # Dividing by zero is undefined: not to be moved to where it was not done before.
    replace_trait(op, Pure, NoMemoryEffect())


def _init_negf(
    self: NegfOp, operand: Operation | SSAValue, fastmath: FastMathFlagsAttr | None = None
) -> None:
    operand = SSAValue.get(operand)
    IRDLOperation.__init__(
        self,
        operands=[operand],
        result_types=[operand.type],
        properties={"fastmath": fastmath},
    )


@repairs(XDSL.NegfOp)
def _negf(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=f"$operand {_FASTMATH} attr-dict `:` type($result)",
        types=same_type("operand", "result"),
        init=_init_negf,
    )


@repairs(XDSL.MulUIExtendedOp, XDSL.MulSIExtendedOp)
def _extended_product(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$lhs `,` $rhs attr-dict `:` type($lhs)",
        types=same_type("lhs", "rhs", "low", "high"),
    )


@repairs(XDSL.AddUIExtendedOp)
def _extended_sum(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
        types=(*same_type("lhs", "rhs", "sum"), TypeRule("overflow", "lhs", i1_like)),
        results={"overflow": result_def(BOOL_LIKE)},
        verify=lambda op: None,
    )


@irdl_op_definition
class SubUIExtendedOp(IRDLOperation):
    """
    Difference of unsigned integers, and whether it wrapped around.

    ```mlir
    %diff, %borrow = arith.subui_extended %a, %b : i32, i1
    ```
    """

    name = "arith.subui_extended"

    lhs = operand_def(INTEGER_OR_INDEX_LIKE)
    rhs = operand_def(INTEGER_OR_INDEX_LIKE)
    diff = result_def(INTEGER_OR_INDEX_LIKE)
    borrow = result_def(BOOL_LIKE)

    SYNTAX: ClassVar = Syntax(
        "$lhs `,` $rhs attr-dict `:` type($diff) `,` type($borrow)", since=(3, 8)
    )
    TYPES: ClassVar = (*same_type("lhs", "rhs", "diff"), TypeRule("borrow", "lhs", i1_like))
    RESULT_NAMES: ClassVar = ("diff", "borrow")

    traits = traits_def(Pure())


@irdl_op_definition
class FlushDenormalsOp(IRDLOperation):
    """
    Denormal numbers replaced by zero of the same sign.

    ```mlir
    %r = arith.flush_denormals %x : f32
    ```
    """

    name = "arith.flush_denormals"

    operand = operand_def(FLOAT_LIKE)
    result = result_def(FLOAT_LIKE)

    SYNTAX: ClassVar = Syntax("$operand attr-dict `:` type($result)", since=(3, 8))
    TYPES: ClassVar = same_type("operand", "result")

    traits = traits_def(Pure())


@irdl_op_definition
class RemFOp(FloatingPointLikeBinaryOperation):
    """
    Remainder of a division that truncates; the result has the sign of the dividend.

    ```mlir
    %r = arith.remf %a, %b : tensor<64xf32>
    ```
    """

    name = "arith.remf"

    SYNTAX: ClassVar = Syntax(f"$lhs `,` $rhs {_FASTMATH} attr-dict `:` type($result)")
    TYPES: ClassVar = same_type(*_BINARY)

    traits = traits_def(Pure())


# --- constants, comparisons, select ----------------------------------------------------


@repairs(XDSL.ConstantOp)
def _constant(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="attr-dict custom<TypedAttribute>($value)",
        directives={"TypedAttribute": TypedAttribute("result")},
    )


def _init_cmpi(
    self: CmpiOp, operand1: Operation | SSAValue, operand2: Operation | SSAValue, arg: int | str
) -> None:
    lhs, rhs = SSAValue.get(operand1), SSAValue.get(operand2)
    IRDLOperation.__init__(
        self,
        operands=[lhs, rhs],
        result_types=[i1_like(lhs.type)],
        properties={"predicate": _predicate(CmpIPredicate, arg)},
    )


def _init_cmpf(
    self: CmpfOp,
    operand1: Operation | SSAValue,
    operand2: Operation | SSAValue,
    arg: int | str,
    fastmath: FastMathFlagsAttr = FASTMATH_NONE,
) -> None:
    lhs, rhs = SSAValue.get(operand1), SSAValue.get(operand2)
    IRDLOperation.__init__(
        self,
        operands=[lhs, rhs],
        result_types=[i1_like(lhs.type)],
        properties={"predicate": _predicate(CmpFPredicate, arg), "fastmath": fastmath},
    )


def _predicate(enum: type[I32Enum], value: int | str) -> IntegerAttr:
    if isinstance(value, str):
        member = enum.from_keyword(value)
        if member is None:
            raise VerifyException(f"unknown comparison predicate '{value}'")
        value = member
    return IntegerAttr(int(value), 64)


@repairs(XDSL.CmpiOp)
def _cmpi(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
        types=(*same_type("lhs", "rhs"), TypeRule("result", "lhs", i1_like)),
        enums={"predicate": CmpIPredicate},
        operands={
            "lhs": operand_def(INTEGER_OR_INDEX_LIKE),
            "rhs": operand_def(INTEGER_OR_INDEX_LIKE),
        },
        results={"result": result_def(BOOL_LIKE)},
        init=_init_cmpi,
    )


@repairs(XDSL.CmpfOp)
def _cmpf(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=f"$predicate `,` $lhs `,` $rhs {_FASTMATH} attr-dict `:` type($lhs)",
        types=(*same_type("lhs", "rhs"), TypeRule("result", "lhs", i1_like)),
        enums={"predicate": CmpFPredicate},
        operands={"lhs": operand_def(FLOAT_LIKE), "rhs": operand_def(FLOAT_LIKE)},
        results={"result": result_def(BOOL_LIKE)},
        init=_init_cmpf,
    )


def _verify_select(op: SelectOp) -> None:
    if is_bool(op.cond.type):
        return
    if op.cond.type != (expected := i1_like(op.result.type)) or expected == i1:
        raise VerifyException(
            f"cond has type {op.cond.type}, expected i1 or a value of the shape of "
            f"the result, {op.result.type}"
        )


class SelectTypes:
    """The result's type, behind the condition's where that is not `i1`."""

    def parse(self, parser: Parser, state: OpState, *arguments: str) -> None:
        cond_type, result_type = i1, parser.parse_type()
        if parser.parse_optional_punctuation(","):
            cond_type, result_type = result_type, parser.parse_type()
        state.types["cond"], state.types["result"] = [cond_type], [result_type]

    def print(self, printer: Printer, op: Any, *arguments: str) -> None:
        if op.cond.type != i1:
            printer.print_attribute(op.cond.type)
            printer.print_string(", ")
        printer.print_attribute(op.result.type)


@repairs(XDSL.SelectOp)
def _select(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$cond `,` $lhs `,` $rhs attr-dict `:` custom<SelectTypes>(type($cond), type($result))",
        types=same_type("lhs", "rhs", "result"),
        directives={"SelectTypes": SelectTypes()},
        operands={"cond": operand_def(BOOL_LIKE)},
        verify=_verify_select,
    )


# --- casts -----------------------------------------------------------------------------


def _width(t: Attribute) -> int:
    element = element_or_self(t)
    return element.bitwidth if isinstance(element, FixedBitwidthType) else 0


def _verify_cast(op: Any) -> None:
    source, target = op.input.type, op.result.type
    if not same_shape(source, target):
        raise VerifyException(f"input of type {source} and result of type {target} differ in shape")


def _verify_widening(op: Any) -> None:
    _verify_cast(op)
    if _width(op.result.type) <= _width(op.input.type):
        raise VerifyException(
            f"result type {op.result.type} must be wider than input type {op.input.type}"
        )


def _verify_narrowing(op: Any) -> None:
    _verify_cast(op)
    if _width(op.result.type) >= _width(op.input.type):
        raise VerifyException(
            f"result type {op.result.type} must be narrower than input type {op.input.type}"
        )


def _verify_bitcast(op: BitcastOp) -> None:
    _verify_cast(op)
    if _width(op.input.type) != _width(op.result.type):
        raise VerifyException(
            f"input type {op.input.type} and result type {op.result.type} differ in bit width"
        )


def _verify_index_cast(op: Any) -> None:
    _verify_cast(op)
    kinds = [isinstance(element_or_self(t), IndexType) for t in (op.input.type, op.result.type)]
    if kinds[0] == kinds[1]:
        raise VerifyException(
            f"one of input type {op.input.type} and result type {op.result.type} must be index"
        )


_CAST = "$input attr-dict `:` type($input) `to` type($result)"
_ROUNDED = f"$input ($roundingmode^)? {_FASTMATH} attr-dict `:` type($input) `to` type($result)"


def _cast(
    op: type[IRDLOperation],
    source: AttrConstraint,
    target: AttrConstraint,
    verify: Callable[[Any], None],
) -> None:
    repair(
        op,
        syntax=_CAST,
        operands={"input": operand_def(source)},
        results={"result": result_def(target)},
        verify=verify,
    )


for _ops, _source, _target, _verify in (
    ((XDSL.FPToSIOp, XDSL.FPToUIOp), FLOAT_LIKE, INTEGER_LIKE, _verify_cast),
    ((XDSL.SIToFPOp, XDSL.UIToFPOp), INTEGER_LIKE, FLOAT_LIKE, _verify_cast),
    ((XDSL.ExtSIOp, XDSL.ExtUIOp), INTEGER_LIKE, INTEGER_LIKE, _verify_widening),
    ((XDSL.BitcastOp,), BITCAST_LIKE, BITCAST_LIKE, _verify_bitcast),
    ((XDSL.IndexCastOp,), INDEX_CAST_LIKE, INDEX_CAST_LIKE, _verify_index_cast),
    ((XDSL.TruncIOp,), INTEGER_LIKE, INTEGER_LIKE, _verify_narrowing),
    ((XDSL.TruncFOp,), FLOAT_LIKE, FLOAT_LIKE, _verify_narrowing),
    ((XDSL.ExtFOp,), FLOAT_LIKE, FLOAT_LIKE, _verify_widening),
):
    repairs(*_ops)(partial(_cast, source=_source, target=_target, verify=_verify))


@repairs(XDSL.TruncIOp)
def _trunci(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax="$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($result)",
        properties={
            "overflow_flags": prop_def(
                IntegerOverflowAttr, default_value=OVERFLOW_NONE, prop_name="overflowFlags"
            )
        },
    )


@repairs(XDSL.ExtFOp)
def _extf(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=f"$input {_FASTMATH} attr-dict `:` type($input) `to` type($result)",
        properties={"fastmath": opt_prop_def(FastMathFlagsAttr)},
    )


@repairs(XDSL.TruncFOp)
def _truncf(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=_ROUNDED,
        enums={"roundingmode": RoundingMode},
        properties={
            "roundingmode": opt_prop_def(IntegerAttr),
            "fastmath": opt_prop_def(FastMathFlagsAttr),
        },
    )


_NON_NEGATIVE = Syntax(
    "$input (`nneg` $nonNeg^)? attr-dict `:` type($input) `to` type($result)",
    older=(((3, 7), _CAST),),
    attributes_since={"nonNeg": (3, 8)},
)


@repairs(XDSL.ExtUIOp, XDSL.UIToFPOp)
def _non_negative(op: type[IRDLOperation]) -> None:
    repair(
        op,
        syntax=_NON_NEGATIVE,
        properties={"non_neg": opt_prop_def(UnitAttr, prop_name="nonNeg")},
    )


@irdl_op_definition
class ConvertFOp(IRDLOperation):
    """
    Cast between float types of one width.

    ```mlir
    %y = arith.convertf %x : f16 to bf16
    ```
    """

    name = "arith.convertf"

    input = operand_def(FLOAT_LIKE)
    roundingmode = opt_prop_def(IntegerAttr)
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def(FLOAT_LIKE)

    SYNTAX: ClassVar = Syntax(_ROUNDED, since=(3, 8))
    ENUMS: ClassVar = {"roundingmode": RoundingMode}

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_cast(self)
        if _width(self.input.type) != _width(self.result.type):
            raise VerifyException("input and result differ in bit width")


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """
    Cast between `index` and an integer type; a wider result is filled with zeros.

    ```mlir
    %i = arith.index_castui %n : i32 to index
    ```
    """

    name = "arith.index_castui"

    input = operand_def(INDEX_CAST_LIKE)
    non_neg = opt_prop_def(UnitAttr, prop_name="nonNeg")
    result = result_def(INDEX_CAST_LIKE)

    SYNTAX: ClassVar = _NON_NEGATIVE

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_index_cast(self)


@irdl_op_definition
class ScalingExtFOp(IRDLOperation):
    """
    Widen floats of a microscaling format: each element times its scale, a power of two.

    ```mlir
    %y = arith.scaling_extf %x, %s : tensor<32xf4E2M1FN>, tensor<32xf8E8M0FNU> to tensor<32xf32>
    ```
    """

    name = "arith.scaling_extf"

    input = operand_def(FLOAT_LIKE)
    scale = operand_def(FLOAT_LIKE)
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def(FLOAT_LIKE)

    SYNTAX: ClassVar = Syntax(
        f"$input `,` $scale {_FASTMATH} attr-dict"
        " `:` type($input) `,` type($scale) `to` type($result)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_widening(self)


@irdl_op_definition
class ScalingTruncFOp(IRDLOperation):
    """
    Narrow floats to a microscaling format: each element over its scale, a power of two.

    ```mlir
    %y = arith.scaling_truncf %x, %s : tensor<32xf32>, tensor<32xf8E8M0FNU> to tensor<32xf4E2M1FN>
    ```
    """

    name = "arith.scaling_truncf"

    input = operand_def(FLOAT_LIKE)
    scale = operand_def(FLOAT_LIKE)
    roundingmode = opt_prop_def(IntegerAttr)
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def(FLOAT_LIKE)

    SYNTAX: ClassVar = Syntax(
        f"$input `,` $scale ($roundingmode^)? {_FASTMATH} attr-dict"
        " `:` type($input) `,` type($scale) `to` type($result)"
    )
    ENUMS: ClassVar = {"roundingmode": RoundingMode}

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_narrowing(self)


ARITH = dialect_of(globals(), "arith", arith, interfaces=(ArithConstantMaterializationInterface(),))
