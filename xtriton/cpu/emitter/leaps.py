"""
Turns of a loop that a product leaps over, as it is known where their blocks lie.

    for k in range(cdiv(K, BLOCK)):
        a = load(a_block, mask=columns < K - k * BLOCK)
        b = load(b_block, mask=rows[:, None] < K - k * BLOCK)
        c += a @ b
        a_block += BLOCK
        b_block += BLOCK * pitch

Blocks that are read in place are looked at one after the other (`in_place`), which takes as long as
a third of their product if they are small. But places that are sums of multiples of the turn are
the same distance apart: if the second block begins where it would in a panel, so do all. And what
there is along K falls by at least a block each time: if there is anything of the last block, there
is all of those before. So behind the first block of a panel a loop of nothing but such a product
goes on with the last one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import (
    is_shaped,
    operand_groups,
    single_block,
    terminator,
)
from xtriton.cpu.emitter.block_loads import Load, is_turned
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.panels import Panel, Panels
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.attributes import attribute

_SAME = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui")
_SUMS = ("arith.addi", "arith.subi", *_SAME)
_BOUNDS = ("arith.minsi", "arith.maxsi")
_VIEWS = ("memref.reinterpret_cast", "memref.subview")


@dataclass
class Leap:
    """
    How a loop goes past turns, each of which is `step` behind the one before.

    What each adds to the scalars that the loop carries is in `added`, `moved` says for both
    operands of the product how many elements their blocks begin behind 0, as sums.
    """

    loop: Operation
    step: int
    added: dict[SSAValue, SSAValue]
    moved: tuple[Sequence[SSAValue], Sequence[SSAValue]]
    panels: Panels
    turns: Operand = 0
    """How many are leapt over in the turn that is being written."""

    def take(self, e: Emitter, index: Operand) -> tuple[Operand, Operand]:
        """Leap to the last turn that there may be; return its index and how many are left out."""
        self.turns = self._taken(e, index)
        return self.behind(e, single_block(self.loop).args[0], index), self.turns

    def following(self, e: Emitter, index: Operand) -> Operand:
        """Return the index of the turn behind the leap."""
        induction = single_block(self.loop).args[0]
        return self._later(e, induction, index, e.builder.add(self.turns, 1))

    def behind(self, e: Emitter, value: SSAValue, now: Operand) -> Operand:
        """Return what `now`, a turn's number or what it carries as `value`, is behind the leap."""
        return self._later(e, value, now, self.turns)

    def _taken(self, e: Emitter, index: Operand) -> Operand:
        b, panels = e.builder, self._operands
        loaded = [*{panel.loaded: None for panel in panels if panel.loaded is not None}]
        now = e.scalars(loaded)

        def look() -> Sequence[Operand]:
            count = b.least(self._behind(e, index), self.panels.steps - 1)
            known = [*loaded, *self.moved[0], *self.moved[1]]
            second, last = (self._then(e, turns, known) for turns in (1, count))
            leaps = b.less(0, count)
            for panel, values in zip(panels, self.moved, strict=True):
                assert panel.in_place is not None
                distance, all = (_distance(e, values, then) for then in (second, last))
                leaps = b.both(leaps, panel.in_place.is_next(e, distance))
                leaps = b.both(leaps, b.equal(b.mul(distance, count), all))
                if panel.loaded is not None:
                    leaps = b.both(leaps, panel.in_place.may_stay(e, last[panel.loaded]))
            pairs = zip(loaded, now, strict=True)
            return [
                b.chosen(leaps, count, 0),
                *(b.chosen(leaps, last[value], before) for value, before in pairs),
            ]

        tried = b.both(*(panel.is_in_place(e) for panel in panels))
        may = b.both(b.equal(self.panels.filled, 0), tried)
        count, *rest = b.if_else(may, look, lambda: (0, *now), ["i64"] * (1 + len(loaded)))
        for value, extent in zip(loaded, rest, strict=True):
            e.bind(value, extent)
        return count

    def _later(self, e: Emitter, value: SSAValue, now: Operand, turns: Operand) -> Operand:
        """Return what a turn's number, or what it carries as `value`, is some turns later."""
        b, type, added = e.builder, e.register(value.type), self.added.get(value)
        each = self.step if added is None else e.scalar(added)
        if type == "i64":
            return b.add(now, b.mul(each, turns))
        turns = turns if isinstance(turns, int) else b.value(f"trunc i64 {turns} to {type}")
        return b.value(f"add {type} {now}, {b.value(f'mul {type} {each}, {turns}')}")

    @property
    def _operands(self) -> tuple[Panel, Panel]:
        return self.panels.products[0].panels

    def _behind(self, e: Emitter, index: Operand) -> Operand:
        """Return how many turns there are behind this one."""
        b, bound = e.builder, self.loop.operands[1]
        high, now = (b.index(e.register(bound.type), n) for n in (e.scalar(bound), index))
        return b.div(b.sub(b.sub(high, now), 1), self.step)

    def _then(
        self, e: Emitter, turns: Operand, values: Sequence[SSAValue]
    ) -> dict[SSAValue, Operand]:
        """Return what values are some turns later."""
        induction, before = single_block(self.loop).args[0], dict(e.environment)
        for value in (induction, *self.added):
            e.bind(value, self._later(e, value, e.scalar(value), turns))
        for op in _needed(self.loop, values):
            e.run(op)
        found = {value: e.scalar(value) for value in values}
        e.environment.update(before)
        return found


