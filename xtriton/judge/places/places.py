# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownVariableType=false
"""
Compares only where two kernels read and write, of kernels that do the same with what they read.

A run for places computes what addresses, masks and branches depend on, and nothing else: of most
kernels a fraction. Launches that differ in nothing else are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import signs
from xtriton.interpreter.effects import AccessRecord, Assertions
from xtriton.interpreter.machine import NOTHING
from xtriton.interpreter.memory import REGION_BITS, Memory
from xtriton.ir.value_flow import sources
from xtriton.judge.launches.draws import Draw
from xtriton.judge.places.pairing import (
    CALL,
    CONTROL,
    LOADS,
    WRITTEN,
    decides,
    doing,
    is_pure,
    only_block,
)
from xtriton.semantics import Element
from xtriton.semantics.elements import Array


class PlacesUnknown(Exception):
    """Places depend on what the kernel has written before."""


@dataclass
class Needed:
    """
    What a run for places needs of a kernel.

    loads: those whose values places depend on; skipped: ops that are not computed; arguments: the
    positions of arguments that places depend on, and of those whose memory they depend on.
    """

    loads: set[Operation]
    skipped: set[Operation]
    arguments: set[int]
    memory: set[int]

    def leaves_out(self, op: Operation) -> bool:
        """Whether the result of an op is not computed."""
        return op in self.skipped or (op.name in LOADS and op not in self.loads)

    def of(self, draw: Draw) -> Hashable:
        """Return what places depend on of a launch."""
        values = tuple(
            value if k in self.memory or not isinstance(value, Endless) else None
            for k, value in enumerate(draw.values)
            if k in self.arguments
        )
        return (values, signs(values), draw.grid, draw.programs, draw.long, draw.order)


def needed(function: Operation, wanted: Iterable[Operation] = ()) -> Needed:
    """
    Return what a run for places needs of a kernel that `paired` knows.

    Ops that are `wanted` are computed too, if that takes no more loads.
    """
    block = only_block(function)
    assert block is not None
    acting = list(_acting(block))
    found = _behind({v for op in acting for v in _looked_at(op)})
    loads = {op for op in acting if op.name in LOADS and not found.isdisjoint(op.results)}
    for op in wanted:
        more = _behind({*op.results})
        if all(v.owner in loads for v in more if _is_loaded(v)):
            found |= more
    owners = {v.owner for v in found}
    combined = {op for op in _pure(block) if op.name != CALL and op not in owners}
    places = _behind({v for op in loads for v in op.operands})
    return Needed(loads, combined, _positions(found, block), _positions(places, block))


def _is_loaded(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name in LOADS


def _positions(values: Iterable[SSAValue], block: Block) -> set[int]:
    return {a.index for a in block.args if a in values}


def _acting(block: Block) -> Iterable[Operation]:
    """Yield the ops that do something, in all blocks, and calls."""
    for op in block.ops:
        if op.name == CALL:
            yield op
    for op in doing(block):
        yield op
        for region in op.regions:
            for inner in region.blocks:
                yield from _acting(inner)


def _pure(block: Block) -> Iterable[Operation]:
    for op in block.ops:
        if op is block.last_op:
            continue
        if is_pure(op):
            yield op
            continue
        for region in op.regions:
            for inner in region.blocks:
                yield from _pure(inner)


def _looked_at(op: Operation) -> list[SSAValue]:
    """Return the operands of an op that say what it does, and where."""
    if op.name in WRITTEN:
        return [o for k, o in enumerate(op.operands) if k != WRITTEN[op.name]]
    return list(decides(op))


def _behind(values: set[SSAValue]) -> set[SSAValue]:
    """Return all that some values are computed of."""
    found, work = set[SSAValue](), list(values)
    while work:
        value: Any = work.pop()
        if value in found:
            continue
        found.add(value)
        owner = value.owner
        around = owner.parent_op() if isinstance(owner, Block) else owner
        if around is not None and around.name in CONTROL:
            work += sources(value) or ()
        elif not isinstance(owner, Block):
            work += owner.operands
            work += [o for inner in owner.walk() for o in inner.operands]
    return found


@dataclass
class Place(AccessRecord):
    """Where one op accesses memory, and what it reads where the mask is off."""

    other: Array | None = None


class Places(Assertions):
    """Keeps all places of a run."""

    def __init__(self) -> None:
        super().__init__()
        self.accesses: list[Place] = []
        self.blocks = frozenset[Block]()
        """Blocks that ran, once the run is over."""

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        # What is stored is not known: two programs are taken to store different values.
        value = programs.reshape((-1,) + (1,) * len(shape)) if len(programs) > 1 else programs[0]
        mask = None if mask is None or mask.all() else mask
        self.accesses.append(Place(op, kind, address, mask, size, programs, shape, value))


class PlacesMemory(Memory):
    """A memory that holds what places depend on."""

    places_only = True

    def __init__(self, poison: int, loads: set[Operation], places: Places):
        super().__init__(poison)
        self.loads, self.places = loads, places
        self.written = set[int]()
        """The numbers of regions that were written to."""

    def load(self, address: Array, mask: Array | None, other: Array | None, of: Element) -> Array:
        place = self.places.accesses[-1]
        place.other = other
        if place.op not in self.loads:
            return NOTHING
        if self.written and not self.written.isdisjoint(_regions(address)):
            raise PlacesUnknown
        return super().load(address, mask, other, of)

    def store(self, address: Array, value: Array, mask: Array | None, of: Element) -> None:
        self.written |= _regions(address)


def _regions(address: Array) -> set[int]:
    if not address.size:
        return set()
    low, high = int(address.min()), int(address.max())
    return set(range(low >> REGION_BITS, (high >> REGION_BITS) + 1))


def same_places(mine: Places, theirs: Places, partner: dict[Operation, Operation]) -> bool:
    """Whether a run accesses the same places as the original's, one by one."""
    if len(mine.accesses) != len(theirs.accesses):
        return False
    pairs = zip(mine.accesses, theirs.accesses, strict=True)
    return all(partner.get(y.op) is x.op and _is_same(x, y) for x, y in pairs)


def _is_same(x: Place, y: Place) -> bool:
    if (x.size, x.shape) != (y.size, y.shape) or not np.array_equal(x.programs, y.programs):
        return False
    if x.mask is None or y.mask is None:
        return x.mask is y.mask and _equal(x.address, y.address)
    if not _equal(x.mask, y.mask):
        return False
    if not _equal(x.address, y.address) and ((x.address != y.address) & x.mask).any():
        return False
    # Where nothing is read, the original's value is what it says, or any.
    return x.kind != "load" or x.other is None or _equal_bits(x.other, y.other)


def _equal(a: Array, b: Array) -> bool:
    return a is b or bool((a == b).all())


def _equal_bits(a: Array, b: Array | None) -> bool:
    if b is None or a.dtype != b.dtype:
        return False
    a, b = (np.ascontiguousarray(v).view(f"u{v.dtype.itemsize}") for v in (a, b))
    return _equal(a, b)
