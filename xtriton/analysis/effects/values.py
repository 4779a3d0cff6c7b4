"""
The addresses that a value may be.

A value is a set of linear forms over *roots*: the arguments of the kernel, what was loaded
from their memory, and memory of the kernel's own. A pointer is one root plus a number of
bytes; an integer may be any sum, so that `q + (p - q)` is again `p`. A form whose
coefficient is None went through an op that is not linear: its roots are known, no more.
"""

from dataclasses import dataclass
from typing import Literal

RootKind = Literal["argument", "integer", "content", "scratch", "constant", "unknown"]


@dataclass(frozen=True, slots=True)
class Root:
    """
    Where an address comes from.

    An `argument` (pointer or descriptor) and an `integer` have their `index`; the `content`
    of memory has the root `via` which it was loaded and its byte `offset` (None: anywhere);
    `scratch` is memory of the launch, `constant` a number of the program, `unknown` the rest.
    """

    kind: RootKind
    index: int = 0
    via: "Root | None" = None
    offset: int | None = None

    @property
    def depth(self) -> int:
        """How many loads lie between an argument and the address."""
        return 0 if self.via is None else 1 + self.via.depth

    @property
    def origin(self) -> "Root":
        """The root that the chain of loads begins with."""
        return self if self.via is None else self.via.origin

    @property
    def is_address(self) -> bool:
        """Whether the value is an address by itself: an integer argument need not be one."""
        return self.kind not in ("integer", "constant")


@dataclass(frozen=True, slots=True)
class LinearForm:
    """
    `sum of coefficient * root + offset`, in bytes.

    `offset` is None where it is not one number. An `indirect` form is a descriptor that lies
    in memory at this address.
    """

    terms: tuple[tuple[Root, int | None], ...]
    offset: int | None
    indirect: bool = False


Value = frozenset[LinearForm]
"""Every form that a value may have; empty for one that carries no address."""

NOTHING: Value = frozenset()
MOST_FORMS = 8
"""More forms than that lose their offsets."""

MAX_DEPTH = 3
"""Chains of pointers in memory are told apart up to this many loads."""

UNKNOWN = Root("unknown")


@dataclass(frozen=True, slots=True)
class MemoryLocation:
    """Bytes of memory: a root and the offset from it, None where that is not one number."""

    root: Root
    offset: int | None


def address(root: Root, offset: int | None = 0, *, indirect: bool = False) -> Value:
    """Return the value that is `root + offset`."""
    return frozenset((LinearForm(((root, 1),), offset, indirect),))


def content_of(place: MemoryLocation) -> Root:
    """Return the root of what lay at `place` before anybody stored to it."""
    root = place.root
    if root.depth >= MAX_DEPTH:
        return root if root.offset is None else Root("content", via=root.via)
    return Root("content", via=root, offset=place.offset)


def moved(value: Value, by: int | None) -> Value:
    """Return addresses moved by a number of bytes, None if it is not one number."""
    if by == 0:
        return value
    return frozenset(
        LinearForm(f.terms, None if by is None or f.offset is None else f.offset + by, f.indirect)
        for f in value
    )


def added(a: Value, b: Value, sign: int = 1) -> Value:
    """Return `a + sign * b`; where one carries no address it counts as some number."""
    if not b:
        return moved(a, None)
    if not a:
        return moved(scaled(b, sign), None)
    found = {_sum(f, g, sign) for f in a for g in b}
    return limited(frozenset(f for f in found if f.terms))


def _sum(a: LinearForm, b: LinearForm, sign: int) -> LinearForm:
    terms: dict[Root, int | None] = dict(a.terms)
    for root, coefficient in b.terms:
        old = terms.get(root, 0)
        if old is None or coefficient is None:
            terms[root] = None
        else:
            terms[root] = old + sign * coefficient
    kept = tuple((r, c) for r, c in terms.items() if c != 0)
    known = a.offset is not None and b.offset is not None
    return LinearForm(kept, a.offset + sign * b.offset if known else None)  # pyright: ignore[reportOperatorIssue, reportOptionalOperand, reportUnknownArgumentType]


def scaled(value: Value, factor: int) -> Value:
    """Return integers times a number."""
    if factor == 1:
        return value
    return frozenset(
        LinearForm(
            tuple((r, None if c is None else c * factor) for r, c in f.terms),
            None if f.offset is None else f.offset * factor,
        )
        for f in value
        if factor
    )


def mangled(*values: Value) -> Value:
    """Return what an op that is not linear makes of values: the same roots, nothing else."""
    roots = dict.fromkeys(r for v in values for f in v for r, _ in f.terms)
    if not roots:
        return NOTHING
    ordered = sorted(roots, key=repr) if len(roots) > 1 else list(roots)
    return frozenset((LinearForm(tuple((r, None) for r in ordered), None),))


def limited(value: Value) -> Value:
    """Return a value of at most `MOST_FORMS` forms that covers the given one."""
    if len(value) <= MOST_FORMS:
        return value
    coarse = frozenset(LinearForm(f.terms, None, f.indirect) for f in value)
    return coarse if len(coarse) <= MOST_FORMS else mangled(coarse)


def widened(old: Value, new: Value) -> Value:
    """Return what covers both, with one offset at most for each sum of roots."""
    both = old | new
    if both == old:
        return old
    offsets: dict[tuple[tuple[tuple[Root, int | None], ...], bool], set[int | None]] = {}
    for f in both:
        offsets.setdefault((f.terms, f.indirect), set()).add(f.offset)
    forms = frozenset(
        LinearForm(terms, next(iter(found)) if len(found) == 1 else None, indirect)
        for (terms, indirect), found in offsets.items()
    )
    if len(forms) <= len(old) or len(forms) <= MOST_FORMS:
        return forms
    return mangled(forms)


def places(value: Value) -> frozenset[MemoryLocation]:
    """
    Return where addresses point to.

    A sum points into the memory of the address in it that counts once: the others are
    distances. An integer argument is taken for an address only where nothing else is one.
    """
    found: set[MemoryLocation] = set()
    for form in value:
        terms = form.terms
        if len(terms) == 1 and terms[0][1] == 1:
            found.add(MemoryLocation(terms[0][0], form.offset))
            continue
        once = [r for r, c in terms if c == 1]
        candidates = [r for r in once if r.is_address]
        if not candidates and any(c is None for _, c in terms):
            # an address may hide in what is not linear
            candidates = [r for r, _ in terms]
        found.update(MemoryLocation(r, None) for r in candidates or once or [r for r, _ in terms])
        found.update(MemoryLocation(r, None) for r, c in terms if c is None)
    return frozenset(found)


def roots_of(value: Value) -> frozenset[Root]:
    """Return every root that occurs in a value."""
    return frozenset(r for f in value for r, _ in f.terms)