def _distance(e: Emitter, values: Sequence[SSAValue], then: Mapping[SSAValue, Operand]) -> Operand:
    """Return how much more values add up to."""
    b, total = e.builder, 0
    for value in values:
        total = b.add(total, b.sub(then[value], e.scalar(value)))
    return total


def plan_leap(e: Emitter, loop: Operation, panels: Panels | None) -> Leap | None:
    """Return how a loop with panels leaps; None if it does more than to add up one product."""
    step = e.scalar(loop.operands[2])
    if panels is None or len(panels.products) != 1 or not isinstance(step, int) or step <= 0:
        return None
    operands, turns = panels.products[0].panels, _Turns(loop, step)
    loads = [each.shelf.load for each in operands if each.shelf is not None and each.in_place]
    if len(loads) != 2 or attribute(loop, "unsignedCmp") is not None:
        return None
    if turns.added is None or not _only_multiplies(loop, panels.products[0].op, loads):
        return None
    moved = [
        turns.moved(panel, load) if turns.falls(panel) else None
        for panel, load in zip(operands, loads, strict=True)
    ]
    if moved[0] is None or moved[1] is None:
        return None
    return Leap(loop, step, turns.added, (moved[0], moved[1]), panels)


def _only_multiplies(loop: Operation, product: Operation, loads: Sequence[Load]) -> bool:
    """Return whether a loop does nothing but load what it multiplies, and count."""
    does = {product, *(value.owner for value in product.operands if is_turned(value))}
    does.update(op for load in loads for op in (load.alloc, load.to_tensor, *load.ops))
    rest = [op for op in single_block(loop).ops if op not in does][:-1]
    return all(op.name.startswith("arith.") or op.name in _VIEWS for op in rest)


def _needed(loop: Operation, values: Sequence[SSAValue]) -> list[Operation]:
    """Return the ops of a loop that values follow from, in their order."""
    block, pending, found = single_block(loop), [*values], set[Operation]()
    while pending:
        op = pending.pop().owner
        if isinstance(op, Operation) and op.parent_block() is block and op not in found:
            found.add(op)
            pending += op.operands
    return [op for op in block.ops if op in found]


