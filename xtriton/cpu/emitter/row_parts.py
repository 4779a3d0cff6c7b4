"""How loops are written in rows and parts, with what `rows` knows of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.conditions import Conjunction
from xtriton.cpu.emitter.guesses import Bounds, Writer
from xtriton.cpu.emitter.limits import Computed, Limit, Quotient, Rest, Term, Terms
from xtriton.cpu.emitter.rows import Rows

LARGE = 1 << 24
"""What a divisor, and each of few numbers added to what it leaves, is below without an overflow."""


def is_written_anew(rows: Rows) -> bool:
    """Return whether something is known of a loop now for which it is to be written again."""
    return bool(rows.chosen[0]) or rows.is_in_parts or rows.has_guesses


def write_anew(b: IRBuilder, rows: Rows, size: Operand, write: Writer) -> None:
    """Write a loop again with what is known of it."""
    condition, _ = rows.chosen
    rows.conditions.counts = False
    if not condition:
        _write(b, rows, size, write)
        return

    def written(holds: str) -> tuple[()]:
        rows.chosen = (condition, holds)
        _write(b, rows, size, write)
        return ()

    b.if_else(condition, lambda: written("true"), lambda: written("false"))


def _write(b: IRBuilder, rows: Rows, size: Operand, write: Writer) -> None:
    def guessed(bounds: Bounds) -> None:
        if rows.guesses is not None and rows.has_guesses:
            rows.guesses.write(bounds, write)
        else:
            write(bounds)

    def in_rows() -> tuple[()]:
        _write_in_rows(b, rows, size, guessed)
        return ()

    if rows.is_in_parts:
        # Each row has an element, so that there has to be one.
        b.if_else("true" if isinstance(size, int) else b.less(0, size), in_rows)
    elif rows.has_guesses:
        guessed((0, size))
    else:
        write(None)


def _write_in_rows(
    b: IRBuilder, rows: Rows, size: Operand, write: Callable[[Bounds], None]
) -> None:
    """Write a loop in rows of the shortest quotients that are found in it, and parts."""

    def row(start: str) -> Operand:
        part = _Part(b, rows, size, start)
        for quotients in rows.shortest():
            part.divide(quotients)
        if rows.is_cut:
            part.cut()
        end = part.end()
        part.write(write, (start, end))
        return end

    b.in_parts(size, row, "row")


@dataclass
class _Part:
    """A part of a loop of some size that begins at `start`."""

    b: IRBuilder
    rows: Rows
    size: Operand
    start: str
    ends: list[Operand] = field(default_factory=list[Operand])
    """Where something changes."""
    row_ends: list[Operand] = field(default_factory=list[Operand])
    """And where rows end, which takes longest to find."""
    computed: dict[Computed, str] = field(default_factory=dict[Computed, str])
    """What has been computed ahead of its elements."""

    def divide(self, quotients: list[Quotient]) -> None:
        """Note the quotients of a row, and end where the first of them changes."""
        b, first = self.b, quotients[0]
        t = first.type
        x = self._sum(t, first.base)
        for quotient in reversed(quotients):
            self.rows.known[quotient] = self._quotient(x, quotient)
        product = b.value(f"mul {t} {self.rows.known[first]}, {first.divisor}")
        left = b.value(f"sub {t} {first.divisor}, {b.value(f'sub {t} {x}, {product}')}")
        if not first.floors:
            # Below zero, and where the sum would overflow, each element is a row.
            last = (1 << (int(t[1:]) - 1)) - 1 - first.divisor
            usual = b.value(f"icmp ule {t} {x}, {last}")
            left = b.value(f"select i1 {usual}, {t} {left}, {t} 1")
        self.row_ends.append(b.add(self.start, b.index(t, left)))

    def _quotient(self, x: Operand, quotient: Quotient) -> str:
        b, t = self.b, quotient.type
        q = b.value(f"sdiv {t} {x}, {quotient.divisor}")
        if not quotient.floors:
            return q
        rest = b.value(f"sub {t} {x}, {b.value(f'mul {t} {q}, {quotient.divisor}')}")
        below = b.value(f"zext i1 {b.value(f'icmp slt {t} {rest}, 0')} to {t}")
        return b.value(f"sub {t} {q}, {below}")

    def cut(self) -> None:
        """Note how all of the part compares, and end where that changes."""
        rows = self.rows
        for place in rows.ends:
            rows.ends[place] = self._cut_at(place)
        for limit in rows.limits:
            if not self._is_known(limit.value) or not all(map(self._is_known, limit.terms)):
                continue
            if limit.type == "i64":
                rows.limits[limit] = self._cut_at(self._value(limit.value))
            elif rows.is_cut_at(limit):
                rows.limits[limit] = self._cut_below(limit)

    def _cut_at(self, place: Operand) -> str:
        b = self.b
        before_it = b.less(self.start, place)
        self.ends.append(b.chosen(before_it, place, self.size))
        return before_it

    def _cut_below(self, limit: Limit) -> str:
        b, start, value = self.b, self.start, self._value(limit.value)
        first = self._sum("i32", limit.terms)
        is_below = b.value(f"icmp slt i32 {first}, {value}")
        left = b.value(f"sub i64 {_wide(b, value)}, {_wide(b, first)}")
        self.ends.append(b.add(start, b.chosen(b.less(0, left), left, 1 << 31)))
        if not self._is_of_row(limit.terms):
            # Where the sum would overflow.
            self.ends.append(b.add(start, b.sub(1 << 31, _wide(b, first))))
        return is_below

    def _is_of_row(self, terms: Terms) -> bool:
        """Return whether a sum of 32 bits cannot overflow, as the part is one of a row."""
        for quotient in self.rows.known:
            added = terms[len(quotient.base) :]
            is_divided = terms[: len(quotient.base)] == quotient.base and quotient.type == "i32"
            is_plain = not quotient.floors and quotient.divisor < LARGE
            if is_divided and is_plain and (not added or added[0] == Rest(quotient)):
                return all(isinstance(term, int) and abs(term) < LARGE for term in added[1:])
        return False

    def end(self) -> Operand:
        """Return the first place where something changes; rows, which are found last, come last."""
        found = self._least([self.size, *dict.fromkeys(self.ends)])
        return self._least([found, *self.row_ends])

    def _least(self, places: list[Operand]) -> Operand:
        """Return the least of places, by halves: none waits for all of the others."""
        if len(places) == 1:
            return places[0]
        half = len(places) // 2
        return self.b.least(self._least(places[:half]), self._least(places[half:]))

    def write(self, write: Callable[[Bounds], None], bounds: Bounds) -> None:
        """Write the part, for either if one condition chooses most of what it computes."""
        conditions = self.rows.conditions
        conjunction = conditions.worth_deciding(self._is_told)
        if conjunction is None:
            write(bounds)
            return

        def written(holds: bool) -> tuple[()]:
            conditions.decided = (conjunction, holds)
            write(bounds)
            conditions.decided = None
            return ()

        holds = self._holds(conjunction)
        self.b.if_else(holds, lambda: written(True), lambda: written(False))

    def _is_told(self, condition: Limit | Term) -> bool:
        if isinstance(condition, Limit):
            return bool(self.rows.limits[condition])
        return self._is_known(condition)

    def _holds(self, conjunction: Conjunction) -> str:
        """Return whether a condition holds in the part, as an i1."""
        result = "true"
        for condition, expected in sorted(conjunction, key=str):
            if isinstance(condition, Limit):
                holds = self.rows.limits[condition]
            else:
                holds = str(self._value(condition))
            holds = holds if expected else self.b.value(f"xor i1 {holds}, true")
            result = self.b.both(result, holds)
        return result

    def _is_known(self, term: Term | Rest) -> bool:
        """Return whether a term is one number in the part."""
        if isinstance(term, Computed):
            return all(map(self._is_known, term.operands))
        if isinstance(term, Rest):
            return term.quotient in self.rows.known
        return not isinstance(term, Quotient) or term in self.rows.known

    def _value(self, term: Term) -> Operand:
        if isinstance(term, Quotient):
            return self.rows.known[term]
        if not isinstance(term, Computed):
            return term
        if term not in self.computed:
            operands = ", ".join(str(self._value(one)) for one in term.operands)
            self.computed[term] = self.b.value(f"{term.instruction} {operands}{term.after}")
        return self.computed[term]

    def _sum(self, type: str, terms: Terms) -> Operand:
        """Return the sum of the first index of the part and terms."""
        b, start = self.b, self.start
        x: Operand = start if type == "i64" else b.value(f"trunc i64 {start} to {type}")
        for term in terms:
            if isinstance(term, Rest):
                quotient = term.quotient
                product = b.value(f"mul {type} {self.rows.known[quotient]}, {quotient.divisor}")
                x = b.value(f"sub {type} {x}, {product}")
            else:
                x = b.value(f"add {type} {x}, {self._value(term)}")
        return x


def _wide(b: IRBuilder, value: Operand) -> Operand:
    return value if isinstance(value, int) else b.value(f"sext i32 {value} to i64")
