"""The names that texts of index expressions use for parts that the kernel computes."""

from collections.abc import Iterator

from xtriton.analysis.indexing import Atom, Cond, Expr, Kind


def names_in(values: list[Expr | Cond]) -> dict[str, str]:
    """Return what each named part of some expressions and conditions is, as text."""
    found: dict[str, str] = {}
    seen: set[int] = set()
    waiting = [a for v in values for a in _atoms(v)]
    while waiting:
        atom = waiting.pop()
        if id(atom) in seen:
            continue
        seen.add(id(atom))
        parts = [x for x in atom.args if isinstance(x, (Expr, Cond))]
        if atom.kind is Kind.NAMED:
            found[atom.name] = str(parts[0])
        waiting += [a for x in parts for a in _atoms(x)]
    return found


def _atoms(value: Expr | Cond) -> Iterator[Atom]:
    if isinstance(value, Expr):
        yield from value.atoms()
        return
    for part in value.args:
        yield from _atoms(part)
