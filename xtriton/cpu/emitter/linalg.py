"""Rules of the named ops of `linalg`, products and reductions aside."""

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.elementwise import cost_of, worth_delaying
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.pieces import lazy_of
from xtriton.cpu.emitter.values import Lazy, Pieces, Tensor, View
from xtriton.ir.attributes import integers


@rule("linalg.fill")
def _fill(e: Emitter, op: Operation) -> None:
    value, output = op.operands
    scalar = e.scalar(value)
    if isinstance(output.type, MemRefType):
        view = e.view(output)
        e.write(Lazy(view.type, view.sizes, lambda _: scalar), view)
        return
    pieces = Pieces(0, scalar, scalar)
    e.bind(op.results[0], lazy_of(e, e.type(output.type), e.tensor(output).sizes, pieces))


@rule("linalg.broadcast")
def _broadcast(e: Emitter, op: Operation) -> None:
    source, output = op.operands
    added = set(integers(op, "dimensions"))
    sizes = e.tensor(output).sizes
    kept = [d for d in range(len(sizes)) if d not in added]
    tensor = e.tensor(source)
    lazy = Lazy(
        tensor.type,
        sizes,
        lambda indices: e.element(tensor, [indices[d] for d in kept]),
        e.reads_of(tensor, aligned=False),
        cost_of(tensor),
    )
    _finish(e, op, output, lazy)


@rule("linalg.transpose")
def _transpose(e: Emitter, op: Operation) -> None:
    source, output = op.operands
    order = integers(op, "permutation")
    tensor = e.tensor(source)
    if isinstance(tensor, View):
        _finish(e, op, output, permuted(tensor, order))
        return

    def compute(indices: Sequence[Operand]) -> Operand:
        moved: list[Operand] = [0] * len(order)
        for index, dimension in zip(indices, order, strict=True):
            moved[dimension] = index
        return e.element(tensor, moved)

    sizes = tuple(tensor.sizes[d] for d in order)
    reads = e.reads_of(tensor, aligned=False)
    _finish(e, op, output, Lazy(tensor.type, sizes, compute, reads, cost_of(tensor)))


def _finish(e: Emitter, op: Operation, output: SSAValue, tensor: Tensor) -> None:
    if isinstance(output.type, MemRefType):
        e.write(tensor, e.view(output))
    else:
        e.bind(op.results[0], tensor)


NAMED_BINARY = {
    "linalg.add": ("arith.addf", "arith.addi"),
    "linalg.sub": ("arith.subf", "arith.subi"),
    "linalg.mul": ("arith.mulf", "arith.muli"),
    "linalg.div": ("arith.divf", "arith.divsi"),
    "linalg.max": ("arith.maximumf", "arith.maxsi"),
    "linalg.min": ("arith.minimumf", "arith.minsi"),
}


@rule(*NAMED_BINARY)
def _named_binary(e: Emitter, op: Operation) -> None:
    a, b, output = (e.tensor(value) for value in op.operands)
    type = e.type(op.operands[2].type)
    name = NAMED_BINARY[op.name][0 if type.is_float else 1]
    lazy = Lazy(
        type,
        output.sizes,
        lambda i: binary(e, name, type, e.element(a, i), e.element(b, i)),
        (*e.reads_of(a), *e.reads_of(b)),
        1 + cost_of(a) + cost_of(b),
    )
    if op.results and not worth_delaying(op, lazy.cost, lazy.reads):
        e.bind(op.results[0], e.materialized(lazy))
    else:
        _finish(e, op, op.operands[2], lazy)
