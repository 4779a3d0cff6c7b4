"""
Rows that go into a total, read where they are as far as there is anything.

The last block of a row is mostly not full. What a mask has left of it would be copied, and what is
loaded elsewhere put behind it, only for all of that to be added up once. The loop that does so goes
in parts anyway (`rows`): up to where the row ends it loads, and from there on it need not.
"""

from collections.abc import Container, Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.checks import LOAD, check_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import generic_of, is_pointwise
from xtriton.cpu.emitter.hazards import Hazard, hazard_of, reach_of
from xtriton.cpu.emitter.staging import StagedLoad, begins_first, other_of
from xtriton.cpu.emitter.values import Lazy, Read, View


def note_part_loads(e: Emitter, taken: SSAValue, takers: Container[Operation]) -> None:
    """Note the loads of which ops that take a row into a total make it, and nobody else."""
    pending = [taken]
    while pending:
        value = pending.pop()
        op, users = value.owner, {use.operation for use in value.uses}
        is_seen = len(users) > 1 and not all(user in takers for user in users)
        if is_seen or not isinstance(op, Operation):
            continue
        if op in e.staged:
            e.part_loads.add(op)
        elif op.name == "linalg.generic" and len(op.results) == 1:
            generic = generic_of(op)
            if is_pointwise(generic, len(generic.inputs)):
                pending += generic.inputs


def read_in_parts(e: Emitter, load: StagedLoad) -> Lazy | None:
    """Return what such a load brings, if nothing is stored there before it is read."""
    shape, source = shape_of(load.alloc.results[0].type), e.view(load.copy.operands[0])
    along = along_cut_row(e, load)
    if along is None:
        return None
    tensor = load.to_tensor.results[0]
    if hazard_of(e, load.to_tensor, reach_of(e, tensor), source) is not Hazard.NONE:
        return None
    check_block(e, load.copy, source, LOAD)
    e.note_copy(load.copy, source)
    end, other = e.builder.product(source.sizes), other_of(e, load, source.type)

    def compute(indices: Sequence[Operand]) -> Operand:
        return element_before(e, source, indices, (indices[along], end), other)

    return Lazy(source.type, shape, compute, (Read(source.storage, aligned=False),), cost=1)


def along_cut_row(e: Emitter, load: StagedLoad) -> int | None:
    """Return the dimension along which a row lies of which a load may bring less than all."""
    shape, source = shape_of(load.alloc.results[0].type), e.view(load.copy.operands[0])
    long = [d for d, size in enumerate(shape) if size != 1]
    if len(long) != 1 or not begins_first(load) or len(source.sizes) != len(shape):
        return None
    (along,) = long
    return along if source.strides[along] == 1 and source.sizes[along] != shape[along] else None


def element_before(
    e: Emitter,
    source: View,
    indices: Sequence[Operand],
    place: tuple[Operand, Operand],
    other: Operand,
) -> Operand:
    """Return an element, which is another number from some place on: an index and the end."""
    is_before = e.builder.less if e.rows is None else e.rows.is_before
    (result,) = e.builder.if_else(
        is_before(*place),
        lambda: [e.load(source, list(indices))],
        lambda: [other],
        [source.type.register],
    )
    return result
