"""
What a kernel uses its arguments for: which numbers and which contents of memory may be anything.

Data that ends up in an address, or that says how often a loop runs, has to stay within what
the kernel can take. All other data may be as nasty as its type allows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Block, Operation, SSAValue

from xtriton.interpreter.types import info, text
from xtriton.ir.value_flow import deciding

_FIRST_MASK = {"load": 1, "store": 2, "atomic_rmw": 2}
_LOADS = ("load", "gather", "rmw", "cas", "poll", "copy")
_ADDRESSING = frozenset(("memref", "tts", "tensor", "affine", "vector", "ttig", "ttng"))
"""Dialects of which every whole number that an op takes counts as part of an address."""

_BLOCKS = frozenset(
    (
        "tt.make_tensor_ptr",
        "tt.make_tensor_descriptor",
        "tt.advance",
        "tt.int_to_ptr",
        "tt.gather",
        "tt.histogram",
    )
)
_ASSERTIONS = ("tt.assert", "llvm.intr.assume")
_DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
_KEEPERS = frozenset(
    (
        "tt.splat",
        "tt.broadcast",
        "tt.expand_dims",
        "ttg.convert_layout",
        "arith.extsi",
        "arith.extui",
        "arith.trunci",
        "arith.index_cast",
    )
)


@dataclass
class Uses:
    """
    Positions of a kernel's arguments by what they are used for.

    For numbers: `addresses` they are part of, `strides` they multiply there, `loops` they
    bound, masks and branches that they decide (`bounds`), `divisors`. For memory: its contents go
    into an address (`indices`), say how often a loop runs (`counts`), or are asserted to be
    something (`asserted`).
    """

    addresses: set[int] = field(default_factory=set[int])
    strides: set[int] = field(default_factory=set[int])
    loops: set[int] = field(default_factory=set[int])
    bounds: set[int] = field(default_factory=set[int])
    divisors: set[int] = field(default_factory=set[int])
    indices: set[int] = field(default_factory=set[int])
    counts: set[int] = field(default_factory=set[int])
    asserted: set[int] = field(default_factory=set[int])
    wide: bool = False
    """Whether some address is computed in 64 bits."""

    def is_free(self, index: int) -> bool:
        """Whether a number only goes into values."""
        return not any(
            index in found
            for found in (self.addresses, self.strides, self.loops, self.bounds, self.divisors)
        )


class _Slicer:
    """Walks backward from values to the arguments and loads of a kernel that they come from."""

    def __init__(self, function: Operation):
        self.entry = function.regions[0].blocks[0]
        module: Any = function
        while module.parent_op() is not None:
            module = module.parent_op()
        self.functions: dict[str, Operation] = {}
        self.calls: dict[str, list[Operation]] = {}
        self.ops: list[Operation] = list(module.walk())
        self.known: dict[tuple[SSAValue, ...], set[int]] = {}
        for op in self.ops:
            if op.name.endswith(".func"):
                self.functions[text(op, "sym_name")] = op
            elif op.name.endswith(".call"):
                self.calls.setdefault(text(op, "callee"), []).append(op)

    def walk(self, starts: Iterable[SSAValue], memory: bool) -> Iterator[SSAValue]:
        """Yield values that `starts` depend on; through what loads read only if `memory`."""
        work, seen = list(starts), set[SSAValue]()
        while work:
            value = work.pop()
            if value in seen:
                continue
            seen.add(value)
            yield value
            owner = value.owner
            if isinstance(owner, Block):
                work.extend(self._into_block(value, owner))
            elif not owner.name.endswith(_LOADS):
                work.extend(owner.operands)
                work.extend(_yields(owner))
                if owner.name.endswith(".call") and text(owner, "callee") in self.functions:
                    work.extend(_yields(self.functions[text(owner, "callee")]))
            elif memory:
                work.append(owner.operands[0])

    def _into_block(self, value: Any, block: Block) -> Iterable[SSAValue]:
        parent = block.parent_op()
        if block is self.entry or parent is None:
            return ()
        if parent.name.endswith(".func"):
            calls = self.calls.get(text(parent, "sym_name"), [])
            found: list[SSAValue] = [c.operands[value.index] for c in calls]
            return found if parent.regions[0].blocks[0] is block else _passed(parent)
        return [*parent.operands, *_yields(parent)]

    def arguments(self, starts: Iterable[SSAValue]) -> set[int]:
        """Return the numbers among the kernel's arguments that go into values."""
        return {_index(v) for v in self.walk(starts, False) if v.owner is self.entry}

    def contents(self, starts: Iterable[SSAValue]) -> set[int]:
        """Return the arguments whose memory is loaded from to compute values."""
        found: set[int] = set()
        for value in self.walk(starts, False):
            if value.owner is self.entry and not _is_number(value):
                found.add(_index(value))
            if isinstance(value.owner, Operation) and value.owner.name.endswith(_LOADS):
                found |= self._memory(value.owner)
        return found

    def _memory(self, load: Operation) -> set[int]:
        """Return the arguments that a load may read: all if nothing leads to one."""
        pointers = tuple(load.operands[:1])
        known = self.known.get(pointers)
        if known is None:
            memory = [v for v in self.walk(pointers, True) if not _is_number(v)]
            known = {_index(v) for v in memory if v.owner is self.entry}
            known = known or {a.index for a in self.entry.args if not _is_number(a)}
            self.known[pointers] = known
        return known


def _index(argument: Any) -> int:
    """Return the position of a block argument."""
    return argument.index


