"""
xDSL's core, quicker: what passes ask of ops and values a million times, without Python code.

Ops, blocks and values are equal only to themselves, which `object` says as well, in C; the
named operands, results and regions in front of all variadic ones are a look into a tuple; and
instances of their classes and of attributes' are those that `type` says, as nobody registers
others. Nothing means something else than before. `xtriton.ir` applies this when it is imported.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator
from typing import Any, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation
from xdsl.irdl.operations import BeforeVariadicSingleAccessor, VarIRConstruct

_OPERAND, _RESULT, _REGION = VarIRConstruct.OPERAND, VarIRConstruct.RESULT, VarIRConstruct.REGION
_item = cast(Any, tuple).__getitem__


def _getitem(self: tuple[Any, ...], index: Any) -> Any:
    found = _item(self, index)
    return SSAValues(found) if index.__class__ is slice else found


def _get(self: BeforeVariadicSingleAccessor, op: Any, owner: object = None) -> Any:
    construct = self.construct
    if construct is _OPERAND:
        return _item(op._operands, self.idx)
    if construct is _RESULT:
        return _item(op.results, self.idx)
    return (op.regions if construct is _REGION else op.successors)[self.idx]


class _Quick(ABCMeta):
    """Classes without virtual subclasses."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


def _family(cls: type) -> Iterator[type]:
    yield cls
    for child in type.__subclasses__(cls):
        yield from _family(child)


_careful_walks: dict[type, Any] = {cls: cls.walk for cls in (Block, Operation, Region)}


def _walk(
    self: Operation, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    if reverse or region_first:
        yield from _careful_walks[Operation](self, reverse=reverse, region_first=region_first)
        return
    yield self
    for region in self.regions:
        yield from _walk_region(region)


def _walk_region(
    self: Region, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    if reverse or region_first:
        yield from _careful_walks[Region](self, reverse=reverse, region_first=region_first)
        return
    block = self.first_block
    while block is not None:
        next_block = block.next_block
        yield from _walk_on(block.first_op)
        block = next_block


def _walk_block(
    self: Block, *, reverse: bool = False, region_first: bool = False
) -> Iterator[Operation]:
    if reverse or region_first:
        yield from _careful_walks[Block](self, reverse=reverse, region_first=region_first)
        return
    yield from _walk_on(self.first_op)


def _walk_on(op: Operation | None) -> Iterator[Operation]:
    """Walk over an op and those that follow it in its block."""
    while op is not None:
        # As in xDSL, whoever is given an op may move or erase it.
        next_op = op.next_op
        yield op
        for region in op.regions:
            block = region.first_block
            while block is not None:
                next_block = block.next_block
                yield from _walk_on(block.first_op)
                block = next_block
        op = next_op


_METHODS: dict[tuple[type, str], object] = {
    (Block, "walk"): _walk_block,
    (Operation, "walk"): _walk,
    (Region, "walk"): _walk_region,
    (SSAValues, "__getitem__"): _getitem,
    (BeforeVariadicSingleAccessor, "__get__"): _get,
}


def _apply() -> None:
    for cls in {c for root in (Attribute, Operation, SSAValue) for c in _family(root)}:
        if type(cls) is ABCMeta:
            cls.__class__ = _Quick
    for cls in {IRDLOperation, SSAValue, Use, *Operation.__mro__[:-1]}:
        if "__hash__" in vars(cls):
            for name in ("__eq__", "__hash__"):
                setattr(cls, name, getattr(object, name))
    for (cls, name), method in _METHODS.items():
        setattr(cls, name, method)


_apply()
