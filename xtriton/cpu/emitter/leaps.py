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
from xtriton.cpu.emitter.access import is_shaped, operand_groups, single_block, terminator
from xtriton.cpu.emitter.block_loads import Load, is_turned
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.panels import Panel, Panels
from xtriton.ir.attributes import attribute

_SAME = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui")
_SUMS = ("arith.addi", "arith.subi", *_SAME)
_BOUNDS = ("arith.minsi", "arith.maxsi")
_VIEWS = ("memref.reinterpret_cast", "memref.subview")


@dataclass(frozen=True)
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

    def taken(self, e: Emitter, index: Operand) -> Operand:
        """Return how many turns behind this one are leapt over; from here on it is the last."""
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

    def behind(self, e: Emitter, value: SSAValue, now: Operand, turns: Operand) -> Operand:
        """Return what `now`, the turn's number or what it carries as `value`, is turns later."""
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
            e.bind(value, self.behind(e, value, e.scalar(value), turns))
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
        self._block, self._step = block, step
        self._induction = induction
        scalars: dict[SSAValue, int] = {
            value: n for n, value in enumerate(carried) if not is_shaped(value.type)
        }
        self._varying: set[SSAValue] = {induction, *scalars}
        self._linear: set[SSAValue] = {induction, *scalars}
        for op in block.ops:
            self._follow(op)
        yielded = terminator(block).operands
        added = {value: self._added(value, yielded[n]) for value, n in scalars.items()}
        found = {value: each for value, each in added.items() if each is not None}
        self.added = found if len(found) == len(added) else None
        """What each turn adds to the scalars that are carried; None if one changes otherwise."""

    def _follow(self, op: Operation) -> None:
        varying = [value for value in op.operands if value in self._varying]
        if not varying:
            return
        self._varying.update(op.results)
        is_sum = op.name in _SUMS or (op.name == "arith.muli" and len(varying) == 1)
        if is_sum and all(value in self._linear for value in varying):
            self._linear.update(op.results)

    def _added(self, value: SSAValue, then: SSAValue) -> SSAValue | None:
        op = then.owner
        if not isinstance(op, Operation) or op.name != "arith.addi" or value not in op.operands:
            return None
        other = op.operands[1 if op.operands[0] is value else 0]
        return None if other in self._varying else other

    def falls(self, panel: Panel) -> bool:
        """Return whether what there is along K falls by a block at least, if it changes at all."""
        value = panel.loaded
        while value is not None:
            op = value.owner
            if not isinstance(op, Operation) or op.name not in _BOUNDS:
                break
            bounds = [each for each in op.operands if each not in self._varying]
            if len(bounds) != 1 or (op.name == "arith.maxsi" and _constant(bounds[0]) != 0):
                return False
            value = op.operands[1 if op.operands[0] is bounds[0] else 0]
        if value is None:
            return True
        slope = self._slope(value)
        return slope is not None and slope <= -panel.block

    def _slope(self, value: SSAValue) -> int | None:
        """Return what each turn adds to a number, if that is known."""
        op = value.owner
        if value not in self._varying:
            return 0
        if value is self._induction:
            return self._step
        if value not in self._linear or not isinstance(op, Operation):
            return _constant(self.added[value]) if self.added and value in self.added else None
        slopes = [self._slope(operand) for operand in op.operands]
        if op.name in _SAME:
            return slopes[0]
        if op.name == "arith.muli":
            number = 0 if op.operands[0] not in self._varying else 1
            slope, factor = slopes[1 - number], _constant(op.operands[number])
            return None if slope is None or factor is None else slope * factor
        if slopes[0] is None or slopes[1] is None:
            return None
        return slopes[0] + slopes[1] if op.name == "arith.addi" else slopes[0] - slopes[1]

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
            elif value not in self._linear or not _moves(op, value):
                return None
            elif value not in found:
                found.append(value)
        return found


def _users(load: Load, value: SSAValue, block: Block) -> list[Operation]:
    """Return the ops of a load that use a value."""
    users = (use.operation for use in value.uses)
    return [op for op in users if ancestor_in(op, block) in load.ops]


def _is_size(view: Operation, value: SSAValue) -> bool:
    """Return whether a value is a size in a view, and nothing else."""
    if view.name not in _VIEWS:
        return False
    _, offsets, sizes, strides = operand_groups(view)
    return value in sizes and value not in (*offsets, *strides)


def _moves(op: Operation, value: SSAValue) -> bool:
    """Return whether an op adds a value to where memory begins, and does no more with it."""
    if op.name == "memref.reinterpret_cast":
        _, offsets, *others = operand_groups(op)
        return offsets == [value] and all(value not in each for each in others)
    if op.name != "arith.addi" or op.operands[0] is op.operands[1]:
        return False
    return all(_moves(use.operation, op.results[0]) for use in op.results[0].uses)


def _constant(value: SSAValue) -> int | None:
    op = value.owner
    if not isinstance(op, Operation) or op.name != "arith.constant":
        return None
    number = getattr(getattr(attribute(op, "value"), "value", None), "data", None)
    return number if isinstance(number, int) else None
