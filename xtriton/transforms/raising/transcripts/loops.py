"""
What loops carry, in transcripts: an `index` for each dimension in which a pointer moves.

It stands where the pointer stood among what the loop carries. The body is followed with the
offsets as unknowns. One that grows evenly is solved; where some do not, only their sum is
known, from the analysis.
"""

from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import Pointer, Sort, type_facts
from xtriton.ir.value_flow import initial_values
from xtriton.transforms.loop_rewriting import insert_carried
from xtriton.transforms.raising.transcripts.states import Follower, NoTranscript, PointerState
from xtriton.transforms.raising.writing.emitter import INDEX
from xtriton.transforms.raising.writing.terms import Term, Terms


@dataclass
class CarriedOffset:
    """An offset that a loop may carry: its argument, what it starts as, what stands for it."""

    argument: BlockArgument
    first: Term
    symbol: Expr
    step: Expr | None = None
    """What an iteration adds, where that is always the same."""

    end: Term | None = None
    result: SSAValue | None = None

    @property
    def term(self) -> Term:
        return Term(self.argument, self.symbol)


class CarriedStates:
    """The states of what the loops of one function carry and leave behind."""

    def __init__(self, transcript: Follower):
        self.transcript = transcript
        self.emitter = transcript.emitter
        self.analysis = self.emitter.analysis
        self.space = self.emitter.space
        self.solutions: dict[int, Expr] = {}
        self._open: dict[BlockArgument, int] = {}
        """The arguments of unknowns, with their leaves, that the loops do not carry yet."""
        self._open_leaves: set[int] = set()

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
        solutions = self.solutions
        while not solutions.keys().isdisjoint(e.leaves):
            found = {leaf: solutions[leaf] for leaf in e.leaves if leaf in solutions}
            e = self.space.substitute(e, found)
        return e

    def _carried(self, loop: Operation) -> list[BlockArgument]:
        """Return the arguments of a loop's body that it has operands for."""
        return [a for a in loop.regions[0].block.args[1:] if a not in self._open]

    def follow(self, loop: Operation) -> None:
        """Find the states of what a loop carries and of its results, and follow its body."""
        entered: list[tuple[BlockArgument, PointerState, list[CarriedOffset]]] = []
        for argument, start in zip(self._carried(loop), initial_values(loop), strict=True):
            if not may_move(argument.type):
                continue
            first = self._first(start, loop)
            unknowns = [] if first is None else self._unknowns(loop, argument, first)
            known = None if first is None else self._entered(first, unknowns, loop)
            self.transcript.known[argument] = known
            if first is not None:
                entered.append((argument, first, unknowns))
        self.transcript.follow(loop.regions[0])
        for argument, first, unknowns in entered:
            self._leave(loop, argument, first, unknowns)

    def _first(self, start: SSAValue, loop: Operation) -> PointerState | None:
        """Return what a loop starts with, if it is known."""
        try:
            return self.transcript.visit(start, loop)
        except NoTranscript:
            return None

    def _leave(
        self,
        loop: Operation,
        argument: BlockArgument,
        first: PointerState,
        unknowns: list[CarriedOffset],
    ) -> None:
        """Solve the unknowns of one argument, and let the loop carry those that move."""
        known = self.transcript.known
        result = loop.results[self._carried(loop).index(argument)]
        try:
            self._solve(loop, argument, unknowns)
        except NoTranscript:
            known[result] = known[argument] = None
            self._drop(unknowns)
            return
        self._add(loop, unknowns)
        known[result] = self._state_after(loop, result, first, unknowns)

    def _state_after(
        self, loop: Operation, result: SSAValue, first: PointerState, unknowns: list[CarriedOffset]
    ) -> PointerState | None:
        offsets = [self._left(u, loop) for u in unknowns]
        state = self._moved(first, offsets, loop)
        try:
            self._solve_sum(result, state, unknowns, [term.form for term in offsets])
        except NoTranscript:
            return None
        return state

    def _entered(
        self, first: PointerState, unknowns: list[CarriedOffset], loop: Operation
    ) -> PointerState:
        return self._moved(first, [u.term for u in unknowns], loop)

    def _moved(self, first: PointerState, offsets: list[Term], loop: Operation) -> PointerState:
        """Return a state that starts as `first`, at other offsets."""
        if not first.sizes:
            return first._replace(scalar=offsets[0])
        terms = Terms(self.emitter, loop)
        strides = tuple(Term(terms.value(s), s.form) for s in first.strides)
        return first._replace(scalar=None, offsets=tuple(offsets), strides=strides)

    def _unknowns(
        self, loop: Operation, argument: BlockArgument, first: PointerState
    ) -> list[CarriedOffset]:
        terms = Terms(self.emitter, loop)
        starts = list(first.offsets) if first.sizes else [first.scalar or terms.constant(0)]
        found: list[CarriedOffset] = []
        for n, start in enumerate(starts):
            new = argument.owner.insert_arg(INDEX, argument.index + 1 + n, argument.location)
            symbol = self.space.scalar(("carried", new), f"carried{n}")
            self._open[new] = self.space.leaf_of(symbol).uid
            self._open_leaves.add(self._open[new])
            start = Term(terms.value(start), self.resolved(start.form))
            found.append(CarriedOffset(new, start, symbol))
        return found

    def _solve(
        self, loop: Operation, argument: BlockArgument, unknowns: list[CarriedOffset]
    ) -> None:
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
            unknown.end = end
            unknown.step = self._even_step(loop, self.resolved(end.form) - unknown.symbol)
        trips = self.analysis.trip_counts[loop]
        iteration = self.space.iteration(loop, "k", max(1, trips.interval[1]))
        for unknown in unknowns:
            if unknown.step is not None:
                form = unknown.first.form + iteration * unknown.step
                self.solutions[self._open[unknown.argument]] = form
        forms = [u.symbol for u in unknowns]
        self._solve_sum(argument, before, unknowns, forms)

    def _even_step(self, loop: Operation, step: Expr) -> Expr | None:
        """Return what an iteration adds if it is known and the same in each."""
        known = step.leaves.isdisjoint(self._open_leaves)
        return step if known and self.emitter.invariant(step, loop) else None

    def _solve_sum(
        self, value: SSAValue, state: PointerState, unknowns: list[CarriedOffset], forms: list[Expr]
    ) -> None:
        """Let one of the unknowns that grow unevenly be what the others leave of `value`."""
        uneven = [n for n, u in enumerate(unknowns) if u.step is None]
        if not uneven:
            return
        if state.wraps:
            raise NoTranscript
        total = self._total(value, state)
        for n, form in enumerate(forms):
            if n != uneven[0]:
                total = total - form
        self.solutions[self.space.leaf_of(forms[uneven[0]]).uid] = total

    def _total(self, value: SSAValue, state: PointerState) -> Expr:
        """Return the sum of the offsets of a value, as the analysis has it."""
        found = self.analysis.get(value)
        start = None if state.base is None else self.analysis.get(state.base)
        match found, start:
            case Pointer(), Pointer() if found.base is start.base:
                form = self.analysis.resolved(found.offset) - self.analysis.resolved(start.offset)
            case Expr(), None:
                form = self.analysis.resolved(found)
            case _:
                raise NoTranscript
        return form.split(-1)[1]

    def _same_but_offsets(self, x: PointerState, y: PointerState) -> bool:
        if x.base is not y.base or x.sizes != y.sizes or (not y.sizes and y.scalar is None):
            return False
        equal = self.transcript.equal
        return all(
            equal(a.form, b.form)
            for a, b in zip((*x.strides, *x.bounds), (*y.strides, *y.bounds), strict=True)
        )

    def _add(self, loop: Operation, unknowns: list[CarriedOffset]) -> None:
        """Let the loop carry what moves; what does not is what it starts as."""
        for unknown in unknowns:
            assert unknown.end is not None
            if unknown.step is not None and not unknown.step.terms:
                self._drop([unknown])
                continue
            self._open_leaves.discard(self._open.pop(unknown.argument))
            start = unknown.first.value
            assert isinstance(start, SSAValue)
            n = self._carried(loop).index(unknown.argument)
            end = Terms(self.emitter, loop).value(unknown.end)
            unknown.result = insert_carried(loop, n, start, end)

    def _drop(self, unknowns: list[CarriedOffset]) -> None:
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
            self._open_leaves.discard(self._open.pop(argument))
            argument.owner.erase_arg(argument)
            unknown.result = None

    def _left(self, unknown: CarriedOffset, loop: Operation) -> Term:
        """Return what an unknown is after the loop."""
        if unknown.result is None:
            return unknown.first
        if unknown.step is None:
            return Term(unknown.result, self.space.scalar(("left", unknown.result), "left"))
        trips = self.analysis.resolved(self.analysis.trip_counts[loop])
        return Term(unknown.result, unknown.first.form + trips * unknown.step)


def may_move(type: Attribute) -> bool:
    """Tell whether a value of this type is a pointer, or a tensor of pointers or indices."""
    facts = type_facts(type)
    return facts.sort is Sort.POINTER or (facts.sort is Sort.INTEGER and facts.shape is not None)


def with_value(state: PointerState, old: SSAValue, new: Term) -> PointerState:
    """Return a state in which the term of one value is another's."""

    def renewed(term: Term) -> Term:
        return new if term.value is old else term

    if state.scalar is None or state.scalar.value is not old:
        for term in (*state.offsets, *state.strides, *state.bounds):
            if term.value is old:
                break
        else:
            return state
    return state._replace(
        scalar=None if state.scalar is None else renewed(state.scalar),
        offsets=tuple(map(renewed, state.offsets)),
        strides=tuple(map(renewed, state.strides)),
        bounds=tuple(map(renewed, state.bounds)),
    )
