"""
Where two kernels differ, op by op, and which of those ops the launches made any use of.

Values get numbers by what computes them, so that ops that were moved, shared or left out
unused count as the same. The rest is aligned in order, and an op differs if it does something
else than its partner, or with values that do not correspond.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.interpreter.machine import Seen
from xtriton.interpreter.types import text

MOST_OPS = 4000
"""Larger kernels are taken to differ everywhere."""

_IGNORED = frozenset(("arith.constant", "ub.poison"))
_READS = ("load", "gather", "poll", "wait")
_EFFECTS = ("store", "atomic_rmw", "atomic_cas", "scatter", "assert", "print", "copy", "call")
_ADDRESSES = ("tt.ptr", "llvm.ptr", "memref")


@dataclass
class Trace:
    """An op that differs, and what is known of it."""

    op: Operation
    rewritten: bool
    seen: Seen = field(default_factory=Seen)
    proved: bool = False
    single: bool = False
    """Whether any launch gives it the same value, such as a splat of a pointer argument."""

    @property
    def status(self) -> str:
        """How sure it is that the op is right: "proved", "reached" or "neither"."""
        if self.proved:
            return "proved"
        told = self.seen.varied or self.single or not self.op.results
        return "reached" if self.seen.ran and told else "neither"


class _Numbers:
    """Numbers of values; equal ones are computed in the same way from the same arguments."""

    def __init__(self) -> None:
        self.table: dict[Hashable, int] = {}
        self.of: dict[SSAValue, int] = {}
        self.ops: dict[Operation, int] = {}
        self.called: dict[Operation, Hashable] = {}

    def number(self, key: Hashable) -> int:
        return self.table.setdefault(key, len(self.table))

    def region(self, region: Region, owner: Hashable) -> Hashable:
        for b, block in enumerate(region.blocks):
            for k, argument in enumerate(block.args):
                self.of[argument] = self.number(("argument", owner, b, k, argument.type))
        return tuple(self.block(block, owner) for block in region.blocks)

    def block(self, block: Block, owner: Hashable) -> Hashable:
        """Number the ops of a block; return what it does besides computing values."""
        effects: list[int] = []
        for op in block.ops:
            operands = tuple(self._operand(o) for o in op.operands)
            key: Hashable = (op.name, operands, _said(op), tuple(r.type for r in op.results))
            if op.name.endswith(".call"):
                key = (key, self.callee(op))
            touches = op.name.endswith(_EFFECTS)
            if touches or op.name.endswith(_READS):
                key = (key, owner, tuple(effects))
            inner = tuple(self.region(r, (key, k)) for k, r in enumerate(op.regions))
            number = self.ops[op] = self.number((key, inner))
            for k, result in enumerate(op.results):
                self.of[result] = self.number(("result", number, k))
            if touches or op is block.last_op or inner:
                effects.append(number)
        return tuple(effects)

    def callee(self, call: Operation) -> Hashable:
        """Number the function that is called; return what it does."""
        function = callee_of(call)
        if function is None or not function.regions[0].blocks:
            return None
        if function not in self.called:
            self.called[function] = "calls itself"
            owner = ("callee", text(call, "callee"))
            self.called[function] = self.number(self.region(function.regions[0], owner))
        return self.called[function]

    def _operand(self, value: SSAValue) -> int:
        found = self.of.get(value)
        return self.number(("unknown", id(value))) if found is None else found


def callee_of(call: Operation) -> Operation | None:
    """Return the function of a call's module that it calls."""
    module: Operation = call
    while (parent := module.parent_op()) is not None:
        module = parent
    functions = (op for region in module.regions for block in region.blocks for op in block.ops)
    return next((f for f in functions if text(f, "sym_name") == text(call, "callee")), None)


def _with_called(function: Operation) -> dict[str, Operation]:
    """Return a function and all those that it calls, by what they are called; itself as ""."""
    found, work = {"": function}, [function]
    while work:
        for op in work.pop().walk():
            name = text(op, "callee") if op.name.endswith(".call") else ""
            if name and name not in found and (called := callee_of(op)) is not None:
                found[name] = called
                work.append(called)
    return found


def _said(op: Operation) -> Hashable:
    """Return what an op is beside its operands."""
    return tuple(sorted({**op.attributes, **op.properties}.items(), key=lambda entry: entry[0]))


