"""
Kernels that do the same with what they read: then only where they read and write need be compared.

Passes that write accesses anew leave the rest of a kernel alone. `paired` shows, for any content of
memory, that two kernels store equal values if their accesses, one by one, are of the same places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from xdsl.ir import Block, Operation, SSAValue

from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.interpreter.effects import result_types
from xtriton.interpreter.types import attribute
from xtriton.ir.value_flow import deciding, sources
from xtriton.judge.differing import callee_of

_T = TypeVar("_T")

LOADS = frozenset(
    ("tt.load", "tt.descriptor_load", "tt.descriptor_gather", "tts.load", "tts.masked_load",
     "tts.gather")
)  # fmt: skip
_STORED = {
    "tt.store": 1, "tt.descriptor_store": 1, "tt.descriptor_scatter": 3, "tts.store": 1,
    "tts.masked_store": 1, "tts.scatter": 2,
}  # fmt: skip
"""Which operand a store writes."""

_ATOMICS = {"tt.atomic_rmw": 1, "tts.atomic_rmw": 1, "tts.unstructured_atomic_rmw": 2}
"""Which operand an atomic adds, or the like."""

WRITTEN = _STORED | _ATOMICS
_SAID = ("atomic_rmw_op", "sem", "scope")

CONTROL = ("scf.for", "scf.if", "scf.while")
_CHECKS = ("gpu.barrier", "llvm.intr.assume", "tt.assert")
"""What may end a launch, and is looked at in either kernel."""

CALL = "tt.call"
_DEEPEST_CALL = 8

_PURE = frozenset(
    ("tt.addptr", "tt.advance", "tt.bitcast", "tt.broadcast", "tt.cat", "tt.clampf", "tt.dot",
     "tt.expand_dims", "tt.extern_elementwise", "tt.fp_to_fp", "tt.get_num_programs",
     "tt.get_program_id", "tt.histogram",
     "tt.int_to_ptr", "tt.join", "tt.make_range", "tt.make_tensor_descriptor",
     "tt.make_tensor_ptr", "tt.mulhiui", "tt.precise_divf", "tt.precise_sqrt", "tt.ptr_to_int",
     "tt.reduce", "tt.reshape", "tt.scan", "tt.splat", "tt.split", "tt.trans", "tt.unsplat",
     "tts.get_structured_state", "tts.make_affine_tptr", "tts.make_gather_scatter_tptr",
     "tts.make_tptr", "ub.poison")
)  # fmt: skip
_PURE_DIALECTS = ("arith", "math")
COMBINING = ("tt.reduce", "tt.scan")
"""Ops with a region that combines two elements."""


def is_pure(op: Operation, depth: int = 0) -> bool:
    """Whether an op is a function of its operands, and of what its region captures."""
    if op.name != CALL:
        return op.name in _PURE or op.name.partition(".")[0] in _PURE_DIALECTS
    callee = callee_of(op) if depth < _DEEPEST_CALL else None
    block = None if callee is None else only_block(callee)
    return block is not None and _computes(block, depth + 1)


def _computes(block: Block, depth: int = 0) -> bool:
    """Whether a block does no more than compute what it hands on."""
    return all(op is block.last_op or is_pure(op, depth) for op in block.ops)


def _called(call: Operation) -> Block:
    callee = callee_of(call)
    block = None if callee is None else only_block(callee)
    if block is None:
        raise _NotShown
    return block


def only_block(function: Operation) -> Block | None:
    """Return the block that a function consists of, but for what is never reached."""
    block = function.regions[0].first_block
    if block is None or block.last_op is None or block.last_op.successors:
        return None
    return block


def paired(original: Operation, rewritten: Operation) -> dict[Operation, Operation] | None:
    """Return the original's access for each of the rewritten kernel's; None if not all is shown."""
    one, other = only_block(original), only_block(rewritten)
    if one is None or other is None or result_types(original) or result_types(rewritten):
        return None
    search = _Search()
    try:
        search.pair_arguments(one, other)
        search.pair_blocks(one, other)
        search.settle()
    except _NotShown:
        return None
    return search.partner


class _NotShown(Exception):
    """What was to be shown is not."""


class _Search:
    """Pairs what two kernels do, and asks whether the values are equal that it is done with."""

    def __init__(self) -> None:
        self.partner: dict[Operation, Operation] = {}
        self.loops: dict[Operation, Operation] = {}
        """The original's loop or branch of each of the rewritten kernel."""
        self.arguments: dict[SSAValue, SSAValue] = {}
        """What has to be equal wherever it is used, such as arguments of the kernels."""
        self.open: list[tuple[SSAValue, SSAValue]] = []
        self.asked: set[tuple[SSAValue, SSAValue]] = set()

    def pair_arguments(self, one: Block, other: Block) -> None:
        if [a.type for a in one.args] != [a.type for a in other.args]:
            raise _NotShown
        self.arguments |= dict(zip(other.args, one.args, strict=True))

    def pair_blocks(self, one: Block, other: Block) -> None:
        """Pair the ops of two blocks that do something, in their order."""
        for a, b in _in_step(doing(one), doing(other)):
            if BLOCK_IO in a.attributes or BLOCK_IO in b.attributes:
                raise _NotShown
            if a.name in LOADS and b.name in LOADS:
                self.partner[b] = a
                if a.results[0].type != b.results[0].type:
                    raise _NotShown
            elif _write_alike(a, b):
                self.partner[b] = a
                self.ask(a.operands[WRITTEN[a.name]], b.operands[WRITTEN[b.name]])
            elif a.name == b.name and a.name in CONTROL:
                self._pair_control(a, b)
            elif a.name == b.name and a.name in _CHECKS:
                continue
            else:
                raise _NotShown

    def _pair_control(self, a: Operation, b: Operation) -> None:
        if a.properties.get("unsignedCmp") != b.properties.get("unsignedCmp"):
            raise _NotShown
        self.loops[b] = a
        for x, y in _in_step(decides(a), decides(b)):
            self.ask(x, y)
        if a.name == "scf.for":
            self.arguments[b.regions[0].blocks[0].args[0]] = a.regions[0].blocks[0].args[0]
        for mine, theirs in zip(a.regions, b.regions, strict=True):
            if len(mine.blocks) != len(theirs.blocks) or len(mine.blocks) > 1:
                raise _NotShown
            for x, y in zip(mine.blocks, theirs.blocks, strict=True):
                self.pair_blocks(x, y)

    def ask(self, a: SSAValue, b: SSAValue) -> None:
        """Demand that a value of the original equals one of the rewritten kernel."""
        if (a, b) not in self.asked:
            self.asked.add((a, b))
            self.open.append((a, b))

    def settle(self) -> None:
        """Show all that was demanded, or raise; what is carried is shown by induction."""
        while self.open:
            a, b = self.open.pop()
            if a.type != b.type:
                raise _NotShown
            if self.arguments.get(b) is a:
                continue
            if isinstance(b.owner, Block) or isinstance(a.owner, Block):
                self._carried(a, b)
            elif b.owner in self.partner:
                if self.partner[b.owner] is not a.owner:
                    raise _NotShown
            elif b.owner in self.loops:
                self._results(a, b)
            else:
                self._computed(a, b)

    def _carried(self, a: Any, b: Any) -> None:
        """Of loops: equal at first, and after an iteration if before it."""
        if not (isinstance(a.owner, Block) and isinstance(b.owner, Block)):
            raise _NotShown
        mine, theirs = a.owner.parent_op(), b.owner.parent_op()
        if theirs is None or mine is None or self.loops.get(theirs) is not mine:
            raise _NotShown
        if a.owner is not mine.regions[_number(b.owner)].first_block:
            raise _NotShown
        for x, y in _in_step(sources(a) or (), sources(b) or ()):
            self.ask(x, y)

    def _results(self, a: Any, b: Any) -> None:
        if self.loops[b.owner] is not a.owner:
            raise _NotShown
        for x, y in _in_step(sources(a) or (), sources(b) or ()):
            self.ask(x, y)

    def _computed(self, a: Any, b: Any) -> None:
        mine, theirs = a.owner, b.owner
        same = (
            mine.name == theirs.name
            and a.index == b.index
            and len(mine.operands) == len(theirs.operands)
            and is_pure(mine)
            and mine.attributes == theirs.attributes
            and mine.properties == theirs.properties
            and [r.type for r in mine.results] == [r.type for r in theirs.results]
            and len(mine.regions) == len(theirs.regions)
        )
        if not same:
            raise _NotShown
        if mine.name == CALL:
            self._compute_alike(_called(mine), _called(theirs))
        for one, other in zip(mine.regions, theirs.regions, strict=True):
            self._compute_alike(one.block, other.block)
        for x, y in zip(mine.operands, theirs.operands, strict=True):
            self.ask(x, y)

    def _compute_alike(self, one: Block, other: Block) -> None:
        """Demand that two blocks are the same function, also of what they capture."""
        if not (_computes(one) and _computes(other)):
            raise _NotShown
        self.pair_arguments(one, other)
        for x, y in _in_step(_last(one).operands, _last(other).operands):
            self.ask(x, y)


