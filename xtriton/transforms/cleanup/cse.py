"""
Merge ops that compute the same thing.

Before:

    %0 = arith.addi %a, %b : i32
    %1 = arith.addi %b, %a : i32
    %2 = arith.muli %0, %1 : i32

After:

    %0 = arith.addi %a, %b : i32
    %2 = arith.muli %0, %0 : i32

An op is replaced by an equal one that dominates it: an earlier one in its block, in a
dominating block, or around its region. Ops that read memory are merged within a block with
nothing that writes in between. An op with regions is merged if these have one block each
and are equal. As in MLIR, the op that stays keeps its location, unless only the other one
has any.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Commutative, IsTerminator

from xtriton.ir.checking.dominance import dominator_tree
from xtriton.ir.locations import UNKNOWN
from xtriton.ir.op_facts import (
    class_has,
    is_dead,
    is_isolated,
    is_never_dead,
    is_pure_class,
    reads_of,
)
from xtriton.passes.rewriting import replace
from xtriton.transforms.cleanup.settled import may_know, settled

Known = dict[Hashable, Operation]
"""
Ops that dominate the current place, by class, memory and operands.

Few ops have all of that in common with another. Those that do, and those without operands, are
kept by all that they compute apart from their regions; and where only regions differ, the next op
by this in brackets.
"""


@dataclass(frozen=True)
class CSEPass(ModulePass):
    """Merge ops that compute the same thing, within the bounds of dominance and memory."""

    name = "cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        merge_equal_ops(op)


def merge_equal_ops(root: Operation) -> None:
    """Merge equal ops in the regions of `root`; see the module's docstring."""
    if may_know(root, _MERGING) and settled(root).knows(_MERGING):
        return
    driver = _Merger()
    for region in root.regions:
        driver.visit_region(region)
    if not driver.changed:
        settled(root).note(_MERGING)


_MERGING = (CSEPass,)


@dataclass
class _Numbering:
    """Numbers attributes, from 1, so that equal ones have one number and each is hashed once."""

    known: dict[int, int] = field(default_factory=dict[int, int])
    """The numbers by the identities of the attributes."""
    _by_value: dict[Attribute, int] = field(default_factory=dict[Attribute, int])
    _kept: list[Attribute] = field(default_factory=list[Attribute])
    """Keeping attributes keeps their identities from being used again."""

    def number(self, attribute: Attribute) -> int:
        """Return the number of an attribute whose identity has none yet."""
        number = self._by_value.setdefault(attribute, len(self._by_value) + 1)
        self._kept.append(attribute)
        self.known[id(attribute)] = number
        return number


@dataclass(frozen=True)
class _Kind:
    """What there is to know of a class of ops."""

    ends_a_block: bool
    is_never_dead: bool
    is_pure: bool
    is_commutative: bool


class _Kinds(dict[type[Operation], _Kind]):
    """What there is to know of the classes that were met."""

    def __missing__(self, op_type: type[Operation]) -> _Kind:
        found = self[op_type] = _Kind(
            class_has(op_type, IsTerminator, if_unregistered=True),
            is_never_dead(op_type),
            is_pure_class(op_type),
            class_has(op_type, Commutative),
        )
        return found


_kinds = _Kinds()


