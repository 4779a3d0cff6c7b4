"""
Reading the everyday line of an op with one regular expression.

Each assembly format is compiled once into a pattern for the whole line and a function that
turns a match into an op. Whatever is out of the ordinary, a forward reference, a type
that does not fit, text spread over lines, makes the function give up without a trace, and
the careful path reads the op instead: it alone reports errors.
"""

import re
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation
from xdsl.traits import IsolatedFromAbove

from xtriton.ir import made_code
from xtriton.ir.op_plan import Arity, OpPlan, Property, Spelling, Value, plan_of
from xtriton.ir.reading.attribute_parser import TYPE_TEXT, AttributeParser
from xtriton.ir.reading.format_parser import note_eras
from xtriton.ir.reading.generic_lines import GenericLines
from xtriton.ir.reading.line_parts import LINE_END, MAKE_OP, NAMES, OPERAND
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
    TypeRule,
    Variable,
    identity,
)
from xtriton.ir.versions import OLD_DIALECT_NAMES_UNTIL, RENAMED_DIALECTS, Version

if TYPE_CHECKING:
    pass

Reader = Callable[["FastPath", str, int, str | None, str | None, Block], int]
"""Reads one op behind its name; returns the end of its line, 0 if it does not match."""

_TYPES = rf"{TYPE_TEXT}(?:, {TYPE_TEXT})*"
_HEAD = re.compile(r"[ \n]*(?:(%[\w$.-]+)(?::(\d+))? = )?([a-z_][\w]*\.[\w.]+)")
_TYPE = re.compile(TYPE_TEXT)


class _ReadsInPart(Exception):
    """What a pattern takes for one attribute or type is more than that."""


class FastPath(AttributeParser):
    """The part of the parser that reads whole lines; see the module's docstring."""

    if TYPE_CHECKING:  # what the whole has
        text: str
        offsets: dict[Operation, int] | None
        _unique: dict[Attribute, Attribute]
        _constants: dict[str, tuple[Attribute, Attribute]]
        _stripped: dict[tuple[type[Attribute], str], Attribute]
        _inferred: dict[tuple[int, int], tuple[Attribute, Attribute]]

        def note_offset(self, op: Operation | None, offset: int) -> None: ...
        def _lookup(self, name: str, *, unregistered: bool) -> type[Operation] | None: ...

    def _start_fast_path(self) -> None:
        self._readers: dict[str, tuple[Reader, ...]] = {}
        self._generic_lines = GenericLines(self)  # pyright: ignore[reportArgumentType]

    def parse_lines(self, block: Block) -> bool:
        """Read ops into `block` as long as lines match; return whether any did."""
        start = position = self._current_token.span.start
        # A reader that gives up may have moved the lexer to read a type.
        with suppress(_ReadsInPart):
            for end in self._lines(start, block):
                position = end
        if self._current_token.span.start != position:
            self._resume_from(position)
        return position != start

    def _lines(self, position: int, block: Block) -> Generator[int]:
        """Read ops into `block` as long as lines match; yield where each line ends."""
        text, readers = self.text, self._readers
        noting = self.offsets is not None
        while True:
            head = _HEAD.match(text, position)
            if head is None:
                start = position
                if not (position := self._generic_lines.read(text, start, block)):
                    return
                if noting:
                    self.note_offset(block.last_op, text.index('"', start))
                yield position
                continue
            name, count, op_name = head.groups()
            candidates = readers.get(op_name)
            if candidates is None:
                candidates = self._readers_for(op_name)
                if candidates is None:
                    return
                readers[op_name] = candidates
            behind = head.end()
            for read in candidates:
                if position := read(self, text, behind, name, count, block):
                    if noting:
                        self.note_offset(block.last_op, head.start(3))
                    yield position
                    break
            else:
                return

    def _readers_for(
        self,
        op_name: str,
    ) -> tuple[Reader, ...] | None:
        cls = self._lookup(op_name, unregistered=False)
        if cls is None or hasattr(cls, "modern_class"):
            return ()
        return readers_of(cls)

    def class_of_generic(self, op_name: str) -> type[Operation] | None:
        """Return the class of an op in generic form, None if only the careful path knows it."""
        dialect, _, rest = op_name.partition(".")
        today = RENAMED_DIALECTS.get(dialect)
        cls = self._lookup(op_name if today is None else f"{today}.{rest}", unregistered=False)
        if cls is None or hasattr(cls, "modern_class"):
            return None
        if today is not None:
            self.seen_until(OLD_DIALECT_NAMES_UNTIL[dialect])
        return cls

    def type_by_text(self, text: str, offset: int) -> Attribute:
        """Return the type written at `offset`, seen for the first time in this module."""
        found = self._shared_types.get(text)
        if found is None:
            self._resume_from(offset)
            found = self.parse_type()
            self._check_end(offset + len(text))
        found = self.unique(found)
        self._types[text] = found
        return found

    def unique(self, attribute: Any) -> Any:
        """Return the one object of this module that equals `attribute`."""
        return self._unique.setdefault(attribute, attribute)

    def dictionary_by_text(
        self,
        text: str,
        offset: int,
    ) -> dict[str, Attribute]:
        """Return the attribute dictionary written at `offset`."""
        known = self._dictionaries.get(text) or self._shared_dictionaries.get(text)
        if known is None:
            self._resume_from(offset)
            known = self.parse_optional_dictionary_attr_dict()
        return known

    def constant_by_text(
        self,
        text: str,
        offset: int,
    ) -> tuple[Attribute, Attribute]:
        """Return the typed attribute written at `offset`, and its type."""
        entry = self._constants.get(text)
        if entry is None:
            self._resume_from(offset)
            value: Any = self.parse_attribute()
            self._check_end(offset + len(text))
            entry = self._constants[text] = (value, self.unique(value.get_type()))
        return entry

    def stripped_by_text(
        self,
        cls: Any,
        text: str,
        offset: int,
    ) -> Attribute:
        """Return the attribute of `cls` whose parameters are written at `offset`."""
        found = self._stripped.get((cls, text))
        if found is None:
            self._resume_from(offset)
            if hasattr(cls, "parse_parameters"):
                found = cls.new(cls.parse_parameters(self))
            else:
                found = cls(cls.parse_parameter(self))
            self._check_end(offset + len(text))
            self._stripped[cls, text] = found
        return found

    def _check_end(self, end: int) -> None:
        """Give the line up if what has just been read ends before `end`."""
        if self._current_token.span.start < end:
            raise _ReadsInPart

    def inferred(self, rule: TypeRule, source: Attribute) -> Any:
        """Return what a rule makes of a type, remembered by the type's identity."""
        key = (id(rule), id(source))
        entry = self._inferred.get(key)
        if entry is None:
            result = self.unique(rule.function(source))
            self._inferred[key] = entry = (result, source)
        return entry[0]


