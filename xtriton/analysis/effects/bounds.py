# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""Bounds of trees by interval arithmetic, where a mask bounds what it speaks of."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from xtriton.analysis.effects.record import AccessEffect
from xtriton.analysis.effects.trees import Tree

Interval = tuple[int, int]
"""Least and greatest value, both included."""

Limits = Mapping[tuple[str, int], Interval]
"""Of each leaf, by kind and number."""

_WIDE = 1 << 62


def bounds(tree: Tree, limits: Limits, mask: Tree = True) -> Interval | None:
    """Return bounds of an expression where a mask holds; None if there are none."""
    found = _plain(tree, limits)
    for fact in _facts(mask):
        other = _from_fact(tree, fact, limits)
        if other is not None:
            found = other if found is None else _meet(found, other)
    return found


def _meet(a: Interval, b: Interval) -> Interval:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else (low, low)


def _facts(mask: Tree) -> list[Tree]:
    if isinstance(mask, list):
        if mask[0] == ">=0":
            return [mask[1]]
        if mask[0] == "and":
            return [f for part in mask[1:] for f in _facts(part)]
    return []


def _plain(tree: Tree, limits: Limits) -> Interval | None:
    if not isinstance(tree, list):
        return int(tree), int(tree)
    head: str = tree[0]
    rest: list[Any] = tree[1:]
    match head:
        case "sum":
            return _sum(rest, limits)
        case "lane":
            return 0, rest[1] - 1
        case "value":
            return (rest[1], rest[2]) if abs(rest[1]) < _WIDE and abs(rest[2]) < _WIDE else None
        case "pid" | "programs" | "loop" | "arg":
            return limits.get((head, rest[0]))
        case "if":
            return _hull([_plain(t, limits) for t in rest[1:]])
        case "min" | "max":
            parts = [_plain(t, limits) for t in rest]
            pick = min if head == "min" else max
            if any(p is None for p in parts):
                return None
            return pick(p[0] for p in parts if p), pick(p[1] for p in parts if p)
        case "//" | "quot":
            n, d = (_plain(t, limits) for t in rest)
            return _quotient(n, d)
        case _:
            return 0, 1


def _quotient(n: Interval | None, d: Interval | None) -> Interval | None:
    if n is None:
        return None
    if d is None or d[0] <= 0:
        most = max(abs(n[0]), abs(n[1]))
        return -most - 1, most
    ends = [x // y for x in n for y in d] + [-(-x // y) for x in n for y in d]
    return min(ends), max(ends)


def _hull(parts: Sequence[Interval | None]) -> Interval | None:
    if any(p is None for p in parts):
        return None
    return min(p[0] for p in parts if p), max(p[1] for p in parts if p)


def _sum(terms: list[Any], limits: Limits) -> Interval | None:
    low = high = 0
    for c, *atoms in terms:
        part: Interval = c, c
        for atom in atoms:
            other = _plain(atom, limits)
            if other is None:
                return None
            ends = [x * y for x, y in product(part, other)]
            part = min(ends), max(ends)
        low, high = low + part[0], high + part[1]
    return low, high


def terms_of(tree: Tree) -> dict[str, tuple[int, list[Any]]]:
    """Return the terms of a sum by their atoms: the factor, and the atoms."""
    if not isinstance(tree, list):
        return {"": (int(tree), [])} if tree else {}
    rows: list[Any] = tree[1:] if tree[0] == "sum" else [[1, tree]]
    return {repr(sorted(map(repr, atoms))) if atoms else "": (c, atoms) for c, *atoms in rows}


def _from_fact(tree: Tree, fact: Tree, limits: Limits) -> Interval | None:
    """Return bounds that follow from `fact >= 0`, by adding a multiple of it."""
    e, f = terms_of(tree), terms_of(fact)
    for key, (c, _) in f.items():
        if key and key in e and e[key][0] % c == 0:
            ratio = e[key][0] // c
            rest = _combined(e, f, -ratio)
            found = _sum([[c, *atoms] for c, atoms in rest.values()], limits)
            if found is None:
                return None
            return (found[0], _WIDE << 2) if ratio > 0 else (-_WIDE << 2, found[1])
    return None


def _combined(
    a: dict[str, tuple[int, list[Any]]], b: dict[str, tuple[int, list[Any]]], factor: int
) -> dict[str, tuple[int, list[Any]]]:
    found = dict(a)
    for key, (c, atoms) in b.items():
        total = found.get(key, (0, atoms))[0] + factor * c
        if total:
            found[key] = total, atoms
        else:
            found.pop(key, None)
    return found


# --- programs apart -------------------------------------------------------------------


def apart(accesses: Sequence[AccessEffect], axes: Sequence[int]) -> bool | None:
    """
    Tell whether programs stay apart in every launch of the dimensions `axes`.

    They do where there is one dimension, and each access is `stride * pid` plus something that
    stays within one stride.
    """
    strides: set[tuple[int, int]] = set()
    spans: list[tuple[dict[str, tuple[int, list[Any]]], Interval, int]] = []
    for access in accesses:
        split = _split(access)
        if split is None:
            return None
        axis, stride, fixed, span = split
        strides.add((axis, stride))
        spans.append((fixed, span, access.size))
    if len(strides) != 1 or {axis for axis, _ in strides} != set(axes):
        return None
    if any(fixed != spans[0][0] for fixed, _, _ in spans):
        return None
    ((_, stride),) = strides
    low = min(span[0] for _, span, _ in spans)
    high = max(span[1] + size for _, span, size in spans)
    return True if high - low <= abs(stride) else None


def _split(
    access: AccessEffect,
) -> tuple[int, int, dict[str, tuple[int, list[Any]]], Interval] | None:
    """Return axis, stride, the terms of arguments alone, and bounds of the rest."""
    if access.offset is None:
        return None
    limits: dict[tuple[str, int], Interval] = {}
    for n, trips in enumerate(access.loops):
        found = bounds(trips, limits) if trips is not None else None
        if found is not None:
            limits["loop", n] = 0, max(0, found[1] - 1)
    axis = stride = None
    fixed: dict[str, tuple[int, list[Any]]] = {}
    rest: list[Any] = []
    for key, (c, atoms) in terms_of(access.offset).items():
        if len(atoms) == 1 and atoms[0][0] == "pid":
            if axis is not None:
                return None
            axis, stride = atoms[0][1], c
        elif atoms and all(a[0] == "arg" for a in atoms):
            fixed[key] = c, atoms
        elif "'pid'" in key or "'programs'" in key:
            return None
        else:
            rest.append([c, *atoms])
    if axis is None or stride is None:
        return None
    span = bounds(["sum", *rest], limits, access.mask)
    return None if span is None else (axis, stride, fixed, span)
