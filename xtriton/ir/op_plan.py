"""
What parser, printer and verifier know about an op class, worked out once.

A plan holds the class' definition in the form that the inner loops want: operands and
results with their arity, the types that a constraint alone determines, the type rules in
the order in which they can fire, how each property is written, defaults, formats.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    EqAttrConstraint,
    IRDLOperation,
    OptionalDef,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    VariadicDef,
)
from xdsl.irdl.constraints import InferenceContext

from xtriton.ir.syntax import Element, I32Enum, Syntax, TypeRule, parse_format
from xtriton.ir.versions import Version


class Arity(Enum):
    """How many values an operand or result stands for."""

    SINGLE = auto()
    OPTIONAL = auto()
    VARIADIC = auto()


class Spelling(Enum):
    """How a format writes a property that it names."""

    ENUM = auto()
    """The keyword of an `I32Enum`."""
    UNIT = auto()
    """Nothing: the literal beside it says all."""
    STRING = auto()
    """A string literal."""
    SYMBOL = auto()
    """`@name`."""
    SYMBOL_REFERENCE = auto()
    """`@name`, possibly nested."""
    TYPED_INTEGER = auto()
    """A bare integer, its type known."""
    DENSE_ARRAY = auto()
    """`[1, 2]`, the element type known."""
    STRIPPED = auto()
    """An attribute of one known class, without `#dialect.name`."""
    FULL = auto()
    """Any attribute, written out."""


@dataclass(frozen=True)
class Value:
    """An operand or result of the definition."""

    name: str
    arity: Arity
    known_type: Attribute | None
    """The type, where the constraint leaves no choice."""
    stripped_class: type[Attribute] | None
    """The one dialect type class it can have, which makes MLIR omit `!dialect.name`."""
    only_tensors: bool
    """Whether only ranked tensors fit, so that other types are errors of the text."""


# Inside of `Property`, `type` is a field.
EnumClass = type[I32Enum]
AttributeClass = type[Attribute]


@dataclass(frozen=True)
class Property:
    """A property of the definition."""

    name: str
    """As stored in `op.properties`."""
    spelling: Spelling
    type: Attribute | None
    """The integer type of a TYPED_INTEGER, the element type of a DENSE_ARRAY."""
    enum: EnumClass | None
    stripped_class: AttributeClass | None
    optional: bool
    default: Attribute | None


@dataclass
class OpPlan:
    """See the module's docstring."""

    cls: type[Operation]
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    properties: dict[str, Property]
    attributes: dict[str, Property]
    """Declared discardable attributes, which a format may name as well."""
    regions: tuple[tuple[str, Arity], ...]
    successors: tuple[tuple[str, Arity], ...]
    operand_segments: bool
    result_segments: bool
    region_segments: bool
    rules: tuple[TypeRule, ...]
    syntax: Syntax | None
    formats: list[tuple[Version | None, tuple[Element, ...]]] = field(
        default_factory=list[tuple[Version | None, tuple[Element, ...]]]
    )
    """Newest first; each with the last release that wrote it, None for the newest."""
    directives: dict[str, Any] = field(default_factory=dict[str, Any])
    decode: Callable[[dict[str, Attribute]], dict[str, Attribute]] | None = None

    def format_for(self, version: Version) -> tuple[Element, ...]:
        """Return the elements that `version` prints."""
        assert self.syntax is not None
        return parse_format(self.syntax.for_version(version))


_plans: dict[type[Operation], OpPlan] = {}


def plan_of(cls: type[Operation]) -> OpPlan | None:
    """Return the plan of an op class, None if it is not defined through IRDL."""
    plan = _plans.get(cls)
    if plan is None and issubclass(cls, IRDLOperation):
        plan = _plans[cls] = _make_plan(cls)
    return plan


def _make_plan(cls: type[IRDLOperation]) -> OpPlan:
    definition = cls.get_irdl_definition()
    syntax: Syntax | None = getattr(cls, "SYNTAX", None)
    enums: dict[str, type[I32Enum]] = getattr(cls, "ENUMS", {})
    options = definition.options

    def has(option: type) -> bool:
        return any(isinstance(o, option) for o in options)

    return OpPlan(
        cls=cls,
        operands=tuple(_value(name, d) for name, d in definition.operands),
        results=tuple(_value(name, d) for name, d in definition.results),
        properties={n: _property(n, d, enums) for n, d in definition.properties.items()},
        attributes={n: _property(n, d, enums) for n, d in definition.attributes.items()},
        regions=tuple((name, _arity(d)) for name, d in definition.regions),
        successors=tuple((name, _arity(d)) for name, d in definition.successors),
        operand_segments=has(AttrSizedOperandSegments),
        result_segments=has(AttrSizedResultSegments),
        region_segments=has(AttrSizedRegionSegments),
        rules=getattr(cls, "TYPES", ()),
        syntax=syntax,
        formats=[(last, parse_format(text)) for last, text in syntax.candidates()]
        if syntax is not None
        else [],
        directives=getattr(cls, "DIRECTIVES", {}),
        decode=getattr(cls, "decode_attributes", None),
    )


