"""Reading an op by its assembly format, element by element."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser.core import UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xtriton.ir.op_plan import Arity, OpPlan, Property, Spelling, Value
from xtriton.ir.syntax import (
    AttrDict,
    Custom,
    Element,
    FunctionalType,
    Keyworded,
    Literal,
    OIList,
    OptionalGroup,
    TypeOf,
    Variable,
)

if TYPE_CHECKING:
    from xtriton.ir.reading.parser import Parser


@dataclass
class OpState:
    """What has been read of an op so far, by the names of its definition."""

    plan: OpPlan
    operands: dict[str, list[UnresolvedOperand]] = field(
        default_factory=dict[str, list[UnresolvedOperand]]
    )
    types: dict[str, list[Attribute]] = field(default_factory=dict[str, list[Attribute]])
    """Types of operands and results; "operands" and "results" stand for all of them."""
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    """Properties and discardable attributes alike."""
    regions: dict[str, list[Region]] = field(default_factory=dict[str, list[Region]])
    successors: dict[str, list[Block]] = field(default_factory=dict[str, list[Block]])


def parse_by_format(parser: "Parser", plan: OpPlan, span: Span) -> Operation:
    """
    Return the op whose custom assembly follows.

    Earlier releases' formats are tried where the newest does not fit; the error reported
    is that of the format that got furthest.
    """
    start = parser.pos
    furthest: ParseError | None = None
    for index, (last, elements) in enumerate(plan.formats):
        if furthest is not None:
            parser._resume_from(start)
        try:
            attempt = _FormatParser(parser, OpState(plan), span)
            attempt.must_end_line = index + 1 < len(plan.formats)
            op = attempt.parse(elements)
        except ParseError as error:
            if furthest is None or error.span.start > furthest.span.start:
                furthest = error
            continue
        parser.seen_until(last)
        if plan.syntax is not None:
            note_eras(parser, plan, op)
        return op
    assert furthest is not None
    raise furthest


def note_eras(parser: "Parser", plan: OpPlan, op: Operation) -> None:
    """Narrow down the release by what only some of them have."""
    # A class that writes itself as another op since then says so.
    parser.seen_until(getattr(plan.cls, "UNTIL", None))
    if hasattr(plan.cls, "read_until"):
        parser.seen_until(op.read_until())  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
    syntax = plan.syntax
    if syntax is None:
        return
    parser.seen_since(syntax.since)
    parser.seen_until(syntax.until)
    for name, version in syntax.attributes_until.items():
        if _says_something(plan, op, name):
            parser.seen_until(version)
    for name, version in syntax.attributes_since.items():
        if _says_something(plan, op, name):
            parser.seen_since(version)


def _says_something(plan: OpPlan, op: Operation, name: str) -> bool:
    """Whether an attribute is there and is not just its default, which every op has."""
    value = op.properties.get(name, op.attributes.get(name))
    declared = plan.properties.get(name)
    if value is None or declared is None:
        return value is not None
    return value is not declared.default and value != declared.default


def split_attributes(
    plan: OpPlan, found: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Return the properties and the discardable attributes among `found`, defaults added."""
    if plan.decode is not None:
        found = plan.decode(found)
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}
    for name, value in found.items():
        (properties if name in plan.properties else attributes)[name] = value
    for name, definition in plan.properties.items():
        if definition.default is not None and name not in properties and not definition.optional:
            properties[name] = definition.default
    if plan.operand_segments and "operand_segment_sizes" in attributes:
        properties["operandSegmentSizes"] = attributes.pop("operand_segment_sizes")
    return properties, attributes


