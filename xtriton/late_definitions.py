"""
Definitions of ops and attributes, made when one is first used.

xDSL derives what an op consists of from the body of its class, at import: constraints, accessors,
a program for its assembly format. A run uses a few ops of the hundreds that its dialects have.
Once `define_late` has been called, a class keeps its body until somebody asks for what is derived
from it; changes of a class (see `dialects/upstream/repair.py`) wait with it. Attributes are checked
against theirs when they are made. Constraints that one of many classes meets are made without
comparing each class with each other one.
"""

from __future__ import annotations

from _thread import RLock  # as `threading` has it, which a start can do without
from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import xdsl.irdl
import xdsl.irdl.attributes as attributes
import xdsl.irdl.operations as operations
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypedAttribute,
)
from xdsl.irdl import (
    AnyOf,
    AttrConstraint,
    BaseAttr,
    IntConstraint,
    IRDLOperation,
    OpDef,
    ParamAttrConstraint,
    ParamAttrDef,
    RangeConstraint,
)
from xdsl.traits import OpTrait
from xdsl.utils.classvar import is_classvar
from xdsl.utils.exceptions import (
    ParseError,
    PyRDLAttrDefinitionError,
    PyRDLOpDefinitionError,
)
from xdsl.utils.runtime_final import is_runtime_final, runtime_final

from xtriton.annotations import own_annotations

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

OpT = TypeVar("OpT", bound=IRDLOperation)

_FIELD: Any = vars(operations)["_OpDefField"]
_DEFINE = operations.irdl_op_definition
_ACCESSORS = operations.get_accessors_from_op_def
_CONSTRAINT: Any = attributes.irdl_to_attr_constraint
_ROOTS: tuple[type, ...] = (
    *(Attribute, Block, Operation, Region, SSAValue, OpTrait),
    *(AttrConstraint, IntConstraint, RangeConstraint),
    *(operations.IRDLOption, operations.OperandOrResultDef),
)
_NO_PARAMETERS = frozenset({"name", "parameters"})
_ANY_OF: Any = AnyOf.get
_DERIVED = ("get_irdl_definition", "traits", "verify_")
_FORMATTED = ("parse", "print")
_ABSENT = object()


def define_late() -> None:
    """Let what is imported from now on be defined when it is used."""
    attributes.irdl_param_attr_definition = _attribute_later
    operations.irdl_op_definition = _later
    xdsl.irdl.irdl_op_definition = _later
    for module in (attributes, operations, xdsl.irdl):
        vars(module)["irdl_to_attr_constraint"] = _constraint
    AnyOf.get = staticmethod(_any_of)
    for name in ("_based_constrs", "_abstr_constr"):
        setattr(AnyOf, name, _LateMember(name))
    operations.get_accessors_from_op_def = _accessors
    check_quickly()


class Quick(ABCMeta):
    """Classes without virtual subclasses."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


def check_quickly() -> None:
    """Let instances of xDSL's classes be those that `type` says, as nobody registers others."""
    for cls in {cls for root in _ROOTS for cls in _family(root)}:
        if type(cls) is ABCMeta:
            cls.__class__ = Quick


def _family(cls: type) -> Iterator[type]:
    yield cls
    for child in type.__subclasses__(cls):
        yield from _family(child)


def when_defined(op: type[IRDLOperation], names: Iterable[str], change: Callable[[], None]) -> None:
    """Do what changes the members `names` of a class: now, or right after its definition."""
    with _lock:
        waiting = _waiting.get(op)
        if waiting is not None:
            waiting.hide(names)
            waiting.changes.append(change)
            return
    change()


class _Late(property):
    """Stands for a member that is known after the definition; looks like a property to xDSL."""

    def __init__(self, member: str) -> None:
        super().__init__()
        self.member = member

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        _define(owner or instance.__class__)
        return getattr(owner if instance is None else instance, self.member)

    def __set__(self, instance: Any, value: Any) -> None:
        _define(instance.__class__)
        setattr(instance, self.member, value)


_late = cache(_Late)
"""Classes share what stands for members of one name."""


class _LateProgram:
    """
    Stands for what an op's assembly format says, until something is read or written by it.

    Ops that have a syntax of ours are not (see `ir/syntax.py`), so most runs need not even import
    what reads formats.
    """

    def __init__(self, text: str, definition: OpDef) -> None:
        self._text = text
        # What `repair` changes afterwards is not the format's.
        self._definition = copy(definition)
        for name, value in vars(definition).items():
            if value.__class__ in (list, dict):
                setattr(self._definition, name, value.copy())

    def methods(self) -> dict[str, Any]:
        """Return what the class of an op gets."""

        def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
            return self.parse(parser, cls)

        def print(op: IRDLOperation, printer: Printer) -> None:
            self.print(printer, op)

        return {"parse": classmethod(parse), "print": print}

    def __getattr__(self, name: str) -> Any:
        if name not in ("parse", "print"):
            raise AttributeError(name)
        from xdsl.irdl.declarative_assembly_format import FormatProgram

        try:
            program = FormatProgram.from_str(self._text, self._definition)
        except ParseError as error:
            raise PyRDLOpDefinitionError(
                "Error during the parsing of the assembly format: ", error.args
            ) from error
        self.parse, self.print = program.parse, program.print
        return getattr(self, name)


def _accessors(definition: OpDef, custom_verify: Any | None) -> dict[str, Any]:
    """Stand for `get_accessors_from_op_def`."""
    text, definition.assembly_format = definition.assembly_format, None
    members = _ACCESSORS(definition, custom_verify)
    definition.assembly_format = text
    if text is not None:
        members.update(_LateProgram(text, definition).methods())
    return members