def _arity(definition: Any) -> Arity:
    if isinstance(definition, OptionalDef):
        return Arity.OPTIONAL
    return Arity.VARIADIC if isinstance(definition, VariadicDef) else Arity.SINGLE


def _of_one(constraint: Any) -> Any:
    """Return the constraint of one type within that of a range of types."""
    inner: Any = constraint
    if isinstance(constraint, RangeLengthConstraint):
        inner = cast(Any, constraint).constraint
    return cast(Any, inner).constr if isinstance(inner, RangeOf) else inner


def _value(name: str, definition: Any) -> Value:
    constraint = _of_one(definition.constr)
    known: Attribute | None = None
    try:
        if constraint.can_infer(set()):
            known = constraint.infer(InferenceContext())
    except (AttributeError, ValueError, KeyError, TypeError):
        known = None
    only_tensors = getattr(constraint, "description", "").startswith("ranked tensor of ")
    return Value(name, _arity(definition), known, _stripped_class(constraint), only_tensors)


def _stripped_class(constraint: Any) -> type[Attribute] | None:
    bases = constraint.get_bases() if hasattr(constraint, "get_bases") else None
    if bases is None or len(bases) != 1:
        return None
    (base,) = bases
    dialect = base.name.partition(".")[0] if hasattr(base, "name") else "builtin"
    if "." not in getattr(base, "name", "") or dialect == "builtin":
        return None
    return base


_INTEGER_TYPES = (i32, i64, i1, i8, i16, IndexType())
_ARRAY_TYPES = (i32, i64, i1, i8, i16, f32, f64)


def _property(name: str, definition: Any, enums: dict[str, type[I32Enum]]) -> Property:
    constraint = definition.constr
    optional = isinstance(definition, OptionalDef)
    default = definition.default_value

    def made(
        spelling: Spelling, type: Attribute | None = None, cls: type[Attribute] | None = None
    ) -> Property:
        return Property(name, spelling, type, enums.get(name), cls, optional, default)

    if name in enums:
        return made(Spelling.ENUM)
    if isinstance(constraint, SymbolNameConstraint):
        return made(Spelling.SYMBOL)
    bases = constraint.get_bases()
    base = next(iter(bases)) if bases is not None and len(bases) == 1 else None
    if base is UnitAttr:
        return made(Spelling.UNIT)
    if base is StringAttr:
        return made(Spelling.STRING)
    if base is SymbolRefAttr:
        return made(Spelling.SYMBOL_REFERENCE)
    if base is IntegerAttr:
        width = _only(_INTEGER_TYPES, lambda t: _holds(constraint, IntegerAttr(0, t)))  # pyright: ignore[reportArgumentType, reportCallIssue]
        return made(Spelling.TYPED_INTEGER, width) if width is not None else made(Spelling.FULL)
    if base is DenseArrayBase:
        element = _only(
            _ARRAY_TYPES,
            lambda t: _holds(constraint, DenseArrayBase.from_list(t, [])),  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownArgumentType]
        )
        return made(Spelling.DENSE_ARRAY, element) if element is not None else made(Spelling.FULL)
    if (cls := _stripped_class(constraint)) is not None:
        return made(Spelling.STRIPPED, cls=cls)
    return made(Spelling.FULL)


def _holds(constraint: Any, attribute: ParametrizedAttribute) -> bool:
    """Return whether a constraint holds; xDSL writes an error that nobody reads where not."""
    if ParamAttrConstraint is constraint.__class__:
        parts: Any = zip(constraint.param_constrs, attribute.parameters, strict=False)
        if any(type(part) is EqAttrConstraint and part.attr != given for part, given in parts):
            return False
    return constraint.verifies(attribute)


def _only(
    candidates: tuple[Attribute, ...], accepts: Callable[[Attribute], bool]
) -> Attribute | None:
    accepted = [candidate for candidate in candidates if accepts(candidate)]
    return accepted[0] if len(accepted) == 1 else None
