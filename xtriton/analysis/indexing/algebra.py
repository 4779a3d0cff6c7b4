"""
Index expressions: integer polynomials over positions, iterations and scalars.

An `Expr` is a polynomial with integer coefficients whose variables are `Atom`s: leaves
(the position in a tensor dimension, an iteration count, a scalar or a tensor of the
program) and what no polynomial can say (`floordiv`, truncating division, minimum, maximum,
select). `x mod m` is written `x - m * floordiv(x, m)`, so that `(x // 49) * 49 + x % 49`
becomes `x` by adding up. A `Cond` is a proposition over expressions.

All three are made by a `Space`, once each: two equal expressions are one object, and
`==` is identity. Arithmetic is that of the integers; whoever translates machine arithmetic
says where it assumes that nothing overflows.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from math import gcd
from typing import Any, cast

from xtriton.analysis.indexing.members import Members, auto
from xtriton.budget import Budget

Interval = tuple[int, int]
"""Least and greatest value, both included."""

Monomial = tuple[int, ...]
"""Sorted identifiers of atoms, one for each factor; empty for the constant."""

MACHINE: Interval = (-(1 << 63), (1 << 63) - 1)
"""What is known of an integer of which nothing is known."""


class Kind(Members):
    """What an atom stands for."""

    POSITION = auto()
    ITERATION = auto()
    SCALAR = auto()
    TENSOR = auto()
    ELEMENT = auto()
    FLOORDIV = auto()
    TRUNCDIV = auto()
    MIN = auto()
    MAX = auto()
    SELECT = auto()
    NAMED = auto()


LEAVES = frozenset({Kind.POSITION, Kind.ITERATION, Kind.SCALAR, Kind.TENSOR})

_NO_LEAVES = frozenset[int]()

_MOST_FACTS = 64
"""Of how many lists of facts a space remembers what follows from them."""


class Atom:
    """
    A variable of the polynomials of a space.

    `key` is what a leaf stands for: (dimension, size) of a position, anything hashable
    else. `divisor` is a number that the value is surely a multiple of. `args` are the
    operands of the others: expressions, conditions, and for an element its tensor atom first.
    A named atom is the expression that is its only operand, kept together because the program
    has a value for it. `size` counts the numbers and names of the atom when written out in full.
    """

    __slots__ = (
        "args",
        "depth",
        "dims",
        "divisor",
        "expr",
        "interval",
        "key",
        "kind",
        "leaves",
        "name",
        "size",
        "uid",
    )

    def __init__(
        self,
        uid: int,
        kind: Kind,
        key: Hashable,
        args: tuple[Any, ...],
        interval: Interval,
        name: str,
    ):
        self.uid = uid
        self.kind = kind
        self.key: Any = key
        self.args = args
        self.interval = interval
        self.name = name
        self.divisor = 1
        self.expr: Expr | None = None
        if kind in LEAVES:
            self.leaves = frozenset((uid,))
            self.dims: int = 1 << self.key[0] if kind is Kind.POSITION else 0
            self.depth = 0
            self.size = 1
            return
        self.leaves, self.dims, depth, size = _measures(args)
        self.depth, self.size = 1 + depth, 1 + size
        if kind in (Kind.NAMED, Kind.MIN, Kind.MAX, Kind.SELECT):
            self.divisor = gcd(*(a.divisor for a in args if isinstance(a, Expr)))

    @property
    def parts(self) -> tuple[Any, ...]:
        """The parts of a key that has several, such as ("program_id", 0); else nothing."""
        key: object = self.key
        return cast("tuple[Any, ...]", key) if isinstance(key, tuple) else ()

    @property
    def fraction(self) -> "tuple[Expr, Expr]":
        """Numerator and divisor of a quotient."""
        numerator, divisor = self.args
        return numerator, divisor


class Expr:
    """
    A polynomial; made by a `Space`, compared by identity.

    `dims` has bit d set if the value depends on the position in dimension d.
    """

    __slots__ = (
        "_atoms",
        "_depth",
        "_dims",
        "_interval",
        "_leaves",
        "_negative",
        "_size",
        "space",
        "terms",
        "within",
    )

    within: Budget | None
    """What it is known to be within, see `excess`."""

    _atoms: tuple[Atom, ...] | None
    _depth: int
    _dims: int
    _interval: Interval | None
    _leaves: frozenset[int] | None
    _negative: "Expr | None"
    _size: int

    def __init__(self, space: "Space", terms: dict[Monomial, int]):
        self.space = space
        self.terms = terms
        self.within = self._leaves = self._interval = self._negative = self._atoms = None

    def _measure(self) -> frozenset[int]:
        """Work out what the atoms say together: who asks for one of it asks for the others."""
        terms, atoms = self.terms, self.space.atoms
        factors = [atoms[u] for mono in terms for u in mono]
        if len(factors) == 1:
            atom = factors[0]
            leaves, self._dims, self._depth, size = atom.leaves, atom.dims, atom.depth, atom.size
        else:
            leaves, self._dims, self._depth, size = _measures(factors)
        self._size = 1 + len(terms) + size
        self._leaves = leaves
        return leaves

    @property
    def leaves(self) -> frozenset[int]:
        """Identifiers of the leaves that the value depends on."""
        leaves = self._leaves
        return self._measure() if leaves is None else leaves

    @property
    def dims(self) -> int:
        if self._leaves is None:
            self._measure()
        return self._dims

    @property
    def depth(self) -> int:
        """How deep the atoms are nested; 0 for a sum of products of leaves."""
        if self._leaves is None:
            self._measure()
        return self._depth

    @property
    def size(self) -> int:
        """How many numbers and names the expression has when written out in full."""
        if self._leaves is None:
            self._measure()
        return self._size

    @property
    def constant(self) -> int | None:
        """The value, if it is a number."""
        terms = self.terms
        if not terms:
            return 0
        if len(terms) == 1 and () in terms:
            return terms[()]
        return None

    @property
    def interval(self) -> Interval:
        """Bounds of the value; under the space's present facts."""
        return self.space.interval(self)

    @property
    def divisor(self) -> int:
        """A number that surely divides the value; 0 for 0 itself."""
        atoms = self.space.atoms
        total = 0
        for mono, c in self.terms.items():
            for u in mono:
                c *= atoms[u].divisor
            total = gcd(total, c)
        return total

    def atoms(self) -> tuple[Atom, ...]:
        """Return the atoms of the polynomial itself, each once."""
        if self._atoms is None:
            atoms = self.space.atoms
            own = dict.fromkeys([u for mono in self.terms for u in mono])
            self._atoms = tuple([atoms[u] for u in own])
        return self._atoms

    def atom(self) -> Atom | None:
        """Return the atom that the expression is, if it is one."""
        if len(self.terms) == 1:
            ((mono, coefficient),) = self.terms.items()
            if coefficient == 1 and len(mono) == 1:
                return self.space.atoms[mono[0]]
        return None

    def __add__(self, other: "Expr | int") -> "Expr":
        space = self.space
        if isinstance(other, int):
            other = space.const(other)
        if not self.terms:
            return other
        if not other.terms:
            return self
        terms = dict(self.terms)
        for mono, c in other.terms.items():
            c += terms.get(mono, 0)
            if c:
                terms[mono] = c
            else:
                del terms[mono]
        return space.make(terms)

    __radd__ = __add__

    def __neg__(self) -> "Expr":
        found = self._negative
        if found is None:
            found = self.space.make({m: -c for m, c in self.terms.items()})
            self._negative, found._negative = found, self
        return found

    def __sub__(self, other: "Expr | int") -> "Expr":
        space = self.space
        if isinstance(other, int):
            other = space.const(other)
        if not self.terms:
            return -other
        if not other.terms:
            return self
        terms = dict(self.terms)
        for mono, c in other.terms.items():
            c = terms.get(mono, 0) - c
            if c:
                terms[mono] = c
            else:
                del terms[mono]
        return space.make(terms)

    def __rsub__(self, other: "Expr | int") -> "Expr":
        return (-self) + other

    def scaled(self, factor: int) -> "Expr":
        """Return the expression times a number."""
        if factor == 1:
            return self
        if factor == 0:
            return self.space.zero
        if factor == -1:
            return -self
        return self.space.make({m: c * factor for m, c in self.terms.items()})

    def __mul__(self, other: "Expr | int") -> "Expr":
        if isinstance(other, int):
            return self.scaled(other)
        number = self.constant
        if number is not None:
            return other.scaled(number)
        number = other.constant
        if number is not None:
            return self.scaled(number)
        factors = other.terms.items()
        if len(self.terms) == 1:
            # The products are as different as the factors.
            ((m1, c1),) = self.terms.items()
            return self.space.make({_joined(m1, m2): c1 * c2 for m2, c2 in factors})
        terms: dict[Monomial, int] = {}
        for m1, c1 in self.terms.items():
            for m2, c2 in factors:
                mono = _joined(m1, m2)
                terms[mono] = terms.get(mono, 0) + c1 * c2
        return self.space.make({m: c for m, c in terms.items() if c})

    __rmul__ = __mul__

    def __floordiv__(self, other: "Expr | int") -> "Expr":
        return self.space.floordiv(self, other)

    def __mod__(self, other: "Expr | int") -> "Expr":
        return self.space.mod(self, other)

    def divided(self, divisor: "Expr") -> "Expr | None":
        """Return the polynomial `self / divisor` if a one-term divisor divides every term."""
        if len(divisor.terms) != 1:
            if self is divisor:
                return self.space.one
            if divisor.terms and self is -divisor:
                return self.space.const(-1)
            return self.space.divide_polynomial(self, divisor)
        ((mono, number),) = divisor.terms.items()
        terms: dict[Monomial, int] = {}
        for m, c in self.terms.items():
            if c % number:
                return None
            rest = without_factors(m, mono)
            if rest is None:
                return None
            terms[rest] = c // number
        return self.space.make(terms)

    def split(self, dims: int) -> "tuple[Expr, Expr]":
        """Return the terms that depend on a position in `dims`, and the others."""
        if not self.dims & dims:
            return self.space.zero, self
        atoms = self.space.atoms
        inside: dict[Monomial, int] = {}
        outside: dict[Monomial, int] = {}
        for mono, c in self.terms.items():
            found = 0
            for u in mono:
                found |= atoms[u].dims
            (inside if found & dims else outside)[mono] = c
        if not outside:
            return self, self.space.zero
        if not inside:
            return self.space.zero, self
        return self.space.make(inside), self.space.make(outside)

    def coefficient(self, atom: Atom) -> "Expr":
        """Return the factor of `atom` in the terms where it stands exactly once."""
        u = atom.uid
        terms: dict[Monomial, int] = {}
        for mono, c in self.terms.items():
            if mono.count(u) == 1:
                at = mono.index(u)
                terms[mono[:at] + mono[at + 1 :]] = c
        return self.space.make(terms)

    def __str__(self) -> str:
        return self.space.text(self)

    __repr__ = __str__


