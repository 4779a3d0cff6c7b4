"""Counts what a run does: ops by name, bytes by access, and how accesses lie in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.effects import AccessRecord, Assertions, argument_of
from xtriton.interpreter.machine import Program, describe
from xtriton.semantics.elements import Array


@dataclass
class AccessMap:
    """
    How one load, store or atomic touches memory, over a whole run.

    lanes: how many elements it could have touched; active: how many it did.
    low, high: the range of byte offsets in `argument`; contiguous: how many active lanes
    lie right behind the lane before them. strides: elements from one lane to the next along
    each dimension, None where that is not one number.
    """

    kind: str
    argument: int = -1
    lanes: int = 0
    active: int = 0
    size: int = 1
    low: int = 1 << 62
    high: int = -(1 << 62)
    contiguous: int = 0
    strides: list[int | None] | None = None

    def see(self, address: Array, shape: tuple[int, ...]) -> None:
        """Take into account how the lanes of a block lie."""
        found = [_stride(address, d - len(shape), self.size) for d in range(len(shape))]
        if self.strides is None:
            self.strides = found
        self.strides = [a if a == b else None for a, b in zip(self.strides, found, strict=True)]

    def pattern(self) -> str:
        """Return the strides as text, "" for a scalar."""
        if not self.strides:
            return ""
        return f", strides [{', '.join('?' if s is None else str(s) for s in self.strides)}]"


def _stride(address: Array, axis: int, size: int) -> int | None:
    if address.ndim < -axis or address.shape[axis] == 1:
        return 0
    steps = np.unique(np.diff(address, axis=axis))
    return int(steps[0]) // size if steps.size == 1 else None


@dataclass
class Profile(Assertions):
    """Observer of a run; `report` says what it saw."""

    maps: dict[Operation, AccessMap] = field(default_factory=dict[Operation, AccessMap])
    prints: list[str] = field(default_factory=list[str])

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        found = self.maps.setdefault(op, AccessMap(kind, size=size))
        touched = AccessRecord(op, kind, address, mask, size, programs, shape).touched()
        batch = len(programs) if address.ndim > len(shape) else 1
        found.see(address, shape)
        found.lanes += int(np.prod(shape, dtype=np.int64)) * batch
        found.active += touched.size
        if not touched.size:
            return
        argument, low = argument_of(int(touched.min()))
        found.argument = argument
        found.low = min(found.low, low)
        found.high = max(found.high, argument_of(int(touched.max()))[1] + size)
        found.contiguous += int((np.diff(touched) == size).sum())

    def printed(self, op: Operation, message: str) -> None:
        self.prints.append(message)

    def report(self, program: Program, names: list[str]) -> str:
        """Return the counts as text; `names` are the kernel's arguments."""
        lines = ["op counts (how often, summed over batches of programs):"]
        counts: Counter[str] = Counter()
        for function in program.compiled.values():
            for block in function.blocks.values():
                for op in block.ops:
                    counts[op.name] += block.runs
        lines += [f"  {count:>10}  {name}" for name, count in counts.most_common()]
        read = sum(m.active * m.size for m in self.maps.values() if m.kind != "store")
        written = sum(m.active * m.size for m in self.maps.values() if m.kind != "load")
        lines += [f"bytes read: {read}", f"bytes written: {written}", "accesses:"]
        for op, m in self.maps.items():
            name = names[m.argument] if 0 <= m.argument < len(names) else "?"
            share = m.contiguous / max(m.active - 1, 1)
            lines.append(
                f"  {m.kind} of {name} by {describe(op)}: {m.active} of {m.lanes} lanes, "
                f"bytes {m.low} to {m.high}, {share:.0%} contiguous{m.pattern()}"
            )
        return "\n".join(lines)
