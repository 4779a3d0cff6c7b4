"""
Loops over what lies in rows: rows outside, and inside what of a row is in the block.

A program of Inductor's computes a block of consecutive places of an image, and finds the row and
the column of each by dividing. Within a row a quotient is one number, so that addresses made of it
go up in steps and LLVM loads vectors, where it would gather element by element, or, of 16 bits,
load one by one. A loop is written as if nothing was known of it, which notes what it divides; where
that makes rows it is written once more:

    row:    start = φ(0, end)    x = base + start    q = x / c    end = min(start + c - x % c, size)
    column: i = φ(start, i + 1)  …

So do loops over blocks that are one number up to some place and another one behind it, in parts:
LLVM chooses between two numbers first and then computes, element by element, what is made of them.
And so do loops with a mask that begins or ends somewhere, be it in each row, as in a padded image:
it is asked of a part and not of each element (see `conditions`), and LLVM copies what a branch
loads. What such masks are made of beside the index is computed ahead of each part, as far as it is
one number there.

A loop in which one condition chooses between two ways to compute all elements is written for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.conditions import Conditions
from xtriton.cpu.emitter.guesses import Guesses, Stage
from xtriton.cpu.emitter.limits import Computed, Limit, Quotient, Rest, Term, Terms

MOST_PARTS = 4
"""Places at which a loop is worth cutting."""
MOST_KINDS = 2
"""Of numbers that are divided to make rows, such as one of 32 bits for masks, and one of 64."""
MOST_INSTRUCTIONS = 24
"""That one number in a part is made by, with what several of them have in common as often."""
SHORTEST = 16
"""Elements of a row that is worth a loop."""
MOST_TURN = 4
"""Elements of one that is worth a turn of a loop over such rows."""
LONG = 128
"""Elements of a row that is worth several, where vectors are loaded in part as well."""


@dataclass
class Turns:
    """
    A loop each of whose turns does a whole short row: as many elements as its quotient divides by.

    The first one begins at the index `first`, where the quotient is `value`; with each it is one
    more.
    """

    quotient: Quotient
    first: Operand
    value: Operand
    below: Operand
    """What all indices are below."""
    now: Operand = 0
    """The quotient in the turn that is being written."""


@dataclass
class Rows:
    """What is known of the index of a loop while its body is written."""

    builder: IRBuilder
    outside: int
    """How many names there were before the loop."""
    guesses: Guesses | None = None
    """What is guessed of elements, in a loop that does nothing but store what it makes of them."""
    index: Operand = 0
    sums: dict[Operand, tuple[str, Terms]] = field(default_factory=dict[Operand, tuple[str, Terms]])
    """Registers that are the index and what is added to it: their types and those terms."""
    extended: dict[Operand, Operand] = field(default_factory=dict[Operand, Operand])
    """Registers that are such sums as wider integers."""
    alike: dict[Operand, Term] = field(default_factory=dict[Operand, Term])
    """Registers that are one number where the quotients that they are made of are."""
    found: set[Quotient] = field(default_factory=set[Quotient])
    known: dict[Quotient, Operand] = field(default_factory=dict[Quotient, Operand])
    """The quotients that are one number in all of the loop."""
    short: set[Quotient] = field(default_factory=set[Quotient])
    """The quotients that change every few elements."""
    turns: Turns | None = None
    """What is known of a turn of the loop, if each does a short row."""
    ends: dict[Operand, str] = field(default_factory=dict[Operand, str])
    """Places that the index is compared with: whether all of the loop is before them, if known."""

    limits: dict[Limit, str] = field(default_factory=dict[Limit, str])
    """Whether all of the loop is below a limit, if known: of sums of 32 bits, or of the index."""
    conditions: Conditions = field(default_factory=Conditions)
    loads_one_by_one: bool = False
    """Whether there is a branch of which LLVM makes no vectors, unless it is the same in a part."""

    chosen: tuple[str, str] = ("", "")
    """What chooses for all elements, and whether it holds, if known."""
    around: Rows | None = None
    """What is known of the loop, if this is about elements of which each turn does one."""

    @property
    def is_in_parts(self) -> bool:
        """Return whether the loop is to be written in rows or parts."""
        is_cut = self.is_cut and bool(self.ends or self._limits_of_sums)
        return bool(self.found) or is_cut or self.short_row is not None

    @property
    def short_row(self) -> Quotient | None:
        """Return the quotient that makes short rows, if there is one of them and no guesses."""
        return next(iter(self.short)) if len(self.short) == 1 and not self.has_guesses else None

    @property
    def is_cut(self) -> bool:
        """Return whether the places at which something changes are few enough for parts."""
        return len(self.ends) + len(self._limits_of_sums) <= MOST_PARTS

    @property
    def _limits_of_sums(self) -> list[Limit]:
        """The limits for which a loop is cut, be there rows or not."""
        return [limit for limit in self.limits if limit.type == "i32" and self.is_cut_at(limit)]

    def is_cut_at(self, limit: Limit) -> bool:
        """Return whether a limit is worth a part: in short rows only where vectors come of it."""
        rests = [term.quotient for term in limit.terms if isinstance(term, Rest)]
        return self.loads_one_by_one or all(rest.divisor >= LONG for rest in rests)

    @property
    def has_guesses(self) -> bool:
        return self.guesses is not None and bool(self.guesses.found)

    @property
    def only_looks(self) -> bool:
        """Return whether the loop is written to look at its elements."""
        return self.guesses is not None and self.guesses.stage is Stage.LOOK

    def begin(self, index: Operand) -> None:
        self.index = index
        self.sums, self.extended, self.alike = {index: ("i64", ())}, {}, {}
        self.conditions.made.clear()
        if self.guesses is not None:
            self.guesses.start = len(self.builder.lines)

    @property
    def tells_of_index(self) -> bool:
        """Return whether the index is compared with a few places, and not divided."""
        return self.is_cut and bool(self.ends or self.limits) and not (self.found or self.short)

    def begin_each(self, index: Operand) -> Iterator[Operand]:
        """Begin with each element that a turn of the loop does; return their indices."""
        if self.turns is None:
            self.begin(index)
            yield index
            return
        b, turns = self.builder, self.turns
        turns.now = b.add(turns.value, index)
        start = b.mul(index, turns.quotient.divisor)
        for element in range(turns.quotient.divisor):
            place = b.add(b.add(turns.first, start), element)
            b.note_below(place, turns.below)
            self.begin(place)
            yield place

    def forget_part(self) -> None:
        """Forget what was known of a part of the loop, as all of it is written."""
        self.known.clear()
        self.ends = dict.fromkeys(self.ends, "")
        self.limits = dict.fromkeys(self.limits, "")

    def is_within(self, x: Operand, bound: float) -> bool:
        """Return whether the magnitude of `x` may be taken for no greater than a bound."""
        if self.guesses is None or self.builder.is_older(x, self.outside):
            return False
        return self.guesses.is_within(x, bound)

    def choice(self, condition: str) -> str:
        """Return "true" or "false" for what chooses in all of the loop, if it is known here."""
        if self.around is not None:
            return self.around.choice(condition)
        if not self.chosen[0] and self.builder.is_older(condition, self.outside):
            self.chosen = (condition, "")
        return self.chosen[1] if self.chosen[0] == condition else ""

    def note_resized(self, value: Operand, type: str, result: Operand) -> None:
        """Note that `result` is `value` as a narrower integer."""
        if self.sums.get(value) == ("i64", ()):
            self.sums[result] = (type, ())

    def note_extended(self, value: Operand, result: Operand) -> None:
        """Note that `result` is `value` as a wider integer, with its sign."""
        if value in self.sums:
            self.extended[result] = value

    def note_sum(self, a: Operand, b: Operand, result: Operand) -> None:
        """Note that `result` is a sum."""
        for one, other in ((a, b), (b, a)):
            known, term = self.sums.get(one), self._term(other)
            if known is not None and term is not None:
                self.sums[result] = (known[0], (*known[1], term))
                return

    def note_alike(
        self, instruction: str, operands: Sequence[Operand], result: Operand, after: str = ""
    ) -> None:
        """Note what makes `result`, if it is one number where its operands are."""
        terms = [term for term in map(self._term, operands) if term is not None]
        computed = Computed(instruction, tuple(terms), after)
        if len(terms) == len(operands) and computed.size <= MOST_INSTRUCTIONS:
            self.alike[result] = computed

    def _term(self, value: Operand) -> Term | None:
        """Return what a value is that is one number in a part; None for another."""
        return value if self.builder.is_older(value, self.outside) else self.alike.get(value)

    def quotient(self, dividend: Operand, divisor: int, *, floors: bool) -> Operand | None:
        """Return a quotient that is one number in the loop; None, and note it, for another."""
        quotient = self._noted(dividend, divisor, floors=floors)
        if quotient is not None and divisor < SHORTEST:
            turns = self.turns
            return turns.now if turns is not None and turns.quotient == quotient else None
        known = None if quotient is None else self.known.get(quotient)
        if quotient is not None and known is not None:
            self.alike[known] = quotient
        return known

    def _noted(self, dividend: Operand, divisor: int, *, floors: bool) -> Quotient | None:
        type, terms = self.sums.get(dividend, ("", ()))
        base = tuple(term for term in terms if isinstance(term, int | str))
        least = 2 if floors else SHORTEST
        if not type or divisor < least or len(base) < len(terms) or MOST_TURN < divisor < SHORTEST:
            return None
        quotient = Quotient(type, base, divisor, floors)
        (self.found if divisor >= SHORTEST else self.short).add(quotient)
        return quotient

    def is_before(self, index: Operand, end: Operand) -> str:
        """Return, as an i1, whether an index is below some place."""
        known = self.builder.is_below(index, end)
        if known or index != self.index or not self.builder.is_older(end, self.outside):
            return self.builder.less(index, end)
        return self.ends.setdefault(end, "") or self.builder.less(index, end)

    def compared(self, predicate: str, type: str, a: Operand, b: Operand) -> str:
        """Return, as an i1, how two integers compare."""
        if predicate == "slt" and self.builder.is_below(a, b):
            return "true"
        of_below, value = predicate, b
        if predicate in ("sle", "sgt") and isinstance(b, int) and b < (1 << 31) - 1:
            of_below, value = {"sle": "slt", "sgt": "sge"}[predicate], b + 1
        limit = self.limit_of(a, value) if of_below in ("slt", "sge") else None
        is_below = "" if limit is None else self.limits.setdefault(limit, "")
        if not is_below:
            result = self.builder.value(f"icmp {predicate} {type} {a}, {b}")
        elif of_below == "slt":
            result = is_below
        else:
            result = self.builder.value(f"xor i1 {is_below}, true")
        if limit is not None:
            self.conditions.made[result] = frozenset({(limit, of_below == "slt")})
        else:
            self._note_condition(f"icmp {predicate} {type}", (a, b), result)
        return result

    def _note_condition(
        self, instruction: str, operands: Sequence[Operand], result: Operand
    ) -> None:
        """Note what makes an i1, if it is the same where its operands are."""
        self.note_alike(instruction, operands, result)
        if (term := self.alike.get(result)) is not None:
            self.conditions.made[result] = frozenset({(term, True)})

    def limit_of(self, sum: Operand, value: Operand) -> Limit | None:
        """Return what the index, or a sum of 32 bits, is compared with; None for anything else."""
        term = self._term(value)
        if term is None:
            return None
        if sum == self.index:
            return Limit("i64", (), term)
        if isinstance(value, int):
            if not -(1 << 31) <= value < 1 << 31:
                return None
            sum = self.extended.get(sum, sum)
        type, terms = self.sums.get(sum, ("", ()))
        return Limit(type, terms, term) if type == "i32" else None

    def expect(self, limit: Limit, *, is_below: bool) -> bool | None:
        """Expect most of a loop to be below a limit, or not; return whether a part is, if known."""
        self.limits.setdefault(limit, "")
        if self.conditions.counts:
            self.conditions.expected.setdefault(limit, is_below)
        return self.conditions.decides(frozenset({(limit, True)}))

    def assume(self, result: Operand, sum: Operand) -> None:
        """While all is still to be found out, take `result` for a sum that it is most often."""
        if not self.conditions.counts:
            return
        if sum in self.sums:
            self.sums[result] = self.sums[sum]
        elif sum in self.extended:
            self.extended[result] = self.extended[sum]

    def note_both(self, a: Operand, b: Operand, result: Operand) -> None:
        """Note that the i1 `result` holds where a and b do."""
        older = [one for one in (a, b) if self.builder.is_older(one, self.outside)]
        self.conditions.note_both((a, b), result, older)

    def divided(self, op: str, type: str, a: Operand, b: int) -> Operand | None:
        """Return the result of `sdiv` or `srem`, if something is known of it in the loop."""
        if op not in ("sdiv", "srem"):
            return None
        noted = self._noted(a, b, floors=False)
        if noted is None and self._term(a) is None:
            return None
        q = None if noted is None else self.known.get(noted)
        if q is None:
            result: Operand = self.builder.value(f"{op} {type} {a}, {b}")
        elif op == "sdiv":
            result = q
        else:
            product = self.builder.value(f"mul {type} {q}, {b}")
            result = self.builder.value(f"sub {type} {a}, {product}")
        if noted is None:
            self.note_alike(f"{op} {type}", (a, b), result)
        elif op == "sdiv":
            self.alike[result] = noted
        else:
            self.sums[result] = (type, (*self.sums[a][1], Rest(noted)))
        return result

    def shortest(self) -> list[list[Quotient]]:
        """Return the quotients that make the shortest rows, each with those that change with it."""
        ordered = sorted(self.found, key=_order)
        makers: list[Quotient] = []
        for one in ordered:
            if len(makers) < MOST_KINDS and not any(map(one.is_kind_of, makers)):
                makers.append(one)
        return [[one for one in ordered if one.is_whole_in(maker)] for maker in makers]


def _order(one: Quotient) -> tuple[int, str, str, bool]:
    """Return what quotients are put in order by, which is the same in every process."""
    return one.divisor, one.type, str(one.base), one.floors
