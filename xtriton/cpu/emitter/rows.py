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
it is asked of a part and not of each element, and LLVM copies the parts that a branch loads.

A loop in which one condition chooses between two ways to compute all elements is written for each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.conditions import Conditions, value_of
from xtriton.cpu.emitter.guesses import Bounds, Guesses, Stage, Writer
from xtriton.cpu.emitter.limits import Limit, Quotient, Terms

MOST_PARTS = 4
"""Places at which a loop is worth cutting."""
MOST_KINDS = 2
"""Of numbers that are divided to make rows: of 32 bits for masks, and of 64 for addresses."""
SHORTEST = 16
"""Elements of a row that is worth a loop."""
LONG = 128
"""Elements of a row that is worth several, where vectors are loaded in part as well."""


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
    found: set[Quotient] = field(default_factory=set[Quotient])
    known: dict[Quotient, Operand] = field(default_factory=dict[Quotient, Operand])
    """The quotients that are one number in all of the loop."""
    ends: dict[Operand, str] = field(default_factory=dict[Operand, str])
    """Places that the index is compared with: whether all of the loop is before them, if known."""

    limits: dict[Limit, str] = field(default_factory=dict[Limit, str])
    """Whether all of the loop is below a limit, if known: of sums of 32 bits, or of the index."""
    conditions: Conditions = field(default_factory=Conditions)
    loads_one_by_one: bool = False
    """Whether there is a branch of which LLVM makes no vectors, unless it is the same in a part."""

    chosen: tuple[str, str] = ("", "")
    """What chooses for all elements, and whether it holds, if known."""

    @property
    def is_in_parts(self) -> bool:
        """Return whether the loop is to be written in rows or parts."""
        return bool(self.found) or (self.is_cut and bool(self.ends or self._limits_of_sums))

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
        rests = [term for term in limit.terms if isinstance(term, Quotient)]
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
        self.sums, self.extended = {index: ("i64", ())}, {}
        self.conditions.made.clear()
        if self.guesses is not None:
            self.guesses.start = len(self.builder.lines)

    def is_within(self, x: Operand, bound: float) -> bool:
        """Return whether the magnitude of `x` may be taken for no greater than a bound."""
        if self.guesses is None or self.builder.is_older(x, self.outside):
            return False
        return self.guesses.is_within(x, bound)

    def choice(self, condition: str) -> str:
        """Return "true" or "false" for what chooses in all of the loop, if it is known here."""
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
            known = self.sums.get(one)
            if known is not None and self.builder.is_older(other, self.outside):
                self.sums[result] = (known[0], (*known[1], other))
                return

    def quotient(self, dividend: Operand, divisor: int, *, floors: bool) -> Operand | None:
        """Return a quotient that is one number in the loop; None, and note it, for another."""
        quotient = self._noted(dividend, divisor, floors=floors)
        return None if quotient is None else self.known.get(quotient)

    def _noted(self, dividend: Operand, divisor: int, *, floors: bool) -> Quotient | None:
        type, terms = self.sums.get(dividend, ("", ()))
        base = tuple(term for term in terms if not isinstance(term, Quotient))
        if not type or divisor < SHORTEST or len(base) < len(terms):
            return None
        quotient = Quotient(type, base, divisor, floors)
        self.found.add(quotient)
        return quotient

    def is_before(self, index: Operand, end: Operand) -> str:
        """Return, as an i1, whether an index is below some place."""
        if index != self.index or not self.builder.is_older(end, self.outside):
            return self.builder.less(index, end)
        return self.ends.setdefault(end, "") or self.builder.less(index, end)

    def compared(self, predicate: str, type: str, a: Operand, b: Operand) -> str:
        """Return, as an i1, how two integers compare."""
        of_below, value = predicate, b
        if predicate in ("sle", "sgt") and isinstance(b, int) and b < (1 << 31) - 1:
            of_below, value = {"sle": "slt", "sgt": "sge"}[predicate], b + 1
        limit = self._limit(a, value) if of_below in ("slt", "sge") else None
        is_below = "" if limit is None else self.limits.setdefault(limit, "")
        if not is_below:
            result = self.builder.value(f"icmp {predicate} {type} {a}, {b}")
        elif of_below == "slt":
            result = is_below
        else:
            result = self.builder.value(f"xor i1 {is_below}, true")
        if limit is not None:
            self.conditions.made[result] = frozenset({(limit, of_below == "slt")})
        return result

    def _limit(self, sum: Operand, value: Operand) -> Limit | None:
        """Return what the index, or a sum of 32 bits, is compared with; None for anything else."""
        if not self.builder.is_older(value, self.outside):
            return None
        if sum == self.index:
            return Limit("i64", (), value)
        if isinstance(value, int):
            if not -(1 << 31) <= value < 1 << 31:
                return None
            sum = self.extended.get(sum, sum)
        type, terms = self.sums.get(sum, ("", ()))
        return Limit(type, terms, value) if type == "i32" else None

    def note_both(self, a: Operand, b: Operand, result: Operand) -> None:
        """Note that the i1 `result` holds where a and b do."""
        alike = any(self.builder.is_older(one, self.outside) for one in (a, b))
        self.conditions.note_both(a, b, result, alike=alike)

    def divided(self, op: str, type: str, a: Operand, b: int) -> Operand | None:
        """Return the result of `sdiv` or `srem`, if something is known of it in the loop."""
        if op not in ("sdiv", "srem") or (noted := self._noted(a, b, floors=False)) is None:
            return None
        q = self.known.get(noted)
        if op == "sdiv":
            return q
        if q is None:
            rest = self.builder.value(f"srem {type} {a}, {b}")
        else:
            product = self.builder.value(f"mul {type} {q}, {b}")
            rest = self.builder.value(f"sub {type} {a}, {product}")
        self.sums[rest] = (type, (*self.sums[a][1], noted))
        return rest

    def shortest(self) -> list[list[Quotient]]:
        """Return the quotients that make the shortest rows, each with those that change with it."""
        ordered = sorted(self.found, key=lambda one: (one.divisor, one.type, str(one.base)))
        makers: list[Quotient] = []
        for one in ordered:
            alike = one.divisor == ordered[0].divisor and len(makers) < MOST_KINDS
            if alike and not any(map(one.is_whole_in, makers)):
                makers.append(one)
        return [[one for one in ordered if one.is_whole_in(maker)] for maker in makers]


