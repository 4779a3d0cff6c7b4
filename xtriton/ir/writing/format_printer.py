"""
Formats compiled for printing: the `SYNTAX` of an op class as steps, made once.

A step writes one element of the format; literals are merged into the step that follows.
Where MLIR puts spaces is decided here, by the rules of its format generator: whether a
space is due before an element depends on the literals before it and on nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation, Region
from xdsl.traits import SingleBlockImplicitTerminator

from xtriton.errors import UserError
from xtriton.ir.op_parts import ValuesOf, values_of
from xtriton.ir.op_plan import Arity, OpPlan, Property, Spelling, Value
from xtriton.ir.syntax import (
    AttrDict,
    Custom,
    Element,
    FunctionalType,
    I32Enum,
    Keyworded,
    Literal,
    OIList,
    OptionalGroup,
    TypeOf,
    Variable,
)
from xtriton.ir.versions import Version, version_text
from xtriton.ir.writing.attribute_text import (
    dense_array_elements,
    integer_text,
    keyword_text,
    string_text,
    symbol_text,
)

if TYPE_CHECKING:
    from xtriton.ir.writing.printer import Printer

Step = Callable[["Printer", Any], None]
Test = Callable[[Any], bool]

_item: Any = getattr(tuple, "__getitem__")  # noqa: B009
"""`SSAValues` indexes ten times slower than the tuple that it is."""

_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")


class FormatCompiler:
    """Turns the format of an op class into steps."""

    def __init__(self, plan: OpPlan, version: Version):
        assert plan.syntax is not None
        self.plan = plan
        self.version = version
        self.elements = plan.format_for(version)
        self.space_due = True
        self.after_punctuation = False
        self.pending = ""
        """Literal text that the next step writes first."""
        self.steps: list[Step] = []

    def write(self) -> Step:
        """Return the function that writes an op."""
        return _sequence(self.compile(self.elements))

    def compile(self, elements: Iterable[Element]) -> list[Step]:
        outer, self.steps = self.steps, []
        for element in elements:
            self.element(element)
        self.flush()
        steps, self.steps = self.steps, outer
        return steps

    def flush(self) -> None:
        """Write pending literals by a step of their own."""
        if text := self.take():
            self.steps.append(lambda p, op: p.emit(text))

    def take(self) -> str:
        text, self.pending = self.pending, ""
        return text

    # --- elements that are not simply preceded by a space ---

    def element(self, element: Element) -> None:
        match element:
            case Literal():
                self.literal(element.text)
            case OptionalGroup():
                self.group(element)
            case OIList():
                for clause in element.clauses:
                    self.clause(clause)
            case AttrDict():
                self.flush()
                self.steps.append(self.dictionary(element))
                self.after_punctuation = False
            case _:
                if self.space_due or not self.after_punctuation:
                    self.pending += " "
                self.space_due, self.after_punctuation = True, False
                self.steps.append(self.spaced(element))

    def literal(self, text: str) -> None:
        if text in ("", " "):
            self.pending += text
            self.space_due, self.after_punctuation = False, not text
            return
        if self.space_due and _space_before(text, self.after_punctuation):
            self.pending += " "
        self.pending += text
        self.space_due = len(text) != 1 or text not in "<({["
        self.after_punctuation = not (text[0] == "_" or text[0].isalpha())

    def group(self, group: OptionalGroup) -> None:
        self.flush()
        test = self.presence(group.anchor)
        anchor, elements = group.anchor, group.elements
        if self.is_unit(anchor) and elements and elements[0] != anchor:
            elements = tuple(element for element in elements if element != anchor)
        then = _sequence(self.compile(elements))
        if not group.otherwise:
            self.steps.append(lambda p, op: then(p, op) if test(op) else None)
            return
        otherwise = _sequence(self.compile(group.otherwise))
        self.steps.append(lambda p, op: then(p, op) if test(op) else otherwise(p, op))

    def clause(self, clause: Sequence[Element]) -> None:
        self.flush()
        named = [element for element in clause if isinstance(element, Variable | TypeOf)]
        tests = [self.presence(element) for element in named]
        elements = tuple(element for element in clause if not self.is_unit(element))
        then = _sequence(self.compile(elements))
        if not tests:
            self.steps.append(then)
        elif len(tests) == 1:
            test = tests[0]
            self.steps.append(lambda p, op: then(p, op) if test(op) else None)
        else:
            self.steps.append(
                lambda p, op: then(p, op) if any(test(op) for test in tests) else None
            )

    # --- presence ---

    def is_unit(self, element: Element) -> bool:
        found = self.property(element.name) if isinstance(element, Variable) else None
        return found is not None and found.spelling is Spelling.UNIT

    def presence(self, element: Element) -> Test:
        """Return the test that decides whether a group with this anchor is written."""
        match element:
            case Variable() | TypeOf():
                return self.presence_of(element.name)
            case Custom():
                tests = [self.presence_of(a.removeprefix("type:")) for a in element.arguments]
                return lambda op: any(test(op) for test in tests)
            case _:
                raise ValueError(f"{self.plan.cls.name}: {element} cannot anchor a group")

    def presence_of(self, name: str) -> Test:
        if (found := self.property(name)) is not None:
            return _property_presence(found)
        if (parts := self.values(name)) is not None:
            return lambda op: len(parts(op)) > 0
        if (regions := self.regions(name)) is not None:
            return lambda op: any(region.first_block is not None for region in regions(op))
        successors = self.successors(name)
        return lambda op: len(successors(op)) > 0

    # --- parts by name ---

    def property(self, name: str) -> Property | None:
        return self.plan.properties.get(name) or self.plan.attributes.get(name)

    def value(self, name: str) -> Value | None:
        for value in (*self.plan.operands, *self.plan.results):
            if value.name == name:
                return value
        return None

    def values(self, name: str) -> ValuesOf | None:
        if name == "operands":
            return lambda op: op._operands
        if name == "results":
            return lambda op: op.results
        plan = self.plan
        for declared, segmented, segments, what in (
            (plan.operands, plan.operand_segments, _SEGMENTS[0], "_operands"),
            (plan.results, plan.result_segments, _SEGMENTS[1], "results"),
        ):
            for index, value in enumerate(declared):
                if value.name == name:
                    return values_of(declared, index, segments if segmented else None, what)
        return None

    def regions(self, name: str) -> Callable[[Any], Sequence[Region]] | None:
        names = [n for n, _ in self.plan.regions]
        if name not in names:
            return None
        index, rest = names.index(name), len(names) - names.index(name) - 1
        if any(arity is not Arity.SINGLE for _, arity in self.plan.regions[: index + 1]):
            return lambda op: op.regions[index : len(op.regions) - rest]
        return lambda op: op.regions[index : index + 1]

    def successors(self, name: str) -> Callable[[Any], Sequence[Any]]:
        names = [n for n, _ in self.plan.successors]
        if name not in names:
            raise ValueError(f"{self.plan.cls.name}: '{name}' in the format is not defined")
        index, rest = names.index(name), len(names) - names.index(name) - 1
        return lambda op: op._successors[index : len(op._successors) - rest]

    def single_index(self, name: str) -> tuple[str, int] | None:
        """Return the field and the index of a value that always has the same place."""
        plan = self.plan
        for declared, what in ((plan.operands, "_operands"), (plan.results, "results")):
            for index, value in enumerate(declared):
                if value.arity is not Arity.SINGLE:
                    break
                if value.name == name:
                    return what, index
        return None

    # --- steps ---

    def spaced(self, element: Element) -> Step:
        before = self.take()
        match element:
            case Variable():
                return self.variable(before, element.name)
            case TypeOf():
                return self.type(before, element)
            case FunctionalType():
                return self.functional_type(before, element)
            case Keyworded():
                return self.keyworded(before, element.what)
            case Custom():
                directive = self.plan.directives[element.name]
                arguments = element.arguments

                def custom(p: "Printer", op: Operation) -> None:
                    p.emit(before)
                    directive.print(p, op, *arguments)

                return custom
            case _:
                raise ValueError(f"{self.plan.cls.name}: unexpected {element}")

    def variable(self, before: str, name: str) -> Step:
        if (found := self.property(name)) is not None:
            return _property_step(before, found)
        single = self.single_index(name)
        if single is not None and single[0] == "_operands":
            index = single[1]

            def operand(p: "Printer", op: Any) -> None:
                p._out.append(before + p._values[id(op._operands[index])])

            return operand
        if (values := self.values(name)) is not None:

            def variadic(p: "Printer", op: Any) -> None:
                p.emit(before)
                p.print_values(values(op))

            return variadic
        if (regions := self.regions(name)) is not None:
            return self.region(before, regions)
        successors = self.successors(name)

        def successor(p: "Printer", op: Any) -> None:
            p.emit(before + ", ".join(p.block_name(block) for block in successors(op)))

        return successor

    def region(self, before: str, regions: Callable[[Any], Sequence[Region]]) -> Step:
        implicit = self.plan.cls.has_trait(SingleBlockImplicitTerminator)

        def step(p: "Printer", op: Any) -> None:
            p.emit(before)
            for index, region in enumerate(regions(op)):
                if index:
                    p.emit(", ")
                with_terminator = not implicit or _says_something(region)
                p.print_region(region, True, False, with_terminator)

        return step

    def type(self, before: str, element: TypeOf) -> Step:
        name = element.name
        value, single = self.value(name), self.single_index(name)
        stripped = (
            value is not None
            and value.arity is Arity.SINGLE
            and value.stripped_class is not None
            and not element.qualified
        )
        if single is None or stripped:
            return self.types(before, name, stripped)
        what, index = single
        if what == "results":

            def result_type(p: "Printer", op: Any) -> None:
                p._out += (before, p._piece(_item(op.results, index)._type))

            return result_type

        def operand_type(p: "Printer", op: Any) -> None:
            p._out += (before, p._piece(op._operands[index]._type))

        return operand_type

    def types(self, before: str, name: str, stripped: bool) -> Step:
        values = self.values(name)
        if values is None:
            raise ValueError(f"{self.plan.cls.name}: '{name}' in the format is not defined")

        def step(p: "Printer", op: Any) -> None:
            p.emit(before)
            if stripped:
                p.print_stripped(values(op)[0].type)
            else:
                p.print_types(values(op))

        return step

    def functional_type(self, before: str, element: FunctionalType) -> Step:
        inputs, outputs = self.values(element.inputs), self.values(element.outputs)
        if inputs is None or outputs is None:
            raise ValueError(f"{self.plan.cls.name}: {element} names no values")

        def step(p: "Printer", op: Any) -> None:
            p.emit(before)
            p.print_function_type([v.type for v in inputs(op)], [v.type for v in outputs(op)])

        return step

    def keyworded(self, before: str, what: str) -> Step:
        def step(p: "Printer", op: Any) -> None:
            p.emit(before)
            match what:
                case "operands":
                    p.print_values(op.operands)
                case "results":
                    p.print_values(op.results)
                case "regions":
                    p.print_list(op.regions, lambda r: p.print_region(r, True, False))
                case _:
                    p.emit(", ".join(p.block_name(block) for block in op.successors))

        return step

    # --- the attribute dictionary ---

    def dictionary(self, element: AttrDict) -> Step:
        written = {name for name in names_in(self.elements) if self.property(name) is not None}
        has_segments = (self.plan.operand_segments, self.plan.result_segments)
        segments = [name for name, has in zip(_SEGMENTS, has_segments, strict=True) if has]
        if any(e == Keyworded("operands") for e in self.elements):
            # Nothing else would tell which operands are there.
            segments = [name for name in segments if name != _SEGMENTS[0]]
        elided = frozenset((*segments, *written))
        defaults = defaults_of(self.plan)
        encode = getattr(self.plan.cls, "encode_attributes", None)
        limits = self.limits()
        opening = " attributes {" if element.keyword else " {"
        version = self.version

        def items_of(op: Operation) -> list[tuple[str, Attribute]]:
            merged: Mapping[str, Attribute] = {**op.properties, **op.attributes}
            if encode is not None:
                merged = encode(op, version)
            items: list[tuple[str, Attribute]] = []
            for name, attribute in merged.items():
                default = defaults.get(name)
                if name in elided or attribute is default or attribute == default:
                    continue
                if name in limits:
                    raise UserError(
                        f"Triton {version_text(version)} has no attribute '{name}' of '{op.name}'"
                    )
                items.append((name, attribute))
            items.sort()
            return items

        def step(p: "Printer", op: Operation) -> None:
            if not op.attributes and op.properties.keys() <= elided and encode is None:
                return
            if items := items_of(op):
                p.emit(opening)
                p.print_named_attributes(items)
                p.emit("}")

        return step

    def limits(self) -> frozenset[str]:
        """Return the attributes that the version cannot say."""
        syntax, version = self.plan.syntax, self.version
        assert syntax is not None
        return frozenset(
            (
                *(n for n, last in syntax.attributes_until.items() if last < version),
                *(n for n, first in syntax.attributes_since.items() if version < first),
            )
        )


def _space_before(text: str, after_punctuation: bool) -> bool:
    if len(text) != 1 and text != "->":
        return True
    return text[0] not in (">)}]," if after_punctuation else "<>(){}[],")


def _sequence(steps: Sequence[Step]) -> Step:
    """Return one step that does all of them."""
    if len(steps) == 1:
        return steps[0]

    def write(p: "Printer", op: Any) -> None:
        for step in steps:
            step(p, op)

    return write


def defaults_of(plan: OpPlan) -> dict[str, Attribute]:
    """Return the values of properties that are absent."""
    return {n: p.default for n, p in plan.properties.items() if p.default is not None}


def names_in(elements: Iterable[Element]) -> Iterable[str]:
    """Give the names of all variables that a format mentions, also those of all operands."""
    for element in elements:
        match element:
            case Variable():
                yield element.name
            case OptionalGroup():
                yield from names_in((*element.elements, *element.otherwise))
            case OIList():
                for clause in element.clauses:
                    yield from names_in(clause)
            case Custom():
                yield from (a for a in element.arguments if not a.startswith("type:"))
            case Keyworded():
                yield element.what
            case _:
                pass


def _says_something(region: Region) -> bool:
    """Return whether the terminator of a region holds more than its being there."""
    block = region.first_block
    last = block.last_op if block is not None else None
    return last is None or bool(last.attributes or last.properties or last.operands or last.results)


def _get(found: Property) -> Callable[[Any], Attribute | None]:
    name, default = found.name, found.default

    def get(op: Operation) -> Attribute | None:
        attribute = op.properties.get(name)
        if attribute is None:
            attribute = op.attributes.get(name)
        return default if attribute is None else attribute

    return get


def _property_presence(found: Property) -> Test:
    get, default = _get(found), found.default

    def present(op: Operation) -> bool:
        attribute = get(op)
        return attribute is not None and attribute is not default and attribute != default

    return present


def _property_step(before: str, found: Property) -> Step:
    get, write = _get(found), _property_writer(found)

    def step(p: "Printer", op: Operation) -> None:
        p.emit(before)
        attribute = get(op)
        if attribute is not None:
            write(p, attribute)

    return step


def _property_writer(found: Property) -> Callable[["Printer", Any], None]:
    match found.spelling:
        case Spelling.ENUM:
            members: list[I32Enum] = list(found.enum or ())
            keywords = {int(member): keyword_text(member.keyword) for member in members}
            return lambda p, a: p.emit(keywords[a.value.data])
        case Spelling.UNIT:
            return lambda p, a: p.emit("unit")
        case Spelling.STRING:
            return lambda p, a: p.emit(string_text(a.data))
        case Spelling.SYMBOL:
            return lambda p, a: p.emit(symbol_text(a.data))
        case Spelling.TYPED_INTEGER:
            return lambda p, a: p.emit(integer_text(a.value.data, a.type))
        case Spelling.DENSE_ARRAY:
            return lambda p, a: p.emit(f"[{dense_array_elements(a)}]")
        case Spelling.STRIPPED:
            return lambda p, a: p.print_stripped(a)
        case Spelling.SYMBOL_REFERENCE | Spelling.FULL:
            return lambda p, a: p.print_attribute(a)
