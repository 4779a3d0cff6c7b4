"""Runs two kernels for places, on launches that the runs of a comparison are asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from xtriton.interpreter.effects import Effects
from xtriton.interpreter.machine import Program
from xtriton.interpreter.races import find_race
from xtriton.judge.differing import Trace
from xtriton.judge.launches.draws import Draw
from xtriton.judge.launches.execution import execute
from xtriton.judge.places.pairing import is_pure, paired
from xtriton.judge.places.places import Needed, Places, PlacesMemory, needed, same_places
from xtriton.judge.runs import LOWERING_COST, Runs, Side


@dataclass
class _Narrow:
    """A kernel, and the program that runs it for places."""

    program: Program
    needed: Needed
    wanted: frozenset[Operation]


@dataclass(frozen=True)
class _Verdict:
    """Whether a launch was the same, and the blocks that ran of either kernel."""

    same: bool
    blocks: frozenset[Block]


class PlaceRuns:
    """Tells on which launches two kernels access the same places."""

    def __init__(self, runs: Runs, partner: dict[Operation, Operation], traces: Iterable[Trace]):
        self.runs, self.partner = runs, partner
        a, b = runs.a, runs.b
        wanted = [t for t in traces if t.status == "neither"]
        mine = frozenset(t.op for t in wanted if not t.rewritten)
        self.mine = a.program.once(("narrow", a.kernel, mine), lambda: _narrowed(a, mine))
        self.theirs = _narrowed(b, [t.op for t in wanted if t.rewritten])
        self.known: dict[Hashable, _Verdict] = {}
        """What was found, by what places depend on."""
        functions = (side.program.function(side.kernel) for side in (a, b))
        self.largest = max(function.largest for function in functions)

    @classmethod
    def of(cls, runs: Runs, traces: Iterable[Trace]) -> PlaceRuns | None:
        """
        Return the runs for places of two kernels that do the same with what they read.

        They compute ops, if they can, whose `traces` say that no launch has tested them.
        """
        if runs.b.expansion is not None:
            return None
        partner = paired(runs.a.function, runs.b.function)
        return None if partner is None else cls(runs, partner, traces)

    def know(self, draw: Draw) -> bool:
        """Whether a launch was the same that differs from this one in nothing for places."""
        found = self.known.get(self._key(draw))
        return found is not None and found.same

    def misses(self, traces: Iterable[Trace], draw: Draw) -> bool:
        """
        Whether ops ran that no launch has put to the test yet and that runs for places leave out.

        `are_same` has been asked of the launch.
        """
        ran = self.known[self._key(draw)].blocks
        return any(
            trace.status == "neither" and self._leave_out(trace.op) and _block_of(trace.op) in ran
            for trace in traces
        )

    def _leave_out(self, op: Operation) -> bool:
        return self.mine.needed.leaves_out(op) or self.theirs.needed.leaves_out(op)

    def first(self, draw: Draw) -> Effects:
        """Run the original; raise what `execute` raises."""
        return self._once(self.runs.a, self.mine, draw, self.runs.options.budget)

    def may_race(self, draw: Draw, first: Effects) -> bool:
        """Whether programs of the original race, if they write different values."""
        program = self.runs.a.program
        key = ("places race", self.runs.a.kernel, self.mine.needed.of(draw), self.runs.batched)
        return program.once(key, lambda: find_race(first.observer.accesses) is not None)

    def are_same(self, draw: Draw, first: Effects, number: int) -> bool:
        """Whether the rewritten kernel does on a launch what the original did."""
        key = self._key(draw)
        if key not in self.known:
            second = self._second(draw, 0)
            same = self._agree(first, second)
            if self.runs.options.poison and second.poison_used:
                stand_ins = self.runs.stand_ins(first, number)
                same = same and all(self._agree(first, self._second(draw, p)) for p in stand_ins)
            self.known[key] = _Verdict(same, first.observer.blocks | second.observer.blocks)
        return self.known[key].same

    def _key(self, draw: Draw) -> Hashable:
        return (self.mine.needed.of(draw), self.theirs.needed.of(draw))

    def _agree(self, first: Effects, second: Effects) -> bool:
        places = first.observer, second.observer
        return not second.observer.failed and same_places(*places, self.partner)

    def _second(self, draw: Draw, poison: int) -> Effects:
        most = LOWERING_COST * self.runs.options.budget
        return self._run(self.runs.b, self.theirs, draw, poison, most)

    def _once(self, side: Side, narrow: _Narrow, draw: Draw, budget: int) -> Effects:
        launch = (narrow.wanted, narrow.needed.of(draw), self.runs.batched, self.largest)
        return side.program.once(
            ("places", side.kernel, *launch),
            lambda: self._run(side, narrow, draw, 0, budget),
            Effects.nbytes,
        )

    def _run(self, side: Side, narrow: _Narrow, draw: Draw, poison: int, budget: int) -> Effects:
        places = Places()
        function = narrow.program.function(side.kernel)
        # Both run as many programs together.
        function.largest = self.largest
        before = {block: compiled.runs for block, compiled in function.blocks.items()}
        effects = execute(
            narrow.program,
            side.kernel,
            self.runs.as_drawn(draw),
            poison=poison,
            observer=places,
            budget=budget,
            batched=self.runs.batched,
            memory=PlacesMemory(poison, narrow.needed.loads, places),
        )
        blocks = function.blocks.items()
        places.blocks = frozenset(b for b, compiled in blocks if compiled.runs > before[b])
        return effects


def _block_of(op: Operation) -> Block | None:
    """Return the block that an op runs in, of ops that combine elements the one around them."""
    block = op.parent
    while block is not None and (around := block.parent_op()) is not None and is_pure(around):
        block = around.parent
    return block


def _narrowed(side: Side, wanted: Iterable[Operation]) -> _Narrow:
    """Return what runs a kernel for places; it tells the same traces."""
    what, program = needed(side.function, wanted), Program(side.program.module)
    program.skipped = what.skipped
    traced = side.program.traced.items()
    program.traced = {op: seen for op, seen in traced if not what.leaves_out(op)}
    return _Narrow(program, what, frozenset(wanted))
