"""
What passes ask of every op, time and again, answered quickly.

The traits of a class of ops do not change, so that what follows from them is remembered.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.ir.core import SSAValues
from xdsl.traits import (
    Commutative,
    ConstantLike,
    EffectInstance,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    OpTrait,
    Pure,
    SymbolOpInterface,
    get_effects,
)


@cache
def class_has(
    op_type: type[Operation], trait: type[OpTrait], *, if_unregistered: bool = False
) -> bool:
    """Return whether ops of a class have a trait; unregistered ones are said to or not."""
    if issubclass(op_type, UnregisteredOp):
        return if_unregistered
    return op_type.get_trait(trait) is not None


def is_constant(op: Operation) -> bool:
    """Return whether `op` is a constant with one result."""
    return makes_constants(type(op)) and len(op.results) == 1


@cache
def makes_constants(op_type: type[Operation]) -> bool:
    """Return whether ops of a class are constants."""
    return class_has(op_type, ConstantLike)


def constants_among(ops: Collection[Operation]) -> list[Operation]:
    """Return those of `ops` that are constants with one result."""
    kinds = set(filter(makes_constants, set(map(type, ops))))
    return [op for op in ops if type(op) in kinds and len(op.results) == 1]


def is_commutative(op: Operation) -> bool:
    """Return whether the operands of `op` may be exchanged."""
    return class_has(type(op), Commutative)


def is_terminator(op: Operation) -> bool:
    """Return whether `op` ends a block; an unregistered one might."""
    return class_has(type(op), IsTerminator, if_unregistered=True)


def is_isolated(op: Operation) -> bool:
    """Return whether what is inside `op` uses nothing from outside; or `op` is unregistered."""
    return class_has(type(op), IsolatedFromAbove, if_unregistered=True)


def is_pure(op: Operation) -> bool:
    """Return whether the class of `op` says that it has no effects, reads neither."""
    return _facts(type(op)).is_pure


def is_never_dead(op_type: type[Operation]) -> bool:
    """Return whether somebody would notice if any op of a class were not there."""
    facts = _facts(op_type)
    return facts.is_kept or facts.writes


def is_dead(op: Operation) -> bool:
    """Return whether nobody would notice if `op` were not there."""
    for result in op.results:
        if result.first_use is not None:
            return False
    facts = _facts(type(op))
    if facts.is_kept or facts.writes:
        return False
    if facts.is_free:
        return True
    # A write inside is found sooner than all effects.
    if op.regions and any(_facts(type(inner)).writes for inner in op.walk()):
        return False
    # Imports xDSL's rewriting, which a tool that only reads does not need.
    from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

    return would_be_trivially_dead(op)


@dataclass(frozen=True)
class _Facts:
    is_kept: bool
    """Ops of the class end a block or have a name; they stay."""
    writes: bool
    """They always write memory, or nothing is known of them."""
    is_free: bool
    """They do nothing but give their results."""
    is_pure: bool
    """They do not even read memory."""


@cache
def _facts(op_type: type[Operation]) -> _Facts:
    effects = op_type.get_traits_of_type(MemoryEffect)
    classes = {trait if isinstance(trait, type) else type(trait) for trait in effects}
    return _Facts(
        is_kept=class_has(op_type, IsTerminator) or class_has(op_type, SymbolOpInterface),
        writes=not classes
        or MemoryWriteEffect in classes
        or any(getattr(trait, "always_writes", False) for trait in effects),
        is_pure=bool(classes) and classes <= {Pure, NoMemoryEffect},
        is_free=bool(classes) and classes <= {Pure, NoMemoryEffect, MemoryReadEffect},
    )


def effects_inside(op: Operation) -> AbstractSet[EffectInstance] | None:
    """Return the effects of the ops in the regions of `op`; None if one has unknown ones."""
    found: set[EffectInstance] = set()
    for region in op.regions:
        for inner in _ops(region):
            if not is_pure(inner):
                effects = get_effects(inner)
                if effects is None:
                    return None
                found |= effects
    return found


def nested_ops(root: Operation, *, reverse: bool = False) -> list[Operation]:
    """
    Return `root` and all ops in it, each in front of those in its regions.

    `reverse` lists regions, blocks and ops from the last one to the first. A list may be
    iterated while the module changes.
    """
    found: list[Operation] = [root]
    add = found.append
    # The ops with which to go on, with those that follow them; the next one on top.
    stack = _first_ops(root, reverse)
    while stack:
        op: Operation | None = stack.pop()
        while op is not None:
            add(op)
            following = op._prev_op if reverse else op._next_op
            if op.regions:
                if following is not None:
                    stack.append(following)
                stack += _first_ops(op, reverse)
                break
            op = following
    return found


def ops_with_regions(root: Operation) -> list[Operation]:
    """Return `root` and the ops in it that have regions, each in front of those inside."""
    found: list[Operation] = []
    stack = [root]
    while stack:
        op = stack.pop()
        found.append(op)
        inner = [child for region in op.regions for child in _ops(region) if child.regions]
        stack += reversed(inner)
    return found


def _first_ops(op: Operation, reverse: bool) -> list[Operation]:
    """Return the ops with which the blocks inside begin, the last block first; or the mirror."""
    found: list[Operation] = []
    for region in op.regions:
        block = region._first_block
        while block is not None:
            first = block._last_op if reverse else block._first_op
            if first is not None:
                found.append(first)
            block = block._next_block
    if not reverse:
        found.reverse()
    return found


Facts = tuple[
    SSAValues,
    Block | None,
    Attribute | tuple[Attribute, ...],
    dict[str, Attribute],
    dict[str, Attribute],
    list[object] | None,
]
"""
What there is to say of an op: operands, block, types of results, properties, attributes, and
what is around or inside of it.
"""

_NONE: dict[str, Attribute] = {}

State = dict[Operation, Facts]
"""What there is to say of each op of a module, in their order."""


def state_of(root: Operation, before: State | None = None) -> State:
    """
    Return all that there is to say of `root` and the ops in it, but their locations.

    Two states are equal if nothing changed between them but the order of ops; ops are equal to
    themselves only. What is said of an op that did not change since `before` is the same object,
    and so is the state if nothing changed.
    """
    before = {} if before is None else before
    found: State = {}
    known = before.get
    is_new = False
    for op in nested_ops(root):
        old = known(op)
        results = op.results
        if len(results) == 1:
            # Looking up `results[0]` takes longer.
            (result,) = results
            types = result._type
        else:
            types = tuple([result._type for result in results])
        if old is not None:
            operands, parent, old_types, properties, attributes, inside = old
            if (
                (operands is op._operands or operands == op._operands)
                and parent is op.parent
                and (types is old_types or types == old_types)
                and properties == op.properties
                and attributes == op.attributes
                and inside == (_around(op) if op.regions or op._successors else None)
            ):
                found[op] = old
                continue
        around = _around(op) if op.regions or op._successors else None
        # Most ops have none of these.
        properties = dict(op.properties) if op.properties else _NONE
        attributes = dict(op.attributes) if op.attributes else _NONE
        found[op] = op._operands, op.parent, types, properties, attributes, around
        is_new = True
    if is_new or len(found) != len(before) or list(found) != list(before):
        return found
    return before


def _around(op: Operation) -> list[object]:
    """Return where an op goes on, and the blocks inside with the types of their arguments."""
    facts: list[object] = [*op._successors]
    for region in op.regions:
        block: Block | None = region.first_block
        while block is not None:
            facts.append(block)
            facts += [(argument, argument._type) for argument in block._args]
            block = block._next_block
    return facts


def _ops(region: Region) -> list[Operation]:
    found: list[Operation] = []
    add = found.append
    block: Block | None = region.first_block
    while block is not None:
        op = block.first_op
        while op is not None:
            add(op)
            op = op._next_op
        block = block.next_block
    return found
