"""
Closed forms for the integers and pointers of a function, in one walk over it.

Each integer gets an index expression over the positions of its tensor, the iteration
counts of the loops around it and the scalars of the program; each pointer a base and an
offset. A value that a loop carries stands for itself while the body is read, and is then
solved as a recurrence (`control_flow`); `resolved` puts the solutions in. What no rule
explains is a symbol of its own, so every value has a form. The rules are passed in:
`index_analysis` has them all.

Integer arithmetic is taken not to overflow as signed numbers, as Triton's own analyses
take it; `assumptions` lists where this matters to an access.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xtriton.analysis.divisibility import divisor_of_argument
from xtriton.analysis.indexing import (
    Atom,
    Cond,
    Expr,
    IndexSpace,
    Interval,
    Rebuilder,
    excess,
    facts_of,
)
from xtriton.analysis.indexing.choice import with_extrema
from xtriton.analysis.values import Pointer, Sort, TensorBlock, Unknown, Value, type_facts
from xtriton.budget import current
from xtriton.ir.value_flow import passed_on
from xtriton.records import record


@record
class Recurrence:
    """
    What a loop does to a value it carries: it grows by `increment` in every iteration.

    `total` is what has been added before the present iteration: iterations times
    increment where that is the same each time, else a symbol of its own.
    """

    loop: Operation
    argument: BlockArgument
    increment: Expr
    total: Expr


class IndexAnalysis:
    """The forms of the values of one function."""

    def __init__(
        self,
        function: Operation,
        rules: "dict[str, Rule]",
        summaries: "dict[Operation, IndexAnalysis | None] | None" = None,
    ):
        self.function = function
        self.entry = next((r.blocks.first for r in function.regions), None)
        self.rules = rules
        """What ops do to forms, by their names."""

        self.summaries = {} if summaries is None else summaries
        """Analyses of the functions that this one calls; None while one is being made."""

        self.space = IndexSpace()
        self.values: dict[SSAValue, Value] = {}
        self.recurrences: dict[Hashable, Recurrence] = {}
        """By the key of the leaf that stood for the carried value."""

        self.block_facts: dict[Block, tuple[Expr, ...]] = {}
        self.solutions: list[tuple[int, Expr]] = []
        self.leaf_values: dict[int, SSAValue] = {}
        """The value of the program that a scalar or tensor leaf stands for."""

        self.addresses: dict[int, Pointer] = {}
        """The pointers whose addresses leaves stand for, as numbers of bytes."""

        self.trip_counts: dict[Operation, Expr] = {}
        self.budget = current()
        self.excesses: dict[SSAValue, str] = {}
        """Why values whose formula is over the budget are symbols of their own."""

        self._resolver: Rebuilder | None = None
        self._unnamed = 0
        for region in function.regions:
            self.enter_region(region, ())
        self._finish()

    # --- symbols ----------------------------------------------------------------------

    def name_of(self, value: SSAValue) -> str:
        """Return a name to print a value by."""
        if value.name_hint is not None:
            return value.name_hint
        self._unnamed += 1
        return f"v{self._unnamed}"

    def symbol(self, value: SSAValue, interval: Interval | None = None) -> Expr:
        """Return the leaf, or the element of the leaf, that stands for an integer."""
        facts = type_facts(value.type)
        interval = interval or facts.interval
        if facts.shape is None:
            e = self.space.scalar(value, self.name_of(value), interval)
            leaf = self.space.leaf_of(e)
            leaf.divisor = divisor_of_argument(value)
        else:
            positions = self.positions(facts.shape)
            e = self.space.element(value, self.name_of(value), positions, interval)
            leaf = self.space.leaf_of(e)
        self.leaf_values[leaf.uid] = value
        return e

    def positions(self, shape: Sequence[int]) -> list[Expr]:
        return [self.space.position(d, size) for d, size in enumerate(shape)]

    def opaque(self, value: SSAValue) -> Value | None:
        """Return the form of a value that no rule explains."""
        facts = type_facts(value.type)
        match facts.sort:
            case Sort.OTHER:
                return None
            case Sort.INTEGER:
                return self.symbol(value)
            case Sort.BOOLEAN:
                return self.space.negation(self.space.is_zero(self.symbol(value)))
            case Sort.POINTER:
                if facts.shape is None:
                    return Pointer(value, self.space.zero, facts.element)
                return Unknown("pointers of unknown origin", value)
            case Sort.BLOCK:
                return Unknown("block of unknown origin", value)

    def get(self, value: SSAValue) -> Value | None:
        """Return the form of a value; None for one that is neither integer nor pointer."""
        found = self.values.get(value)
        if found is None:
            found = self.opaque(value)
            if found is not None:
                self.values[value] = found
        return found

    def expr(self, value: SSAValue) -> Expr:
        """Return the form of an integer; a boolean counts as 0 or 1."""
        found = self.values.get(value) or self.get(value)
        if isinstance(found, Cond):
            return self.space.select(found, self.space.one, self.space.zero)
        if not isinstance(found, Expr):
            return self.symbol(value)
        return found

    def define(self, value: SSAValue, e: Expr) -> None:
        """
        Set the form of an integer; a scalar keeps its name where the form is no sum.

        A form that is too large to be of use is let go of, so that time stays linear.
        """
        if e.within is not self.budget and self.exceeds(value, e):
            e = self.symbol(value)
        elif e.depth and (len(e.terms) > 1 or len(next(iter(e.terms))) > 1):
            e = with_extrema(self.space, e)
        if e.depth:
            facts = type_facts(value.type)
            if facts.shape is None:
                e = self.space.named(e, value.name_hint or "scalar", facts.interval)
        self.values[value] = e

    def exceeds(self, value: SSAValue, *forms: Expr | Cond) -> bool:
        """Tell whether the formula of a value is over the budget, and note why."""
        for form in forms:
            why = excess(form, self.budget)
            if why is not None:
                self.excesses[value] = why
                return True
        return False

    def bound(self, value: SSAValue) -> None:
        """Let go of the form of a value if it is over the budget."""
        form = self.values.get(value)
        parts: tuple[Expr | Cond, ...] = ()
        if isinstance(form, (Expr, Cond)):
            # Most are known to be within it since they were made.
            if form.within is not self.budget:
                parts = (form,)
        elif isinstance(form, Pointer):
            if form.offset.within is not self.budget:
                parts = (form.offset,)
        elif isinstance(form, TensorBlock):
            parts = (form.origin, *form.shape, *form.strides, *form.offsets)
        if parts and self.exceeds(value, *parts):
            opaque = self.opaque(value)
            if isinstance(opaque, Unknown):
                opaque = Unknown(f"its formula has {self.excesses[value]}", value)
            assert opaque is not None
            self.values[value] = opaque

    def cond(self, value: SSAValue) -> Cond:
        """Return the form of a boolean."""
        found = self.get(value)
        if isinstance(found, Expr):
            return self.space.negation(self.space.is_zero(found))
        assert isinstance(found, Cond)
        return found

    # --- walking ----------------------------------------------------------------------

    def enter_region(self, region: Region, facts: tuple[Expr, ...]) -> None:
        """Walk the blocks of a region whose entry is reached where `facts` hold."""
        blocks = list(region.blocks)
        if len(blocks) == 1:
            self.walk(blocks[0], facts)
        elif blocks:
            _walk_blocks(self, blocks, facts)

    def walk(self, block: Block, facts: tuple[Expr, ...]) -> None:
        """Give forms to what the ops of a block compute."""
        self.block_facts[block] = facts
        rules = self.rules
        op = block._first_op
        while op is not None:
            rule = rules.get(op.name)
            if rule is not None:
                rule(self, op)
                for result in op.results:
                    self.bound(result)
            elif op.regions:
                for region in op.regions:
                    self.enter_region(region, facts)
            op = op._next_op

    def facts_at(self, op: Operation) -> tuple[Expr, ...]:
        """Return what the branches and loops around an op say, resolved."""
        block = op.parent
        found: list[Expr] = []
        while block is not None:
            found += self.block_facts.get(block, ())
            parent = block.parent_op()
            block = parent.parent if parent is not None else None
        return tuple(self.resolved(f) for f in dict.fromkeys(found))

    def defined_inside(self, atom: Atom, op: Operation) -> bool:
        """Tell whether a leaf stands for a value defined in a region of `op`."""
        value = self.leaf_values.get(atom.uid)
        if value is None:
            subject = atom.parts[1] if atom.parts else None
            if not isinstance(subject, SSAValue):
                return False
            value = cast(SSAValue, subject)
        block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
        entry = self.entry
        while block is not None:
            if block is entry:
                return op is self.function
            parent = block.parent_op()
            if parent is op:
                return True
            block = parent.parent if parent is not None else None
        return False

    def invariant(self, form: Expr | Cond | Atom, op: Operation) -> bool:
        """Tell whether a form depends on nothing inside `op`."""
        for u in form.leaves:
            leaf = self.space.atoms[u]
            if isinstance(leaf.key, Operation):
                inner: Operation | None = leaf.key
                while inner is not None and inner is not op:
                    inner = inner.parent_op()
                if inner is op:
                    return False
            elif self.defined_inside(leaf, op):
                return False
        return True

    # --- solutions --------------------------------------------------------------------

    def solve(self, leaf: Atom, solution: Expr) -> None:
        """Note that a leaf, met so far as a symbol, equals `solution`."""
        self.solutions.append((leaf.uid, solution))

    def _finish(self) -> None:
        """Put solutions into each other: those of outer loops were found last."""
        final: dict[int, Expr] = {}
        for uid, solution in reversed(self.solutions):
            found = self.space.substitute(solution, final) if final else solution
            if excess(found, self.budget) is None:
                final[uid] = found
        if final:
            self._resolver = Rebuilder(self.space, final)

    def resolved(self, value: Expr) -> Expr:
        """Return an expression with every solved recurrence put in."""
        found = self._resolver.expr(value) if self._resolver else value
        if found.within is self.budget or excess(found, self.budget) is None:
            return found
        return value

    def resolved_condition(self, value: Cond) -> Cond:
        found = self._resolver.cond(value) if self._resolver else value
        return found if excess(found, self.budget) is None else value

    def resolved_value(self, value: Value) -> Value:
        """Return a form of any sort with every solved recurrence put in."""
        match value:
            case Expr():
                return self.resolved(value)
            case Cond():
                return self.resolved_condition(value)
            case Pointer(base, offset, pointee):
                return Pointer(base, self.resolved(offset), pointee)
            case TensorBlock():
                return replace(
                    value,
                    origin=self.resolved(value.origin),
                    shape=tuple(map(self.resolved, value.shape)),
                    strides=tuple(map(self.resolved, value.strides)),
                    offsets=tuple(map(self.resolved, value.offsets)),
                )
            case Unknown():
                return value

    def replace(self, old: SSAValue, new: SSAValue) -> None:
        """Let the leaf of a value that a rewriting removed stand for its replacement."""
        e = self.symbol(old)
        self.leaf_values[self.space.leaf_of(e).uid] = new

    def assume(self, condition: Cond, op: Operation) -> None:
        """Use a condition that the program promises; only where every access sees it."""
        facts = facts_of(condition)
        block = op.parent
        for fact in facts:
            if block is self.entry and not fact.dims:
                self.space.know(fact)
            elif block is not None:
                self.block_facts[block] = (*self.block_facts.get(block, ()), fact)


Rule = Callable[[IndexAnalysis, Operation], None]
"""Sets the forms of an op's results, and walks its regions."""


