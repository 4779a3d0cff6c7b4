"""
What passes ask of every op, time and again, answered quickly.

The traits of a class of ops do not change, so that what follows from them is remembered.
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Operation, Region
from xdsl.traits import (
    Commutative,
    ConstantLike,
    IsTerminator,
    MemoryEffect,
    NoMemoryEffect,
    OpTrait,
    Pure,
    SymbolOpInterface,
)
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead


@cache
def class_has(op_type: type[Operation], trait: type[OpTrait]) -> bool:
    """Return whether ops of a class have a trait; nothing is known of unregistered ops."""
    if issubclass(op_type, UnregisteredOp):
        return False
    return op_type.get_trait(trait) is not None


def is_constant(op: Operation) -> bool:
    """Return whether `op` is a constant with one result."""
    return class_has(type(op), ConstantLike) and len(op.results) == 1


def is_commutative(op: Operation) -> bool:
    """Return whether the operands of `op` may be exchanged."""
    return class_has(type(op), Commutative)


def is_dead(op: Operation) -> bool:
    """Return whether nobody would notice if `op` were not there."""
    for result in op.results:
        if result.first_use is not None:
            return False
    return _never_has_effects(type(op)) or would_be_trivially_dead(op)


@cache
def _never_has_effects(op_type: type[Operation]) -> bool:
    if class_has(op_type, IsTerminator) or class_has(op_type, SymbolOpInterface):
        return False
    effects = op_type.get_traits_of_type(MemoryEffect)
    return bool(effects) and all(
        (trait if isinstance(trait, type) else type(trait)) in (Pure, NoMemoryEffect)
        for trait in effects
    )


def nested_ops(root: Operation, *, reverse: bool = False) -> list[Operation]:
    """
    Return `root` and all ops in it, each in front of those in its regions.

    `reverse` lists regions, blocks and ops from the last one to the first. A list may be
    iterated while the module changes.
    """
    found: list[Operation] = []
    # What is still to be listed lies on the stack, first things on top.
    stack: list[Operation] = [root]
    while stack:
        op = stack.pop()
        found.append(op)
        if op.regions:
            inner = [child for region in op.regions for child in _ops(region)]
            stack += inner if reverse else reversed(inner)
    return found


def _ops(region: Region) -> list[Operation]:
    found: list[Operation] = []
    block: Block | None = region.first_block
    while block is not None:
        op = block.first_op
        while op is not None:
            found.append(op)
            op = op.next_op
        block = block.next_block
    return found