def _write_alike(a: Operation, b: Operation) -> bool:
    """Whether two ops store, or are atomics of the same kind whose old values nobody takes."""
    if a.name in _STORED:
        return b.name in _STORED
    if a.name not in _ATOMICS or b.name not in _ATOMICS:
        return False
    used = any(True for op in (a, b) for result in op.results for _ in result.uses)
    said = (tuple(str(attribute(op, n)) for n in _SAID) for op in (a, b))
    return not used and next(said) == next(said)


def decides(op: Operation) -> Sequence[SSAValue]:
    """Return the values that say which blocks of an op run, and how often, or what it checks."""
    return deciding(op) if op.name in CONTROL else op.operands


def _number(block: Block) -> int:
    """Return which region of its op a block is in."""
    op = block.parent_op()
    assert op is not None
    return next(k for k, region in enumerate(op.regions) if block.parent is region)


def _last(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def _in_step(one: Iterable[_T], other: Iterable[_T]) -> Iterator[tuple[_T, _T]]:
    try:
        yield from zip(one, other, strict=True)
    except ValueError as error:
        raise _NotShown from error


def doing(block: Block) -> Iterator[Operation]:
    """Yield the ops of a block that are more than functions of their operands, but its end."""
    for op in block.ops:
        if op is not block.last_op and not is_pure(op):
            yield op
