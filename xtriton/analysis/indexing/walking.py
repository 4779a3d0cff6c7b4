"""The atoms that an expression is built of."""

from collections.abc import Iterator

from xtriton.analysis.indexing.algebra import Atom, Cond, Expr, Value


def atoms_within(value: Value, *, moving: bool = True) -> Iterator[Atom]:
    """
    Yield the atoms in a value and in the operands of those, each once, outer ones first.

    With `moving` only those that depend on positions. Tensors that an element is of do not
    count, they are no operands.
    """
    seen: set[int] = set()
    worklist: list[Value | Atom] = [value]
    while worklist:
        item = worklist.pop()
        if isinstance(item, Expr):
            worklist += [a for a in item.atoms() if a.dims or not moving]
        elif isinstance(item, Cond):
            worklist += item.args
        elif item.uid not in seen:
            seen.add(item.uid)
            yield item
            worklist += [a for a in item.args if not isinstance(a, Atom)]
