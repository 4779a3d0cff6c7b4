"""Ops with scalar code inside."""

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream import arith, func
from xtriton.ir.attributes import integer, string
from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.elementwise import lower_element
from xtriton.lowering.linalg_rules.generic import element_type, elementwise
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import (
    extract_slice,
    insert_slice,
    reshape_to,
    shape_of,
)

Values = Sequence[SSAValue]


@op_rule("tt.map_elementwise")
def map_elementwise(op: Operation, builder: Builder) -> Values | None:
    """
    A `linalg.generic` with the region's code, which becomes a function if it branches.

    With `pack` elements at a time, each tensor is taken apart into `pack` of them.
    """
    pack: int = integer(op, "pack")
    sources = list(op.operands)
    shape = shape_of(op.results[0])
    apart = [part for source in sources for part in _apart(builder, source, pack)]
    types = [
        TensorType(element_type(result.type), shape_of(apart[0]))
        for result in op.results
        for _ in range(pack)
    ]
    region = op.regions[0]
    callee = _outlined(op) if len(region.blocks) > 1 else None

    def body(inner: Builder, elements: Values) -> Values | None:
        if callee is not None:
            kinds = [kind.element_type for kind in types]
            return inner.make(func.CallOp, elements, kinds, {"callee": callee}).results
        return inline_block(region.blocks[0], inner, elements)

    found = elementwise(builder, apart, types, body)
    if found is None:
        return None
    groups = [found[k : k + pack] for k in range(0, len(found), pack)]
    return [_together(builder, parts, shape) for parts in groups]


def inline_block(block: Block, builder: Builder, arguments: Values) -> Values | None:
    """Return what the terminator of a block of scalar code hands over, given its arguments."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    for op in block.ops:
        operands = [values.get(operand, operand) for operand in op.operands]
        if op is block.last_op:
            return operands
        results: Values | None
        if isinstance(op, arith.ConstantOp):
            results = (builder.constant(op.properties["value"]),)
        elif op.name in ("tt.call", "func.call"):
            results = _inlined_call(op, builder, operands)
        elif op.regions:
            clone = builder.insert(op.clone(value_mapper=dict(values)))
            results = clone.results
        else:
            results = lower_element(op, builder, operands)
        if results is None:
            return None
        values.update(zip(op.results, results, strict=True))
    return None


def _inlined_call(op: Operation, builder: Builder, operands: Values) -> Values | None:
    """Return what a called function of one block returns; None for any other."""
    name = string(op, "callee")
    module = op
    while (above := module.parent_op()) is not None and module.name != "builtin.module":
        module = above
    for function in module.regions[0].block.ops:
        symbol = function.properties.get("sym_name")
        if isinstance(symbol, StringAttr) and symbol.data == name:
            blocks = _reachable(function)
            if len(blocks) != 1:
                return None
            # Program ids may have been added to its arguments, which scalar code does not use.
            arguments = blocks[0].args
            extra = [builder.integer(0, a.type) for a in arguments[len(operands) :]]
            return inline_block(blocks[0], builder, (*operands, *extra))
    return None


def _reachable(function: Operation) -> list[Block]:
    """Return the blocks of a function without those that nothing leads to."""
    blocks = list(function.regions[0].blocks)
    targets = {b for block in blocks if block.last_op for b in block.last_op.successors}
    return [block for k, block in enumerate(blocks) if k == 0 or block in targets]


def _apart(builder: Builder, source: SSAValue, pack: int) -> list[SSAValue]:
    """Return the elements 0, pack, 2 * pack, ..., then 1, pack + 1, ..., and so on."""
    if pack == 1:
        return [source]
    count = prod(shape_of(source)) // pack
    rows = reshape_to(builder, source, (count, pack))
    return [extract_slice(builder, rows, (0, k), (count, 1), (count,)) for k in range(pack)]


def _together(builder: Builder, parts: Values, shape: Sequence[int]) -> SSAValue:
    if len(parts) == 1:
        return parts[0]
    count = shape_of(parts[0])[0]
    whole = builder.empty(TensorType(element_type(parts[0].type), [count, len(parts)]))
    for k, part in enumerate(parts):
        whole = insert_slice(builder, part, whole, (0, k), (count, 1))
    return reshape_to(builder, whole, shape)


def _outlined(op: Operation) -> SymbolRefAttr:
    """Make a private function of the region of an op, and return its name."""
    parent = op
    while (above := parent.parent_op()) is not None and above.name != "builtin.module":
        parent = above
    module = parent.parent
    assert module is not None
    taken = {string(f, "sym_name") for f in module.ops if "sym_name" in f.properties}
    name = next(n for k in range(len(taken) + 1) if (n := f"map_elementwise_{k}") not in taken)
    region = op.regions[0]
    inputs = [argument.type for argument in region.blocks[0].args]
    body = Region()
    region.clone_into(body)
    outputs: list[Any] = []
    for block in body.blocks:
        last = block.last_op
        if last is not None and last.name == "tt.map_elementwise.return":
            outputs = [operand.type for operand in last.operands]
            block.insert_op_before(func.ReturnOp.create(operands=list(last.operands)), last)
            last.detach()
            last.erase()
    properties = {
        "sym_name": StringAttr(name),
        "sym_visibility": StringAttr("private"),
        "function_type": FunctionType.from_lists(inputs, outputs),
    }
    function = func.FuncOp.create(properties=properties, regions=[body])
    function.location = op.location
    module.add_op(function)
    return SymbolRefAttr(name)
