# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Follows undefined values through a run: what of its effects may be anything?

Undefined are lanes that are masked off without `other`, memory that nobody wrote, poison,
a quotient by zero or of the least number by -1, a shift by the width or more, a float beyond
the integers it is converted to. What is computed from one is undefined, except that

- `select` depends on the operand that it chooses, and on the condition;
- `andi`, `ori` and `muli` are defined where one defined operand decides;
- `freeze` gives some value, the same one to all its users.

A branch, a trip count or an address that is undefined makes the whole launch so.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.effects import Effects, argument_of
from xtriton.interpreter.memory import REGION_BITS, ByteSet, Memory, region_base
from xtriton.interpreter.partial import UndefinedBehaviour, defined, either, lanes, partial
from xtriton.interpreter.types import info
from xtriton.semantics import Element
from xtriton.semantics.elements import Array
from xtriton.semantics.integers import unsigned

_DECIDING = {
    "arith.andi": np.bitwise_and,
    "arith.muli": np.multiply,
    "arith.ori": np.bitwise_or,
}
_SIGNED_QUOTIENTS = frozenset(
    ("arith.divsi", "arith.remsi", "arith.floordivsi", "arith.ceildivsi", "index.divs",
     "index.rems", "index.floordivs", "index.ceildivs")
)  # fmt: skip
_UNSIGNED_QUOTIENTS = frozenset(
    ("arith.divui", "arith.remui", "arith.ceildivui", "index.divu", "index.remu",
     "index.ceildivu")
)  # fmt: skip
_SHIFTS = frozenset(
    ("arith.shli", "arith.shrsi", "arith.shrui", "index.shl", "index.shrs", "index.shru")
)

Lanes = Callable[..., Any]


def undefined_lanes(op: Operation) -> Lanes | None:
    """Return what tells, from defined operands, where an op's result is undefined by itself."""
    if not op.operands:
        return None
    of, result = info(op.operands[0].type).element, info(op.results[0].type).element
    if of is None or result is None:
        return None
    if op.name in _UNSIGNED_QUOTIENTS:
        return lambda a, b: b == 0
    if op.name in _SIGNED_QUOTIENTS:
        least = of.constant(1 << (of.width - 1))
        return lambda a, b: (b == 0) | ((a == least) & (b == of.constant(-1)))
    if op.name in _SHIFTS:
        return lambda a, b: unsigned(b, of.width) >= of.width
    if op.name in ("arith.fptosi", "arith.fptoui"):
        low, high = _integers(result, op.name == "arith.fptosi")
        return lambda x: ~((x > low - 1.0) & (x < high + 1.0))
    return None


def _integers(of: Element, signed: bool) -> tuple[int, int]:
    """Return the least and the greatest integer of a type."""
    return (-(1 << of.width - 1), (1 << of.width - 1) - 1) if signed else (0, (1 << of.width) - 1)


def followed(op: Operation, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return `compute` of an elementwise op on values that may be undefined in some lanes."""
    own, deciding = undefined_lanes(op), _DECIDING.get(op.name)

    def run(*operands: Any) -> Any:
        values = [defined(x) for x in operands]
        result = compute(*values)
        mask = either(deciding, operands) if operands else np.zeros((), np.bool_)
        if own is not None:
            mask = mask | own(*values)
        if isinstance(result, tuple):
            return tuple(partial(r, mask) for r in result)
        return partial(result, mask)

    return run


class FollowingMemory(Memory):
    """A memory that remembers which of its bytes are undefined."""

    follows_undefined = True

    def __init__(self) -> None:
        super().__init__()
        self.undefined = ByteSet()
        self.unsure: list[Array] = []
        """Addresses of bytes of which it is undefined whether they were written."""
        self.reads_anywhere: set[int] = set()
        """Arguments of which it is undefined of some lane whether it reads there, and where."""

    def poison_value(self, of: Element, shape: tuple[int, ...] = ()) -> Array:
        return partial(super().poison_value(of, shape), True)

    def load(self, address: Array, mask: Array | None, other: Array | None, of: Element) -> Array:
        on = True if mask is None else defined(mask) & ~lanes(mask)
        if (lanes(address) & on).any():
            raise UndefinedBehaviour
        anywhere = lanes(address) & lanes(mask)
        address = defined(address)
        if anywhere.any():
            places = np.broadcast_to(address, anywhere.shape)[anywhere]
            self.reads_anywhere |= {argument_of(place)[0] for place in places.tolist()}
        value = super().load(address, None if mask is None else defined(mask), other, of)
        inside = self.undefined.touches(address, of.size) & on
        return partial(value, lanes(value) | inside | lanes(mask))

    def store(self, address: Array, value: Array, mask: Array | None, of: Element) -> None:
        on = True if mask is None else defined(mask) | lanes(mask)
        if (lanes(address) & on).any():
            raise UndefinedBehaviour
        shape = np.broadcast_shapes(address.shape, value.shape, np.shape(on))
        places = np.broadcast_to(defined(address), shape)
        vague, here = (np.broadcast_to(x, shape) for x in (lanes(value), on))
        self.undefined.discard(places[here & ~vague], of.size)
        self.undefined.add(places[here & vague], of.size)
        super().store(defined(address), defined(value), None if mask is None else defined(mask), of)
        unsure = places[np.broadcast_to(lanes(mask), shape)] if mask is not None else places[:0]
        if unsure.size:
            self.unsure.append((unsure[:, np.newaxis] + np.arange(of.size)).reshape(-1))


def certain(mine: Effects, other: Effects, followed: Effects, memory: FollowingMemory) -> Effects:
    """
    Return what is certain of a run: what `other`, with another stand-in, wrote as `mine` did.

    `followed` is the run that followed what is undefined, on `memory`.

    Bytes that `memory` has undefined values in are left out; those of which it is undefined
    whether they are written are in it only if `mine` does not write them.
    """
    unsure = np.concatenate(memory.unsure) if memory.unsure else np.empty(0, np.int64)
    numbers = {*other.written, *(np.unique(unsure >> np.int64(REGION_BITS)) - 1).tolist()}
    nothing = (np.empty(0, np.int64), np.empty(0, np.uint8))
    written: dict[int, tuple[Array, Array]] = {}
    for argument in numbers:
        base = np.int64(region_base(argument + 1))
        offsets, data = other.written.get(argument, nothing)
        perhaps = np.unique(unsure[unsure >> np.int64(REGION_BITS) == argument + 1] - base)
        sure = ~(memory.undefined.touches(offsets + base, 1) | np.isin(offsets, perhaps))
        more = np.setdiff1d(perhaps, mine.written.get(argument, nothing)[0])
        places = np.concatenate([offsets[sure], more])
        order = np.argsort(places)
        values = np.concatenate([data[sure], np.zeros(more.size, np.uint8)])
        written[argument] = places[order], values[order]
    results = {k: (sure, other.results[k][1][sure]) for k, (sure, _) in followed.results.items()}
    return Effects(
        written, other.observer, True, results, reads_anywhere=frozenset(memory.reads_anywhere)
    )
