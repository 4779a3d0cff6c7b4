"""
The `math` dialect: functions of floats and integers, elementwise on vectors and tensors.

Added to xDSL's: `clampf`, `erfc`, `sincos` and the four classifications.
"""

from typing import ClassVar

from xdsl.dialects.math import (
    AbsFOp as AbsFOp,
    AbsIOp as AbsIOp,
    AcoshOp as AcoshOp,
    AcosOp as AcosOp,
    AsinhOp as AsinhOp,
    AsinOp as AsinOp,
    Atan2Op as Atan2Op,
    AtanhOp as AtanhOp,
    AtanOp as AtanOp,
    CbrtOp as CbrtOp,
    CeilOp as CeilOp,
    CopySignOp as CopySignOp,
    CoshOp as CoshOp,
    CosOp as CosOp,
    CountLeadingZerosOp as CountLeadingZerosOp,
    CountTrailingZerosOp as CountTrailingZerosOp,
    CtPopOp as CtPopOp,
    ErfOp as ErfOp,
    Exp2Op as Exp2Op,
    ExpM1Op as ExpM1Op,
    ExpOp as ExpOp,
    FloatingPointLikeBinaryMathOperation,
    FloatingPointLikeUnaryMathOperation,
    FloorOp as FloorOp,
    FmaOp as FmaOp,
    FPowIOp as FPowIOp,
    IPowIOp as IPowIOp,
    Log1pOp as Log1pOp,
    Log2Op as Log2Op,
    Log10Op as Log10Op,
    LogOp as LogOp,
    Math,
    PowFOp as PowFOp,
    RoundEvenOp as RoundEvenOp,
    RoundOp as RoundOp,
    RsqrtOp as RsqrtOp,
    SignlessIntegerLikeBinaryMathOperation,
    SignlessIntegerLikeUnaryMathOperation,
    SinhOp as SinhOp,
    SinOp as SinOp,
    SqrtOp as SqrtOp,
    TanhOp as TanhOp,
    TanOp as TanOp,
    TruncOp as TruncOp,
)
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure, SameOperandsAndResultType
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.arith import FASTMATH_NONE, FastMathFlagsAttr
from xtriton.dialects.upstream.repair import fix_syntax, repair
from xtriton.dialects.upstream.types import (
    BOOL_LIKE,
    FLOAT_LIKE,
    INTEGER_OR_INDEX_LIKE,
    i1_like,
    same_shape,
)
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax, TypeRule, same_type

_FASTMATH = "(`fastmath` `` $fastmath^)?"
_FLOAT = VarConstraint("T", FLOAT_LIKE)
_INTEGER = VarConstraint("T", INTEGER_OR_INDEX_LIKE)

_SHAPES_OF_OPS = (
    (SignlessIntegerLikeUnaryMathOperation, ("operand",), _INTEGER, ""),
    (SignlessIntegerLikeBinaryMathOperation, ("lhs", "rhs"), _INTEGER, ""),
    (FloatingPointLikeUnaryMathOperation, ("operand",), _FLOAT, _FASTMATH + " "),
    (FloatingPointLikeBinaryMathOperation, ("lhs", "rhs"), _FLOAT, _FASTMATH + " "),
)
for _base, _names, _constraint, _flags in _SHAPES_OF_OPS:
    _listed = " `,` ".join(f"${name}" for name in _names)
    _ops = [op for op in Math.operations if issubclass(op, _base)]
    for _op in _ops:
        repair(
            _op,
            operands={name: operand_def(_constraint) for name in _names},
            results={"result": result_def(_constraint)},
        )
    fix_syntax(
        _ops,
        f"{_listed} {_flags}attr-dict `:` type($result)",
        *same_type(*_names, "result"),
    )


def _init_fma(
    self: FmaOp,
    a: Operation | SSAValue,
    b: Operation | SSAValue,
    c: Operation | SSAValue,
    fastmath: FastMathFlagsAttr | None = None,
) -> None:
    IRDLOperation.__init__(
        self,
        operands=[a, b, c],
        result_types=[SSAValue.get(a).type],
        properties={"fastmath": fastmath},
    )


repair(
    FmaOp,
    syntax=f"$a `,` $b `,` $c {_FASTMATH} attr-dict `:` type($result)",
    types=same_type("a", "b", "c", "result"),
    operands={"a": operand_def(_FLOAT), "b": operand_def(_FLOAT), "c": operand_def(_FLOAT)},
    results={"result": result_def(_FLOAT)},
    init=_init_fma,
)