class _FormatParser:
    """One attempt to read one op by one format."""

    def __init__(self, parser: "Parser", state: OpState, span: Span):
        self.parser = parser
        self.state = state
        self.plan = state.plan
        self.span = span
        self.must_end_line = False
        """Whether an older format might read more of the line than this one."""

    def parse(self, elements: tuple[Element, ...]) -> Operation:
        for element in elements:
            self.element(element)
        if self.must_end_line and self.is_operand_next():
            self.parser.raise_error("expected the end of the op")
        return build(self.parser, self.state, self.span)

    def is_operand_next(self) -> bool:
        """Return whether an operand follows on the line, which another format may want."""
        token = self.parser._current_token
        if token.kind is not MLIRTokenKind.PERCENT_IDENT:
            return False
        return not self.parser.text[: token.span.start].rstrip(" \t").endswith("\n")

    # --- elements -----------------------------------------------------------------------

    def element(self, element: Element) -> None:
        match element:
            case Literal(text):
                self.literal(text)
            case Variable(name):
                self.variable(name)
            case TypeOf(name, qualified):
                self.state.types[name] = self.types(name, qualified)
            case FunctionalType(inputs, outputs):
                type = self.parser.parse_function_type()
                self.state.types[inputs] = list(type.inputs.data)
                self.state.types[outputs] = list(type.outputs.data)
            case Keyworded(what):
                self.keyworded(what)
            case AttrDict(keyword):
                self.attr_dict(keyword)
            case OptionalGroup():
                self.group(element)
            case OIList(clauses):
                self.oilist(clauses)
            case Custom(name, arguments):
                self.plan.directives[name].parse(self.parser, self.state, *arguments)

    def literal(self, text: str) -> None:
        if text.strip() and not self.accept(text):
            self.parser.raise_error(f"expected '{text}'")

    def accept(self, text: str) -> bool:
        """Consume `text`, which may be more than one token, if it comes next."""
        token = self.parser._current_token
        if token.text == text:
            self.parser._consume_token()
            return True
        is_word = text[0].isalpha() or text[0] == "_"
        comes_next = self.parser.text.startswith(text, token.span.start)
        if is_word or not comes_next or len(text) <= len(token.text):
            return False
        self.parser._resume_from(token.span.start + len(text))
        return True

    def variable(self, name: str) -> None:
        if (operand := self._named(self.plan.operands, name)) is not None:
            self.state.operands[name] = self.operand_list(operand.arity)
        elif (declared := self._attribute(name)) is not None:
            value = self.attribute(declared)
            if value is not None:
                self.state.attributes[name] = value
        elif (arity := dict(self.plan.regions).get(name)) is not None:
            self.state.regions[name] = self.region_list(arity)
        elif (arity := dict(self.plan.successors).get(name)) is not None:
            self.state.successors[name] = (
                [self.parser.parse_successor()]
                if arity is Arity.SINGLE
                else self.parser.parse_optional_undelimited_comma_separated_list(
                    self.parser.parse_optional_successor, self.parser.parse_successor
                )
                or []
            )
        else:
            # A type variable of an unnamed attribute: read anything.
            self.state.attributes[name] = self.parser.parse_attribute()

    @staticmethod
    def _named(values: tuple[Value, ...], name: str) -> Value | None:
        return next((value for value in values if value.name == name), None)

    def _attribute(self, name: str) -> Property | None:
        return self.plan.properties.get(name) or self.plan.attributes.get(name)

    def operand_list(self, arity: Arity) -> list[UnresolvedOperand]:
        parser = self.parser
        if arity is Arity.SINGLE:
            return [parser.parse_unresolved_operand("expected SSA operand")]
        if arity is Arity.OPTIONAL:
            found = parser.parse_optional_unresolved_operand()
            return [] if found is None else [found]
        return (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )

    def region_list(self, arity: Arity) -> list[Region]:
        first = self.parser.parse_optional_region()
        if first is None:
            if arity is Arity.SINGLE:
                self.parser.raise_error("expected '{' to begin a region")
            return []
        regions = [first]
        while arity is Arity.VARIADIC and self.parser.parse_optional_punctuation(","):
            regions.append(self.parser.parse_region())
        return regions

    # --- attributes ---------------------------------------------------------------------

    def attribute(self, declared: Property) -> Attribute | None:
        parser = self.parser
        match declared.spelling:
            case Spelling.ENUM:
                return self.enum(declared)
            case Spelling.UNIT:
                return UnitAttr()
            case Spelling.STRING:
                return StringAttr(parser.parse_str_literal())
            case Spelling.SYMBOL:
                return parser.parse_symbol_name()
            case Spelling.SYMBOL_REFERENCE:
                found = parser.parse_attribute()
                if not isinstance(found, SymbolRefAttr):
                    parser.raise_error("expected symbol reference")
                return found
            case Spelling.TYPED_INTEGER:
                return self.integer(declared.type)
            case Spelling.DENSE_ARRAY:
                return self.dense_array(declared.type)
            case Spelling.STRIPPED:
                return self.stripped(declared.stripped_class, parser.parse_attribute)
            case Spelling.FULL:
                return parser.parse_attribute()

    def enum(self, declared: Property) -> Attribute:
        assert declared.enum is not None
        start = self.parser._current_token.span
        keyword = self.parser.parse_optional_identifier()
        if keyword is None:
            keyword = self.parser.parse_optional_str_literal()
        member = None if keyword is None else declared.enum.from_keyword(keyword)
        if member is None:
            choices = ", ".join(m.keyword for m in declared.enum)
            self.parser.raise_error(f"expected one of [{choices}] for '{declared.name}'", start)
        return IntegerAttr(int(member), member.width())

    def integer(self, type: Any) -> Attribute:
        return IntegerAttr(self.parser.parse_integer(allow_boolean=type == i1), type)

    def dense_array(self, element: Any) -> Attribute:
        parser = self.parser
        if parser._current_token.text == "array":
            return parser.parse_attribute()
        read: Callable[[], Any] = (
            parser.parse_integer if hasattr(element, "width") else parser.parse_number
        )
        return DenseArrayBase.from_list(
            element, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, read)
        )

    def attr_dict(self, keyword: bool) -> None:
        if keyword and self.parser.parse_optional_keyword("attributes") is None:
            return
        start = self.parser._current_token.span
        found = self.parser.parse_optional_dictionary_attr_dict()
        for name in found:
            if name in self.state.attributes:
                self.parser.raise_error(
                    f"found '{name}' in the attribute dictionary and in the format", start
                )
        self.state.attributes.update(found)

    # --- types --------------------------------------------------------------------------

    def types(self, name: str, qualified: bool) -> list[Attribute]:
        if name in ("operands", "results"):
            return self.type_list(None)
        value = self._named(self.plan.operands, name) or self._named(self.plan.results, name)
        if value is None:
            return self.type_list(None)
        stripped = None if qualified else value.stripped_class
        if value.arity is Arity.SINGLE:
            start = self.parser.pos
            found = self.type(stripped)
            if value.only_tensors and not isinstance(found, TensorType):
                self.parser.raise_error("invalid kind of type specified", start)
            return [found]
        if value.arity is Arity.OPTIONAL:
            present = self.state.operands.get(name)
            if name in self.state.operands and not present:
                return []
            if stripped is None:
                found = self.parser.parse_optional_type()
                return [] if found is None else [found]
            return [self.type(stripped)]
        return self.type_list(stripped)

    def type_list(self, stripped: type[Attribute] | None) -> list[Attribute]:
        if stripped is None:
            first = self.parser.parse_optional_type()
        else:
            token = self.parser._current_token
            starts = (MLIRTokenKind.LESS, MLIRTokenKind.EXCLAMATION_IDENT)
            first = self.type(stripped) if token.kind in starts else None
        if first is None:
            return []
        found: list[Attribute] = [first]
        while self.parser.parse_optional_punctuation(","):
            found.append(self.type(stripped))
        return found

    def type(self, stripped: type[Attribute] | None) -> Attribute:
        if stripped is None:
            return self.parser.parse_type()
        return self.stripped(stripped, self.parser.parse_type)

    def stripped(self, cls: Any, full: Callable[[], Attribute]) -> Attribute:
        """Read `<...>` as an attribute of `cls`, or the attribute written out."""
        token = self.parser._current_token
        if token.kind in (MLIRTokenKind.EXCLAMATION_IDENT, MLIRTokenKind.HASH_IDENT):
            return full()
        if hasattr(cls, "parse_parameters"):
            return cls.new(cls.parse_parameters(self.parser))
        return cls(cls.parse_parameter(self.parser))

    # --- groups -------------------------------------------------------------------------

    def keyworded(self, what: str) -> None:
        parser = self.parser
        if what == "operands":
            found = self.operand_list(Arity.VARIADIC)
            self.state.operands["operands"] = found
        elif what == "regions":
            self.state.regions["regions"] = self.region_list(Arity.VARIADIC)
        elif what == "successors":
            self.state.successors["successors"] = (
                parser.parse_optional_undelimited_comma_separated_list(
                    parser.parse_optional_successor, parser.parse_successor
                )
                or []
            )

    def group(self, group: OptionalGroup) -> None:
        if self.starts(group.elements):
            for element in group.elements:
                self.element(element)
            if isinstance(group.anchor, Variable):
                declared = self._attribute(group.anchor.name)
                if declared is not None and declared.spelling is Spelling.UNIT:
                    self.state.attributes[group.anchor.name] = UnitAttr()
        else:
            for element in group.otherwise:
                self.element(element)
            name = group.anchor.name if isinstance(group.anchor, Variable) else ""
            if self._named(self.plan.operands, name) is not None:
                self.state.operands.setdefault(name, [])

    def starts(self, elements: tuple[Element, ...]) -> bool:
        """Return whether a group comes next, judged by its first element as MLIR does."""
        first = next(e for e in elements if not (isinstance(e, Literal) and not e.text.strip()))
        token = self.parser._current_token
        match first:
            case Literal(text):
                return token.text == text or (
                    not text[0].isalpha()
                    and len(text) > len(token.text)
                    and self.parser.text.startswith(text, token.span.start)
                )
            case Variable(name) if self._named(self.plan.operands, name) is not None:
                return token.kind is MLIRTokenKind.PERCENT_IDENT
            case Variable(name) if (declared := self._attribute(name)) is not None:
                return self.starts_attribute(declared)
            case Variable(name) if name in dict(self.plan.regions):
                return token.kind is MLIRTokenKind.L_BRACE
            case Variable():
                return token.kind is MLIRTokenKind.CARET_IDENT
            case Keyworded("operands"):
                return token.kind is MLIRTokenKind.PERCENT_IDENT
            case Custom(name):
                starts = getattr(self.plan.directives[name], "starts", None)
                return starts(self.parser) if starts is not None else True
            case _:
                return True

    def starts_attribute(self, declared: Property) -> bool:
        token = self.parser._current_token
        match declared.spelling:
            case Spelling.ENUM:
                assert declared.enum is not None
                return declared.enum.from_keyword(token.text) is not None
            case Spelling.STRING:
                return token.kind is MLIRTokenKind.STRING_LIT
            case Spelling.SYMBOL | Spelling.SYMBOL_REFERENCE:
                return token.kind is MLIRTokenKind.AT_IDENT
            case Spelling.TYPED_INTEGER:
                return token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.MINUS)
            case Spelling.DENSE_ARRAY:
                return token.text in ("[", "array")
            case Spelling.STRIPPED:
                return token.kind in (MLIRTokenKind.LESS, MLIRTokenKind.HASH_IDENT)
            case _:
                return token.text not in (":", "{", "}", ",", ")", "]")

    def oilist(self, clauses: tuple[tuple[Element, ...], ...]) -> None:
        remaining = list(clauses)
        while (found := next((c for c in remaining if self.starts(c)), None)) is not None:
            remaining.remove(found)
            for element in found:
                self.element(element)


