"""
xDSL's core, quicker: making, replacing and erasing ops, step for step as xDSL does it.

A pass makes and erases as many ops as a module has, and xDSL takes a dozen calls for each. What
follows does the same in one: the same lists of uses in the same order, the same errors where
something is not allowed. `xtriton.ir` applies this when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set as AbstractSet
from functools import cache, partial
from operator import attrgetter
from typing import Any, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)
from xdsl.ir.core import IRWithName, OpOperands, SSAValues, Use
from xdsl.irdl import (
    IRDLOperation,
    OptionalDef,
)
from xdsl.irdl.operations import VariadicDef
from xdsl.traits import OpTrait

from xtriton.ir.noted_edits import note_edit, note_edit_of, note_erased, note_lost_uses

_operands_of = cast(Callable[[Iterable[SSAValue]], SSAValues], tuple)
"""
What an op keeps of its operands: `SSAValues` indexes ten times slower than the tuple that it is.

Whoever asks for `op.operands` sees no difference.
"""

Defaults = tuple[Sequence[tuple[str, Attribute]], Sequence[tuple[str, Attribute]]]
"""Properties and attributes."""

_nothing: Defaults = ((), ())


# --- ops ------------------------------------------------------------------------------------


def _init(
    self: Operation,
    *,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = {},
    attributes: Mapping[str, Attribute] = {},
    location: LocationAttr | None = None,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
) -> None:
    """What is empty and stands in the class is not set once more."""
    if operands:
        self._operands = _operands_of(operands)
        self._operand_uses = new_uses(self, self._operands)
    if len(result_types) == 1:
        result = _blank_result()
        result._type, result.op, result.index = result_types[0], self, 0
        self.results = SSAValues((result,))
    elif result_types:
        self.results = SSAValues([new_result(t, self, i) for i, t in enumerate(result_types)])
    self.properties = dict(properties) if properties else {}
    self.attributes = dict(attributes) if attributes else {}
    self.location = UNKNOWN_LOC if location is None else location
    if successors:
        self.successors = list(successors)
    for region in regions:
        self.add_region(region)
    more = _made_up[type(self)]
    if more is None or Operation.__post_init__ is not _careful_post_init:
        self.__post_init__()
    elif more is not _nothing:
        _set_defaults(self, more)


_careful_build = IRDLOperation.__init__


def _build(
    self: IRDLOperation,
    *,
    operands: Sequence[Any] | None = None,
    result_types: Sequence[Any] | None = None,
    properties: Mapping[str, Attribute | None] | None = None,
    attributes: Mapping[str, Attribute | None] | None = None,
    successors: Sequence[Any] | None = None,
    regions: Sequence[Any] | None = None,
) -> None:
    """Only what is as plain as its definition, value by value, needs no looking at."""
    values, types = operands or (), result_types or ()
    if (
        (len(values), len(types)) != _plain_counts(type(self))
        or successors
        or regions
        or not all(isinstance(value, SSAValue) for value in values)
        or not all(isinstance(type, Attribute) for type in types)
    ):
        _careful_build(
            self,
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            successors=successors,
            regions=regions,
        )
        return
    Operation.__init__(
        self,
        operands=values,
        result_types=types,
        properties={k: v for k, v in (properties or {}).items() if v is not None},
        attributes={k: v for k, v in (attributes or {}).items() if v is not None},
    )


@cache
def _plain_counts(op_type: type[IRDLOperation]) -> tuple[int, int] | None:
    """Return how many operands and results ops of a class have, which have nothing else."""
    definition = op_type.get_irdl_definition()
    values = [each for _, each in (*definition.operands, *definition.results)]
    if definition.options or definition.regions or definition.successors:
        return None
    if any(isinstance(each, VariadicDef) for each in values):
        return None
    return len(definition.operands), len(definition.results)


_blank_use = cast(Callable[[], Use], partial(object.__new__, Use))
_blank_result = cast(Callable[[], OpResult], partial(object.__new__, OpResult))
"""Make what a dataclass would be given its fields by a call of Python's."""


def new_result(type: Attribute, op: Operation, index: int) -> OpResult:
    """Return what `OpResult` makes."""
    result = _blank_result()
    result._type, result.op, result.index = type, op, index
    return result


def _init_argument(
    self: BlockArgument,
    _type: Attribute,
    block: Block,
    index: int,
    location: LocationAttr = UNKNOWN_LOC,
) -> None:
    """Do what xDSL does, which imports the unknown location anew for each argument."""
    self._type, self.block, self.index, self.location = _type, block, index, location


