"""
Loads by a block of indices that turn out to follow each other.

A row of a table is loaded so, as the row is only known at run time. Element by element that takes
many times as long as reading it where it lies, or as a copy; whether that does is seen from the
first index and the last one, and then from all of them, which vectorises, if they are not known to
go up in `steps`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, is_identity
from xtriton.cpu.emitter.hazards import Hazard, hazard_of, reach_of
from xtriton.cpu.emitter.steps import goes_by_one
from xtriton.cpu.emitter.values import Storage, View
from xtriton.dialects.upstream.volatile import is_volatile

FEWEST = 32
"""Elements of a block that is worth looking at."""


@dataclass(frozen=True)
class Gather:
    """An op that loads a block element by element: from where, and the block of indices."""

    op: Operation
    source: SSAValue
    indices: SSAValue


def gather_of(generic: Generic) -> Gather | None:
    """Return the load that is all that a structured op does, if it is one."""
    ops = list(single_block(generic.op).ops)
    names = ["linalg.index", "tensor.extract", "arith.index_cast", "memref.load", "linalg.yield"]
    if [op.name for op in ops] != names or len(generic.op.results) != 1:
        return None
    index, extract, cast, load, end = ops
    follow = (
        _uses(extract, 1, index)
        and _uses(cast, 0, extract)
        and _uses(load, 1, cast)
        and _uses(end, 0, load)
    )
    one_loop = len(generic.reductions) == 1 and all(is_identity(map) for map in generic.maps)
    if not follow or not one_loop or is_volatile(load):
        return None
    return Gather(generic.op, load.operands[0], extract.operands[0])


def _uses(op: Operation, number: int, maker: Operation) -> bool:
    return op.operands[number] is maker.results[0]


def load_run(e: Emitter, gather: Gather, place: View, otherwise: Callable[[], None]) -> View:
    """
    Return where elements lie whose indices follow each other, or have them loaded to `place`.

    That is their own memory where nothing is stored to it before they are read, or `place` again,
    with a copy.
    """
    count = place.sizes[0]
    indices, source = e.tensor(gather.indices), e.view(gather.source)
    dense = place.strides[0] == 1 and source.strides in ((), (1,))
    if e.checked or not dense or not isinstance(count, int) or count < FEWEST:
        otherwise()
        return place
    b = e.builder
    is_run = run_of(e, gather.indices, count)

    def start() -> str:
        first = e.element(indices, [0])
        return e.address(source, [b.index(indices.type.register, first)])

    def copied() -> list[Operand]:
        b.copy(there, start(), count * place.type.bytes, place.type.bytes)
        return [there]

    def loaded() -> list[Operand]:
        otherwise()
        return [there]

    there = e.address(place, [0])
    stays = may_read_later(e, gather, source)

    def found() -> list[Operand]:
        return b.if_else(stays, lambda: [start()], copied, ["ptr"])

    pointer = b.if_else(is_run, found, loaded, ["ptr"])[0]
    if stays == "false":
        return place
    return View(Storage(str(pointer), writable=False), place.type, 0, place.sizes, (1,))


def run_of(e: Emitter, block: SSAValue, count: int, outer: Sequence[Operand] = ()) -> str:
    """
    Return, as an i1, whether `count` indices follow each other.

    They are a block, or the row of one that is at `outer`.
    """
    b, indices = e.builder, e.tensor(block)
    t = indices.type.register
    first, last = (e.element(indices, [*outer, n]) for n in (0, count - 1))
    ends = b.value(f"icmp eq {t} {b.value(f'sub {t} {last}, {first}')}, {count - 1}")

    def is_other(at: list[Operand]) -> str:
        step = b.value(f"sub {t} {e.element(indices, [*outer, *at])}, {first}")
        place = at[0] if t == "i64" else b.value(f"trunc i64 {at[0]} to {t}")
        return b.value(f"icmp ne {t} {step}, {place}")

    if goes_by_one(e, block):
        return ends
    looked_at = b.if_else(ends, lambda: [b.none_of(count, is_other)], lambda: ["false"], ["i1"])
    return str(looked_at[0])


def may_read_later(e: Emitter, gather: Gather, source: View) -> str:
    """Return, as an i1, whether what is gathered may be read from memory whenever it is used."""
    hazard = hazard_of(e, gather.op, reach_of(e, gather.op.results[0]), source)
    if hazard is Hazard.SAME_ARGUMENT:
        return "false"
    return "true" if hazard is Hazard.NONE else e.builder.value("xor i1 %overlap, true")
