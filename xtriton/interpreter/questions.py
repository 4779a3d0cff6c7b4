# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""What a walk through two kernels asks z3, and the launches that z3 answers with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import z3
from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter import nans
from xtriton.interpreter.formulas import (
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
)
from xtriton.interpreter.products import Products
from xtriton.interpreter.trials import MOST_BITS, Filling, Telling, Trial
from xtriton.interpreter.types import info

STEPS_PER_SECOND = 3_000_000
"""Of z3, about."""

MOST_TRIALS = 20
"""Claims that are tried on many values."""

ROUNDS = 24
"""Of trials on some values, for each second that the solver may take."""

MOST_EXAMPLES = 4
"""That are looked for."""


@dataclass(frozen=True)
class Example:
    """
    A launch that may tell two kernels apart.

    arguments: numbers by position; program: where in the grid; grid: its sizes, as far as known.
    """

    arguments: dict[int, int]
    program: tuple[int, int, int]
    grid: tuple[int, int, int]


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
        self.vain = 0
        """Questions not answered with yes: what depends on their values is less likely to be."""
        self.examples: list[Example] = []
        self.fillings: list[Filling] = []
        """Of memory, on which values that are stored are not equal."""
        self.ops: dict[str, Operation] = {}
        """By the names that they have in formulas."""
        self.trials = MOST_TRIALS
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
        if self.steps <= 0 or len(self.examples) >= MOST_EXAMPLES:
            raise Different
        facts = [*inside(shape), *given(*terms), *self.known_here(shape)]
        facts += nans.known([claim])
        asked = [z3.simplify(x) for x in (*facts, z3.Not(claim))]
        trial = self.trial(claim)
        if trial is not None:
            found = self.asked(self.solver(trial.without_parts(asked), self.each // 4))
            if found == z3.unsat or self.tried(trial, wanted):
                return True
            if found == z3.sat and hint:
                # It may hold for what the parts are, which is rare.
                return False
        # Without computing products first, then with what is known of the whole launch.
        easier = self.products.replaced(asked)
        if len(easier) > len(asked) and self.decided(easier):
            return True
        if self.everywhere and self.decided(
            self.products.replaced([*asked, *self.everywhere.values()])
        ):
            return True
        solver = self.solver(asked, self.each // 4 if hint else self.each)
        found = self.asked(solver)
        self.vain += found != z3.unsat
        if found == z3.sat and wanted:
            self.examples.append(self.example(solver))
        elif found == z3.unknown and wanted:
            # Both are no longer proved to be the same: only launches are still looked for.
            self.steps = min(self.steps, self.each)
        return found == z3.unsat

    def trial(self, claim: Any) -> Trial | None:
        """Return a claim about floats with the parts of it that are unknown; None for others."""
        try:
            return Trial(claim, self.ops, self.telling)
        except (NoFormula, LookupError):
            return None

    def tried(self, trial: Trial, wanted: bool) -> bool:
        """Whether a claim holds for all values of its parts; if `wanted`, some are sought."""
        if not trial.parts or self.trials <= 0:
            return False
        try:
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

    def decided(self, formulas: list[Any]) -> bool:
        """Whether z3 soon sees that some formulas never hold all together."""
        return (
            self.asked(self.solver(formulas, max(self.each >> (1 + self.vain), self.each // 8)))
            == z3.unsat
        )

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
        numbers = {
            a.index: self.terms[a].formula
            for a in self.entry.args
            if isinstance(self.terms[a].formula, z3.BitVecNumRef) is False
            and z3.is_bv(self.terms[a].formula)
        }
        places = [unknown_number(f"tt.get_program_id {axis}", 32) for axis in range(3)]
        sizes = [unknown_number(f"tt.get_num_programs {axis}", 32) for axis in range(3)]
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


def _is_sum_of_same(a: Any, b: Any) -> bool:
    """Whether two integers are the same sum of products."""
    return z3.is_bv(a) and z3.is_true(z3.simplify(a - b == 0, som=True))