def new_uses(op: Operation, operands: Sequence[SSAValue]) -> tuple[Use, ...]:
    """Return the uses of its operands by an op that is made or changed."""
    uses: list[Use] = []
    for i, operand in enumerate(operands):
        use = _blank_use()
        use._operation, use._index, use._prev_use = op, i, None
        first = use._next_use = operand.first_use
        if first is not None:
            first._prev_use = use
        operand.first_use = use
        uses.append(use)
    return tuple(uses)


def _set_operands(self: Operation, new: Sequence[SSAValue]) -> None:
    note_edit(self)
    note_lost_uses(self._operands)
    new = _operands_of(new)
    for operand, use in zip(self._operands, self._operand_uses):  # noqa: B905 it takes twice as long
        remove_use(operand, use)
    self._operands = new
    self._operand_uses = new_uses(self, new)


def _fill_in_defaults(self: IRDLOperation) -> None:
    """The definition of a class of ops does not change, nor what it gives by default."""
    _set_defaults(self, _defaults(type(self)))
    # xDSL's implicit builders come in here.
    if Operation.__post_init__ is not _careful_post_init:
        super(IRDLOperation, self).__post_init__()


def _set_defaults(op: Operation, defaults: Defaults) -> None:
    properties, attributes = defaults
    for name, value in properties:
        op.properties.setdefault(name, value)
    for name, value in attributes:
        op.attributes.setdefault(name, value)


_careful_post_init = Operation.__post_init__


class _MadeUp(dict[type[Operation], "Defaults | None"]):
    """What ops of a class get by default where they need nothing else; None where they may."""

    def __missing__(self, op_type: type[Operation]) -> Defaults | None:
        is_plain = op_type.__post_init__ is _fill_in_defaults
        found = _defaults(cast(type[IRDLOperation], op_type)) if is_plain else None
        self[op_type] = found
        return found


_made_up = _MadeUp()


@cache
def _defaults(op_type: type[IRDLOperation]) -> Defaults:
    """Return the properties and attributes that ops of a class have by default."""
    definition = op_type.get_irdl_definition()
    properties, attributes = (
        [
            (name, each.default_value)
            for name, each in named.items()
            if not isinstance(each, OptionalDef) and each.default_value is not None
        ]
        for named in (definition.properties, definition.attributes)
    )
    return (properties, attributes) if properties or attributes else _nothing


def _parent_op(self: Operation) -> Operation | None:
    block = self.parent
    region = None if block is None else block.parent
    return None if region is None else region.parent


def _erase(self: Operation, safe_erase: bool = True, drop_references: bool = True) -> None:
    assert self.parent is None, "Operation with parents should first be detached before erasure."
    if drop_references:
        note_erased(self)
        _drop_all_references(self)
    for result in self.results:
        if result.first_use is not None:
            result.erase(safe_erase=safe_erase)


def _drop_all_references(self: Operation) -> None:
    self.parent = None
    if self._operand_uses:
        operands = self._operands
        note_lost_uses(operands)
        for operand, use in zip(operands, self._operand_uses):  # noqa: B905 it takes twice as long
            remove_use(operand, use)
        self._operand_uses = ()
    if self._successors:
        for successor, use in zip(self._successors, self._successor_uses, strict=False):
            successor.remove_use(use)
        self._successor_uses = ()
        self._successors = ()
    for region in self.regions:
        region.drop_all_references()


_careful_clone = Operation.clone


def _clone(
    self: Operation,
    value_mapper: dict[SSAValue, SSAValue] | None = None,
    block_mapper: dict[Block, Block] | None = None,
    *,
    clone_name_hints: bool = True,
    clone_operands: bool = True,
) -> Operation:
    """Ops with regions or successors are cloned as before."""
    if self.regions or self._successors or not clone_operands:
        return _careful_clone(
            self,
            value_mapper,
            block_mapper,
            clone_name_hints=clone_name_hints,
            clone_operands=clone_operands,
        )
    operands = self._operands
    clone = self.create(
        operands=[value_mapper.get(o, o) for o in operands] if value_mapper else operands,
        result_types=[result._type for result in self.results],
        properties=self.properties,
        attributes=self.attributes,
        location=self.location,
    )
    for old, new in zip(self.results, clone.results, strict=True):
        if value_mapper is not None:
            value_mapper[old] = new
        if clone_name_hints and old._name is not None:
            new._name = old._name
    return clone


def _traits_of_type(cls: type[Operation], trait_type: type[OpTrait]) -> list[OpTrait]:
    """Remembered with the traits of a class, which may get more."""
    held, traits = vars(cls.traits), cls.traits.traits
    none: _Sorted = (None, {})
    known: _Sorted = held.get("_sorted", none)
    if known[0] is not traits:
        held["_sorted"] = known = traits, none[1]
    found = known[1].get(trait_type)
    if found is None:
        found = known[1][trait_type] = [t for t in traits if isinstance(t, trait_type)]
    return found


