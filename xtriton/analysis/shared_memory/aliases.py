"""
Which values are views of which buffer.

Source: `SharedMemoryAliasAnalysis` in Triton's `lib/Analysis/Alias.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from xtriton.dialects.ttg.memory import LocalAllocOp
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttg.warp_specialize import WarpSpecializeOp

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
            else:
                self._flows(op)

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

    def _flow(self, sources: Sequence[SSAValue], targets: Iterable[SSAValue]) -> None:
        for source, target in zip(sources, targets, strict=False):
            if isinstance(target.type, MemDescType):
                self._next.setdefault(source, []).append(target)

    def _flows(self, op: Operation) -> None:
        """Note which values an op passes on as which others."""
        if op.name in _VIEWS:
            self._flow(op.operands[:1], op.results)
        elif op.name == "arith.select":
            self._flow(op.operands[1:2], op.results)
            self._flow(op.operands[2:3], op.results)
        elif op.name == "scf.for":
            self._loop(op, op.operands[3:], op.regions[0].block)
        elif op.name == "scf.while":
            before, after = (region.block for region in op.regions)
            self._flow(op.operands, before.args)
            passed = _yielded(before)[1:]
            self._flow(passed, after.args)
            self._flow(passed, op.results)
            self._flow(_yielded(after), before.args)
        elif isinstance(op, WarpSpecializeOp):
            self._flow(_yielded(op.defaultRegion.block), op.results)
        elif op.name == "ttg.warp_specialize.partitions":
            for region in op.regions:
                self._flow(op.operands, region.blocks[0].args)
        elif op.name in ("scf.if", "scf.execute_region"):
            for region in op.regions:
                if region.blocks:
                    self._flow(_yielded(region.block), op.results)
        elif op.successors:
            operands = list(op.operands)
            for block in op.successors:
                # Which operands go where the types say: views have types of their own.
                for operand in operands:
                    self._flow([operand] * len(block.args), block.args)

    def _loop(self, op: Operation, initial: Sequence[SSAValue], body: Block) -> None:
        arguments = body.args[len(body.args) - len(op.results) :]
        for sources in (initial, _yielded(body)):
            self._flow(sources, arguments)
            self._flow(sources, op.results)


def _yielded(block: Block) -> Sequence[SSAValue]:
    return () if block.last_op is None else block.last_op.operands
