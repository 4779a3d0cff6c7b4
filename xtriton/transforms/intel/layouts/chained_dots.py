"""
Which products feed each other, by which operand, and how warps are spread over these.

A product along whose left operand others are chained keeps to its rows, one along the right
to its columns, so that what one warp has computed stays with it.
Source: `AccelerateMatmul.cpp` of the Intel XPU backend, August 2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag

from xdsl.ir import Operation, OpResult, SSAValue

_DOTS = ("tt.dot", "tt.dot_scaled")


class Chained(Flag):
    """The operands along which a product has to do with others in its region."""

    NO = 0
    LEFT = 1
    RIGHT = 2
    BOTH = 3


def chained_products(root: Operation) -> dict[Operation, Chained]:
    """Return for each product below `root` how it is chained; each op is looked at twice."""
    found: dict[Operation, Chained] = {}
    for op in root.walk():
        for region in op.regions:
            for block in region.blocks:
                _of_block(list(block.ops), found)
    return found


def _of_block(ops: Sequence[Operation], found: dict[Operation, Chained]) -> None:
    inside = set(ops)
    later = _fed_later(ops, inside)
    above: dict[Operation, tuple[bool, Chained]] = {}
    for op in ops:
        sources = [_above(operand, inside, above) for operand in op.operands]
        has_dot = any(dot for dot, _ in sources)
        flags = Chained.NO
        for _, other in sources:
            flags |= other
        if op.name in _DOTS:
            kind = later.get(op, Chained.NO)
            for i, (dot, other) in enumerate(sources[:2]):
                kind |= other
                if dot:
                    kind |= Chained.RIGHT if i == 1 else Chained.LEFT
            found[op] = kind
            has_dot, flags = True, flags | kind
        above[op] = (has_dot, flags)


def _above(
    value: SSAValue, inside: set[Operation], above: dict[Operation, tuple[bool, Chained]]
) -> tuple[bool, Chained]:
    """Return whether a value is computed from products, and how these are chained."""
    if not isinstance(value, OpResult) or value.op not in inside:
        return False, Chained.NO
    return above.get(value.op, (False, Chained.NO))


def _fed_later(ops: Sequence[Operation], inside: set[Operation]) -> dict[Operation, Chained]:
    """Return as which operands of products what an op computes arrives."""
    fed: dict[Operation, Chained] = {}
    for op in reversed(ops):
        flags = Chained.NO
        for result in op.results:
            for use in result.uses:
                user = use.operation
                if user not in inside:
                    continue
                flags |= fed.get(user, Chained.NO)
                if user.name in _DOTS and use.index < 2:
                    flags |= Chained.RIGHT if use.index == 1 else Chained.LEFT
        fed[op] = flags
    return fed


def chained_warps(
    kind: Chained, shape: Sequence[int], warps: int, rows: int, columns: int
) -> tuple[int, ...]:
    """
    Spread `warps` over a result of which an instruction computes `rows` by `columns`.

    `kind` is one side; that side gets as many warps as there are instructions along it.
    """
    rank = len(shape)
    most_rows = _power_of_two(-(-shape[-2] // rows))
    most_columns = _power_of_two(-(-shape[-1] // columns))
    first, second = (most_rows, most_columns)
    if kind is Chained.RIGHT:
        first, second = second, first
    ours = min(first, warps)
    others = min(second, -(-warps // ours))
    batch = 1
    rest = -(-warps // (ours * others))
    if rest > 1:
        if rank > 2:
            batch = min(_power_of_two(max(shape[0], 1)), rest)
            rest = -(-rest // batch)
        others *= rest
    along = (ours, others) if kind is Chained.LEFT else (others, ours)
    return (*(batch,) * (rank - 2), *along)


def _power_of_two(value: int) -> int:
    """Return the greatest power of two that is no greater than `value`, or 1."""
    return 1 << max(value.bit_length() - 1, 0)