def is_written_anew(rows: Rows) -> bool:
    """Return whether something is known of a loop now for which it is to be written again."""
    return bool(rows.chosen[0]) or rows.is_in_parts or rows.has_guesses


def write_anew(b: IRBuilder, rows: Rows, size: Operand, write: Writer) -> None:
    """Write a loop again with what is known of it."""
    condition, _ = rows.chosen
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
    """Write a loop in rows of the shortest quotients that are found in it, and parts; see above."""
    groups = rows.shortest()
    before, row, done = b.current, b.name("row"), b.name("done")
    start = f"%{b.name('start')}"
    b.branch(row)
    b.block(row)
    hole = len(b.lines)
    b.lines.append("")
    with b.scope():
        end = size
        for quotients in groups:
            end = b.least(b.add(start, _divide(b, rows, quotients, start)), end)
        if rows.is_cut:
            end = _cut(b, rows, size, start, end)
        _write_part(b, rows, (start, end), write)
    again = b.less(end, size)
    b.lines[hole] = f"  {start} = phi i64 [ 0, %{before} ], [ {end}, %{b.current} ]"
    b.emit(f"br i1 {again}, label %{row}, label %{done}")
    b.block(done)


def _write_part(b: IRBuilder, rows: Rows, bounds: Bounds, write: Callable[[Bounds], None]) -> None:
    """Write a part, for either if one condition chooses most of what it computes."""
    conditions = rows.conditions
    conjunction = conditions.most_asked(rows.limits)
    if conjunction is None:
        write(bounds)
        return

    def written(holds: bool) -> tuple[()]:
        conditions.decided = (conjunction, holds)
        write(bounds)
        conditions.decided = None
        return ()

    holds = value_of(b, conjunction, rows.limits)
    b.if_else(holds, lambda: written(True), lambda: written(False))


def _cut(b: IRBuilder, rows: Rows, size: Operand, start: str, end: Operand) -> Operand:
    """Note how a part from `start` on compares; return where that changes, or `end`."""

    def at(place: Operand) -> str:
        nonlocal end
        before_it = b.less(start, place)
        end = b.least(end, b.chosen(before_it, place, size))
        return before_it

    for place in rows.ends:
        rows.ends[place] = at(place)
    for limit in rows.limits:
        if limit.type == "i64":
            rows.limits[limit] = at(limit.value) if rows.found else ""
        elif rows.is_cut_at(limit) and _are_known(rows, limit.terms):
            first = _sum(b, rows, "i32", start, limit.terms)
            rows.limits[limit] = b.value(f"icmp slt i32 {first}, {limit.value}")
            # Up to the limit, and to where the sum would overflow.
            left = b.value(f"sub i64 {_wide(b, limit.value)}, {_wide(b, first)}")
            place = b.add(start, b.chosen(b.less(0, left), left, 1 << 31))
            rest = b.add(start, b.sub(1 << 31, _wide(b, first)))
            end = b.least(b.least(end, place), rest)
    return end


def _divide(b: IRBuilder, rows: Rows, quotients: list[Quotient], start: str) -> Operand:
    """Note the quotients of a row; return how many of its elements are left from `start` on."""
    first = quotients[0]
    t = first.type
    x = _sum(b, rows, t, start, first.base)
    for quotient in reversed(quotients):
        rows.known[quotient] = q = b.value(f"sdiv {t} {x}, {quotient.divisor}")
        if first.floors:
            rest = b.value(f"sub {t} {x}, {b.value(f'mul {t} {q}, {quotient.divisor}')}")
            below = b.value(f"zext i1 {b.value(f'icmp slt {t} {rest}, 0')} to {t}")
            rows.known[quotient] = b.value(f"sub {t} {q}, {below}")
    product = b.value(f"mul {t} {rows.known[first]}, {first.divisor}")
    left = b.value(f"sub {t} {first.divisor}, {b.value(f'sub {t} {x}, {product}')}")
    if not first.floors:
        # Below zero, and where the sum would overflow, each element is a row.
        last = (1 << (int(t[1:]) - 1)) - 1 - first.divisor
        usual = b.value(f"icmp ule {t} {x}, {last}")
        left = b.value(f"select i1 {usual}, {t} {left}, {t} 1")
    return left if t == "i64" else b.value(f"sext {t} {left} to i64")


def _are_known(rows: Rows, terms: Terms) -> bool:
    return all(not isinstance(term, Quotient) or term in rows.known for term in terms)


def _sum(b: IRBuilder, rows: Rows, type: str, start: str, terms: Terms) -> Operand:
    x: Operand = start if type == "i64" else b.value(f"trunc i64 {start} to {type}")
    for term in terms:
        if isinstance(term, Quotient):
            product = b.value(f"mul {type} {rows.known[term]}, {term.divisor}")
            x = b.value(f"sub {type} {x}, {product}")
        else:
            x = b.value(f"add {type} {x}, {term}")
    return x


def _wide(b: IRBuilder, value: Operand) -> Operand:
    return value if isinstance(value, int) else b.value(f"sext i32 {value} to i64")