def build(parser: "Parser", state: OpState, span: Span) -> Operation:
    """Return the op that `state` describes, its types inferred where the text left them out."""
    plan = state.plan
    attributes = state.attributes
    _distribute(parser, state, span)
    _infer(parser, state, span)
    operands: list[Any] = []
    sizes: list[int] = []
    for value in plan.operands:
        unresolved = state.operands.get(value.name, [])
        types = _types_for(parser, state, value, len(unresolved), span)
        operands += [parser.resolve_operand(u, t) for u, t in zip(unresolved, types, strict=True)]
        sizes.append(len(unresolved))
    if plan.operand_segments:
        attributes["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
    result_types: list[Attribute] = []
    result_sizes: list[int] = []
    for value in plan.results:
        types = _result_types(parser, state, value, span)
        result_types += types
        result_sizes.append(len(types))
    if plan.result_segments:
        attributes["resultSegmentSizes"] = DenseArrayBase.from_list(i32, result_sizes)
    properties, discardable = split_attributes(plan, attributes)
    return plan.cls.create(
        operands=operands,
        result_types=result_types,
        properties=properties,
        attributes=discardable,
        regions=_in_order(plan.regions, state.regions, "regions"),
        successors=_in_order(plan.successors, state.successors, "successors"),
    )


def _in_order(names: Any, found: dict[str, list[Any]], everything: str) -> list[Any]:
    if everything in found:
        return found[everything]
    return [item for name, _ in names for item in found.get(name, [])]


def _distribute(parser: "Parser", state: OpState, span: Span) -> None:
    """Give what was written for all operands or results to each of them."""
    if "operands" in state.operands:
        given = state.attributes.get("operandSegmentSizes")
        if state.plan.operand_segments and isinstance(given, DenseArrayBase):
            _share_out_as_given(parser, state, [int(size) for size in given.iter_values()], span)
        else:
            _share_out(parser, state.operands, state.plan.operands, "operands", span)
    if "operands" in state.types:
        types = state.types.pop("operands")
        for value in state.plan.operands:
            count = len(state.operands.get(value.name, []))
            state.types[value.name], types = types[:count], types[count:]
        if types:
            parser.raise_error("more operand types than operands", span)
    if "results" in state.types:
        _share_out(parser, state.types, state.plan.results, "results", span)


def _share_out_as_given(parser: "Parser", state: OpState, sizes: Sequence[int], span: Span) -> None:
    """Give each operand as many values as the text says, which only a list of all needs."""
    found, values = state.operands.pop("operands"), state.plan.operands
    if len(sizes) != len(values) or sum(sizes) != len(found) or min(sizes) < 0:
        parser.raise_error("'operandSegmentSizes' does not fit the operands", span)
    for value, size in zip(values, sizes, strict=True):
        if (value.arity is Arity.SINGLE and size != 1) or (
            value.arity is Arity.OPTIONAL and size > 1
        ):
            parser.raise_error(f"'operandSegmentSizes' gives '{value.name}' {size} values", span)
        state.operands[value.name], found = found[:size], found[size:]


def _share_out(
    parser: "Parser", table: dict[str, list[Any]], values: tuple[Value, ...], key: str, span: Span
) -> None:
    found = table.pop(key)
    flexible = [v for v in values if v.arity is not Arity.SINGLE]
    extra = len(found) - (len(values) - len(flexible))
    if extra < 0 or (extra > 0 and not flexible):
        parser.raise_error(f"expected {len(values)} {key}, but found {len(found)}", span)
    for value in values:
        count = 1
        if value.arity is Arity.OPTIONAL:
            count = 1 if extra > 0 else 0
        elif value.arity is Arity.VARIADIC:
            count = extra
        if value.arity is not Arity.SINGLE:
            extra -= count
        table[value.name], found = found[:count], found[count:]


def _infer(parser: "Parser", state: OpState, span: Span) -> None:
    """Apply the type rules until nothing new is learned."""
    types = state.types
    for value in (*state.plan.operands, *state.plan.results):
        if value.known_type is not None and value.arity is Arity.SINGLE:
            types.setdefault(value.name, [value.known_type])
    changed = True
    while changed:
        changed = False
        for rule in state.plan.rules:
            if types.get(rule.target) or not (source := types.get(rule.source)):
                continue
            if rule.target in state.operands and not state.operands[rule.target]:
                continue
            try:
                inferred = rule.function(source[0])
            except (VerifyException, AttributeError) as error:
                parser.raise_error(f"cannot infer the type of '{rule.target}': {error}", span)
            count = len(state.operands.get(rule.target, (None,)))
            types[rule.target] = [inferred] * count
            changed = True


def _types_for(
    parser: "Parser", state: OpState, value: Value, count: int, span: Span
) -> list[Attribute]:
    types = state.types.get(value.name, [])
    if count and not types and value.known_type is not None:
        return [value.known_type] * count
    if len(types) != count:
        if count and not types:
            parser.raise_error(f"cannot infer the type of operand '{value.name}'", span)
        parser.raise_error(
            f"'{value.name}' has {count} operands present, but {len(types)} types", span
        )
    return types


def _result_types(parser: "Parser", state: OpState, value: Value, span: Span) -> list[Attribute]:
    types = state.types.get(value.name)
    if types is None:
        if value.arity is not Arity.SINGLE:
            return []
        parser.raise_error(f"cannot infer the type of result '{value.name}'", span)
    if value.arity is Arity.SINGLE and len(types) != 1:
        parser.raise_error(
            f"operation defines 1 result '{value.name}' but {len(types)} types are given", span
        )
    return types
