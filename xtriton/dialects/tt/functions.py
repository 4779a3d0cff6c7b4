"""
Functions, calls and returns.

Upstream: "Function Ops" of `TritonOps.td`, which copies them from MLIR's `func`.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    CallableOpInterface,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    ReturnLike,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.traits import TENSOR_TRAITS
from xtriton.dialects.upstream.functions import parse_function, print_function
from xtriton.ir.syntax import Syntax

_DictionaryArray = ArrayAttr[DictionaryAttr]


class FuncOpCallable(CallableOpInterface):
    """What callers may know of a `tt.func`."""

    @classmethod
    def get_callable_region(cls, op: Operation) -> Region:
        assert isinstance(op, FuncOp)
        return op.body

    @classmethod
    def get_argument_types(cls, op: Operation) -> tuple[Attribute, ...]:
        assert isinstance(op, FuncOp)
        return op.function_type.inputs.data

    @classmethod
    def get_result_types(cls, op: Operation) -> tuple[Attribute, ...]:
        assert isinstance(op, FuncOp)
        return op.function_type.outputs.data


@irdl_op_definition
class FuncOp(IRDLOperation):
    """
    A function: a kernel if it is public, a device function if private.

    Arguments carry facts as attributes: `tt.divisibility`, `tt.contiguity`,
    `tt.constancy`, `tt.pointer_range`. Without a body it is a declaration.
    Upstream `FuncOp`.

    ```mlir
    tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes
        {noinline = false} {
      tt.return
    }
    ```
    """

    name = "tt.func"

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    sym_visibility = opt_prop_def(StringAttr)
    arg_attrs = opt_prop_def(_DictionaryArray)
    res_attrs = opt_prop_def(_DictionaryArray)
    body = region_def()

    traits = traits_def(
        *TENSOR_TRAITS,
        IsolatedFromAbove(),
        SymbolOpInterface(),
        FuncOpCallable(),
        HasParent(ModuleOp),
    )

    def __init__(
        self,
        name: str,
        function_type: FunctionType | tuple[Sequence[Attribute], Sequence[Attribute]],
        body: Region | None = None,
        *,
        visibility: str | None = "public",
        arg_attrs: Sequence[Mapping[str, Attribute]] | None = None,
        res_attrs: Sequence[Mapping[str, Attribute]] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        """Without `body` the function gets an entry block; an empty region declares it."""
        if not isinstance(function_type, FunctionType):
            function_type = FunctionType.from_lists(*function_type)
        if body is None:
            body = Region(Block(arg_types=function_type.inputs.data))
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type,
                "sym_visibility": None if visibility is None else StringAttr(visibility),
                "arg_attrs": _dictionaries(arg_attrs),
                "res_attrs": _dictionaries(res_attrs),
            },
            attributes=attributes or {},
            regions=[body],
        )

    @property
    def is_kernel(self) -> bool:
        """Whether this is launched on a grid, rather than called."""
        return self.sym_visibility is None or self.sym_visibility.data == "public"

    @property
    def args(self) -> tuple[SSAValue, ...]:
        """The arguments of the entry block."""
        return tuple(self.body.block.args) if self.body.blocks else ()

    @classmethod
    def parse(cls, parser: Parser) -> "FuncOp":
        return parse_function(cls, parser)

    def print(self, printer: Printer) -> None:
        print_function(self, printer)

    def verify_(self) -> None:
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        for given, types, what in (
            (self.arg_attrs, inputs, "argument"),
            (self.res_attrs, outputs, "result"),
        ):
            if given is not None and len(given) != len(types):
                raise VerifyException(
                    f"expects {what} attribute array to have the same number of elements "
                    f"as the number of function {what}s, got {len(given)}, but expected "
                    f"{len(types)}"
                )
        if (entry := self.body.first_block) is None:
            return
        if len(entry.args) != len(inputs):
            raise VerifyException(
                f"entry block must have {len(inputs)} arguments to match function signature"
            )
        for i, (arg, type) in enumerate(zip(entry.args, inputs, strict=True)):
            if arg.type != type:
                raise VerifyException(
                    f"type of entry block argument #{i}('{arg.type}') must match the type "
                    f"of the corresponding argument in function signature('{type}')"
                )


def _dictionaries(
    attributes: Sequence[Mapping[str, Attribute]] | None,
) -> _DictionaryArray | None:
    if attributes is None or not any(attributes):
        return None
    return ArrayAttr(DictionaryAttr(dict(a)) for a in attributes)


class CallSymbolUse(SymbolUserOpInterface):
    """The callee is a `tt.func` whose signature the call matches."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CallOp)
        callee = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyException(
                f"'{op.callee.string_value()}' does not reference a valid function"
            )
        inputs = callee.function_type.inputs.data
        outputs = callee.function_type.outputs.data
        if len(inputs) != len(op.operands):
            raise VerifyException("incorrect number of operands for callee")
        for i, (operand, type) in enumerate(zip(op.operands, inputs, strict=True)):
            if operand.type != type:
                raise VerifyException(
                    f"operand type mismatch: expected operand type '{type}', but provided "
                    f"'{operand.type}' for operand number {i}"
                )
        if len(outputs) != len(op.results):
            raise VerifyException("incorrect number of results for callee")
        for i, (result, type) in enumerate(zip(op.results, outputs, strict=True)):
            if result.type != type:
                raise VerifyException(
                    f"result type mismatch at index {i}: '{result.type}' against '{type}'"
                )


@irdl_op_definition
class CallOp(IRDLOperation):
    """
    Call a device function of the same module.

    Upstream `CallOp`.

    ```mlir
    %r = tt.call @my_add(%a, %b) : (f32, f32) -> f32
    ```
    """

    name = "tt.call"

    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def()
    arg_attrs = opt_prop_def(_DictionaryArray)
    res_attrs = opt_prop_def(_DictionaryArray)
    outputs = var_result_def()

    traits = traits_def(*TENSOR_TRAITS, CallSymbolUse())
    SYNTAX: ClassVar = Syntax(
        "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)",
        attributes_since={"arg_attrs": (3, 3), "res_attrs": (3, 3)},
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr | FuncOp,
        arguments: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute] | None = None,
    ):
        """Without `result_types` the callee, given as op, tells them."""
        if isinstance(callee, FuncOp):
            if result_types is None:
                result_types = callee.function_type.outputs.data
            callee = callee.sym_name.data
        if isinstance(callee, str):
            callee = SymbolRefAttr(callee)
        super().__init__(
            operands=[arguments],
            result_types=[result_types or ()],
            properties={"callee": callee},
        )


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """
    Return from a function.

    Upstream `ReturnOp`.

    ```mlir
    tt.return %r : f32
    ```
    """

    name = "tt.return"

    srcs = var_operand_def()

    traits = lazy_traits_def(
        lambda: (*TENSOR_TRAITS, Pure(), IsTerminator(), ReturnLike(), HasParent(FuncOp))
    )
    SYNTAX: ClassVar = Syntax("attr-dict ($srcs^ `:` type($srcs))?")

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        function = self.parent_op()
        if not isinstance(function, FuncOp):
            return
        types, name = function.function_type.outputs.data, function.sym_name.data
        if len(self.operands) != len(types):
            raise VerifyException(
                f"has {len(self.operands)} operands, but enclosing function (@{name}) "
                f"returns {len(types)}"
            )
        for i, (operand, type) in enumerate(zip(self.operands, types, strict=True)):
            if operand.type != type:
                raise VerifyException(
                    f"type of return operand {i} ('{operand.type}') doesn't match function "
                    f"result type ('{type}') in function @{name}"
                )
