"""Values that nothing needs, also where loops carry them for their own next value only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, Pure

from xtriton.ir.bulk_edits import erase_all
from xtriton.ir.op_facts import would_be_dead
from xtriton.ir.value_flow import bounds_of, handed_on, initial_values

TRANSPARENT = frozenset({"scf.for", "scf.if", "scf.while"})
"""Ops that have the effects of their bodies only; the ops inside speak for themselves."""


def remove_dead_values(function: Operation) -> None:
    """
    Remove the ops that no effect and no result of the function depends on.

    Unlike a sweep for unused results this sees that what a loop carries only for its own
    next value is dead.
    """
    liveness = Liveness(function)
    alive = liveness.run()
    loops = [op for op in liveness.carrying if op.name == "scf.for"]
    whiles = [op for op in liveness.carrying if op.name == "scf.while"]
    dropped = {loop: _cut_dead_carried(loop, alive) for loop in loops}
    dropped_of_whiles = {loop: _cut_dead_of_while(loop, alive) for loop in whiles}
    for region in function.regions:
        for block in region.blocks:
            _sweep(block, alive)
    for loop, indices in dropped.items():
        if loop.parent is not None:
            _drop(loop, indices)
    for loop, (carried, handed) in dropped_of_whiles.items():
        if loop.parent is not None:
            _drop_of_while(loop, carried, handed)


@dataclass
class Liveness:
    """Finds the values of a function that something with an effect depends on."""

    function: Operation
    alive: set[SSAValue] = field(default_factory=set[SSAValue])
    _worklist: list[SSAValue] = field(default_factory=list[SSAValue])
    _running: set[Operation] = field(default_factory=set[Operation])
    carrying: list[Operation] = field(default_factory=list[Operation])
    """The loops."""
    _reached: set[Block] = field(default_factory=set[Block])
    """Blocks of which it is known already that what is around them must run."""

    def run(self) -> set[SSAValue]:
        self._reached.add(self.function.regions[0].blocks[0])
        for region in self.function.regions:
            self._keep_what_must_run(region)
        worklist, running, reached = self._worklist, self._running, self._reached
        while worklist:
            value = worklist.pop()
            if type(value) is OpResult and not value.op.regions and value.op.parent in reached:
                # Most values are of such ops, of which nothing is to be known but what they read.
                op = value.op
                if op not in running:
                    running.add(op)
                    self._use_all(op._operands)
            else:
                self._trace(value)
        return self.alive

    def _keep_what_must_run(self, region: Region) -> None:
        """Begin with the ops that have effects; a listing of all ops would be used only once."""
        block = region._first_block
        while block is not None:
            op = block._first_op
            while op is not None:
                must_run = _must_run(type(op))
                if must_run or (must_run is None and not would_be_dead(op)):
                    self._keep(op)
                if op.regions:
                    if op.name in ("scf.for", "scf.while"):
                        self.carrying.append(op)
                    for inner in op.regions:
                        self._keep_what_must_run(inner)
                op = op._next_op
            block = block._next_block

    def _use_all(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            if value not in self.alive:
                self.alive.add(value)
                self._worklist.append(value)

    def _use(self, value: SSAValue) -> None:
        if value not in self.alive:
            self.alive.add(value)
            self._worklist.append(value)

    def _keep(self, op: Operation) -> None:
        """An op that must run: what it reads and what decides whether it runs are alive."""
        if op in self._running:
            return
        self._running.add(op)
        read: Sequence[SSAValue] = op._operands
        if not op.regions and op.parent in self._reached:
            self._use_all(read)
            return
        if op.name in ("scf.for", "scf.while"):
            read = bounds_of(op) if op.name == "scf.for" else ()
        self._use_all(read)
        if op.name == "scf.while":
            self._use(_condition(op).operands[0])
        elif op.name != "scf.for":
            for region in op.regions:
                for block in region.blocks:
                    if block.ops.last is not None:
                        self._keep(block.ops.last)
        parent = op.parent_op()
        if parent is not None and parent is not self.function:
            self._keep(parent)
        if op.parent is not None:
            self._reached.add(op.parent)

    def _trace(self, value: SSAValue) -> None:
        if isinstance(value, OpResult):
            op = value.op
            if op not in self._running:
                self._keep(op)
            if op.regions:
                if op.name == "scf.for":
                    self._use_carried(op, value.index)
                if op.name == "scf.while":
                    self._use(handed_on(_condition(op))[value.index])
            return
        if isinstance(value, BlockArgument):
            parent = value.block.parent_op()
            if parent is None or parent is self.function:
                self._branches_into(value)
                return
            self._keep(parent)
            if parent.name == "scf.for" and value.index:
                self._use_carried(parent, value.index - 1)
            if parent.name == "scf.while":
                self._use_of_while(parent, value)

    def _use_of_while(self, loop: Operation, value: BlockArgument) -> None:
        before, after = (region.blocks[0] for region in loop.regions)
        if value.owner is after:
            self._use(handed_on(_condition(loop))[value.index])
            return
        assert value.owner is before
        assert after.ops.last is not None
        self._use(loop.operands[value.index])
        self._use(after.ops.last.operands[value.index])

    def _branches_into(self, value: BlockArgument) -> None:
        """Branches are kept whole: their operands are alive already."""

    def _use_carried(self, loop: Operation, index: int) -> None:
        body = loop.regions[0].blocks[0]
        last = body.ops.last
        assert last is not None
        for value in (initial_values(loop)[index], last.operands[index], body.args[1 + index]):
            self._use(value)


@cache
def _must_run(kind: type[Operation]) -> bool | None:
    """Tell whether ops of a class run though nobody reads them; None where the op decides it."""
    if kind.name in ("scf.yield", "scf.condition"):
        return False
    if kind.name in TRANSPARENT:
        return kind.name == "scf.while"
    return False if _is_pure(kind) and not _has_regions(kind) else None


@cache
def _is_pure(kind: type[Operation]) -> bool:
    return kind.get_trait(Pure) is not None and kind.get_trait(IsTerminator) is None


def _has_regions(kind: type[Operation]) -> bool:
    return not issubclass(kind, IRDLOperation) or bool(kind.get_irdl_definition().regions)


def _cut_dead_carried(loop: Operation, alive: set[SSAValue]) -> list[int]:
    """Take dead values out of what a loop is given and yields; return their indices."""
    body = loop.regions[0].blocks[0]
    last = body.ops.last
    assert last is not None
    count = len(loop.results)
    dead = [n for n in range(count) if not {body.args[1 + n], loop.results[n]} & alive]
    if dead:
        kept = [n for n in range(count) if n not in dead]
        loop.operands = [*bounds_of(loop), *(initial_values(loop)[n] for n in kept)]
        last.operands = [last.operands[n] for n in kept]
    return dead


def _condition(loop: Operation) -> Operation:
    """Return the op that ends the condition of an `scf.while`."""
    last = loop.regions[0].blocks[0].ops.last
    assert last is not None
    return last


def _cut_dead_of_while(loop: Operation, alive: set[SSAValue]) -> tuple[list[int], list[int]]:
    """Take dead values out of what an `scf.while` carries and hands on; return their indices."""
    before, after = (region.blocks[0] for region in loop.regions)
    condition, last = _condition(loop), after.ops.last
    assert last is not None
    carried = [n for n, argument in enumerate(before.args) if argument not in alive]
    handed = [n for n, r in enumerate(loop.results) if not {after.args[n], r} & alive]
    loop.operands = [v for n, v in enumerate(loop.operands) if n not in carried]
    last.operands = [v for n, v in enumerate(last.operands) if n not in carried]
    kept = [v for n, v in enumerate(handed_on(condition)) if n not in handed]
    condition.operands = [condition.operands[0], *kept]
    return carried, handed


def _drop_of_while(loop: Operation, carried: list[int], handed: list[int]) -> None:
    """Remove arguments and results of an `scf.while` that nobody reads any more."""
    before, after = (region.blocks[0] for region in loop.regions)
    for n in reversed(carried):
        before.erase_arg(before.args[n])
    for n in reversed(handed):
        after.erase_arg(after.args[n])
    results = [r for r in loop.results if r.index not in handed]
    for index, result in enumerate(results):
        result.index = index
    loop.results = SSAValues(results)


def _sweep(block: Block, alive: set[SSAValue]) -> None:
    """Erase the ops of a block, and of the blocks inside, of which nothing is alive."""
    dead: list[Operation] = []
    op = block._last_op
    while op is not None:
        previous = op._prev_op
        regions = op.regions
        if not (
            alive.isdisjoint(op.results)
            and ((not regions and _is_pure(type(op))) or _is_removable(op))
        ):
            for region in regions:
                for inner in region.blocks:
                    _sweep(inner, alive)
        elif regions or op._successors:
            erase_all(block, dead)
            dead = []
            op.detach()
            op.erase(safe_erase=False)
        else:
            dead.append(op)
        op = previous
    erase_all(block, dead)


def _is_removable(op: Operation) -> bool:
    """Tell whether an op that is not pure by its class may go if nobody reads its results."""
    return not op.name.endswith(("yield", "condition", "return")) and would_be_dead(op)


def _drop(loop: Operation, indices: list[int]) -> None:
    """Remove arguments and results of a loop that nobody reads any more."""
    body = loop.regions[0].blocks[0]
    for n in reversed(indices):
        body.erase_arg(body.args[1 + n])
    results = [r for r in loop.results if r.index not in indices]
    for index, result in enumerate(results):
        result.index = index
    loop.results = SSAValues(results)
