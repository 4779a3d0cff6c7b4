"""
Loads of short rows that lie apart, as where windows of an image or heads are put side by side.

Indices of the elements of a row follow each other, and finding one takes as many divisions as there
are dimensions. Where all rows of a block are whole, those of their first elements are found, as
vectors, and each row is copied. Longer rows are found by their quotients, see `rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.destinations import stored_at_once
from xtriton.cpu.emitter.generics import Generic, is_identity
from xtriton.cpu.emitter.rows import LONG
from xtriton.cpu.emitter.stretches import SHORTEST, Cut, are_usual, cuts_of, dividends, first_of
from xtriton.cpu.emitter.values import Lazy, View
from xtriton.dialects.upstream.volatile import is_volatile

FEWEST = 4
"""Rows of a block that are worth it."""


@dataclass(frozen=True)
class GatheredRows:
    """A block of rows of so many elements: from where, at which indices, and where rows end."""

    source: SSAValue
    indices: SSAValue
    cuts: tuple[Cut, ...]
    count: int
    width: int


def gathered_rows(e: Emitter, generic: Generic) -> GatheredRows | None:
    """Return the rows that a structured op loads, if it does nothing else."""
    ops = list(generic.block.ops)
    names = ["arith.index_cast", "memref.load", "linalg.yield"]
    one_loop = generic.reductions == [False] and all(map(is_identity, generic.maps))
    if e.checked or not one_loop or [op.name for op in ops] != names or is_volatile(ops[1]):
        return None
    cast, load, end = ops
    known = dict(zip(generic.block.args, generic.inputs, strict=False))
    indices = known.get(cast.operands[0])
    follow = [*load.operands[1:]] == [*cast.results] and [*end.operands] == [*load.results]
    if indices is None or not follow or not isinstance(block := e.environment[indices], Lazy):
        return None
    (count,), cuts = block.sizes, cuts_of(e, indices)
    if cuts is None or not isinstance(count, int) or any(cut.at is not None for cut in cuts):
        return None
    width = gcd(*(cut.width for cut in cuts))
    if not SHORTEST <= width < LONG or count % width or count < FEWEST * width:
        return None
    rows = GatheredRows(load.operands[0], indices, cuts, count, width)
    return rows if e.view(rows.source).strides in ((), (1,)) else None


def load_rows(e: Emitter, op: Operation, rows: GatheredRows, loaded: Lazy) -> View:
    """Return where the rows that `op` loads lie, which are `loaded` one by one if not whole."""
    place = e.allocate((rows.count,), loaded.type)
    place = stored_at_once(e, op, place, place.sizes)
    with e.builder.fresh_memory():

        def one_by_one() -> tuple[()]:
            e.write(loaded, place)
            return ()

        def by_rows() -> tuple[()]:
            _copy_rows(e, rows, place)
            return ()

        e.builder.if_else(_are_whole(e, rows), by_rows, one_by_one)
    return place


def _are_whole(e: Emitter, rows: GatheredRows) -> str:
    """Return, as an i1, whether a row begins where the block does."""
    b, whole = e.builder, are_usual(e, rows.cuts, rows.count)
    for dividend in dividends(rows.cuts):
        first, bits = first_of(e, dividend)
        rest = b.value(f"urem i{bits} {first}, {rows.width}")
        whole = b.both(whole, b.value(f"icmp eq i{bits} {rest}, 0"))
    return whole


def _copy_rows(e: Emitter, rows: GatheredRows, place: View) -> None:
    b, count = e.builder, rows.count // rows.width
    indices, source = e.tensor(rows.indices), e.view(rows.source)
    # Vectors hold more of them as they are than of their addresses.
    starts, bytes = e.allocate((count,), indices.type), place.type.bytes

    def find(at: list[Operand]) -> None:
        e.store(starts, at, e.element(indices, [b.mul(at[0], rows.width)]))

    def copy(at: list[Operand]) -> None:
        target = e.address(place, [b.mul(at[0], rows.width)])
        start = b.index(indices.type.register, e.load(starts, at))
        b.copy(target, e.address(source, [start]), rows.width * bytes, bytes)

    b.nest([count], find, parallel=True)
    b.nest([count], copy)
