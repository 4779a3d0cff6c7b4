"""
Reading the everyday line of an op in generic form with one regular expression.

    %0 = "tt.splat"(%x) : (i32) -> tensor<64xi32>

As on the fast path of formats, whatever is out of the ordinary is left to the careful path.
"""

import re
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove

from xtriton.ir import made_code
from xtriton.ir.op_plan import OpPlan, plan_of
from xtriton.ir.reading.attribute_parser import TYPE_TEXT
from xtriton.ir.reading.format_parser import note_eras, split_attributes
from xtriton.ir.reading.line_parts import LINE_END, MAKE_OP, NAMES, OPERAND

if TYPE_CHECKING:
    from xtriton.ir.reading.parser import Parser

_OPERANDS = rf"(?:{OPERAND}(?:, {OPERAND})*)?"
_TYPES = rf"(?:{TYPE_TEXT}(?:, {TYPE_TEXT})*)?"
_DICTIONARY = r'\{(?:[^{}"\n]|"[^"\\\n]*")*\}'
_LINE = re.compile(
    r"[ \n]*(?:(%[\w$.-]+)(?::(\d+))? = )?\"([A-Za-z_]\w*\.[\w.]+)\"\("
    rf"({_OPERANDS})\)(?: <({_DICTIONARY})>)?(?: ({_DICTIONARY}))?"
    rf" : (\({_TYPES}\) -> (?:{TYPE_TEXT}|\({_TYPES}\)))" + LINE_END
)
_TYPE = re.compile(TYPE_TEXT)

_Signature = tuple[tuple[Attribute, ...], tuple[Attribute, ...]]
_Dictionaries = tuple[dict[str, Attribute], dict[str, Attribute]]

_MAKER = f"""\
def make(p, CLS, operands, result_types, props, attrs, g_loc, name, count, block):
    values = p.values
{MAKE_OP}
    return op
"""


_make = made_code.function(_MAKER, "make", dict(NAMES))


class GenericLines:
    """Reads lines of one text; the parser holds one."""

    def __init__(self, parser: "Parser"):
        self.parser = parser
        self._plans: dict[str, OpPlan | None] = {}
        self._signatures: dict[str, _Signature] = {}
        self._dictionaries: dict[tuple[str, str | None, str | None], _Dictionaries] = {}

    def read(self, text: str, position: int, block: Block) -> int:
        """Read the op at `position` into `block`; return the end of its line, or 0."""
        match = _LINE.match(text, position)
        if match is None:
            return 0
        name, count, op_name, operands_text, properties, attributes, types, location = (
            match.groups()
        )
        try:
            plan = self._plans[op_name]
        except KeyError:
            plan = self._plans[op_name] = self._plan(op_name)
        if plan is None:
            return 0
        signature = self._signatures.get(types)
        if signature is None:
            signature = self._signature(types, match.start(7))
        operands = self._operands(operands_text, signature[0])
        if operands is None:
            return 0
        key = (op_name, properties, attributes)
        dictionaries = self._dictionaries.get(key)
        if dictionaries is None:
            dictionaries = self._split(plan, key, match.start(5), match.start(6))
        op = _make(
            self.parser,
            plan.cls,
            operands,
            signature[1],
            dictionaries[0].copy(),
            dictionaries[1].copy(),
            location,
            name,
            count,
            block,
        )
        if not op:
            return 0
        if plan.syntax is not None:
            note_eras(self.parser, plan, op)
        return match.end()

    def _plan(self, name: str) -> OpPlan | None:
        """Return the plan of an op whose lines can be read here."""
        cls = self.parser.class_of_generic(name)
        if cls is None or not issubclass(cls, IRDLOperation):
            return None
        plan = plan_of(cls)
        makes_others = cls.create.__func__ is not Operation.create.__func__
        if plan is None or makes_others or plan.regions or plan.successors:
            return None
        return None if cls.has_trait(IsolatedFromAbove) else plan

    def _signature(self, text: str, offset: int) -> _Signature:
        inputs_text, _, _ = text.partition(") -> ")
        inputs: list[Attribute] = []
        outputs: list[Attribute] = []
        for match in _TYPE.finditer(text):
            known = self.parser.type_by_text(match[0], offset + match.start())
            (inputs if match.start() < len(inputs_text) else outputs).append(known)
        found = self._signatures[text] = (tuple(inputs), tuple(outputs))
        return found

    def _operands(self, text: str, types: tuple[Attribute, ...]) -> Any:
        names = text.split(", ") if text else ()
        if len(names) != len(types):
            return None
        values = self.parser.values
        found: list[Any] = []
        for name, type in zip(names, types, strict=True):
            value = values.get(name)
            if value is None or (value.type is not type and value.type != type):
                return None
            found.append(value)
        return tuple(found)

    def _split(
        self, plan: OpPlan, key: tuple[str, str | None, str | None], *offsets: int
    ) -> _Dictionaries:
        given: dict[str, Attribute] = {}
        for text, offset in zip(key[1:], offsets, strict=True):
            if text is not None:
                given |= self.parser.dictionary_by_text(text, offset)
        found = self._dictionaries[key] = split_attributes(plan, given)
        return found