class CondKind(Members):
    """What a proposition says."""

    TRUE = auto()
    FALSE = auto()
    NONNEGATIVE = auto()
    ZERO = auto()
    NOT = auto()
    AND = auto()
    OR = auto()


class Cond:
    """A proposition: `e >= 0`, `e == 0`, and what `not`, `and`, `or` make of them."""

    __slots__ = ("args", "depth", "dims", "kind", "leaves", "size", "space", "within")

    within: Budget | None
    """What all of it is known to be within, see `excess`."""

    def __init__(self, space: "Space", kind: CondKind, args: tuple[Any, ...]):
        self.space = space
        self.kind = kind
        self.args = args
        self.within = None
        self.leaves, self.dims, self.depth, size = _measures(args)
        self.size = 1 + size

    def __str__(self) -> str:
        return self.space.text(self)

    __repr__ = __str__


def _joined(x: Monomial, y: Monomial) -> Monomial:
    """Return the product of two monomials."""
    return tuple(sorted(x + y)) if x and y else x or y


def _measures(args: Iterable[Any]) -> tuple[frozenset[int], int, int, int]:
    """Return leaves and dimensions of all of `args`, their greatest depth, the sum of sizes."""
    leaves, dims, depth, size = _NO_LEAVES, 0, 0, 0
    for a in args:
        own = a.leaves
        if own:
            leaves = leaves | own if leaves else own
        dims |= a.dims
        nested = a.depth
        if nested > depth:
            depth = nested
        size += a.size
    return leaves, dims, depth, size