class _Waiting:
    """A class that is not defined yet: what its body has, and what changes it afterwards."""

    def __init__(self, op: type[IRDLOperation]) -> None:
        self.op = op
        self.body: dict[str, Any] = {}
        self.changes: list[Callable[[], None]] = []

    def hide(self, names: Iterable[str]) -> None:
        """Put something that defines the class in the place of these members."""
        for name in names:
            if name not in self.body:
                self.body[name] = vars(self.op).get(name, _ABSENT)
                setattr(self.op, name, _late(name))

    def define(self) -> None:
        # What somebody has set meanwhile stays, as it would had the class been defined at once.
        newer: dict[str, Any] = {}
        for name, member in self.body.items():
            now = vars(self.op)[name]
            if not isinstance(now, _Late):
                newer[name] = now
            if member is _ABSENT:
                delattr(self.op, name)
            else:
                setattr(self.op, name, member)
        _DEFINE(self.op)
        for change in self.changes:
            change()
        for name, member in newer.items():
            setattr(self.op, name, member)


_waiting: dict[type[IRDLOperation], _Waiting] = {}
_lock = RLock()


def _later(cls: type[OpT]) -> type[OpT]:
    """Stand for `irdl_op_definition`."""
    waiting = _Waiting(cls)
    waiting.hide(_fields(cls))
    for part in cls.__mro__[1:]:
        waiting.hide(_fields_of_base(part))
    waiting.hide(_DERIVED)
    if cls.assembly_format is not None:
        waiting.hide(_FORMATTED)
    _waiting[cls] = waiting
    return cls


def _fields(part: type[Any]) -> list[str]:
    if IRDLOperation not in part.__mro__:
        return []
    return [name for name, value in vars(part).items() if isinstance(value, _FIELD)]


_fields_of_base = cache(_fields)


def _attribute_later(cls: type[ParametrizedAttribute]) -> type[ParametrizedAttribute]:
    """Stand for `irdl_param_attr_definition`."""
    definition = cache(lambda: _attribute_definition(cls))
    members: dict[str, Any] = {"get_irdl_definition": definition}
    if issubclass(cls, TypedAttribute):
        members["get_type_index"] = cache(lambda: _type_index(cls, definition()))
    for name, member in members.items():
        setattr(cls, name, staticmethod(member))
    return runtime_final(dataclass(frozen=True, init=False)(cls))


def _attribute_definition(cls: type[ParametrizedAttribute]) -> ParamAttrDef:
    annotations = [
        (name, annotation)
        for part in cls.__mro__
        for name, annotation in own_annotations(part).items()
    ]
    if all(name in _NO_PARAMETERS or is_classvar(kind) for name, kind in annotations):
        return ParamAttrDef(cls.name, [])
    return ParamAttrDef.from_pyrdl(cls)


def _type_index(cls: type[ParametrizedAttribute], definition: ParamAttrDef) -> int:
    names = [name for name, _ in definition.parameters]
    if "type" not in names:
        raise PyRDLAttrDefinitionError(
            f"TypedAttribute {cls.__name__} should have a 'type' parameter."
        )
    return names.index("type")


class _LateMember:
    """Stands for what `AnyOf.__init__` derives of constraints."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, made: Any, owner: type[Any] | None = None) -> Any:
        if made is None:
            raise AttributeError(self.name)
        cast(Any, AnyOf).__init__(made, made.attr_constrs)
        return made.__dict__[self.name]


_BASES: dict[type[Any], Callable[[Any], type[Any]]] = {
    BaseAttr: attrgetter("attr"),
    ParamAttrConstraint: attrgetter("base_attr"),
}
"""Constraints of one class of attributes, and how they say which."""


def _constraint(wanted: Any, *, allow_type_var: bool = False) -> Any:
    """Stand for `irdl_to_attr_constraint`, which gives the same for a class or a union of some."""
    kind = wanted.__class__
    if kind is Quick:
        key = wanted
    elif kind is UnionType and all(part.__class__ is Quick for part in wanted.__args__):
        key = wanted.__args__
    else:
        return _CONSTRAINT(wanted, allow_type_var=allow_type_var)
    known = _constraints.get(key)
    if known is None:
        known = _constraints[key] = _CONSTRAINT(wanted)
    return known


_constraints: dict[type[Any] | tuple[type[Any], ...], Any] = {}


def _any_of(*constraints: Any) -> Any:
    """Stand for `AnyOf.get`."""
    constrs: list[Any] = []
    for constraint in constraints:
        made: Any = _constraint(constraint)
        constrs += made.attr_constrs if made.__class__ is AnyOf else (made,)
    classes = {_BASES[c.__class__](c) for c in constrs if c.__class__ in _BASES}
    if 1 < len(classes) == len(constrs):
        # No two are the same, and nothing is in another one.
        if not all(map(is_runtime_final, classes)):
            return cast(Any, AnyOf)(tuple(constrs))
        # Nor can there be anything wrong, so that what is derived may wait.
        made = cast(Any, object).__new__(AnyOf)
        vars(made)["attr_constrs"] = tuple(constrs)
        return made
    return _ANY_OF(*constrs)


def _define(owner: type[Any]) -> None:
    """Define the class among the bases of `owner` that waits for it."""
    with _lock:
        for cls in owner.__mro__:
            waiting = _waiting.pop(cls, None)
            if waiting is not None:
                waiting.define()
                return
