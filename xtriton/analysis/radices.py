"""
Dimensions of a block split in a mixed radix, so that divisions by constants fall apart.

Where `i // 16` and `i % 16` walk over 64 places, `i` is `16 * a + b` with `a` below 4 and `b`
below 16, and the block is one of `4x16`. What an expression says over `i` is said over `a` and
`b` instead; `joined_positions` is the way back.
"""

from math import gcd, prod

from xtriton.analysis.indexing import Atom, Expr, Kind, Space, atoms_within

Radices = tuple[tuple[int, ...], ...]
"""The sizes that each dimension is split into, outermost first."""


def split_radices(space: Space, offset: Expr, shape: tuple[int, ...]) -> Radices:
    """Return the sizes to split each dimension into, so that divisions fall apart."""
    cuts: list[set[int]] = [set() for _ in shape]
    for atom in atoms_within(offset):
        _add_cuts(space, atom, shape, cuts)
    return tuple(_radices(n, c) for n, c in zip(shape, cuts, strict=True))


def _add_cuts(space: Space, atom: Atom, shape: tuple[int, ...], cuts: list[set[int]]) -> None:
    if atom.kind not in (Kind.FLOORDIV, Kind.TRUNCDIV):
        return
    divisor = atom.args[1].constant
    if divisor is None:
        return
    numerator, _ = atom.fraction
    for mono, c in numerator.terms.items():
        if len(mono) == 1 and space.atoms[mono[0]].kind is Kind.POSITION:
            d: int = space.atoms[mono[0]].key[0]
            cut = gcd(divisor // gcd(divisor, c), shape[d])
            if 1 < cut < shape[d]:
                cuts[d].add(cut)


def _radices(size: int, cuts: set[int]) -> tuple[int, ...]:
    chain: list[int] = []
    for cut in sorted(cuts):
        if not chain or cut % chain[-1] == 0:
            chain.append(cut)
    radices: list[int] = []
    inner = 1
    for cut in [*chain, size]:
        radices.append(cut // inner)
        inner = cut
    return tuple(reversed(radices))


def with_split_positions(space: Space, e: Expr, radices: Radices) -> Expr:
    """Return `e` over the positions of the split dimensions."""
    parts = split_positions(space, radices)
    mapping: dict[int, Expr] = {
        u: parts[space.atoms[u].key[0]] for u in e.leaves if space.atoms[u].kind is Kind.POSITION
    }
    return space.substitute(e, mapping)


def split_positions(space: Space, radices: Radices) -> list[Expr]:
    """Return each position as an expression of those it is split into."""
    found: list[Expr] = []
    number = 0
    for sizes in radices:
        total = space.zero
        for n in sizes:
            total = total * n + space.position(number, n)
            number += 1
        found.append(total)
    return found


def joined_positions(space: Space, radices: Radices) -> list[Expr]:
    """Return each position of the split dimensions as an expression of those they are parts of."""
    found: list[Expr] = []
    for d, sizes in enumerate(radices):
        inner = 1
        parts: list[Expr] = []
        for n in reversed(sizes):
            parts.append(space.floordiv(space.position(d, prod(sizes)) % (n * inner), inner))
            inner *= n
        found += reversed(parts)
    return found
