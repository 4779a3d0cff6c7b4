"""
xDSL's core, quicker: what passes ask of ops and values a million times, without Python code.

Ops, blocks and values are equal only to themselves, which `object` says as well, in C; the named
operands, results and regions in front of all variadic ones are a look into a tuple; and instances
of their classes, of attributes' and of definitions' are those that `type` says, as nobody
registers others. Nothing means something else than before. `xtriton.ir` applies this when it is
imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.ir.core import BlockOps, IRUses, IRWithUses, RegionBlocks, SSAValues
from xdsl.irdl import IRDLOperation
from xdsl.irdl.operations import (
    BaseAccessor,
    BaseAttrAccessor,
    BeforeVariadicSingleAccessor,
    VarIRConstruct,
)

from xtriton.late_definitions import check_quickly

_OPERAND, _RESULT, _REGION = VarIRConstruct.OPERAND, VarIRConstruct.RESULT, VarIRConstruct.REGION
_item = cast(Any, tuple).__getitem__


def _getitem(self: tuple[Any, ...], index: Any) -> Any:
    found = _item(self, index)
    return SSAValues(found) if index.__class__ is slice else found


def _get(self: BeforeVariadicSingleAccessor, op: Any, owner: object = None) -> Any:
    construct = self.construct
    if construct is _OPERAND:
        return op._operands[self.idx]
    if construct is _RESULT:
        return _item(op.results, self.idx)
    return (op.regions if construct is _REGION else op.successors)[self.idx]


def _get_some(self: BaseAccessor, op: Any, owner: object = None) -> Any:
    index: Any = self.index
    return _picked(op, self.construct, index)


def _get_sized(self: BaseAttrAccessor, op: Any, owner: object = None) -> Any:
    sizes: Any = self.option.container(op)[self.option.attribute_name]
    return _picked(op, self.construct, partial(self.index, sizes.get_values()))


def _picked(op: Any, construct: VarIRConstruct, pick: Callable[[Any], Any]) -> Any:
    """Return one or several constructs; several operands or results know their types."""
    if construct is _REGION:
        return pick(op.regions)
    if construct is not _OPERAND and construct is not _RESULT:
        return pick(op._successors)
    found = pick(op._operands if construct is _OPERAND else op.results)
    return SSAValues(found) if found.__class__ is tuple else found


def _values(self: DenseArrayBase[Any]) -> tuple[Any, ...]:
    """An attribute does not change, and segments of operands are asked for with each of them."""
    held = vars(self)
    found = held.get(_VALUES)
    if found is None:
        found = held[_VALUES] = self.elt_type.unpack(self.data.data, len(self))
    return found


_VALUES = "_remembered_values"


_ToWalk = Region | Block | Operation | tuple[Operation]
"""A region; a block and those that follow, an op and those that follow; an op alone."""


def _walk_region(
    self: Region, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    return _walk([self], reverse, region_first)


def _walk_block(
    self: Block, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    first = self._last_op if reverse else self._first_op
    return _walk([] if first is None else [first], reverse, region_first)


def _walk_op(
    self: Operation, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    if not self.regions:
        return iter((self,))
    inside = _walk(_in_turn(self.regions, reverse), reverse, region_first)
    return chain(inside, (self,)) if region_first else chain((self,), inside)


def _walk(stack: list[_ToWalk], reverse: bool, region_first: bool) -> Iterator[Operation]:
    """
    Walk over what is on a stack: one generator for all levels, as each costs for each op.

    As in xDSL, whoever is given an op may move or erase it: what follows is read before.
    """
    op: Operation | None = None
    while op is not None or stack:
        if op is None:
            place = stack.pop()
            if isinstance(place, tuple):
                yield place[0]
                continue
            if isinstance(place, Region):
                place = place.last_block if reverse else place.first_block
                if place is None:
                    continue
            if isinstance(place, Block):
                block = place._prev_block if reverse else place._next_block
                if block is not None:
                    stack.append(block)
                op = place._last_op if reverse else place._first_op
                continue
            op = place
        following = op._prev_op if reverse else op._next_op
        comes_last = region_first and bool(op.regions)
        if not comes_last:
            yield op
        if not op.regions or (region_first and not comes_last):
            op = following
            continue
        if following is not None:
            stack.append(following)
        if comes_last:
            stack.append((op,))
        stack += _in_turn(op.regions, reverse)
        op = None


def _in_turn(regions: Sequence[Region], reverse: bool) -> list[_ToWalk]:
    """Return regions for a stack, of which the last one is taken first."""
    return list(regions if reverse else reversed(regions))


def _ops_of(self: BlockOps) -> Iterator[Operation]:
    op = self.block._first_op
    while op is not None:
        following = op._next_op
        yield op
        op = following


def _blocks_of(self: RegionBlocks) -> Iterator[Block]:
    block = self._region._first_block
    while block is not None:
        following = block._next_block
        yield block
        block = following


_careful_block_at = cast(Any, RegionBlocks).__getitem__


def _block_at(self: RegionBlocks, idx: Any) -> Any:
    if not isinstance(idx, int):
        return _careful_block_at(self, idx)
    region = self._region
    block = region._first_block if idx >= 0 else region._last_block
    for _ in range(idx if idx >= 0 else -idx - 1):
        if block is None:
            break
        block = block._next_block if idx >= 0 else block._prev_block
    if block is None:
        raise IndexError
    return block


_METHODS: dict[tuple[type, str], object] = {
    (Block, "ops"): property(BlockOps),
    (Block, "walk"): _walk_block,
    (BlockOps, "__iter__"): _ops_of,
    (IRWithUses, "uses"): property(IRUses),
    (Operation, "walk"): _walk_op,
    (Region, "blocks"): property(RegionBlocks),
    (Region, "walk"): _walk_region,
    (RegionBlocks, "__getitem__"): _block_at,
    (RegionBlocks, "__iter__"): _blocks_of,
    (SSAValues, "__getitem__"): _getitem,
    (BaseAccessor, "__get__"): _get_some,
    (BaseAttrAccessor, "__get__"): _get_sized,
    (BeforeVariadicSingleAccessor, "__get__"): _get,
    (DenseArrayBase, "get_values"): _values,
}


def _apply() -> None:
    check_quickly()
    for cls in {IRDLOperation, SSAValue, Use, *Operation.__mro__[:-1]}:
        if "__hash__" in vars(cls):
            for name in ("__eq__", "__hash__"):
                setattr(cls, name, getattr(object, name))
    for (cls, name), method in _METHODS.items():
        setattr(cls, name, method)


_apply()
