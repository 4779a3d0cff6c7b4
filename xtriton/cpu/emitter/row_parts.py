"""How loops are written in rows and parts, with what `rows` knows of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.conditions import Conjunction
from xtriton.cpu.emitter.guesses import Bounds, Writer
from xtriton.cpu.emitter.limits import Computed, Limit, Quotient, Rest, Term, Terms
from xtriton.cpu.emitter.rows import Rows, Turns

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


def write_alike(
    b: IRBuilder, rows: Rows, start: Operand, count: int, write: Callable[[], None]
) -> None:
    """
    Write a few elements again, for the cases that their indices compare alike with all places.

    Where one of these is among them they are written as at first. LLVM makes masks for each element
    of what is the same in all of a loop, but no constant: before all places, and behind them, how
    indices compare is one.
    """
    rows.conditions.counts = False
    behind = b.add(start, count)
    part = _Part(b, rows, behind, start)

    def alike() -> tuple[()]:
        part.write(lambda _: write(), (start, behind))
        return ()

    def all_are(known: str) -> tuple[()]:
        rows.ends = dict.fromkeys(rows.ends, known)
        return alike()

    def each() -> tuple[()]:
        rows.forget_part()
        write()
        return ()

    def in_any_way() -> tuple[()]:
        part.cut()
        b.if_else(b.less(b.sub(behind, 1), part.end()), alike, each)
        return ()

    if rows.limits:
        in_any_way()
        return
    is_before = is_behind = "true"
    for place in rows.ends:
        is_before = b.both(is_before, b.less(b.sub(behind, 1), place))
        is_behind = b.both(is_behind, b.less(place, b.add(start, 1)))
    mixed = each if len(rows.ends) == 1 else in_any_way

    def behind_all_or_mixed() -> tuple[()]:
        b.if_else(is_behind, lambda: all_are("false"), mixed)
        return ()

    b.if_else(is_before, lambda: all_are("true"), behind_all_or_mixed)


def _write(b: IRBuilder, rows: Rows, size: Operand, write: Writer) -> None:
    def guessed(bounds: Bounds) -> None:
        if rows.guesses is not None and rows.has_guesses:
            rows.guesses.write(bounds, write)
        else:
            write(bounds)

    def in_rows() -> tuple[()]:
        _write_in_rows(b, rows, size, guessed, in_one)
        return ()

    def in_one() -> tuple[()]:
        if rows.has_guesses:
            guessed((0, size))
        else:
            write(None)
        return ()

    if rows.is_in_parts:
        # Each row has an element, so that there has to be one.
        b.if_else("true" if isinstance(size, int) else b.less(0, size), in_rows)
    else:
        in_one()


def _write_in_rows(
    b: IRBuilder,
    rows: Rows,
    size: Operand,
    write: Callable[[Bounds], None],
    in_one: Callable[[], Sequence[Operand]],
) -> None:
    """
    Write a loop in rows of the shortest quotients that are found in it, and parts.

    Rows are simple where no sum is negative or overflows. Elsewhere the loop is written as one,
    unless it is plain that it begins below zero.
    """
    quotients = [quotient for each in rows.shortest() for quotient in each]
    usual = _Part(b, rows, size, 0).are_usual(quotients)
    if usual == "true" or any(map(_may_be_negative, quotients)):
        _write_rows(b, rows, size, write, usual)
        return

    def in_usual_rows() -> tuple[()]:
        _write_rows(b, rows, size, write, "true")
        rows.forget_part()
        return ()

    def in_one_rarely() -> tuple[()]:
        with b.rarely():
            in_one()
        return ()

    b.if_else(usual, in_usual_rows, in_one_rarely)


def _may_be_negative(quotient: Quotient) -> bool:
    return any(isinstance(term, int) and term < 0 for term in quotient.base)


def _write_rows(
    b: IRBuilder, rows: Rows, size: Operand, write: Callable[[Bounds], None], usual: str
) -> None:
    """Write a loop in rows, of which it is known at run time whether they are `usual`."""
    is_usual = usual == "true"
    makers = rows.shortest()
    quotients = [quotient for each in makers for quotient in each]
    twins = _twins(b, quotients) if is_usual else {}
    own = [quotient for quotient in quotients if quotient not in twins]
    beginning = _Part(b, rows, size, 0, is_usual)
    first_rows = [beginning.row_of(quotient) for quotient in own]

    def row(start: str, carried: list[str]) -> Sequence[Operand]:
        part = _Part(b, rows, size, start, is_usual)
        known = [*zip(carried[::2], carried[1::2], strict=True)]
        rows.known.update(zip(own, (value for value, _ in known), strict=True))
        for quotient, twin in twins.items():
            rows.known[quotient] = b.index(twin.type, rows.known[twin])
        ends = dict(zip(own, (end for _, end in known), strict=True))
        part.row_ends += [ends[maker[0]] for maker in makers if maker[0] in ends]
        if rows.is_cut:
            part.cut()
        end = part.end()
        part.write(lambda bounds: _write_in_turns(part, write, bounds), (start, end))
        return (end, *_next_rows(b, part, [*zip(own, known, strict=True)], end, usual))

    carried: list[tuple[str, Operand]] = []
    for quotient, (value, end) in zip(own, first_rows, strict=True):
        carried += [(quotient.type, value), ("i64", end)]
    b.in_parts(size, row, "row", carried)


def _twins(b: IRBuilder, quotients: Sequence[Quotient]) -> dict[Quotient, Quotient]:
    """Return the quotients of 64 bits that are others of fewer bits, if no sum is negative."""
    narrow = {
        (quotient.base, quotient.divisor): quotient
        for quotient in quotients
        if quotient.type != "i64"
    }
    found: dict[Quotient, Quotient] = {}
    for quotient in quotients:
        base = tuple(b.narrow.get(term, ("", term))[1] for term in quotient.base)
        twin = narrow.get((base, quotient.divisor)) if quotient.type == "i64" else None
        if twin is not None:
            found[quotient] = twin
    return found


def _write_in_turns(part: _Part, write: Callable[[Bounds], None], bounds: Bounds) -> None:
    """Write a part, whose whole short rows are turns of a loop if it consists of such."""
    b, rows, (start, end) = part.b, part.rows, bounds
    quotient = rows.short_row
    if quotient is None:
        write(bounds)
        return
    size = quotient.divisor
    value, second = part.row_of(quotient)
    is_whole = b.equal(second, b.add(start, size))
    first = b.chosen(is_whole, start, second)
    turns = b.div(b.most(b.sub(end, first), 0), size)
    last = b.add(first, b.mul(turns, size))

    def at_end(number: Operand, _: list[str]) -> tuple[()]:
        is_first = b.equal(number, 0)
        low = b.chosen(is_first, start, last)
        high = b.chosen(is_first, b.least(first, end), end)
        b.if_else(b.less(low, high), lambda: in_one(low, high))
        return ()

    def in_one(low: Operand, high: Operand) -> tuple[()]:
        write((low, high))
        return ()

    def in_turns() -> tuple[()]:
        first_value = b.chosen(is_whole, value, b.add(value, 1))
        rows.turns = Turns(quotient, first, first_value, part.size)
        write((0, turns))
        rows.turns = None
        return ()

    b.loop(0, 2, 1, at_end)
    b.if_else(b.less(0, turns), in_turns)


def _next_rows(
    b: IRBuilder,
    part: _Part,
    known: Sequence[tuple[Quotient, tuple[str, str]]],
    end: Operand,
    usual: str,
) -> list[Operand]:
    """
    Return the quotients behind a part, each with where its row ends.

    A row that ends there is followed by one as long as all others, whose quotient is one more. By
    divisions the next part would begin only when those of this one are done. Of sums that may be
    negative or overflow that is not so, unless this is the `usual` case.
    """

    def following(quotient: Quotient, value: str, row_end: str) -> list[Operand]:
        t, is_over = quotient.type, b.equal(end, row_end)
        one_more = f"{t} {b.value(f'add {t} {value}, 1')}"
        then = b.value(f"select i1 {is_over}, {one_more}, {t} {value}")
        return [then, b.add(row_end, b.chosen(is_over, quotient.divisor, 0))]

    def divided(quotient: Quotient, value: str, row_end: str) -> list[Operand]:
        if quotient.floors:
            return following(quotient, value, row_end)
        return [*_Part(b, part.rows, part.size, end).row_of(quotient)]

    def each(way: Callable[[Quotient, str, str], list[Operand]]) -> list[Operand]:
        return [number for quotient, row in known for number in way(quotient, *row)]

    types = [type for quotient, _ in known for type in (quotient.type, "i64")]
    return b.if_else(usual, lambda: each(following), lambda: each(divided), types)


@dataclass
class _Part:
    """A part of a loop of some size that begins at `start`."""

    b: IRBuilder
    rows: Rows
    size: Operand
    start: Operand
    is_usual: bool = False
    """Whether it is known that no sum that makes rows is negative or overflows."""
    ends: list[Operand] = field(default_factory=list[Operand])
    """Where something changes."""
    row_ends: list[Operand] = field(default_factory=list[Operand])
    """And where rows end, which takes longest to find."""
    computed: dict[Computed, str] = field(default_factory=dict[Computed, str])
    """What has been computed ahead of its elements."""

    def row_of(self, quotient: Quotient) -> tuple[Operand, Operand]:
        """Return a quotient where the part begins, and where its row ends."""
        b, t, divisor = self.b, quotient.type, quotient.divisor
        x = self.sum(t, quotient.base)
        value = self._quotient(x, quotient)
        product = b.value(f"mul {t} {value}, {divisor}")
        left = b.value(f"sub {t} {divisor}, {b.value(f'sub {t} {x}, {product}')}")
        if not quotient.floors:
            # Below zero, and where the sum would overflow, each element is a row.
            usual = b.value(f"icmp ule {t} {x}, {_last(quotient)}")
            left = b.value(f"select i1 {usual}, {t} {left}, {t} 1")
        return value, b.add(self.start, b.index(t, left))

    def are_usual(self, quotients: Sequence[Quotient]) -> str:
        """Return, as an i1, whether sums up to `size` from here are neither negative nor large."""
        b, usual = self.b, "true"
        for quotient in quotients:
            if not quotient.floors:
                x = b.index(quotient.type, self.sum(quotient.type, quotient.base))
                below = b.less(x, b.sub(_last(quotient) + 1, self.size))
                usual = b.both(usual, b.both(b.less(-1, x), below))
        return usual

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
        if self.is_usual and self._is_dividend(limit.terms):
            # The place is the same for all parts.
            whole = _Part(b, self.rows, self.size, 0)
            return self._cut_at(b.sub(_wide(b, value), _wide(b, whole.sum("i32", limit.terms))))
        first = self.sum("i32", limit.terms)
        is_below = b.value(f"icmp slt i32 {first}, {value}")
        left = b.value(f"sub i64 {_wide(b, value)}, {_wide(b, first)}")
        self.ends.append(b.add(start, b.chosen(b.less(0, left), left, 1 << 31)))
        if not self._is_of_row(limit.terms):
            # Where the sum would overflow.
            self.ends.append(b.add(start, b.sub(1 << 31, _wide(b, first))))
        return is_below

    def _is_dividend(self, terms: Terms) -> bool:
        """Return whether a sum of 32 bits is divided to make rows."""
        plain = (q for q in self.rows.known if q.type == "i32" and not q.floors)
        return any(quotient.base == terms for quotient in plain)

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

    def sum(self, type: str, terms: Terms) -> Operand:
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


def _last(quotient: Quotient) -> int:
    """Return the largest sum behind which there are as many others as a row has."""
    return (1 << (int(quotient.type[1:]) - 1)) - 1 - quotient.divisor


def _wide(b: IRBuilder, value: Operand) -> Operand:
    return value if isinstance(value, int) else b.value(f"sext i32 {value} to i64")
