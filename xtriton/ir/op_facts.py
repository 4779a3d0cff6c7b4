"""
What passes ask of every op, time and again, answered quickly.

The traits of a class of ops do not change, so that what follows from them is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, Region
from xdsl.traits import (
    ConstantLike,
    EffectInstance,
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    OpTrait,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
)

from xtriton.ir.listings import ops_such

OpT = TypeVar("OpT", bound=Operation)


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


def constants_in(root: Operation) -> list[Operation]:
    """Return the constants with one result among `root` and the ops in it."""
    return [op for op in ops_such(root, makes_constants) if len(op.results) == 1]


def is_terminator(op: Operation) -> bool:
    """Return whether `op` ends a block; an unregistered one might."""
    return class_has(type(op), IsTerminator, if_unregistered=True)


def is_isolated(op: Operation) -> bool:
    """Return whether what is inside `op` uses nothing from outside; or `op` is unregistered."""
    return class_has(type(op), IsolatedFromAbove, if_unregistered=True)


def is_pure(op: Operation) -> bool:
    """Return whether the class of `op` says that it has no effects, reads neither."""
    return is_pure_class(type(op))


def is_pure_class(op_type: type[Operation]) -> bool:
    """Return whether ops of a class have no effects, reads neither."""
    return _facts(op_type).is_pure


def is_never_dead(op_type: type[Operation]) -> bool:
    """Return whether somebody would notice if any op of a class were not there."""
    facts = _facts(op_type)
    return facts.is_kept or facts.writes


def is_dead(op: Operation) -> bool:
    """Return whether nobody would notice if `op` were not there."""
    for result in op.results:
        if result.first_use is not None:
            return False
    return would_be_dead(op)


def would_be_dead(op: Operation) -> bool:
    """Return whether nobody who uses no result of `op` would notice if it were not there."""
    facts = _facts(type(op))
    if facts.is_kept or facts.writes:
        return False
    if facts.is_free:
        return True
    # A write is found sooner than all effects, and most stand near the end.
    if any(map(_surely_writes, op.walk(reverse=True) if op.regions else (op,))):
        return False
    # Imports xDSL's rewriting, which a tool that only reads does not need.
    from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

    return would_be_trivially_dead(op)


def _surely_writes(op: Operation) -> bool:
    facts = _facts(type(op))
    if facts.writes or not facts.tell_of_writes:
        return facts.writes
    return any(surely_writes(op) for surely_writes in facts.tell_of_writes)


@dataclass(frozen=True)
class _Facts:
    is_kept: bool
    """Ops of the class end a block or have a name; they stay."""
    writes: bool
    """They always write memory, or nothing is known of them."""
    tell_of_writes: Sequence[Callable[[Operation], bool]]
    """What tells of others whether they surely do."""
    is_free: bool
    """They do nothing but give their results."""
    is_pure: bool
    """They do not even read memory."""
    is_recursive: bool
    """They do what the ops inside of them do, and nothing else."""


@cache
def _facts(op_type: type[Operation]) -> _Facts:
    effects = op_type.get_traits_of_type(MemoryEffect)
    told = [getattr(effect, "surely_writes", None) for effect in effects]
    classes = {trait if isinstance(trait, type) else type(trait) for trait in effects}
    return _Facts(
        is_kept=class_has(op_type, IsTerminator) or class_has(op_type, SymbolOpInterface),
        writes=not classes
        or MemoryWriteEffect in classes
        or any(getattr(trait, "always_writes", False) for trait in effects),
        tell_of_writes=[tells for tells in told if tells is not None],
        is_pure=bool(classes) and classes <= {Pure, NoMemoryEffect},
        is_free=bool(classes) and classes <= {Pure, NoMemoryEffect, MemoryReadEffect},
        is_recursive=classes == {RecursiveMemoryEffect},
    )


def reads_of(op: Operation) -> AbstractSet[EffectInstance] | None:
    """Return what `op`, with all inside it, reads; None if it may do anything else."""
    facts = _facts(type(op))
    if facts.is_pure:
        return _NOTHING
    if _surely_writes(op):
        return None
    if not facts.is_recursive:
        effects = get_effects(op)
        reads = effects is not None and all(e.kind is MemoryEffectKind.READ for e in effects)
        return effects if reads else None
    found: set[EffectInstance] = set()
    for region in op.regions:
        for inner in _ops_from_end(region):
            if not is_pure(inner):
                effects = reads_of(inner)
                if effects is None:
                    return None
                found |= effects
    return found


_NOTHING: frozenset[EffectInstance] = frozenset()


def effects_inside(op: Operation) -> AbstractSet[EffectInstance] | None:
    """Return the effects of the ops in the regions of `op`; None if one has unknown ones."""
    found: set[EffectInstance] = set()
    for region in op.regions:
        for inner in _ops_from_end(region):
            if not is_pure(inner):
                effects = get_effects(inner)
                if effects is None:
                    return None
                found |= effects
    return found


def _ops_from_end(region: Region) -> Iterator[Operation]:
    """Return the ops of a region from the last one: what writes mostly stands near the end."""
    block = region.last_block
    while block is not None:
        op = block._last_op
        while op is not None:
            yield op
            op = op._prev_op
        block = block._prev_block