def _init_fpowi(
    self: FPowIOp,
    lhs: Operation | SSAValue,
    rhs: Operation | SSAValue,
    fastmath: FastMathFlagsAttr | None = None,
) -> None:
    IRDLOperation.__init__(
        self,
        operands=[lhs, rhs],
        result_types=[SSAValue.get(lhs).type],
        properties={"fastmath": fastmath},
    )


def _verify_fpowi(op: FPowIOp) -> None:
    if not same_shape(op.lhs.type, op.rhs.type):
        raise VerifyException(f"lhs of type {op.lhs.type} and rhs {op.rhs.type} differ in shape")


repair(
    FPowIOp,
    syntax=f"$lhs `,` $rhs {_FASTMATH} attr-dict `:` type($lhs) `,` type($rhs)",
    types=same_type("lhs", "result"),
    operands={"lhs": operand_def(_FLOAT), "rhs": operand_def(INTEGER_OR_INDEX_LIKE)},
    results={"result": result_def(_FLOAT)},
    verify=_verify_fpowi,
    init=_init_fpowi,
)


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """
    `value` limited to the range from `min` to `max`; NaN if any of them is NaN.

    ```mlir
    %y = math.clampf %x to [%low, %high] : tensor<64xf32>
    ```
    """

    name = "math.clampf"

    value = operand_def(_FLOAT)
    min = operand_def(_FLOAT)
    max = operand_def(_FLOAT)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FASTMATH_NONE)
    result = result_def(_FLOAT)

    SYNTAX: ClassVar = Syntax(
        f"$value `to` ` ` `[` $min `,` $max `]` {_FASTMATH} attr-dict `:` type($result)"
    )
    TYPES: ClassVar = same_type("value", "min", "max", "result")

    traits = traits_def(Pure(), SameOperandsAndResultType())

    def __init__(
        self,
        value: Operation | SSAValue,
        minimum: Operation | SSAValue,
        maximum: Operation | SSAValue,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        super().__init__(
            operands=[value, minimum, maximum],
            result_types=[SSAValue.get(value).type],
            properties={"fastmath": fastmath},
        )


@irdl_op_definition
class ErfcOp(FloatingPointLikeUnaryMathOperation):
    """
    Complementary error function, `1 - erf(x)` without the cancellation.

    ```mlir
    %y = math.erfc %x : f32
    ```
    """

    name = "math.erfc"

    SYNTAX: ClassVar = Syntax(f"$operand {_FASTMATH} attr-dict `:` type($result)")
    TYPES: ClassVar = same_type("operand", "result")

    traits = traits_def(Pure(), SameOperandsAndResultType())


@irdl_op_definition
class SincosOp(IRDLOperation):
    """
    Sine and cosine of one operand.

    ```mlir
    %sin, %cos = math.sincos %x : tensor<64xf32>
    ```
    """

    name = "math.sincos"

    operand = operand_def(_FLOAT)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FASTMATH_NONE)
    sin = result_def(_FLOAT)
    cos = result_def(_FLOAT)

    SYNTAX: ClassVar = Syntax(f"$operand {_FASTMATH} attr-dict `:` type($operand)", since=(3, 7))
    TYPES: ClassVar = same_type("operand", "sin", "cos")
    RESULT_NAMES: ClassVar = ("sin", "cos")

    traits = traits_def(Pure())


class ClassificationOp(IRDLOperation):
    """Whether floats are of a class: an `i1` in the shape of the operand."""

    operand = operand_def(FLOAT_LIKE)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FASTMATH_NONE)
    result = result_def(BOOL_LIKE)

    SYNTAX: ClassVar = Syntax("$operand attr-dict `:` type($operand)")
    TYPES: ClassVar = (TypeRule("result", "operand", i1_like),)

    traits = traits_def(Pure())

    def __init__(self, operand: Operation | SSAValue, fastmath: FastMathFlagsAttr | None = None):
        super().__init__(
            operands=[operand],
            result_types=[i1_like(SSAValue.get(operand).type)],
            properties={"fastmath": fastmath},
        )


@irdl_op_definition
class IsFiniteOp(ClassificationOp):
    """
    Whether `operand` is neither infinite nor NaN.

    ```mlir
    %b = math.isfinite %x : f32
    ```
    """

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(ClassificationOp):
    """
    Whether `operand` is infinite.

    ```mlir
    %b = math.isinf %x : f32
    ```
    """

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(ClassificationOp):
    """
    Whether `operand` is NaN.

    ```mlir
    %b = math.isnan %x : f32
    ```
    """

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(ClassificationOp):
    """
    Whether `operand` is a normal number: not zero, subnormal, infinite or NaN.

    ```mlir
    %b = math.isnormal %x : f32
    ```
    """

    name = "math.isnormal"


MATH = dialect_of(globals(), "math", Math)