class _Turns:
    """How numbers change from one turn of a loop to the next."""

    def __init__(self, loop: Operation, step: int):
        block: Block = single_block(loop)
        induction, *carried = block.args
        yielded = terminator(block).operands
        scalars: dict[SSAValue, SSAValue] = {
            value: then
            for value, then in zip(carried, yielded, strict=True)
            if not is_shaped(value.type)
        }
        others = {value: _other_term(value, then) for value, then in scalars.items()}
        self._block = block
        self._varying: set[SSAValue] = {induction, *scalars}
        self._slopes: dict[SSAValue, int | None] = {
            induction: step,
            **{
                value: None if term is None else constant_int(term)
                for value, term in others.items()
            },
        }
        """Of sums of multiples of the turn, what each turn adds to them, if that is a constant."""
        for op in block.ops:
            self._follow(op)
        added = {value: term for value, term in others.items() if term is not None}
        is_known = len(added) == len(others) and self._varying.isdisjoint(added.values())
        self.added = added if is_known else None
        """What each turn adds to the scalars that are carried; None if one changes otherwise."""

    def _follow(self, op: Operation) -> None:
        varying = [value for value in op.operands if value in self._varying]
        if not varying:
            return
        self._varying.update(op.results)
        is_product = op.name == "arith.muli" and len(varying) == 1
        if not (is_product or op.name in _SUMS) or not self._slopes.keys() >= {*varying}:
            return
        slopes = [self._slopes[v] if v in self._varying else 0 for v in op.operands]
        self._slopes[op.results[0]] = self._slope(op, slopes)

    def _slope(self, op: Operation, slopes: Sequence[int | None]) -> int | None:
        """Return what a turn adds to the result of an op, of what it adds to the operands."""
        if op.name in _SAME:
            return slopes[0]
        a, b = slopes
        if op.name == "arith.muli":
            number = 0 if op.operands[0] in self._varying else 1
            slope, factor = slopes[number], constant_int(op.operands[1 - number])
            return None if slope is None or factor is None else slope * factor
        if a is None or b is None:
            return None
        return a + b if op.name == "arith.addi" else a - b

    def falls(self, panel: Panel) -> bool:
        """Return whether what there is along K falls by a block at least, if it changes at all."""
        value = panel.loaded
        while value is not None:
            op = value.owner
            if not isinstance(op, Operation) or op.name not in _BOUNDS:
                break
            bounds = [each for each in op.operands if each not in self._varying]
            if len(bounds) != 1 or (op.name == "arith.maxsi" and constant_int(bounds[0]) != 0):
                return False
            value = op.operands[1 if op.operands[0] is bounds[0] else 0]
        if value is None:
            return True
        slope = self._slopes.get(value)
        return slope is not None and slope <= -panel.block

    def moved(self, panel: Panel, load: Load) -> list[SSAValue] | None:
        """Return what the places of blocks are sums of; None if more than that changes."""
        assert panel.in_place is not None
        fills, found = panel.in_place.fills, list[SSAValue]()
        pending = [(value, op) for value in load.known for op in _users(load, value, self._block)]
        while pending:
            value, op = pending.pop()
            if value not in self._varying or op in fills:
                continue
            if is_shaped(value.type):
                view = value.owner
                if not isinstance(view, Operation) or view.name not in _VIEWS:
                    return None
                pending += [(operand, view) for operand in view.operands]
            elif value is panel.loaded:
                if not _is_size(op, value):
                    return None
            elif value in found or value not in self._slopes or not _moves(op, value):
                return None
            else:
                found.append(value)
        return found


def _users(load: Load, value: SSAValue, block: Block) -> list[Operation]:
    """Return the ops of a load that use a value."""
    users = (use.operation for use in value.uses)
    return [op for op in users if ancestor_in(op, block) in load.ops]


def _is_size(view: Operation, value: SSAValue) -> bool:
    """Return whether a value is one size of a view, and nothing else."""
    if view.name not in _VIEWS:
        return False
    _, offsets, sizes, strides = operand_groups(view)
    return sizes.count(value) == 1 and value not in (*offsets, *strides)


def _moves(op: Operation, value: SSAValue) -> bool:
    """Return whether an op adds a value to where memory begins, and does no more with it."""
    if op.name == "memref.reinterpret_cast":
        _, offsets, *others = operand_groups(op)
        return offsets == [value] and all(value not in each for each in others)
    if op.name != "arith.addi" or op.operands[0] is op.operands[1]:
        return False
    uses = list(op.results[0].uses)
    return len(uses) == 1 and _moves(uses[0].operation, op.results[0])


def _other_term(value: SSAValue, sum: SSAValue) -> SSAValue | None:
    """Return what a sum adds to a value; None if it is no such sum."""
    op = sum.owner
    if not isinstance(op, Operation) or op.name != "arith.addi" or value not in op.operands:
        return None
    return op.operands[1 if op.operands[0] is value else 0]
