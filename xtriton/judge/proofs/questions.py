# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""What a walk through two kernels asks z3, and the launches that z3 answers with."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import z3
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.types import info
from xtriton.judge.proofs import nans
from xtriton.judge.proofs.formulas import (
    LANES,
    NoFormula,
    Term,
    context,
    given,
    holds,
    inside,
    is_nan,
    number,
    unknown_number,
    widened,
)
from xtriton.judge.proofs.products import Products
from xtriton.judge.proofs.searches import Search, conjuncts
from xtriton.judge.proofs.trials import MOST_BITS, Filling, Telling, Trial, loaded_integers

STEPS_PER_SECOND = 3_000_000
"""Of z3, about."""

MOST_TRIALS = 20
"""Claims that are tried on many values."""

ROUNDS = 24
"""Of trials on some values, for each second that the solver may take."""

MOST_SEARCHES = 3
"""For numbers that z3 does not find."""

MOST_EXAMPLES = 4
"""That are looked for."""

MOST_ROOTS = 3
"""Integers not proved to be equal, that launches are sought for if there are no examples."""

LEAST_HINT = 8
"""A part so large of the steps for a question is always left for what would only help."""

MOST_LEMMAS = 5
"""Integers that are tried to be proved equal where something is stored or loaded."""


@dataclass(frozen=True)
class Example:
    """
    A launch that may tell two kernels apart.

    arguments: numbers by position; program: where in the grid; grid: its sizes, as far as known;
    contents: integers that the memory behind arguments should hold, by position.
    """

    arguments: dict[int, int]
    program: tuple[int, int, int]
    grid: tuple[int, int, int]
    contents: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])


@dataclass(frozen=True)
class Lemma:
    """Two integers that are equal on all lanes where something holds."""

    where: Term
    original: Term
    rewritten: Term

    def applied(self, formula: Any) -> Any:
        """Return a formula with the original's integer in the place of the other."""
        a, b = self.original, self.rewritten.formula
        pairs = [(b, a.formula)]
        if b.size() == 32:
            pairs.insert(0, (z3.SignExt(32, b), widened(a)))
        return z3.substitute(formula, *pairs)


class Different(Exception):
    """Two effects that are not proved to be the same."""


