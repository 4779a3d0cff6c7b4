"""Rules of `linalg.generic` and `linalg.map`: reductions or parallel loops."""

from typing import Any

from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.generics import Generic, generic_of
from xtriton.cpu.emitter.parallel import parallel_generic
from xtriton.cpu.emitter.partners import exchange
from xtriton.cpu.emitter.reductions import reduce_generic


@rule("linalg.generic")
def _generic(e: Emitter, op: Operation) -> None:
    if (total := e.totals.get(op)) is not None:
        e.bind(op.results[0], total.take(e))
        return
    if (partners := e.partners.get(op)) is not None:
        e.bind(op.results[0], exchange(e, op, partners))
        return
    generic = generic_of(op)
    if any(generic.reductions):
        reduce_generic(e, generic)
    else:
        parallel_generic(e, generic)


@rule("linalg.map")
def _map(e: Emitter, op: Operation) -> None:
    *inputs, output = op.operands
    rank = len(e.tensor(output).sizes)
    block = single_block(op)
    identity = AffineMap.identity(rank)
    # Newer MLIR gives the body an argument for the output as well.
    outputs = [output]
    arguments = len(block.args)
    maps = [identity] * (len(inputs) + 1)
    generic = Generic(op, inputs, outputs, maps, [False] * rank, block)
    if arguments == len(inputs):
        generic.block = _Padded(block)
    parallel_generic(e, generic)


class _Padded:
    """A block that pretends to have an unused argument for the output."""

    def __init__(self, block: Any):
        self.args = (*block.args, _Unused())
        self.ops = block.ops
        self.last_op = block.last_op


class _Unused:
    uses: tuple[()] = ()