def differing_ops(
    original: Operation, rewritten: Operation
) -> tuple[list[Operation], list[Operation]]:
    """
    Return the ops of each of two functions that differ from the other's.

    Both lists are empty only if both functions store the same values in the same order.
    """
    one, other = _with_called(original), _with_called(rewritten)
    mine, theirs = (
        [op for f in fs.values() for op in f.walk() if op is not f] for fs in (one, other)
    )
    if len(mine) + len(theirs) > MOST_OPS:
        return [op for op in mine if op.results], [op for op in theirs if op.results]
    numbers = _Numbers()
    whole = [numbers.region(f.regions[0], "function") for f in (original, rewritten)]
    if whole[0] == whole[1]:
        return [], []
    pairs = [(one[name].regions[0], other[name].regions[0]) for name in one.keys() & other.keys()]
    partner = dict(pair for regions in pairs for pair in _aligned(*regions))
    replacing = set(partner.values())
    matched = {a: b for a, b in partner.items() if _corresponds(a, b, partner, replacing, numbers)}
    return (
        _others(mine, {numbers.ops[op] for op in theirs}, {*matched}, numbers),
        _others(theirs, {numbers.ops[op] for op in mine}, {*matched.values()}, numbers),
    )


def _others(
    ops: list[Operation], known: set[int], matched: set[Operation], numbers: _Numbers
) -> list[Operation]:
    """Return ops that neither have a number of the other kernel nor match one of its ops."""
    found = [op for op in ops if numbers.ops[op] not in known and op not in matched]
    telling = [op for op in found if op.name not in _IGNORED and not _only_ends(op)]
    return telling or found


def _only_ends(op: Operation) -> bool:
    """Whether an op only ends a block and hands its operands on."""
    return op.name.endswith((".return", ".yield"))


def _corresponds(
    a: Operation,
    b: Operation,
    partner: dict[Operation, Operation],
    replacing: set[Operation],
    numbers: _Numbers,
) -> bool:
    """Whether two aligned ops do the same with values that correspond."""
    if _said(a) != _said(b) or len(a.operands) != len(b.operands):
        return False
    for x, y in zip(a.operands, b.operands, strict=True):
        if numbers.of.get(x) == numbers.of.get(y):
            continue
        if isinstance(x.owner, Block) or isinstance(y.owner, Block):
            owners = [v.owner.parent_op() if isinstance(v.owner, Block) else None for v in (x, y)]
            if owners[0] is None or partner.get(owners[0]) is not owners[1] or _at(x) != _at(y):
                return False
        elif x.owner not in partner and y.owner not in replacing and x.type == y.type:
            continue  # What differs is how the operand is computed.
        elif partner.get(x.owner) is not y.owner or _at(x) != _at(y):
            return False
    return True


def _at(value: Any) -> int:
    return value.index


def _aligned(one: Region, other: Region) -> Iterator[tuple[Operation, Operation]]:
    """Yield ops of the same name and types in the same order."""
    for a, b in zip(one.blocks, other.blocks, strict=False):
        mine, theirs = list(a.ops), list(b.ops)
        keys = [[(op.name, *(r.type for r in op.results)) for op in x] for x in (mine, theirs)]
        for i, j, size in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
            for x, y in zip(mine[i : i + size], theirs[j : j + size], strict=True):
                yield x, y
                for inner, changed in zip(x.regions, y.regions, strict=False):
                    yield from _aligned(inner, changed)


def traces(original: Operation, rewritten: Operation) -> list[Trace] | None:
    """Return a trace for each op that differs between two functions; None if they are the same."""
    found: list[Trace] = []
    for function, ops in zip(
        (original, rewritten), differing_ops(original, rewritten), strict=True
    ):
        single = _single_valued(function)
        found += [
            Trace(
                op, function is rewritten, single=bool(op.results) and single.issuperset(op.results)
            )
            for op in ops
        ]
    return found or None


def _single_valued(function: Operation) -> set[SSAValue]:
    """Return values that depend on nothing but constants and the addresses of arguments."""
    block = function.regions[0].first_block
    found = set[SSAValue]()
    if block is not None:
        found.update(a for a in block.args if a.type.name in _ADDRESSES)
    for op in function.walk():
        asks = op.regions or op.name.endswith(_READS + _EFFECTS)
        constant = op.name in _IGNORED or (op.operands and found.issuperset(op.operands))
        if constant and not asks:
            found.update(op.results)
    return found


def settle(found: Iterable[Trace], proved: bool, values: set[SSAValue]) -> None:
    """Mark the ops that were proved to be right: all, or those whose results are `values`."""
    for trace in found:
        results = trace.op.results
        trace.proved = proved or (bool(results) and all(r in values for r in results))
