"""
What loops carry, in transcripts: an `index` for each dimension in which a pointer moves.

It stands where the pointer stood among what the loop carries. That it grows evenly is proved
before it is used: the body is followed with the offsets as unknowns.
"""

from dataclasses import dataclass, replace

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.indexing import Expr
from xtriton.transforms.raising.emitter import INDEX
from xtriton.transforms.raising.loops import insert_carried
from xtriton.transforms.raising.terms import Term, Terms
from xtriton.transforms.raising.transcript import NoTranscript, State, Transcript


@dataclass
class Unknown:
    """An offset that a loop may carry: its argument, what it starts as, what stands for it."""

    argument: BlockArgument
    first: Term
    symbol: Expr
    step: Expr | None = None
    result: SSAValue | None = None

    @property
    def term(self) -> Term:
        return Term(self.argument, self.symbol)


class CarriedStates:
    """The states of what the loops of one function carry and leave behind."""

    def __init__(self, transcript: Transcript):
        self.transcript = transcript
        self.emitter = transcript.emitter
        self.analysis = transcript.analysis
        self.space = transcript.space
        self.solutions: dict[int, Expr] = {}
        self._open: dict[BlockArgument, int] = {}
        """The arguments of unknowns, with their leaves, that the loops do not carry yet."""

    def is_carried(self, value: SSAValue) -> bool:
        """Tell whether a value is an argument or a result of an `scf.for`."""
        if isinstance(value, OpResult):
            return value.op.name == "scf.for"
        assert isinstance(value, BlockArgument)
        loop = value.owner.parent_op()
        return loop is not None and loop.name == "scf.for" and value.index > 0

    def first_op(self, value: SSAValue) -> Operation:
        """Return the op before which a pointer stands for a block argument."""
        assert isinstance(value, BlockArgument)
        first = value.owner.ops.first
        assert first is not None
        return first

    def resolved(self, e: Expr) -> Expr:
        """Return a form with the solutions put in."""
        while not e.leaves.isdisjoint(self.solutions):
            e = self.space.substitute(e, self.solutions)
        return e

    def state(self, value: SSAValue) -> State:
        """Return the state of a value that a loop carries or returns."""
        if isinstance(value, OpResult):
            loop = value.op
            argument = self._carried(loop)[value.index]
        else:
            assert isinstance(value, BlockArgument)
            argument = value
            loop = argument.owner.parent_op()
            assert loop is not None
        self._carry(loop, argument)
        found = self.transcript.known.get(value)
        if found is None:
            raise NoTranscript
        return found

    def _carried(self, loop: Operation) -> list[BlockArgument]:
        """Return the arguments of a loop's body that it has operands for."""
        return [a for a in loop.regions[0].blocks[0].args[1:] if a not in self._open]

    def _carry(self, loop: Operation, argument: BlockArgument) -> None:
        """Find the states of an argument and of the result that goes with it."""
        known = self.transcript.known
        n = self._carried(loop).index(argument)
        result = loop.results[n]
        known[result] = known[argument] = None
        first = self.transcript.visit(loop.operands[3 + n], loop)
        unknowns = self._unknowns(loop, argument, first)
        known[argument] = self._entered(first, [u.term for u in unknowns], loop)
        try:
            self._solve(loop, argument, unknowns)
        except NoTranscript:
            known[argument] = None
            self._drop(unknowns)
            raise
        self._add(loop, unknowns)
        trips = self.analysis.resolved(self.analysis.trip_counts[loop])
        after = [self._left(u, trips) for u in unknowns]
        known[result] = self._entered(first, after, loop)

    def _entered(self, first: State, offsets: list[Term], loop: Operation) -> State:
        """Return a state that starts as `first`, at other offsets."""
        if not first.sizes:
            return replace(first, scalar=offsets[0])
        terms = Terms(self.emitter, loop)
        strides = tuple(Term(terms.value(s), s.form) for s in first.strides)
        return replace(first, scalar=None, offsets=tuple(offsets), strides=strides)

    def _unknowns(self, loop: Operation, argument: BlockArgument, first: State) -> list[Unknown]:
        terms = Terms(self.emitter, loop)
        starts = list(first.offsets) if first.sizes else [first.scalar or terms.constant(0)]
        found: list[Unknown] = []
        for n, start in enumerate(starts):
            new = argument.owner.insert_arg(INDEX, argument.index + 1 + n, argument.location)
            symbol = self.space.scalar(("carried", new), f"carried{n}")
            self._open[new] = self.space.leaf_of(symbol).uid
            start = Term(terms.value(start), self.resolved(start.form))
            found.append(Unknown(new, start, symbol))
        return found

    def _solve(self, loop: Operation, argument: BlockArgument, unknowns: list[Unknown]) -> None:
        """Find what an iteration adds to each unknown; raise `NoTranscript` if that varies."""
        last = loop.regions[0].blocks[0].ops.last
        assert last is not None
        before = self.transcript.known[argument]
        assert before is not None
        n = self._carried(loop).index(argument)
        after = self.transcript.visit(last.operands[n], last)
        if not self._same_but_offsets(before, after):
            raise NoTranscript
        ends = after.offsets if after.sizes else (after.scalar,)
        for unknown, end in zip(unknowns, ends, strict=True):
            assert end is not None
            step = self.resolved(end.form) - unknown.symbol
            if not step.leaves.isdisjoint(self._open.values()):
                raise NoTranscript
            if not self.emitter.invariant(step, loop):
                raise NoTranscript
            unknown.step = step
            unknown.result = end.value if isinstance(end.value, SSAValue) else None
        trips = self.analysis.trip_counts[loop]
        iteration = self.space.iteration(loop, "k", max(1, trips.interval[1]))
        for unknown in unknowns:
            assert unknown.step is not None
            leaf = self._open[unknown.argument]
            self.solutions[leaf] = unknown.first.form + iteration * unknown.step

    def _same_but_offsets(self, x: State, y: State) -> bool:
        if x.base is not y.base or x.sizes != y.sizes or (not y.sizes and y.scalar is None):
            return False
        equal = self.transcript.equal
        return all(
            equal(a.form, b.form)
            for a, b in zip((*x.strides, *x.bounds), (*y.strides, *y.bounds), strict=True)
        )

    def _add(self, loop: Operation, unknowns: list[Unknown]) -> None:
        """Let the loop carry what moves; what does not is what it starts as."""
        for unknown in unknowns:
            assert unknown.step is not None
            if not unknown.step.terms or unknown.result is None:
                self._drop([unknown])
                continue
            del self._open[unknown.argument]
            start = unknown.first.value
            assert isinstance(start, SSAValue)
            n = self._carried(loop).index(unknown.argument)
            unknown.result = insert_carried(loop, n, start, unknown.result)

    def _drop(self, unknowns: list[Unknown]) -> None:
        """Let what unknowns start as stand for them everywhere."""
        known = self.transcript.known
        for unknown in unknowns:
            start = unknown.first.value
            assert isinstance(start, SSAValue)
            argument = unknown.argument
            for value, state in known.items():
                if state is not None:
                    known[value] = with_value(state, argument, unknown.first)
            argument.replace_all_uses_with(start)
            del self._open[argument]
            argument.owner.erase_arg(argument)
            unknown.result = None

    def _left(self, unknown: Unknown, trips: Expr) -> Term:
        """Return what an unknown is after the loop."""
        if unknown.result is None or unknown.step is None:
            return unknown.first
        return Term(unknown.result, unknown.first.form + trips * unknown.step)


def with_value(state: State, old: SSAValue, new: Term) -> State:
    """Return a state in which the term of one value is another's."""

    def renewed(term: Term) -> Term:
        return new if term.value is old else term

    return replace(
        state,
        scalar=None if state.scalar is None else renewed(state.scalar),
        offsets=tuple(map(renewed, state.offsets)),
        strides=tuple(map(renewed, state.strides)),
        bounds=tuple(map(renewed, state.bounds)),
    )
