"""
Repairs of xDSL's own ops, said declaratively.

xDSL's classes of the upstream dialects stay the classes that everybody matches on; what
is wrong or missing in them is put right in place:

    repair(
        CmpiOp,
        syntax="$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
        types=(*same_type("lhs", "rhs"), TypeRule("result", "lhs", i1_like)),
        operands={"lhs": operand_def(INTEGER_LIKE), "rhs": operand_def(INTEGER_LIKE)},
        results={"result": result_def(BOOL_LIKE)},
        enums={"predicate": CmpIPredicate},
    )

The definition is that of `irdl_op_definition`: the same fields, traits and options.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from xdsl.ir import Attribute, Operation, OpTraits
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    IRDLOption,
    OpDef,
    RangeConstraint,
    RangeOf,
    irdl_op_definition,
    irdl_to_attr_constraint,
)
from xdsl.irdl.operations import AttrSizedSegments, VariadicDef, get_accessors_from_op_def
from xdsl.traits import OpTrait

from xtriton.ir.syntax import Directive, I32Enum, Syntax, TypeRule
from xtriton.late_definitions import when_defined
from xtriton.late_names import LateOp

Fields = Mapping[str, Any]
"""Names and what `operand_def`, `result_def`, `prop_def`, `region_def` … return."""

Repair = Callable[[type[IRDLOperation]], None]

OpT = TypeVar("OpT", bound=IRDLOperation)


def repair(
    op: type[IRDLOperation],
    *,
    syntax: str | Syntax | None = None,
    types: Iterable[TypeRule] = (),
    enums: Mapping[str, type[I32Enum]] | None = None,
    directives: Mapping[str, Directive] | None = None,
    operands: Fields | None = None,
    results: Fields | None = None,
    regions: Fields | None = None,
    properties: Fields | None = None,
    options: Iterable[IRDLOption] = (),
    traits: Iterable[OpTrait] | None = None,
    verify: Callable[[Any], None] | None = None,
    **members: Any,
) -> None:
    """
    Put an op of xDSL right.

    `operands`, `results` and `regions` replace the fields of these names and append new
    ones; `properties` replaces and adds; `options` adds; `traits` replaces all traits;
    `verify` replaces what xDSL checks beyond the constraints. `members` are further class
    members: `init` for `__init__`, `parse`, `print`, `build` …
    """
    changed = {"SYNTAX", "TYPES", "ENUMS", "DIRECTIVES", "traits", "verify_"}
    changed.update("__init__" if name == "init" else name for name in members)
    for fields in (operands, results, regions, properties):
        changed.update(fields or ())
    added_options = tuple(options)
    replaced_traits = None if traits is None else tuple(traits)
    texts = (syntax, tuple(types), enums, directives)

    def change() -> None:
        definition = op.get_irdl_definition()
        if operands:
            _replace(definition.operands, operands)
        if results:
            _replace(definition.results, results)
        if regions:
            _replace(definition.regions, regions, ranged=True)
        _add_properties(definition, properties or {})
        _add_options(definition, added_options)
        if replaced_traits is not None:
            definition.traits = OpTraits(lambda made=replaced_traits: made)
            op.traits = definition.traits
        if operands or results or regions or properties or added_options:
            _refresh_accessors(op, definition)
        if verify is not None:
            _replace_verifier(op, definition, verify)
        _set_text(op, *texts)
        for name, member in members.items():
            setattr(op, "__init__" if name == "init" else name, member)

    when_defined(op, changed, change)


def fix_syntax(ops: Iterable[type[IRDLOperation]], syntax: str | Syntax, *types: TypeRule) -> None:
    """Give several ops one format and the type equations that go with it."""
    for op in ops:
        repair(op, syntax=syntax, types=types)


def repairs(*ops: LateOp) -> Callable[[Repair], Repair]:
    """Let a function put each of these ops right, once its class is there."""

    def register(function: Repair) -> Repair:
        for op in ops:
            op.when_bound(function)
        return function

    return register


def add_traits(op: type[IRDLOperation], *traits: OpTrait) -> None:
    """Give an op traits beside those that it has."""

    def change() -> None:
        definition = op.get_irdl_definition()
        old = definition.traits
        definition.traits = OpTraits(lambda: (*old.gen_traits(), *traits))
        op.traits = definition.traits

    when_defined(op, ("traits",), change)


def replace_trait(op: type[IRDLOperation], old: type[OpTrait], new: OpTrait) -> None:
    """Give an op a trait instead of those of a class."""

    def change() -> None:
        definition = op.get_irdl_definition()
        kept = tuple(trait for trait in definition.traits if not isinstance(trait, old))
        definition.traits = OpTraits(lambda: (*kept, new))
        op.traits = definition.traits

    when_defined(op, ("traits",), change)


def _set_text(
    op: type[IRDLOperation],
    syntax: str | Syntax | None,
    types: tuple[TypeRule, ...],
    enums: Mapping[str, type[I32Enum]] | None,
    directives: Mapping[str, Directive] | None,
) -> None:
    declared = {
        "SYNTAX": Syntax(syntax) if isinstance(syntax, str) else syntax,
        "TYPES": types,
        "ENUMS": enums,
        "DIRECTIVES": directives,
    }
    for name, value in declared.items():
        if value:
            setattr(op, name, value)


def _constraint(param: Any) -> Any:
    return irdl_to_attr_constraint(param) if param is not None else AnyAttr()


def _range_constraint(param: Any) -> RangeConstraint[Attribute]:
    return param if isinstance(param, RangeConstraint) else RangeOf(_constraint(param))  # pyright: ignore[reportUnknownVariableType]


def _replace(definitions: list[tuple[str, Any]], fields: Fields, *, ranged: bool = False) -> None:
    """Put the fields in the place of those with their names, the others at the end."""
    places = {name: place for place, (name, _) in enumerate(definitions)}
    for name, field in fields.items():
        if ranged:
            definition = field.cls(_range_constraint(field.entry_args))
        elif issubclass(field.cls, VariadicDef):
            definition = field.cls(_range_constraint(field.param))  # pyright: ignore[reportCallIssue]
        else:
            definition = field.cls(_constraint(field.param))
        if name in places:
            definitions[places[name]] = (name, definition)
        else:
            definitions.append((name, definition))


def _add_properties(definition: OpDef, fields: Fields) -> None:
    for name, field in fields.items():
        ir_name = field.ir_name or name
        definition.properties[ir_name] = field.cls(_constraint(field.param), field.default_value)
        definition.accessor_names[name] = (ir_name, "property")


def _add_options(definition: OpDef, options: Iterable[IRDLOption]) -> None:
    for option in options:
        definition.options.append(option)
        if isinstance(option, AttrSizedSegments):
            _declare_segments(definition, option)


def _declare_segments(definition: OpDef, option: AttrSizedSegments) -> None:
    from xdsl.dialects.builtin import DenseArrayBase
    from xdsl.irdl import AttributeDef, PropertyDef

    constraint = irdl_to_attr_constraint(DenseArrayBase)
    if option.as_property:
        definition.properties[option.attribute_name] = PropertyDef(constraint)
    else:
        definition.attributes[option.attribute_name] = AttributeDef(constraint)


_NOT_ACCESSORS = frozenset({"parse", "print", "verify_", "traits", "get_irdl_definition"})


def _refresh_accessors(op: type[IRDLOperation], definition: OpDef) -> None:
    text, definition.assembly_format = definition.assembly_format, None
    for name, accessor in get_accessors_from_op_def(definition, None).items():
        if name not in _NOT_ACCESSORS:
            setattr(op, name, accessor)
    definition.assembly_format = text


def _replace_verifier(
    op: type[IRDLOperation], definition: OpDef, verify: Callable[[Any], None]
) -> None:
    def verify_(self: Operation) -> None:
        definition.verify(self)
        verify(self)

    op.verify_ = verify_


def op_family(base: type[OpT], dialect: str, ops: Mapping[str, str]) -> dict[str, type[OpT]]:
    """
    Define one op for each class name of `ops` that differs from `base` only by its name.

    `ops` gives the mnemonic, or `mnemonic: what it means`. Returns the classes by name.
    """
    made: dict[str, type[OpT]] = {}
    for class_name, text in ops.items():
        mnemonic, _, meaning = text.partition(":")
        body = {  # pyright: ignore[reportUnknownVariableType]
            "name": f"{dialect}.{mnemonic}",
            "__doc__": meaning.strip() or base.__doc__,
            "__module__": base.__module__,
            "__annotations__": {},
        }
        cls: Any = type(class_name, (base,), body)  # pyright: ignore[reportUnknownArgumentType]
        made[class_name] = irdl_op_definition(cls)
    return made