def _walk_blocks(a: IndexAnalysis, blocks: list[Block], facts: tuple[Expr, ...]) -> None:
    """Walk a control-flow graph in the order of its text; edges backwards tell nothing."""
    incoming: dict[Block, list[tuple[Block, Sequence[SSAValue], Cond | None]]] = {}
    for block in blocks:
        for target, operands, index in _edges(block):
            incoming.setdefault(target, []).append((block, operands, index))  # pyright: ignore[reportArgumentType]
    seen: set[Block] = set()
    for block in blocks:
        edges = incoming.get(block, [])
        known = all(source in seen and len(given) == len(block.args) for source, given, _ in edges)
        if block.args and edges and known:
            for index, argument in enumerate(block.args):
                values = [a.get(operands[index]) for _, operands, _ in edges]
                if values[0] is not None and all(v == values[0] for v in values):
                    a.values[argument] = values[0]
        own = facts
        if len(edges) == 1 and edges[0][0] in seen:
            source, _, which = edges[0]
            own = (*a.block_facts.get(source, ()), *_branch_facts(a, source, which))
        a.walk(block, own)
        seen.add(block)


def _edges(block: Block) -> list[tuple[Block, Sequence[SSAValue], int | None]]:
    """Return target, operands (none if unknown) and which successor of a condition it is."""
    last = block.ops.last
    if last is None:
        return []
    passed = passed_on(last)
    if passed is None:
        return [(successor, (), None) for successor in last.successors]
    decides = last.name == "cf.cond_br" and last.successors[0] is not last.successors[1]
    return [
        (successor, values, which if decides else None)
        for which, (successor, values) in enumerate(zip(last.successors, passed, strict=True))
    ]


def _branch_facts(a: IndexAnalysis, source: Block, which: object) -> list[Expr]:
    last = source.ops.last
    if which is None or last is None:
        return []
    condition = a.cond(last.operands[0])
    return facts_of(a.space.negation(condition) if which else condition)