class Questions:
    """
    Questions about two kernels, whose values are written as formulas.

    steps: of z3, for all questions; entry: the original's first block, whose arguments a launch
    sets.
    """

    def __init__(self, entry: Block, steps: int):
        self.entry = entry
        self.steps = steps
        self.taken = 0
        """Steps that z3 has taken so far."""
        self.each = steps // 5
        self.hint = self.each // 4
        """Steps for what would only help with other claims: fewer after each that took all."""
        self.vain = 0
        """Questions not answered with yes: what depends on their values is less likely to be."""
        self.examples: list[Example] = []
        self.fillings: list[Filling] = []
        """Of memory, on which values that are stored are not equal."""
        self.ops: dict[str, Operation] = {}
        """By the names that they have in formulas."""
        self.trials = MOST_TRIALS
        self.searches = MOST_SEARCHES
        self.roots: list[tuple[int, list[Any]]] = []
        """For integers not proved to be equal: their dimensions, and what holds if they differ."""
        self.stored: dict[int, dict[int, Term]] = {}
        """By the number of dimensions: where something is stored."""
        self.stores: dict[tuple[Any, ...], tuple[tuple[int, ...], Term]] = {}
        """The shape and the mask of each store, each mask once."""
        self.loaded: dict[int, dict[int, Term]] = {}
        """By the number of dimensions: where something is loaded, under masks."""
        self.lemmas: list[Lemma] = []
        self.lemmas_left = MOST_LEMMAS
        self.granted: list[tuple[tuple[int, ...], tuple[Any, ...]]] = []
        """The shapes of accesses, and what was taken for granted of their lanes."""
        self.products_of_offsets: list[Any] = []
        """Of 64 bits, that a launch has to keep small."""
        self.telling: Telling = {}
        self.different = False
        """Whether something that counts is not proved to be equal."""
        self.terms: dict[SSAValue, Term] = {}
        self.path: list[tuple[tuple[int, ...], Term]] = []
        """Shapes and bits that hold on all of their lanes, where the walk has come to."""
        self.everywhere: dict[int, Any] = {}
        """What a launch that decides something has in common for all its values, by number."""
        self.products = Products()
        self.answers: dict[Any, tuple[Any, bool, bool]] = {}
        """Claims that were asked about here, whether they hold, and whether launches are known."""

    def require(self, claim: Any, terms: tuple[Term, ...], shape: tuple[int, ...]) -> None:
        """Note it if a claim is not proved, with a launch on which it may not hold."""
        if not self.always(claim, terms, shape, wanted=True):
            self.different = True

    def always(
        self,
        claim: Any,
        terms: tuple[Term, ...],
        shape: tuple[int, ...],
        wanted: bool = False,
        hint: bool = False,
    ) -> bool:
        """
        Whether a claim holds on all lanes of a shape, whatever the arguments are.

        A launch on which it does not hold is kept if it is `wanted`. What would only help with
        other claims, a `hint`, is not worth as many steps.
        """
        claim = z3.simplify(claim)
        if z3.is_true(claim):
            return True
        key = (claim.get_id(), shape, tuple(fact.formula.get_id() for _, fact in self.path))
        _, known, searched = self.answers.get(key, (None, None, False))
        if known is None or (wanted and not known and not searched):
            known = self.holds(claim, terms, shape, wanted, hint)
            # z3 gives numbers of claims that nobody holds to others.
            self.answers[key] = claim, known, wanted
        return known

    def holds(
        self, claim: Any, terms: tuple[Term, ...], shape: tuple[int, ...], wanted: bool, hint: bool
    ) -> bool:
        """Ask z3 whether a claim holds, see `always`."""
        if len(self.examples) >= MOST_EXAMPLES or (self.steps <= 0 and not wanted):
            raise Different
        facts = [*inside(shape), *given(*terms), *self.known_here(shape)]
        facts += nans.known([claim])
        asked = [z3.simplify(x) for x in (*facts, z3.Not(claim))]
        if self.steps <= 0:
            self.seek(asked)
            raise Different
        trial = self.trial(claim)
        if trial is not None:
            steps = self.hint if hint else self.each // 4
            found = self.asked(self.solver(trial.without_parts(asked), steps))
            if found == z3.unsat or self.tried(trial, asked, wanted):
                return True
            if found == z3.sat and hint:
                # It may hold for what the parts are, which is rare.
                return False
        # Without computing products first, then with what is known of the whole launch.
        easier = self.products.replaced(asked)
        most = self.hint if hint else self.each
        if len(easier) > len(asked) and self.decided(easier, most):
            return True
        if self.everywhere and self.decided(
            self.products.replaced([*asked, *self.everywhere.values()]), most
        ):
            return True
        solver = self.solver(asked, most)
        found = self.asked(solver)
        if hint:
            self.tell_hint(found)
        if hint and trial is None and found != z3.unsat:
            self.roots = [*self.roots, (len(shape), asked)][-MOST_ROOTS:]
        self.vain += found != z3.unsat
        if found == z3.sat and wanted:
            self.examples.append(self.example(solver))
        elif found == z3.unknown and wanted:
            # Both are no longer proved to be the same: only launches are still looked for.
            self.steps = min(self.steps, self.each)
            self.seek(asked)
        return found == z3.unsat

    def is_possible(self) -> bool:
        """
        Whether what was taken for granted may hold, as far as z3 sees it.

        If no launch keeps what is promised, such as offsets that never overflow, then all that
        was proved is worth nothing.
        """
        if not self.taken:
            return True
        self.steps = max(self.steps, self.each // 2)
        facts = [self.on_lanes(*granted) for granted in self.granted]
        found = self.asked(self.solver([f for some in facts for f in some], self.each // 4))
        if found != z3.unsat:
            return True
        # Loops and branches may not all be taken in one launch.
        each = (self.asked(self.solver(some, self.each // 4)) for some in facts)
        return all(found != z3.unsat for found in each)

    def on_lanes(self, shape: tuple[int, ...], facts: tuple[Any, ...]) -> list[Any]:
        """Return facts of the last lane of a shape, and of one further inside."""
        found: dict[int, Any] = {}
        for part in ((1, 1), (2, 3)):
            places = [
                (lane, number((n - 1) * part[0] // part[1], 32))
                for lane, n in zip(LANES, shape, strict=False)
            ]
            found |= {f.get_id(): f for f in (z3.substitute(x, *places) for x in facts)}
        return list(found.values())

    def seek(self, asked: list[Any]) -> None:
        """Keep a launch on which formulas hold that z3 found no numbers for, if there is one."""
        if self.searches <= 0:
            return
        self.searches -= 1
        known = [*self.everywhere.values(), *self.products_of_offsets]
        try:
            found = Search(asked, known).found()
        except (NoFormula, LookupError):
            return
        if found is not None:
            self.examples.append(self.launch(found.of, found.numbers))

    def seek_roots(self) -> None:
        """Keep launches on which values differ that what is stored is made of, if there are any."""
        self.searches = MOST_SEARCHES
        for dimensions, asked in reversed(self.roots):
            if not self.examples:
                stored = self.on_store(dimensions)
                self.seek(asked if stored is None else [*asked, stored.formula, *stored.given])

    def on_store(self, dimensions: int) -> Term | None:
        """Return that a lane of a value of so many dimensions is stored somewhere."""
        stored = list(self.stored.get(dimensions, {}).values())
        if not stored:
            return None
        return Term(z3.Or(*(mask.formula for mask in stored), context()), given(*stored))

    def lemma(self, a: Term, b: Term, shape: tuple[int, ...]) -> None:
        """Note it if two integers, not proved to be equal, are equal where they may be used."""
        if not z3.is_bv(a.formula):
            return
        masks = [self.on_store(len(shape)), *self.loaded.get(len(shape), {}).values()]
        if not shape:
            masks += [*self.loaded.get(1, {}).values(), *self.loaded.get(2, {}).values()]
        for where in masks:
            if where is None or self.lemmas_left <= 0:
                continue
            self.lemmas_left -= 1
            same = z3.Implies(where.formula, a.formula == b.formula)
            if self.always(same, (a, b, where), (), hint=True):
                self.lemmas.append(Lemma(where, a, b))
                if len(shape) == 1:
                    self.lemmas.append(Lemma(*(x.at([LANES[1]]) for x in (where, a, b))))
                return

    def by_lemmas(self, y: Term, mask: Term, shape: tuple[int, ...]) -> Term:
        """Return a term with what is the same where a mask holds, as the original has it."""
        for known in self.lemmas:
            there = known.applied(y.formula)
            if there.eq(y.formula):
                continue
            inside = z3.Implies(holds(mask.formula), known.where.formula)
            if self.always(inside, (mask, known.where), shape, hint=True):
                y = Term(there, given(y, known.original))
        return y

    def trial(self, claim: Any) -> Trial | None:
        """Return a claim about floats with the parts of it that are unknown; None for others."""
        try:
            return Trial(claim, self.ops, self.telling)
        except (NoFormula, LookupError):
            return None

    def tried(self, trial: Trial, asked: list[Any], wanted: bool) -> bool:
        """Whether a claim holds for all values of its parts; if `wanted`, some are sought."""
        if not trial.parts or self.trials <= 0:
            return False
        try:
            known = [x for of in asked for x in conjuncts(of) if not trial.has_floats(x)]
            for part in trial.places():
                trial.most[part.get_id()] = self.most(part, known)
            if trial.bits() <= MOST_BITS:
                self.trials -= 1
                found = trial.failing()
                if not found:
                    return True
            else:
                self.trials -= 1
                narrowed = trial.narrowed()
                if narrowed.parts and narrowed.bits() <= MOST_BITS and not narrowed.failing():
                    return True
                rounds = max(4, ROUNDS * self.each // (STEPS_PER_SECOND // 5))
                found = trial.sought(rounds if wanted and not self.fillings else 1)
        except (NoFormula, LookupError, TypeError, ValueError):
            return False
        if wanted and not self.fillings:
            self.fillings = found
        return False

    def most(self, x: Any, asked: list[Any]) -> int:
        """Return a number that an integer is below, with no sign, where some formulas hold."""
        low, high = 0, 1 << min(MOST_BITS, x.size() - 1)
        if not self.is_below(x, high, asked):
            return 1 << x.size()
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.is_below(x, middle, asked) else (middle, high)
        return high

    def is_below(self, x: Any, most: int, asked: list[Any]) -> bool:
        """Whether an integer is proved to be below a number, see `most`."""
        beyond = z3.UGE(x, number(most, x.size()))
        return self.asked(self.solver([*asked, beyond], self.each // 8)) == z3.unsat

    def tell_hint(self, found: Any) -> None:
        """Learn from an answer to a question that would only help with others."""
        if found == z3.unsat:
            self.hint = self.each // 4
        elif found == z3.unknown:
            self.hint = max(self.hint // 2, self.each // LEAST_HINT)

    def decided(self, formulas: list[Any], most: int) -> bool:
        """Whether z3 soon sees that some formulas never hold all together."""
        steps = min(most, max(self.each >> (1 + self.vain), self.each // 8))
        return self.asked(self.solver(formulas, steps)) == z3.unsat

    def solver(self, formulas: Iterable[Any], steps: int) -> z3.Solver:
        """Return a solver that looks for numbers on which all of some formulas hold."""
        solver = z3.Solver(ctx=context())
        solver.set("rlimit", max(1, min(self.steps, steps)))
        solver.add(*formulas)
        return solver

    def known_here(self, shape: tuple[int, ...]) -> Iterator[Any]:
        """Yield what asserts and branches let be known of the lanes of a tensor."""
        for of, fact in self.path:
            yield from fact.given
            lanes = [number(0, 32) if n == 1 else LANES[d] for d, n in enumerate(of)]
            places = [lanes] if len(of) != 1 else [[LANES[d]] for d in range(max(1, len(shape)))]
            for place in places:
                there = [z3.ULT(lane, number(n, 32)) for lane, n in zip(place, of, strict=True)]
                yield z3.Implies(z3.And(*there, context()), holds(fact.at(place).formula))

    def asked(self, solver: z3.Solver) -> Any:
        """Return z3's answer; the steps it took are taken from those that are left."""
        found = solver.check()
        said: Any = solver.statistics()
        total = next((value for key, value in said if key == "rlimit count"), self.taken)
        self.steps -= max(0, total - self.taken)
        self.taken = total
        return found

    def example(self, solver: z3.Solver) -> Example:
        """Return the launch that z3 found, one with small numbers if there is one."""
        numbers, places, sizes = self.numbers(), *_grid()
        model = solver.model()
        for most_programs, most in ((64, 1 << 12), (1 << 16, 1 << 20), (1 << 22, 1 << 30)):
            solver.push()
            solver.add(*[z3.ULT(p, most_programs) for p in (*places, *sizes)])
            solver.add(*[z3.And(n > 0, n < most) for n in numbers.values() if n.size() > 8])
            if self.asked(solver) == z3.sat:
                model = solver.model()
                solver.pop()
                break
            solver.pop()

        def value(x: Any) -> int:
            found: Any = model.eval(x, model_completion=True)
            return found.as_signed_long()

        contents: dict[int, tuple[int, ...]] = {}
        for argument, x in (pair for f in solver.assertions() for pair in loaded_integers(f)):
            contents[argument] = tuple({*contents.get(argument, ()), value(x)})
        return replace(self.launch(value), contents=contents)

    def numbers(self) -> dict[int, Any]:
        """Return the formulas of the kernel's arguments that are integers, by position."""
        terms = {a.index: self.terms[a].formula for a in self.entry.args}
        return {k: x for k, x in terms.items() if z3.is_bv(x) and not z3.is_bv_value(x)}

    def launch(self, value: Callable[[Any], int], known: Container[str] | None = None) -> Example:
        """Return the launch that `value` gives the numbers of; some of them if few are known."""
        numbers, places, sizes = self.numbers(), *_grid()
        if known is not None:
            numbers = {k: n for k, n in numbers.items() if n.decl().name() in known}
        x, y, z = (value(p) for p in places)
        gx, gy, gz = (max(value(p) + 1, value(n), 1) for p, n in zip(places, sizes, strict=True))
        return Example({k: value(n) for k, n in numbers.items()}, (x, y, z), (gx, gy, gz))

    def equal(
        self,
        a: SSAValue,
        b: SSAValue,
        mask: Term | None = None,
        wanted: bool = False,
        more: tuple[Term, ...] = (),
        hint: bool = False,
    ) -> bool:
        """Whether two values are equal where a mask holds, with what `more` lets be known."""
        shape = info(a.type).shape
        return self.equal_terms(self.terms[a], self.terms[b], shape, mask, wanted, more, hint)

    def equal_terms(
        self,
        x: Term,
        y: Term,
        shape: tuple[int, ...],
        mask: Term | None,
        wanted: bool,
        more: tuple[Term, ...],
        hint: bool = False,
    ) -> bool:
        """Whether two terms are equal on the lanes of a shape, see `equal`."""
        if x.formula.eq(y.formula):
            return True
        if x.formula.sort() != y.formula.sort():
            return False
        if _is_sum_of_same(x.formula, y.formula):
            return True
        if mask is not None and self.lemmas:
            y = self.by_lemmas(y, mask, shape)
        claim = x.formula == y.formula
        if mask is not None:
            claim = z3.Implies(holds(mask.formula), claim)
        terms = (x, y, *more) if mask is None else (x, y, mask, *more)
        return self.always(claim, terms, shape, wanted, hint)

    def demand(self, a: SSAValue, b: SSAValue, mask: Term | None = None, *more: Term) -> None:
        """Note it if two values are not proved to be equal, where a mask holds."""
        if not self.equal(a, b, mask, wanted=True, more=more):
            self.different = True

    def demand_stored(self, a: SSAValue, b: SSAValue, mask: Term, place: Term) -> None:
        """Note it if two values are not proved to be equal where they are stored, NaN for NaN."""
        x, y, shape = self.terms[a], self.terms[b], info(a.type).shape
        if z3.is_bv(x.formula) or x.formula.sort() != y.formula.sort():
            self.demand(a, b, mask, place)
        elif not self.equal(a, b, mask, more=(place,), hint=True):
            nothing = z3.And(is_nan(x.formula), is_nan(y.formula))
            same = z3.Or(x.formula == y.formula, nothing)
            self.require(z3.Implies(holds(mask.formula), same), (x, y, mask, place), shape)

    def demand_terms(
        self, a: Term, b: Term, shape: tuple[int, ...], mask: Term | None = None, *more: Term
    ) -> None:
        """Note it if two terms are not proved to be equal, where a mask holds."""
        if not self.equal_terms(a, b, shape, mask, True, more):
            self.different = True


def _grid() -> tuple[list[Any], list[Any]]:
    """Return the unknown place of a program along each axis, and the grid's sizes."""
    places = [unknown_number(f"tt.get_program_id {axis}", 32) for axis in range(3)]
    return places, [unknown_number(f"tt.get_num_programs {axis}", 32) for axis in range(3)]


def _is_sum_of_same(a: Any, b: Any) -> bool:
    """Whether two integers are the same sum of products."""
    return z3.is_bv(a) and z3.is_true(z3.simplify(a - b == 0, som=True))
