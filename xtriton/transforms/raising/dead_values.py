"""Values that nothing needs, also where loops carry them for their own next value only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsTerminator, Pure

from xtriton.ir.listings import ops_such
from xtriton.ir.op_facts import would_be_dead
from xtriton.ir.value_flow import bounds_of, handed_on, initial_values
from xtriton.ir.walking import ops_in

TRANSPARENT = frozenset({"scf.for", "scf.if", "scf.while"})
"""Ops that have the effects of their bodies only; the ops inside speak for themselves."""


def remove_dead_values(function: Operation) -> None:
    """
    Remove the ops that no effect and no result of the function depends on.

    Unlike a sweep for unused results this sees that what a loop carries only for its own
    next value is dead.
    """
    alive = Liveness(function).run()
    carrying = ops_in(function, ("scf.for", "scf.while"))
    loops = [op for op in carrying if op.name == "scf.for"]
    whiles = [op for op in carrying if op.name == "scf.while"]
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

    @cached_property
    def entry(self) -> Block:
        return self.function.regions[0].blocks[0]

    def run(self) -> set[SSAValue]:
        for op in ops_such(self.function, _may_have_to_run):
            if op is not self.function and has_effect(op):
                self._keep(op)
        while self._worklist:
            self._trace(self._worklist.pop())
        return self.alive

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
        if not op.regions and op.parent is self.entry:
            for operand in read:
                self._use(operand)
            return
        if op.name in ("scf.for", "scf.while"):
            read = bounds_of(op) if op.name == "scf.for" else ()
        for operand in read:
            self._use(operand)
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


def has_effect(op: Operation) -> bool:
    """Tell whether an op must run even if nobody reads its results."""
    must_run = _must_run(type(op))
    return must_run if must_run is not None else not would_be_dead(op)


@cache
def _must_run(kind: type[Operation]) -> bool | None:
    """Tell whether ops of a class have effects; None where it depends on the op."""
    if kind.name in ("scf.yield", "scf.condition"):
        return False
    if kind.name in TRANSPARENT:
        return kind.name == "scf.while"
    return False if _is_pure(kind) and not _has_regions(kind) else None


def _may_have_to_run(kind: type[Operation]) -> bool:
    return _must_run(kind) is not False


@cache
def _is_pure(kind: type[Operation]) -> bool:
    return kind.get_trait(Pure) is not None and kind.get_trait(IsTerminator) is None


def _has_regions(kind: type[Operation]) -> bool:
    return not issubclass(kind, IRDLOperation) or bool(kind.get_irdl_definition().regions)


def is_removable_class(op: Operation) -> bool:
    """Tell whether all ops of this class go where nobody reads their results."""
    return not op.regions and _is_pure(type(op))


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
    op = block.ops.last
    while op is not None:
        previous = op.prev_op
        dead = alive.isdisjoint(op.results) and _is_removable(op)
        if not dead:
            for region in op.regions:
                for inner in region.blocks:
                    _sweep(inner, alive)
        else:
            op.detach()
            op.erase(safe_erase=False)
        op = previous


def _is_removable(op: Operation) -> bool:
    if is_removable_class(op):
        return True
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
