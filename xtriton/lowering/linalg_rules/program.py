"""Functions, program ids, assertions: what surrounds the arithmetic."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from xtriton.dialects.upstream import arith, cf, func, tensor, vector
from xtriton.ir.attributes import integer, string
from xtriton.ir.noted_edits import set_property
from xtriton.ir.walking import ops_in
from xtriton.lowering.builder import Builder, predicate
from xtriton.lowering.linalg_rules.generic import element_type, generic, identity_map, is_tensor
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import shape_of
from xtriton.lowering.signatures import set_signature

Values = Sequence[SSAValue]

PROGRAM_ARGUMENTS = 6
"""i32 arguments behind a kernel's own: number of programs x, y, z, program id x, y, z."""


def enclosing_function(op: Operation) -> Operation:
    """Return the function that `op` is in."""
    parent = op.parent_op()
    while parent is not None and parent.name not in ("tt.func", "func.func"):
        parent = parent.parent_op()
    assert parent is not None
    return parent


def program_argument(op: Operation, index: int) -> SSAValue:
    """Return one of the trailing arguments, by its place among them."""
    arguments = enclosing_function(op).regions[0].blocks[0].args
    return arguments[len(arguments) - PROGRAM_ARGUMENTS + index]


@op_rule("tt.get_num_programs")
def get_num_programs(op: Operation, builder: Builder) -> Values:
    return (program_argument(op, integer(op, "axis")),)


@op_rule("tt.get_program_id")
def get_program_id(op: Operation, builder: Builder) -> Values:
    return (program_argument(op, 3 + integer(op, "axis")),)


def add_program_arguments(function: Operation) -> None:
    """Give a `tt.func` its six trailing arguments."""
    kind: Any = function.properties["function_type"]
    set_signature(function, [*kind.inputs.data, *[i32] * PROGRAM_ARGUMENTS])
    names: Any = function.properties.get("arg_attrs")
    if names is not None:
        extra = [DictionaryAttr({})] * PROGRAM_ARGUMENTS
        set_property(function, "arg_attrs", ArrayAttr([*names.data, *extra]))
    if function.regions[0].blocks:
        block = function.regions[0].blocks[0]
        for _ in range(PROGRAM_ARGUMENTS):
            block.insert_arg(i32, len(block.args))


def to_func(function: Operation) -> Operation:
    """Put a `func.func` in the place of a `tt.func`, its body moved; return it."""
    properties = dict(function.properties)
    visibility = properties.get("sym_visibility")
    if isinstance(visibility, StringAttr) and visibility.data == "public":
        del properties["sym_visibility"]
    body = function.regions[0]
    function.detach_region(body)
    new = func.FuncOp.create(properties=properties, regions=[body if body.blocks else Region()])
    new.location = function.location
    block = function.parent
    assert block is not None
    block.insert_op_before(new, function)
    function.detach()
    function.erase()
    return new


@op_rule("tt.return")
def return_(op: Operation, builder: Builder) -> Values:
    builder.make(func.ReturnOp, list(op.operands))
    return ()


@op_rule("tt.call")
def call(op: Operation, builder: Builder) -> Values:
    trailing = [program_argument(op, index) for index in range(PROGRAM_ARGUMENTS)]
    callee: SymbolRefAttr = op.properties["callee"]  # pyright: ignore[reportAssignmentType]
    return builder.make(
        func.CallOp,
        [*op.operands, *trailing],
        [result.type for result in op.results],
        {"callee": callee},
    ).results


def declare_called(module: ModuleOp) -> None:
    """Declare the external functions that calls name."""
    known = {string(f, "sym_name") for f in module.ops if "sym_name" in f.properties}
    functions = [top for top in module.ops if not isinstance(top, ModuleOp)]
    calls: list[Any] = [op for top in functions for op in ops_in(top, ("func.call",))]
    for op in calls:
        name = op.callee.string_value()
        if name in known:
            continue
        known.add(name)
        inputs = [operand.type for operand in op.operands]
        outputs = [result.type for result in op.results]
        properties = {
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
            "function_type": FunctionType.from_lists(inputs, outputs),
        }
        declaration = func.FuncOp.create(properties=properties, regions=[Region()])
        declaration.location = op.location
        module.body.block.add_op(declaration)


@op_rule("tt.assert")
def assert_(op: Operation, builder: Builder) -> Values:
    """`cf.assert`, for a tensor of each element."""
    condition = op.operands[0]
    message: str = string(op, "message")
    properties = {"msg": StringAttr(f"Assertion `{message}` failed")}
    if not is_tensor(condition):
        builder.make(cf.AssertOp, (_as_bool(builder, condition),), (), properties)
        return ()

    def body(inner: Builder, arguments: Values) -> Values:
        inner.make(cf.AssertOp, (_as_bool(inner, arguments[0]),), (), properties)
        return ()

    rank = len(shape_of(condition))
    generic(builder, (condition,), [identity_map(rank)], (), ["parallel"] * rank, body)
    return ()


def _as_bool(builder: Builder, condition: SSAValue) -> SSAValue:
    if condition.type == i1:
        return condition
    zero = builder.constant(IntegerAttr(0, condition.type))  # pyright: ignore[reportArgumentType, reportCallIssue]
    code = predicate(arith.CmpIPredicate.ne)
    return builder.value(arith.CmpiOp, (condition, zero), i1, {"predicate": code})


@op_rule("gpu.barrier", "ttg.barrier")
def barrier(op: Operation, builder: Builder) -> Values:
    """Nothing: a program runs on one thread, in order."""
    return ()


@op_rule("tt.print")
def print_(op: Operation, builder: Builder) -> Values | None:
    """
    `vector.print` of the prefix, then of each number; of a tensor element by element.

    Pointers are not printed, and numbers in the type's own notation where Triton was asked
    for hexadecimal digits.
    """
    prefix: str = string(op, "prefix")
    numbers = [value for value in op.operands if isinstance(element_type(value.type), AnyNumber)]
    text = {"stringLiteral": StringAttr(prefix), "punctuation": _newline()}
    builder.make(vector.PrintOp, (), (), text)
    for value in numbers:
        _print_all(builder, value, [])
    return ()


AnyNumber = IntegerType | AnyFloat


def _newline() -> Attribute:
    return vector.PrintPunctuationAttr(vector.PrintPunctuation.NEWLINE)


def _print_all(builder: Builder, value: SSAValue, places: Sequence[SSAValue]) -> None:
    """Print a scalar, or the elements of a tensor, each on a line."""
    if not is_tensor(value):
        builder.make(vector.PrintOp, (_widened(builder, value),), (), {"punctuation": _newline()})
        return
    shape = shape_of(value)
    if len(places) < len(shape):
        loop = builder.for_(shape[len(places)])
        inner = builder.inside(loop.body.block)
        _print_all(inner, value, (*places, loop.body.block.args[0]))
        inner.yield_()
        return
    scalar = builder.value(tensor.ExtractOp, (value, *places), element_type(value.type))
    _print_all(builder, scalar, ())


def _widened(builder: Builder, value: SSAValue) -> SSAValue:
    """Return a number in a type that MLIR's runtime can print."""
    kind: Any = value.type
    if isinstance(kind, AnyFloat) and kind.bitwidth < 32:
        return builder.value(arith.ExtFOp, (value,), f32)
    return value