_Sorted = tuple[AbstractSet[OpTrait] | None, dict[type[OpTrait], list[OpTrait]]]
"""Traits, and those of them that are of a class."""


_careful_trait = cast(Any, Operation.get_trait).__func__


def _trait(cls: type[Operation], trait: type[OpTrait] | OpTrait) -> OpTrait | None:
    if not isinstance(trait, type):
        return _careful_trait(cls, trait)
    found = cls.get_traits_of_type(trait)
    return found[0] if found else None


# --- values ---------------------------------------------------------------------------------


_careful_value = SSAValue.get


def _value(arg: SSAValue | Operation, *, type: Any = Attribute) -> SSAValue:
    if type is Attribute and isinstance(arg, SSAValue):
        return arg
    return _careful_value(arg, type=type)


def remove_use(value: SSAValue, use: Use) -> None:
    """Take a use away from a value, and tell nobody."""
    before, after = use._prev_use, use._next_use
    if after is not None:
        after._prev_use = before
    if before is None:
        value.first_use = after
    else:
        before._next_use = after


def _replace_all_uses_with(self: SSAValue, value: SSAValue) -> None:
    if value is self:
        return
    # Who gives a value another type puts a new one in its place.
    note_edit_of(self)
    use = self.first_use
    while use is not None:
        after = use._next_use
        op = use._operation
        note_edit(op)
        operands = list(op._operands)
        operands[use._index] = value
        op._operands = _operands_of(operands)
        first = use._next_use = value.first_use
        use._prev_use = None
        if first is not None:
            first._prev_use = use
        value.first_use = use
        use = after
    self.first_use = None
    if value._name is None and self._name is not None:
        value._name = self._name


def _operand(self: OpOperands, index: Any) -> Any:
    operands: Any = self._op._operands
    return SSAValues(operands[index]) if index.__class__ is slice else operands[index]


def _set_operand(self: OpOperands, index: int, operand: SSAValue) -> None:
    op = self._op
    note_edit(op)
    operands = list(op._operands)
    note_lost_uses((operands[index],))
    use = op._operand_uses[index]
    remove_use(operands[index], use)
    operand.add_use(use)
    operands[index] = operand
    op._operands = _operands_of(operands)


def use_first(op: Operation, index: int) -> None:
    """Put the use of an operand in front of the others, as setting it to what it is would."""
    value, use = op._operands[index], op._operand_uses[index]
    first = value.first_use
    if first is not None and first is not use:
        remove_use(value, use)
        use._next_use, use._prev_use = first, None
        first._prev_use = use
        value.first_use = use


_METHODS: dict[tuple[type, str], object] = {
    (IRDLOperation, "__init__"): _build,
    (IRDLOperation, "__post_init__"): _fill_in_defaults,
    (IRWithName, "name_hint"): property(attrgetter("_name"), IRWithName.name_hint.fset),
    (BlockArgument, "__init__"): _init_argument,
    (Operation, "__init__"): _init,
    (Operation, "clone"): _clone,
    (Operation, "drop_all_references"): _drop_all_references,
    (Operation, "erase"): _erase,
    (Operation, "get_trait"): classmethod(_trait),
    (Operation, "get_traits_of_type"): classmethod(_traits_of_type),
    (Operation, "operands"): property(OpOperands, _set_operands),
    (Operation, "parent_op"): _parent_op,
    (OpOperands, "__getitem__"): _operand,
    (OpOperands, "__setitem__"): _set_operand,
    (SSAValue, "get"): staticmethod(_value),
    (SSAValue, "replace_all_uses_with"): _replace_all_uses_with,
}

_FIELDS: dict[type, dict[str, str]] = {
    Block: {"args": "_args", "first_op": "_first_op", "last_op": "_last_op"}
    | {"next_block": "_next_block", "prev_block": "_prev_block", "parent_node": "parent"},
    BlockArgument: {"owner": "block"},
    Operation: {"next_op": "_next_op", "prev_op": "_prev_op", "parent_node": "parent"},
    OpResult: {"owner": "op"},
    Region: {"first_block": "_first_block", "last_block": "_last_block", "parent_node": "parent"},
    SSAValue: {"type": "_type"},
    Use: {"index": "_index", "operation": "_operation"},
}
"""Properties that only give a field."""


def _apply() -> None:
    for (cls, name), method in _METHODS.items():
        setattr(cls, name, method)
    for cls, fields in _FIELDS.items():
        for name, field in fields.items():
            setattr(cls, name, property(attrgetter(field)))


_apply()