def _is_number(value: SSAValue) -> bool:
    known = info(value.type)
    return known.kind == "scalar" and known.pointee is None and known.scalar.name != "ptr"


def _yields(op: Operation) -> Iterator[SSAValue]:
    """Yield what the blocks in an op's regions hand on."""
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield from block.last_op.operands


def _passed(function: Operation) -> Iterator[SSAValue]:
    """Yield what the blocks of a function pass to one another."""
    for block in function.regions[0].blocks:
        if block.last_op is not None and block.last_op.successors:
            yield from block.last_op.operands


def _address_parts(op: Operation) -> list[SSAValue]:
    """Return the operands of an op that become part of an address or of a place in a block."""
    if op.name == "tt.addptr":
        return [op.operands[1]]
    if op.name in _BLOCKS or op.name.startswith("tt.descriptor"):
        return [o for o in op.operands[1 if len(op.operands) > 1 else 0 :] if _is_whole(o)]
    dialect, _, name = op.name.partition(".")
    if dialect in _ADDRESSING:
        return [o for o in op.operands[1 if name.endswith("store") else 0 :] if _is_whole(o)]
    return []


def _is_whole(value: SSAValue) -> bool:
    known = info(value.type)
    return known.is_array and known.element is not None and not known.scalar.is_float


def _repeats(op: Operation) -> list[SSAValue]:
    """Return what decides how often a loop runs."""
    if op.name in ("scf.for", "scf.while"):
        return list(deciding(op))
    if op.name in ("scf.parallel", "scf.forall", "affine.for"):
        return [o for o in op.operands if _is_whole(o)]
    if op.name in ("cf.cond_br", "cf.switch") and _may_loop(op):
        return [op.operands[0]]
    return []


def _guards(op: Operation) -> list[SSAValue]:
    """Return what decides which lanes of an access are on, or which way a branch goes."""
    if op.name in ("scf.if", "cf.cond_br", "cf.switch", "scf.index_switch"):
        return [op.operands[0]]
    if op.name.startswith(("tt.", "tts.")) and op.name.endswith(tuple(_FIRST_MASK)):
        first = next(k for name, k in _FIRST_MASK.items() if op.name.endswith(name))
        masks = op.operands[first : first + 1]
        return [o for o in masks if _is_whole(o) and info(o.type).scalar.width == 1]
    return []


def _may_loop(op: Operation) -> bool:
    """Whether a branch leads backward."""
    region = op.parent_region()
    block = op.parent
    if region is None or block is None:
        return False
    order = {id(b): k for k, b in enumerate(region.blocks)}
    return any(
        order[id(target)] <= order[id(source)]
        for source in region.blocks
        if source.last_op is not None
        for target in source.last_op.successors
    )


def _kept(value: SSAValue) -> SSAValue:
    """Return the number that a value is a copy of, in another shape or width."""
    while isinstance(value.owner, Operation) and value.owner.name in _KEEPERS:
        value = value.owner.operands[0]
    return value


def uses_of(function: Operation) -> Uses:
    """Return what the arguments of a kernel are used for."""
    slicer = _Slicer(function)
    addresses: list[SSAValue] = []
    repeats: list[SSAValue] = []
    compared: list[SSAValue] = []
    divisors: list[SSAValue] = []
    asserted: list[SSAValue] = []
    found = Uses()
    for op in slicer.ops:
        addresses += _address_parts(op)
        repeats += _repeats(op)
        compared += _guards(op)
        if op.name in _ASSERTIONS:
            asserted.append(op.operands[0])
        if op.name.endswith(_DIVISIONS):
            divisors.append(op.operands[1])
        if op.name == "tt.make_tensor_ptr":
            rank = info(op.results[0].type).rank
            found.strides |= slicer.arguments(op.operands[1 + rank : 1 + 2 * rank])
        elif op.name == "tt.make_tensor_descriptor":
            rank = info(op.results[0].type).rank
            found.strides |= slicer.arguments(op.operands[1 + rank :])
    found.addresses = slicer.arguments(addresses)
    found.loops = slicer.arguments(repeats)
    found.bounds = slicer.arguments(compared)
    found.divisors = slicer.arguments(divisors)
    found.indices = slicer.contents(addresses)
    found.counts = slicer.contents(repeats)
    found.asserted = slicer.contents(asserted)
    for k, argument in enumerate(slicer.entry.args):
        if info(argument.type).kind == "descriptor":
            _of_descriptor(found, slicer.entry, k)
    for value in slicer.walk(addresses, False):
        owner = value.owner
        found.wide |= _is_wide(value)
        if isinstance(owner, Operation) and owner.name.endswith(".muli"):
            for factor in map(_kept, owner.operands):
                if factor.owner is slicer.entry:
                    found.strides.add(_index(factor))
    return found


def _of_descriptor(found: Uses, entry: Block, position: int) -> None:
    """Add sizes and strides that follow a descriptor, as `arguments.sizes_and_strides` has it."""
    rank = info(entry.args[position].type).rank
    following = entry.args[position + 1 : position + 1 + 2 * rank]
    names = [info(a.type).element for a in following]
    if [n and n.name for n in names] == ["i32"] * rank + ["i64"] * rank:
        places = range(position + 1, position + 1 + 2 * rank)
        found.addresses |= set(places)
        found.bounds |= set(places[:rank])
        found.strides |= set(places[rank:])


def _is_wide(value: SSAValue) -> bool:
    known = info(value.type)
    return known.is_array and known.element is not None and known.scalar.name == "i64"