_readers: dict[type[Operation], tuple[Reader, ...]] = {}
_asked: dict[type[Operation], int] = {}

_ASKED_IN_VAIN = 4
"""How many ops of a class are read carefully before it is worth compiling a reader for it."""


def readers_of(cls: type[Operation]) -> tuple[Reader, ...] | None:
    """
    Return the compiled readers of an op class, one for each of its formats that allows it.

    None says that too few ops of the class have been read to make them.
    """
    found = _readers.get(cls)
    if found is None:
        asked = _asked[cls] = _asked.get(cls, 0) + 1
        if asked <= _ASKED_IN_VAIN:
            return None
        plan = plan_of(cls)
        found = _readers[cls] = () if plan is None else tuple(_compile_all(plan))
    return found


def _compile_all(plan: OpPlan) -> list[Reader]:
    if plan.regions or plan.successors or plan.cls.has_trait(IsolatedFromAbove):
        return []
    readers: list[Reader] = []
    for last, elements in plan.formats:
        try:
            readers.append(_Compiler(plan, last).compile(elements))
        except _NotFast:
            return []
    return readers


class _NotFast(Exception):
    """The format has something that only the careful path reads."""


class _Compiler:
    """Turns one format into a pattern and the source of a reader."""

    def __init__(self, plan: OpPlan, last: Version | None):
        self.plan = plan
        self.last = last
        self.groups = 0
        self.body: list[str] = []
        self.names: dict[str, Any] = {
            **NAMES,
            "CLS": plan.cls,
            "TensorType": TensorType,
            "FIND_TYPES": _TYPE.finditer,
            "PLAN": plan,
            "LAST": last,
            "note_eras": note_eras,
        }
        self.operands: dict[str, int] = {}
        """Group of each operand read."""
        self.types: dict[str, str] = {}
        """Name of the variable that holds the type (a list for variadic values)."""
        self.dictionary: int | None = None

    # --- the pattern --------------------------------------------------------------------

    def group(self, pattern: str) -> str:
        self.groups += 1
        return f"({pattern})"

    def sequence(self, elements: tuple[Element, ...]) -> str:
        return "".join(self.element(element) for element in elements)

    def element(self, element: Element) -> str:
        match element:
            case Literal(text):
                return " *" + re.escape(text) if text.strip() else ""
            case Variable(name):
                return " *" + self.variable(name)
            case TypeOf(name):
                return " *" + self.type(name)
            case FunctionalType(inputs, outputs):
                return " *" + self.functional_type(inputs, outputs)
            case Keyworded("operands"):
                return " *" + self.all_operands()
            case AttrDict(keyword=False, properties_only=False):
                pattern = self.group(r'\{[^{}"]*\}')
                self.dictionary = self.groups
                return f"(?: *{pattern})?"
            case OptionalGroup(elements, _, otherwise) if not otherwise:
                return f"(?:{self.sequence(elements)})?"
            case OIList(clauses):
                return "".join(f"(?:{self.sequence(clause)})?" for clause in clauses)
            case Custom(name, arguments):
                return " *" + self.custom(name, arguments)
            case _:
                raise _NotFast

    def variable(self, name: str) -> str:
        operand = next((v for v in self.plan.operands if v.name == name), None)
        if operand is not None:
            pattern = (
                rf"(?:{OPERAND}(?:, {OPERAND})*)?" if operand.arity is Arity.VARIADIC else OPERAND
            )
            pattern = self.group(pattern)
            self.operands[name] = self.groups
            return pattern
        declared = self.plan.properties.get(name)
        if declared is None:
            raise _NotFast
        return self.attribute(declared)

    def attribute(self, declared: Property) -> str:
        name = declared.name
        match declared.spelling:
            case Spelling.ENUM:
                assert declared.enum is not None
                width = IntegerType(declared.enum.width())
                table: dict[str, Attribute] = {
                    m.keyword: IntegerAttr(int(m), width) for m in declared.enum
                }
                pattern = self.group(r"\w+")
                return self.looked_up(name, table, pattern)
            case Spelling.TYPED_INTEGER:
                pattern = self.group(r"-?\d+")
                made = _memoised(lambda text: IntegerAttr(int(text), declared.type))  # pyright: ignore[reportArgumentType, reportCallIssue]
            case Spelling.STRING:
                pattern = self.group(r'"[^"\\]*"')
                made = _memoised(lambda text: StringAttr(text[1:-1]))
            case Spelling.SYMBOL_REFERENCE:
                pattern = self.group(r"@[\w$.]+")
                made = _memoised(lambda text: SymbolRefAttr(text[1:]))
            case Spelling.STRIPPED:
                return self.stripped(declared)
            case _:
                raise _NotFast
        self.names[f"make_{name}"] = made
        self.line(f"if g{self.groups} is not None: props['{name}'] = make_{name}(g{self.groups})")
        return pattern

    def stripped(self, declared: Property) -> str:
        pattern = self.group(r"<[^<>]*>")
        self.names[f"class_{declared.name}"] = declared.stripped_class
        g = self.groups
        self.line(f"if g{g} is not None:")
        self.line(
            f"    props['{declared.name}'] = "
            f"p.stripped_by_text(class_{declared.name}, g{g}, m.start({g}))"
        )
        return pattern

    def looked_up(self, name: str, table: dict[str, Attribute], pattern: str) -> str:
        self.names[f"table_{name}"] = table
        g = f"g{self.groups}"
        self.line(f"if {g} is not None:")
        self.line(f"    props['{name}'] = a = table_{name}.get({g})")
        self.line("    if a is None: return 0")
        return pattern

    def type(self, name: str) -> str:
        value = self.value(name)
        if value.stripped_class is not None or name in ("operands", "results"):
            raise _NotFast
        variable = f"t_{name}"
        if value.arity is Arity.VARIADIC:
            pattern = self.group(f"(?:{_TYPES})?")
            self.line(f"{variable} = [")
            self.line("    types.get(t[0]) or p.type_by_text(t[0], t.start())")
            self.line(
                f"    for t in FIND_TYPES(text, m.start({self.groups}), m.end({self.groups}))]"
            )
        else:
            pattern = self.group(TYPE_TEXT)
            g = f"g{self.groups}"
            read = f"types.get({g}) or p.type_by_text({g}, m.start({self.groups}))"
            if value.arity is Arity.OPTIONAL:
                read = f"None if {g} is None else ({read})"
            self.line(f"{variable} = {read}")
            if value.only_tensors and value.arity is Arity.SINGLE:
                self.line(f"if {variable}.__class__ is not TensorType: return 0")
        self.types[name] = variable
        return pattern

    def functional_type(self, inputs: str, outputs: str) -> str:
        left = self.group(f"(?:{_TYPES})?")
        self.type_list("inputs", self.groups)
        right = self.group(rf"\((?:{_TYPES})?\)|{TYPE_TEXT}")
        self.type_list("outputs", self.groups)
        for what, key in ((inputs, "inputs"), (outputs, "outputs")):
            values = self.plan.operands if what == "operands" else self.plan.results
            if what not in ("operands", "results"):
                values = (self.value(what),)
            self.unpack(values, f"l_{key}")
        return rf"\({left}\) *-> *{right}"

    def type_list(self, key: str, group: int) -> None:
        self.line(f"l_{key} = [types.get(t[0]) or p.type_by_text(t[0], t.start())")
        self.line(f"    for t in FIND_TYPES(text, m.start({group}), m.end({group}))]")

    def unpack(self, values: tuple[Value, ...], source: str) -> None:
        """Give each value its share of a list of types."""
        variadic = [v for v in values if v.arity is not Arity.SINGLE]
        if len(variadic) > 1 or (variadic and variadic[0] is not values[-1]):
            raise _NotFast
        fixed = [v for v in values if v.arity is Arity.SINGLE]
        for index, value in enumerate(fixed):
            self.types[value.name] = f"t_{value.name}"
            self.line(f"if len({source}) <= {index}: return 0")
            self.line(f"t_{value.name} = {source}[{index}]")
        rest = f"{source}[{len(fixed)}:]"
        if not variadic:
            self.line(f"if {rest}: return 0")
        elif variadic[0].arity is Arity.VARIADIC:
            self.types[variadic[0].name] = f"t_{variadic[0].name}"
            self.line(f"t_{variadic[0].name} = {rest}")
        else:
            name = variadic[0].name
            self.types[name] = f"t_{name}"
            self.line(f"t_{name} = {source}[{len(fixed)}] if {rest} else None")

    def all_operands(self) -> str:
        values = self.plan.operands
        if len(values) != 1 or values[0].arity is not Arity.VARIADIC:
            raise _NotFast
        return self.variable(values[0].name)

    def custom(self, name: str, arguments: tuple[str, ...]) -> str:
        directive = self.plan.directives[name]
        if not hasattr(directive, "PATTERN"):
            raise _NotFast
        pattern = self.group(directive.PATTERN)
        self.names[f"read_{name}"] = directive.read_text
        g, key = self.groups, arguments[0]
        self.line(f"props['{key}'], t_result = read_{name}(p, g{g}, m.start({g}))")
        self.types[directive.result] = "t_result"
        if directive.result != "result":
            raise _NotFast
        return pattern

    def value(self, name: str) -> Value:
        for value in (*self.plan.operands, *self.plan.results):
            if value.name == name:
                return value
        raise _NotFast

    # --- the reader ---------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.body.append("    " + text)

    def compile(self, elements: tuple[Element, ...]) -> Reader:
        pattern = re.compile(self.sequence(elements) + LINE_END)
        self.names["MATCH"] = pattern.match
        self.infer_types()
        self.read_dictionary()
        self.read_operands()
        self.make_op()
        groups = ", ".join(f"g{i + 1}" for i in range(self.groups))
        head = [
            "def read(p, text, pos, name, count, block):",
            "    m = MATCH(text, pos)",
            "    if m is None: return 0",
            f"    {groups + ', ' if groups else ''}g_loc = m.groups()"
            if self.groups
            else "    g_loc = m[1]",
            "    types = p._types; values = p.values",
            "    props = BASE.copy(); attrs = {}",
        ]
        source = "\n".join([*head, *self.body])
        self.names["BASE"] = {
            d.name: d.default
            for d in self.plan.properties.values()
            if d.default is not None and not d.optional
        }
        return made_code.function(source, "read", self.names)

    def infer_types(self) -> None:
        for value in (*self.plan.operands, *self.plan.results):
            if value.known_type is not None and value.name not in self.types:
                self.names[f"known_{value.name}"] = value.known_type
                self.types[value.name] = f"known_{value.name}"
                if value.arity is Arity.VARIADIC:
                    self.line(f"t_{value.name} = (known_{value.name},) * 99")
                    self.types[value.name] = f"t_{value.name}"
        pending = True
        while pending:
            pending = False
            for index, rule in enumerate(self.plan.rules):
                if rule.target in self.types or rule.source not in self.types:
                    continue
                if self.value(rule.target).arity is Arity.VARIADIC:
                    raise _NotFast
                if self.value(rule.source).arity is not Arity.SINGLE:
                    continue
                self.infer_type(index, rule)
                pending = True

    def infer_type(self, index: int, rule: TypeRule) -> None:
        target, source = rule.target, self.types[rule.source]
        if rule.function is identity:
            self.types[target] = source
            return
        self.names[f"RULE{index}"] = rule
        call = f"p.inferred(RULE{index}, {source})"
        group = self.operands.get(target)
        if group is not None and self.value(target).arity is Arity.OPTIONAL:
            call = f"None if g{group} is None else {call}"
        self.line(f"t_{target} = {call}")
        self.types[target] = f"t_{target}"

    def read_dictionary(self) -> None:
        if self.dictionary is None:
            return
        g = self.dictionary
        if self.plan.decode is not None:
            self.names["DECODE"] = self.plan.decode
        self.names["DECLARED"] = frozenset(self.plan.properties)
        self.line(f"if g{g} is not None:")
        self.line(f"    found = p.dictionary_by_text(g{g}, m.start({g}))")
        if self.plan.decode is not None:
            self.line("    found = DECODE(dict(found))")
        self.line("    for key, value in found.items():")
        self.line("        if key in DECLARED: props[key] = value")
        self.line("        else: attrs[key] = value")

    def read_operands(self) -> None:
        parts: list[str] = []
        sizes: list[str] = []
        for value in self.plan.operands:
            group = self.operands.get(value.name)
            if group is None:
                if value.arity is Arity.SINGLE:
                    raise _NotFast
                sizes.append("0")
                continue
            if value.name not in self.types:
                raise _NotFast
            part, size = self.read_operand(value, group)
            parts.append(part)
            sizes.append(size)
        if self.plan.operand_segments:
            self.names["SEGMENTS"] = _memoised(
                lambda found: DenseArrayBase.from_list(i32, list(found))
            )
            self.line(f"props['operandSegmentSizes'] = SEGMENTS(({', '.join(sizes)},))")
        joined = " ".join(f"{part}," for part in parts)
        self.line(f"operands = ({joined})")

    def read_operand(self, value: Value, group: int) -> tuple[str, str]:
        """Return how the operand appears in the tuple of operands, and its count."""
        g, v, t = f"g{group}", f"v_{value.name}", self.types[value.name]
        if value.arity is Arity.VARIADIC:
            self.line(f"{v} = []")
            self.line(f"if {g}:")
            self.line(f"    names = {g}.split(', ')")
            if not t.startswith("known_"):
                if value.known_type is None:
                    self.line(f"    if len(names) != len({t}): return 0")
                self.line(f"    for n, t in zip(names, {t}):")
            else:
                self.line(f"    t = {t}")
                self.line("    for n in names:")
            self.line("        v = values.get(n)")
            self.line("        if v is None or (v._type is not t and v._type != t): return 0")
            self.line(f"        {v}.append(v)")
            if value.known_type is None and not t.startswith("known_"):
                self.line(f"elif {t}: return 0")
            return f"*{v}", f"len({v})"
        indent = ""
        if value.arity is Arity.OPTIONAL:
            self.line(f"if {g} is None: {v} = ()")
            self.line("else:")
            indent = "    "
        self.line(f"{indent}v = values.get({g})")
        self.line(f"{indent}if v is None or (v._type is not {t} and v._type != {t}): return 0")
        if value.arity is Arity.OPTIONAL:
            self.line(f"    {v} = (v,)")
            return f"*{v}", f"len({v})"
        self.line(f"{v} = v")
        return v, "1"

    def make_op(self) -> None:
        if self.plan.result_segments:
            raise _NotFast
        results = list(self.plan.results)
        if any(v.name not in self.types for v in results):
            raise _NotFast
        if any(v.arity is not Arity.SINGLE for v in results):
            if len(results) != 1 or results[0].arity is not Arity.VARIADIC:
                raise _NotFast
            self.line(f"result_types = {self.types[results[0].name]}")
        else:
            self.line(f"result_types = ({' '.join(self.types[v.name] + ',' for v in results)})")
        self.body += MAKE_OP.splitlines()
        if self.last is not None:
            self.line("p.seen_until(LAST)")
        syntax = self.plan.syntax
        assert syntax is not None
        limits = (syntax.since, syntax.until, syntax.attributes_since, syntax.attributes_until)
        if any(limits) or any(hasattr(self.plan.cls, name) for name in ("UNTIL", "read_until")):
            self.line("note_eras(p, PLAN, op)")
        self.line("return m.end()")


def _memoised(make: Callable[[Any], Attribute]) -> Callable[[Any], Attribute]:
    made: dict[Any, Attribute] = {}

    def get(key: Any) -> Attribute:
        found = made.get(key)
        if found is None:
            found = made[key] = make(key)
        return found

    return get