def without_factors(mono: Monomial, factors: Monomial) -> Monomial | None:
    """Return the monomial divided by another, or None where it is no multiple."""
    if not factors:
        return mono
    rest = list(mono)
    for u in factors:
        if u not in rest:
            return None
        rest.remove(u)
    return tuple(rest)


Value = Expr | Cond


class Known:
    """What a space has found out under some facts, which ops near each other share."""

    __slots__ = ("extrema", "intervals")

    def __init__(self):
        self.intervals: dict[Expr, Interval] = {}
        self.extrema: dict[tuple[Kind, tuple[Expr, ...]], Expr] = {}


class Space(ABC):
    """
    Where the expressions of one analysis live; `space.IndexSpace` is one.

    `facts` are expressions known to be at least 0 everywhere; `assuming` adds some for a
    while, as a mask does for the lanes it lets through.
    """

    def __init__(self):
        self.atoms: list[Atom] = []
        self._atom_table: dict[Hashable, Atom] = {}
        self._expr_table: dict[Hashable, Expr] = {}
        self._cond_table: dict[Hashable, Cond] = {}
        self._consts: dict[int, Expr] = {}
        self._known_by_facts: dict[tuple[Expr, ...], Known] = {}
        self._known = self._known_of_all = Known()
        self._use_facts = False
        self.facts: list[Expr] = []
        self.zero = self.make({})
        self.one = self.make({(): 1})
        self.true = self._cond(CondKind.TRUE)
        self.false = self._cond(CondKind.FALSE)

    # --- making things ----------------------------------------------------------------

    def make(self, terms: dict[Monomial, int]) -> Expr:
        """Return the polynomial with these terms; no coefficient may be 0."""
        key: Hashable
        if len(terms) == 1:
            # Most are one term, which needs no set.
            (key,) = terms.items()
        else:
            key = frozenset(terms.items())
        found = self._expr_table.get(key)
        if found is None:
            found = self._expr_table[key] = Expr(self, terms)
        return found

    def const(self, value: int) -> Expr:
        found = self._consts.get(value)
        if found is None:
            found = self._consts[value] = self.make({(): value} if value else {})
        return found

    def _leaf(self, kind: Kind, key: Hashable, interval: Interval, name: str) -> Atom:
        found = self._atom_table.get((kind, key))
        if found is None:
            found = Atom(len(self.atoms), kind, key, (), interval, name)
            self.atoms.append(found)
            self._atom_table[kind, key] = found
        return found

    def wrap(self, atom: Atom) -> Expr:
        """Return the atom as an expression."""
        found = atom.expr
        if found is None:
            found = atom.expr = self.make({(atom.uid,): 1})
        return found

    def position(self, dim: int, size: int) -> Expr:
        """Return the position in dimension `dim`, of `size` elements."""
        if size == 1:
            return self.zero
        atom = self._leaf(Kind.POSITION, (dim, size), (0, size - 1), f"i{dim}")
        return self.wrap(atom)

    def iteration(self, key: Hashable, name: str, count: int = MACHINE[1]) -> Expr:
        """Return the number of completed iterations of a loop that makes at most `count`."""
        if count <= 1:
            return self.zero
        return self.wrap(self._leaf(Kind.ITERATION, key, (0, count - 1), name))

    def scalar(self, key: Hashable, name: str, interval: Interval = MACHINE) -> Expr:
        """Return a scalar of the program, the same in every lane."""
        return self.wrap(self._leaf(Kind.SCALAR, key, interval, name))

    def element(
        self,
        key: Hashable,
        name: str,
        args: Sequence[Expr],
        interval: Interval = MACHINE,
    ) -> Expr:
        """Return the element at `args` of a tensor of the program."""
        tensor = self._leaf(Kind.TENSOR, key, interval, name)
        return self._compound(Kind.ELEMENT, (tensor, *args), tensor.interval)

    def leaf_of(self, expr: Expr) -> Atom:
        """Return the leaf that `scalar`, `iteration` or `position` made `expr` from."""
        atom = expr.atom()
        assert atom is not None
        return atom.args[0] if atom.kind is Kind.ELEMENT else atom

    def _compound(self, kind: Kind, args: tuple[Any, ...], interval: Interval = MACHINE) -> Expr:
        key = (kind, args)
        atom = self._atom_table.get(key)
        if atom is None:
            atom = Atom(len(self.atoms), kind, None, args, interval, kind.name.lower())
            self.atoms.append(atom)
            self._atom_table[key] = atom
        return self.wrap(atom)

    def compound(self, kind: Kind, args: tuple[Any, ...]) -> Expr:
        """Return the operation on `args` as an atom of its own, without simplifying it."""
        return self._compound(kind, args)

    def named(self, e: Expr, name: str, interval: Interval = MACHINE) -> Expr:
        """
        Return `e` as an atom of its own, if it is more than a sum of products of leaves.

        `interval` is what the type of the program's value allows.
        """
        atoms = self.atoms
        if all(atoms[u].kind in LEAVES for mono in e.terms for u in mono):
            return e
        atom = e.atom()
        if atom is not None and atom.kind in (Kind.NAMED, Kind.ELEMENT):
            return e
        found = self._compound(Kind.NAMED, (e,), interval)
        self.leaf_of(found).name = name
        return found

    def _cond(self, kind: CondKind, *args: Any) -> Cond:
        key = (kind, args)
        found = self._cond_table.get(key)
        if found is None:
            found = self._cond_table[key] = Cond(self, kind, args)
        return found

    def forget(self) -> None:
        """
        Let go of all that was made, of which nobody makes any more.

        A space and what is made by it hold each other; without this they are garbage that takes
        longer to find than it took to make.
        """
        for e in self._expr_table.values():
            e._negative = None
        for atom in self.atoms:
            atom.expr = None
        for table in (self._atom_table, self._expr_table, self._cond_table, self._consts):
            table.clear()
        self._known_by_facts.clear()
        self._known = self._known_of_all = Known()
        self.atoms.clear()

    # --- operations that simplify -----------------------------------------------------

    @abstractmethod
    def floordiv(self, n: Expr, d: Expr | int) -> Expr:
        """Return the quotient rounded down; the divisor is taken to be positive."""

    def mod(self, n: Expr, d: Expr | int) -> Expr:
        """Return the remainder of `floordiv`, in [0, d)."""
        return n - self.floordiv(n, d) * d

    @abstractmethod
    def truncdiv(self, n: Expr, d: Expr | int) -> Expr:
        """Return the quotient rounded towards zero, as C and `arith.divsi` divide."""

    def truncrem(self, n: Expr, d: Expr | int) -> Expr:
        """Return the remainder with the sign of `n`, as `arith.remsi` gives it."""
        return n - self.truncdiv(n, d) * d

    def ceildiv(self, n: Expr, d: Expr | int) -> Expr:
        """Return the quotient rounded up; the divisor is taken to be positive."""
        return -self.floordiv(-n, d)

    @abstractmethod
    def divide_polynomial(self, n: Expr, d: Expr) -> Expr | None:
        """Return the polynomial q with `q * d == n`, if there is one."""

    @abstractmethod
    def minimum(self, *args: Expr) -> Expr: ...

    @abstractmethod
    def maximum(self, *args: Expr) -> Expr: ...

    @abstractmethod
    def select(self, condition: Cond, a: Expr, b: Expr) -> Expr:
        """Return `a` where the condition holds and `b` elsewhere; common terms stand outside."""

    @abstractmethod
    def nonnegative(self, e: Expr) -> Cond:
        """Return `e >= 0`."""

    def less(self, a: Expr, b: Expr) -> Cond:
        return self.nonnegative(b - a - 1)

    @abstractmethod
    def is_zero(self, e: Expr) -> Cond:
        """Return `e == 0`."""

    @abstractmethod
    def negation(self, c: Cond) -> Cond: ...

    @abstractmethod
    def conjunction(self, conditions: Iterable[Cond]) -> Cond: ...

    @abstractmethod
    def disjunction(self, conditions: Iterable[Cond]) -> Cond: ...

    def interval(self, e: Expr) -> Interval:
        """Return bounds of `e` under the facts of the space."""
        if not self._use_facts:
            if e._interval is None:
                e._interval = self.interval_of(e)
            return e._interval
        known = self._known.intervals
        found = known.get(e)
        if found is None:
            found = known[e] = self.interval_from_facts(e)
        return found

    @abstractmethod
    def interval_of(self, e: Expr) -> Interval:
        """Return bounds of `e` that follow from its form."""

    @abstractmethod
    def interval_from_facts(self, e: Expr) -> Interval:
        """Return bounds of `e` that follow from its form and the facts of the space."""

    @abstractmethod
    def text(self, value: Value) -> str:
        """Return an expression or condition as people write it."""

    # --- facts ------------------------------------------------------------------------

    @property
    def has_facts(self) -> bool:
        return self._use_facts

    @contextmanager
    def without_facts(self) -> Generator[None]:
        """Forget the facts inside the context: facts must not prove each other."""
        used, self._use_facts = self._use_facts, False
        try:
            yield
        finally:
            self._use_facts = used

    def know(self, fact: Expr) -> None:
        """Take `fact` to be at least 0 from now on."""
        self.facts.append(fact)
        self._use_facts = True
        self._known = self._known_under(self.facts)

    @contextmanager
    def assuming(self, facts: Sequence[Expr]) -> Generator[None]:
        """Take each of `facts` to be at least 0 inside the context."""
        outer = self.facts, self._known, self._use_facts
        self.facts = [*self.facts, *facts]
        self._known = self._known_under(self.facts)
        self._use_facts = bool(self.facts)
        try:
            yield
        finally:
            self.facts, self._known, self._use_facts = outer

    @property
    def known(self) -> "Known":
        """What has been found out under the facts that count now."""
        return self._known if self._use_facts else self._known_of_all

    def _known_under(self, facts: Sequence[Expr]) -> "Known":
        key = tuple(facts)
        found = self._known_by_facts.get(key)
        if found is None:
            if len(self._known_by_facts) >= _MOST_FACTS:
                self._known_by_facts.clear()
            found = self._known_by_facts[key] = Known()
        return found

    # --- rebuilding -------------------------------------------------------------------

    @abstractmethod
    def substitute(self, value: Expr, mapping: Mapping[int, Expr]) -> Expr:
        """
        Replace leaves by expressions; the keys are identifiers of atoms.

        A tensor atom is replaced by an expression over `position(d, size)`, in which the
        positions then become the arguments of the element.
        """

    @abstractmethod
    def substitute_condition(self, value: Cond, mapping: Mapping[int, Expr]) -> Cond: ...

    @abstractmethod
    def expanded(self, value: Expr) -> Expr:
        """Return the expression with what is named written out, rebuilt under the facts."""

    @abstractmethod
    def simplified(self, value: Expr) -> Expr:
        """Return the expression rebuilt under the present facts."""

    @abstractmethod
    def simplified_condition(self, value: Cond) -> Cond: ...