@dataclass
class _Merger:
    numbering: _Numbering = field(default_factory=_Numbering)
    changed: bool = False
    memory_state: int = 0
    """Changes with every write and every block: reads in one state see the same memory."""

    def visit_region(self, region: Region, around: Known | None = None) -> None:
        """Merge within `region`; `around` holds what is known around it, if that counts inside."""
        entry = region.first_block
        if entry is None:
            return
        known: Known = {} if around is None else around
        if entry.next_block is None:
            of_entry: list[Hashable] = []
            self._visit_ops(entry, known, of_entry)
            if around is not None:
                _forget(known, of_entry)
            return
        children = dominator_tree(region)
        added: list[list[Hashable]] = []
        stack: list[Block | None] = [entry]
        while stack:
            block = stack.pop()
            if block is None:
                _forget(known, added.pop())
                continue
            added.append([])
            self._visit_ops(block, known, added[-1])
            # None marks the end of the subtree that sees what this block adds.
            stack.append(None)
            stack.extend(reversed(children[block]))

    def _visit_ops(self, block: Block, known: Known, added: list[Hashable]) -> None:
        self.memory_state += 1
        op = block._first_op
        while op is not None:
            following = op._next_op
            if op.regions:
                self._visit_regions(op, known)
            kind = _kinds[type(op)]
            if kind.ends_a_block:
                pass
            elif not kind.is_never_dead and is_dead(op):
                Rewriter.erase_op(op)
                self.changed = True
            else:
                self._visit_op(op, kind, known, added)
            op = following

    def _visit_regions(self, op: Operation, known: Known) -> None:
        isolated = is_isolated(op)
        for region in op.regions:
            self.visit_region(region, None if isolated else known)
        self.memory_state += 1

    def _visit_op(self, op: Operation, kind: _Kind, known: Known, added: list[Hashable]) -> None:
        state = 0
        if not kind.is_pure:
            reads = reads_of(op)
            if reads is None:
                self.memory_state += 1
                return
            state = self.memory_state if reads else 0
        if op.regions and any(r.first_block is not r.last_block for r in op.regions):
            return
        operands: tuple[SSAValue, ...] = op._operands
        if kind.is_commutative and len(operands) > 1:
            operands = tuple(sorted(operands, key=id))
        # Values are equal to themselves only.
        key = (type(op), state, operands)
        if operands:
            other = known.setdefault(key, op)
            if other is op:
                added.append(key)
                return
            if _attributes_equal(op, other) and _regions_equal(op, other):
                self._replace(op, other)
                return
        self._merge(op, (*key, *self._rest_of_key(op)), known, added)

    def _merge(self, op: Operation, key: Hashable, known: Known, added: list[Hashable]) -> None:
        """Replace an op by one that computes the same, or keep it for others."""
        while (other := known.get(key)) is not None:
            if _regions_equal(op, other):
                self._replace(op, other)
                return
            key = (key,)
        known[key] = op
        added.append(key)

    def _replace(self, op: Operation, other: Operation) -> None:
        if other.location == UNKNOWN:
            other.location = op.location
        replace(op, other.results)
        self.changed = True

    def _rest_of_key(self, op: Operation) -> Sequence[Hashable]:
        """Return the types of results and the attributes of an op as numbers."""
        numbering = self.numbering
        known = numbering.known
        parts: list[Hashable] = []
        for result in op.results:
            parts.append(known.get(id(result._type)) or numbering.number(result._type))
        for attributes in (op.properties, op.attributes):
            # Most have none or one, which needs no set.
            if not attributes:
                parts.append(None)
            elif len(attributes) == 1:
                for name, attribute in attributes.items():
                    parts += name, known.get(id(attribute)) or numbering.number(attribute)
            else:
                parts.append(self._numbered(attributes))
        return parts

    def _numbered(self, attributes: Mapping[str, Attribute]) -> Hashable:
        known, number = self.numbering.known, self.numbering.number
        return frozenset([(n, known.get(id(a)) or number(a)) for n, a in attributes.items()])


def _forget(known: Known, added: list[Hashable]) -> None:
    for key in added:
        del known[key]


def _attributes_equal(op: Operation, other: Operation) -> bool:
    """Return whether types of results and attributes are equal."""
    return (
        [result._type for result in op.results] == [result._type for result in other.results]
        and op.properties == other.properties
        and op.attributes == other.attributes
    )


def _regions_equal(op: Operation, other: Operation) -> bool:
    if not op.regions and not other.regions:
        return True
    return len(op.regions) == len(other.regions) and all(
        a.is_structurally_equivalent(b) for a, b in zip(op.regions, other.regions, strict=True)
    )
