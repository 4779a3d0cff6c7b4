"""Calls of functions of the module, which become copies of their bodies."""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of, single_block, terminator
from xtriton.cpu.emitter.blocks import run_blocks
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.mathematics import call_library
from xtriton.ir.attributes import attribute


@rule("func.call")
def _call(e: Emitter, op: Operation) -> None:
    name: str = cast(Any, attribute(op, "callee")).string_value()
    function = e.functions.get(name)
    if function is None or not function.regions[0].blocks:
        call_library(e, op, name)
        return
    # A copy for each call: lazy results of one must not see the values of another.
    copy = function.clone()
    for argument, value in zip(copy.regions[0].blocks[0].args, op.operands, strict=True):
        e.bind(argument, e.environment[value])
    if len(copy.regions[0].blocks) > 1:
        _run_with_early_returns(e, op, copy)
        return
    block: Any = single_block(copy)
    e.run_block(block)
    for result, value in zip(op.results, terminator(block).operands, strict=True):
        e.bind(result, e.environment[value])


def _run_with_early_returns(e: Emitter, op: Operation, function: Operation) -> None:
    """Run a body of several blocks; every return goes to what follows the call."""
    builder = e.builder
    after = builder.name("returned")
    incoming: list[tuple[Sequence[Operand], str]] = []
    places = {
        n: e.allocate(shape_of(result.type), e.type(result.type), op)
        for n, result in enumerate(op.results)
        if is_shaped(result.type)
    }
    scalars = [n for n in range(len(op.results)) if n not in places]

    def leave(last: Operation) -> None:
        for n, place in places.items():
            e.write(e.tensor(last.operands[n]), place)
        values = [e.scalar(last.operands[n]) for n in scalars]
        incoming.append((values, builder.current))
        builder.branch(after)

    run_blocks(e, function.regions[0], leave)
    builder.block(after)
    for k, n in enumerate(scalars):
        edges = [(values[k], label) for values, label in incoming]
        e.bind(op.results[n], builder.phi(e.register(op.results[n].type), edges))
    for n, place in places.items():
        e.bind(op.results[n], place)
