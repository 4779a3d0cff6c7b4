"""
Which values are views of which buffer.

Source: `SharedMemoryAliasAnalysis` in Triton's `lib/Analysis/Alias.cpp`.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttg.types import MemDescType
from xtriton.ir.value_flow import origins

_VIEWS = frozenset(
    (
        "ttg.memdesc_index",
        "ttg.memdesc_subslice",
        "ttg.memdesc_subview",
        "ttg.memdesc_trans",
        "ttg.memdesc_reshape",
        "ttg.memdesc_reinterpret",
    )
)


class Aliases:
    """The values of a function that may be views of each buffer."""

    def __init__(self, function: Operation):
        self._next: dict[SSAValue, list[SSAValue]] = {}
        self._buffers: list[SSAValue] = []
        for op in function.walk():
            if isinstance(op, LocalAllocOp):
                self._buffers.append(op.result)
                continue
            for result in op.results:
                self._flows(result)
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        self._flows(argument)

    def of(self, buffer: SSAValue) -> list[SSAValue]:
        """Return a buffer and all values that may be views of it."""
        found = {buffer: None}
        pending = [buffer]
        while pending:
            for value in self._next.get(pending.pop(), ()):
                if value not in found:
                    found[value] = None
                    pending.append(value)
        return list(found)

    def _flows(self, value: SSAValue) -> None:
        """Note which values a value may be a view of, or be one of."""
        if not isinstance(value.type, MemDescType):
            return
        for origin in origins(value, _VIEWS) or ():
            self._next.setdefault(origin, []).append(value)
