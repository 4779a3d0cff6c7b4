"""The `func` dialect: functions and calls."""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    UnitAttr,
)
from xdsl.dialects.func import (
    CallOp as CallOp,
    Func,
    FuncOp as FuncOp,
    ReturnOp as ReturnOp,
)
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.functions import parse_function, print_function
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState

_CALL_ATTRIBUTES = {
    "arg_attrs": opt_prop_def(ArrayAttr[DictionaryAttr]),
    "res_attrs": opt_prop_def(ArrayAttr[DictionaryAttr]),
}

_VISIBILITIES = ("public", "private", "nested")


def _verify_function(op: FuncOp) -> None:
    visibility = "public" if op.sym_visibility is None else op.sym_visibility.data
    if visibility not in _VISIBILITIES:
        raise VerifyException(f"visibility expected to be one of {_VISIBILITIES}: {visibility}")
    entry = op.body.blocks.first
    inputs = op.function_type.inputs.data
    if entry is None and visibility == "public":
        raise VerifyException("symbol declaration cannot have public visibility")
    if entry is not None and tuple(entry.arg_types) != inputs:
        raise VerifyException(
            "Expected entry block arguments to have the same types as the function input types"
        )
    _verify_facts("arguments", op.arg_attrs, len(inputs))
    _verify_facts("results", op.res_attrs, len(op.function_type.outputs.data))


def _verify_facts(what: str, facts: ArrayAttr[DictionaryAttr] | None, count: int) -> None:
    """Check what a function says of its arguments or results."""
    if facts is None:
        return
    if len(facts.data) != count:
        raise VerifyException(
            f"expects as many dictionaries of attributes as it has {what}, got {len(facts.data)},"
            f" expected {count}"
        )
    if any("." not in name for fact in facts.data for name in fact.data):
        raise VerifyException(f"{what} may only have dialect attributes")


repair(
    FuncOp,
    properties={"no_inline": opt_prop_def(UnitAttr)},
    parse=classmethod(parse_function),
    print=print_function,
    verify=_verify_function,
)
repair(
    CallOp,
    syntax="$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)",
    properties={**_CALL_ATTRIBUTES, "no_inline": opt_prop_def(UnitAttr)},
)
repair(ReturnOp, syntax="attr-dict ($arguments^ `:` type($arguments))?")
add_traits(ReturnOp, Pure())


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """
    A function as a value.

    ```mlir
    %f = func.constant @combine : (f32, f32) -> f32
    ```
    """

    name = "func.constant"

    value = prop_def(FlatSymbolRefAttrConstr)
    result = result_def(base(FunctionType))

    SYNTAX: ClassVar = Syntax("attr-dict $value `:` type($result)")

    traits = traits_def(ConstantLike(), Pure())


class CalleeType:
    """The function type of the callee, which tells those of operands and results."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        type = parser.parse_function_type()
        state.types["callee"] = [type]
        state.types["callee_operands"] = list(type.inputs.data)
        state.types["res"] = list(type.outputs.data)

    def print(self, printer: Printer, op: "CallIndirectOp", *arguments: str) -> None:
        printer.print_attribute(op.callee.type)


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """
    A call of a function value.

    ```mlir
    %r = func.call_indirect %f(%a, %b) : (f32, f32) -> f32
    ```
    """

    name = "func.call_indirect"

    callee = operand_def(base(FunctionType))
    callee_operands = var_operand_def()
    arg_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res_attrs = opt_prop_def(ArrayAttr[DictionaryAttr])
    res = var_result_def()

    SYNTAX: ClassVar = Syntax(
        "$callee `(` $callee_operands `)` attr-dict `:` custom<CalleeType>(type($callee))"
    )
    DIRECTIVES: ClassVar = {"CalleeType": CalleeType()}

    def verify_(self) -> None:
        type = self.callee.type
        assert isinstance(type, FunctionType)
        if tuple(self.callee_operands.types) != type.inputs.data:
            raise VerifyException(f"callee_operands do not fit the callee's type {type}")
        if tuple(self.result_types) != type.outputs.data:
            raise VerifyException(f"results do not fit the callee's type {type}")


FUNC = dialect_of(globals(), "func", Func)
