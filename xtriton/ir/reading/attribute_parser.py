"""
Types and attributes: xDSL's parser where it is right, repaired where it is not.

Repaired: hex floats and packed `i1` in dense constants, splats (kept as splats), location
aliases defined after their use, fused locations with metadata, line ranges, dialect
names of Triton 3.1, hex floats in `array<f32: ...>`.
Whatever has been parsed once is remembered by its text.
"""

import re
from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    CallSiteLoc,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NameLoc,
    NoneAttr,
    StringAttr,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.parser import Parser as XDSLParser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xtriton.ir import dense
from xtriton.ir.checking.type_rules import fault_of_type
from xtriton.ir.locations import UNKNOWN, FileLineColRangeLoc, location_from_text
from xtriton.ir.reading.affine_parser import SemiAffineParser
from xtriton.ir.reading.literals import Literal, float_of, is_in_range
from xtriton.ir.versions import (
    OLD_DIALECT_NAMES_UNTIL,
    RENAMED_DIALECTS,
    Version,
)
from xtriton.ir.writing import dense_text

TYPE_TEXT = r"[\w!.]+(?:<(?:[^<>()]|<(?:[^<>()]|<[^<>()]*>)*>)*>)?"
"""A type as text, unless it nests more than three deep or contains parentheses."""

MAX_DEPTH = 150
"""Attributes, types and locations within one another that are read."""

_TYPE = re.compile(TYPE_TEXT)
_DICTIONARY = re.compile(r'\{[^{}"]*\}')
_LOCATION = re.compile(r"loc\((#[\w.$-]+|unknown|\"[^\"\\()]*\":\d+:\d+)\)")
# One for each first character: a pattern that begins with a letter is searched for many times
# as quickly as one that begins with a choice.
_ALIAS_DEFINITIONS = tuple(re.compile(rf"({sign}[A-Za-z_$-][\w$-]*)[ \t]*=[ \t]*") for sign in "#!")
_LOCATION_DEFINITION = re.compile(r"loc\(([^\n]*)\)[ \t]*$", re.MULTILINE)
_LOCATION_LINES = re.compile(r"(?:#[\w$-]+[ \t]*=[ \t]*loc\([^\n]*\)[ \t]*(?:\n|$))+")
_ALIAS_USE = re.compile(r"[#!](?![\w$-]+\.)[A-Za-z_]")

_EVERYDAY_TYPES: dict[str, Attribute] = {
    **{"i1": i1, "i8": i8, "i16": i16, "i32": i32, "i64": i64},
    **{"bf16": bf16, "f16": f16, "f32": f32, "f64": f64, "index": IndexType()},
}
"""Types that everybody compares with; text gives these very objects."""


_OF_ANOTHER_DIALECT = ("tt.memdesc", "ttg.memdesc")
"""A type that Triton 3.2 has in `tt`, and the one that comes with it."""


class AttributeParser(XDSLParser):
    """
    The part of the parser that reads attributes, types and locations.

    `newest` and `oldest` narrow down which releases write what has been read.
    """

    newest: Version
    oldest: Version

    def _start(self, text: str) -> None:
        """Set up what this class adds; the constructor of `Parser` calls it."""
        self.text = text
        self._depth = 0
        self._era_marks = 0
        self._alias_offsets: dict[str, int] = {}
        self._twice: tuple[str, int] | None = None
        found = [match for pattern in _ALIAS_DEFINITIONS for match in pattern.finditer(text)]
        for match in sorted(found, key=re.Match[str].start):
            start = match.start()
            line = text.rfind("\n", 0, start) + 1
            if not text.endswith(">", line, start) and text[line:start].strip(" \t"):
                continue  # in the middle of a line
            if self._alias_offsets.setdefault(match[1], match.end()) != match.end():
                self._twice = self._twice or (match[1], match.start(1))
        self._aliases_in_progress: set[str] = set()
        self._types: dict[str, Attribute] = {}
        self._dictionaries: dict[str, dict[str, Attribute]] = {}
        self._locations: dict[str, Attribute] = {}
        # Texts without aliases mean the same in every module read with this context.
        shared = _memo_of(self.ctx)
        self._shared_types, self._shared_dictionaries = shared

    # --- affine maps --------------------------------------------------------------------

    def parse_affine_map(self) -> AffineMap:
        return SemiAffineParser(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        return SemiAffineParser(self._parser_state).parse_affine_set()

    # --- which release wrote this -------------------------------------------------------

    def seen_until(self, version: Version | None) -> None:
        """Note a syntax that no release after `version` writes."""
        if version is not None:
            self._era_marks += 1
            self.newest = min(self.newest, version)

    def seen_since(self, version: Version | None) -> None:
        """Note a syntax that no release before `version` writes."""
        if version is not None:
            self._era_marks += 1
            self.oldest = max(self.oldest, version)

    # --- aliases ------------------------------------------------------------------------

    def alias(self, name: str) -> Attribute:
        """Return what `#name` or `!name` stands for, wherever it is defined."""
        if (found := self.attribute_aliases.get(name)) is not None:
            return found
        offset = self._alias_offsets.get(name)
        if offset is None:
            kind = "type" if name[0] == "!" else "attribute"
            self.raise_error(f"undefined symbol alias id '{name[1:]}' of {kind}")
        if name in self._aliases_in_progress:
            self.raise_error(f"alias '{name}' refers to itself")
        self._aliases_in_progress.add(name)
        try:
            found = self._alias_value(offset)
        finally:
            self._aliases_in_progress.discard(name)
        self.attribute_aliases[name] = found
        return found

    def _alias_value(self, offset: int) -> Attribute:
        line = _LOCATION_DEFINITION.match(self.text, offset)
        if line is not None:
            location = location_from_text(line[1], self.alias)
            if location is not None:
                return location
        here = self.pos
        self._resume_from(offset)
        value = self.parse_attribute()
        self._resume_from(here)
        return value

    def _parse_alias_def(self) -> None:
        start = self._current_token.span.start
        if self._twice is not None and self._twice[1] >= start:
            self.raise_error(f"redefinition of alias '{self._twice[0]}'", self._twice[1])
        lines = _LOCATION_LINES.match(self.text, start)
        if lines is not None:
            self._resume_from(lines.end())
            return
        name = self._current_token.text
        definition = self._alias_offsets.get(name)
        if definition is None or definition < start:
            self._consume_token()
            self.parse_punctuation("=", " in attribute alias definition")
            self.raise_error("expected attribute value")
        self._resume_from(definition)
        self.attribute_aliases[name] = self.parse_attribute()

    # --- nesting, and attributes that break their own rules -----------------------------

    def _deeper(self, parse: Callable[[], Any]) -> Any:
        """Read what may nest; blame what breaks its own rules at its beginning."""
        start = self._current_token.span
        if self._depth >= MAX_DEPTH:
            self.raise_error(f"attributes are nested more than {MAX_DEPTH} deep")
        self._depth += 1
        try:
            return parse()
        except VerifyException as error:
            self.raise_error(str(error), start)
        finally:
            self._depth -= 1

    def parse_optional_attribute(self) -> Any:
        return self._deeper(super().parse_optional_attribute)

    def _parse_extended_type_or_attribute(self, attr_or_dialect_name: str, is_type: bool) -> Any:
        name = attr_or_dialect_name
        if "." in name:
            dialect, _, rest = name.partition(".")
            if (renamed := RENAMED_DIALECTS.get(dialect)) is not None:
                self.seen_until(OLD_DIALECT_NAMES_UNTIL[dialect])
                name = f"{renamed}.{rest}"
            if name == _OF_ANOTHER_DIALECT[0]:
                self.seen_until(OLD_DIALECT_NAMES_UNTIL["triton_gpu"])
                self.ctx.get_optional_type(_OF_ANOTHER_DIALECT[1])
        elif self._current_token.kind is not MLIRTokenKind.LESS:
            return self.alias(("!" if is_type else "#") + name)
        elif name in RENAMED_DIALECTS:
            self.seen_until(OLD_DIALECT_NAMES_UNTIL[name])
            name = RENAMED_DIALECTS[name]
        return super()._parse_extended_type_or_attribute(name, is_type)

    # --- types, by text -----------------------------------------------------------------

    def parse_optional_type(self) -> Any:
        start = self._current_token.span.start
        if self.text.startswith("dense<", start):
            return None  # which looks like a type, of millions of characters
        match = _TYPE.match(self.text, start)
        if match is not None:
            text = match[0]
            known = self._types.get(text) or self._shared_types.get(text)
            if known is not None:
                self._resume_from(match.end())
                return known
        marks = self._era_marks
        span = self._current_token.span
        found = self._deeper(super().parse_optional_type)
        if found is not None and (fault := fault_of_type(found)) is not None:
            self.raise_error(fault, span)
        if found is not None and match is not None:
            text = self.text[start : self._current_token.span.start].rstrip()
            local = marks != self._era_marks or _ALIAS_USE.search(text)
            (self._types if local else self._shared_types)[text] = found
        return found

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        name, attribute = super()._parse_attribute_entry()
        dialect, dot, rest = name.partition(".")
        if dot and (renamed := RENAMED_DIALECTS.get(dialect)) is not None:
            self.seen_until(OLD_DIALECT_NAMES_UNTIL[dialect])
            name = f"{renamed}.{rest}"
        return name, attribute

    # --- dictionaries, by text ----------------------------------------------------------

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        if self._current_token.kind is not MLIRTokenKind.L_BRACE:
            return {}
        match = _DICTIONARY.match(self.text, self._current_token.span.start)
        if match is not None:
            known = self._dictionaries.get(match[0]) or self._shared_dictionaries.get(match[0])
            if known is not None:
                self._resume_from(match.end())
                return dict(known)
        marks = self._era_marks
        found = super().parse_optional_dictionary_attr_dict()
        if match is not None:
            local = marks != self._era_marks or _ALIAS_USE.search(match[0])
            memo = self._dictionaries if local else self._shared_dictionaries
            memo[match[0]] = found
            return dict(found)
        return found

    # --- locations ----------------------------------------------------------------------

    def parse_optional_location(self) -> Any:
        if self._current_token.text != "loc":
            return None
        match = _LOCATION.match(self.text, self._current_token.span.start)
        if match is not None:
            self._resume_from(match.end())
            return self.location_of_text(match[1])
        return super().parse_optional_location()

    def location_of_text(self, text: str) -> Attribute:
        """Return the location for the inside of a `loc(...)` of an everyday form."""
        known = self._locations.get(text)
        if known is None:
            known = self.alias(text) if text[0] == "#" else location_from_text(text, self.alias)
            if known is None:
                self.raise_error("expected location instance")
            self._locations[text] = known
        return known

    def _parse_location(self) -> Any:
        return self._deeper(self._parse_location_inside)

    def _parse_location_inside(self) -> Attribute:
        if self.parse_optional_keyword("unknown"):
            return UNKNOWN
        if (name := self.parse_optional_str_literal()) is not None:
            return self._location_in_quotes(name)
        if self._current_token.kind is MLIRTokenKind.HASH_IDENT:
            return self.parse_attribute()
        if self.parse_optional_keyword("callsite"):
            with self.in_parens():
                callee = self._parse_location()
                self.parse_keyword("at")
                return CallSiteLoc(callee, self._parse_location())
        if self.parse_optional_keyword("fused"):
            metadata: Attribute = NoneAttr()
            if self.parse_optional_punctuation("<"):
                metadata = self.parse_attribute()
                self.parse_punctuation(">")
            parts = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
            return FusedLoc(ArrayAttr(parts), metadata)
        self.raise_error("expected location instance")

    def _location_in_quotes(self, name: str) -> Attribute:
        if not self.parse_optional_punctuation(":"):
            if self._current_token.kind is MLIRTokenKind.L_PAREN:
                with self.in_parens():
                    return NameLoc(StringAttr(name), self._parse_location())
            return NameLoc(StringAttr(name), NoneAttr())
        line = self.parse_integer(False, False)
        column = 0
        if self.parse_optional_punctuation(":"):
            column = self.parse_integer(False, False)
        if not self.parse_optional_keyword("to"):
            return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))
        end = line
        if not self.parse_optional_punctuation(":"):
            end = self.parse_integer(False, False)
            self.parse_punctuation(":")
        last = self.parse_integer(False, False)
        numbers = (IntAttr(n) for n in (line, column, end, last))
        return FileLineColRangeLoc(StringAttr(name), *numbers)

    # --- constants ----------------------------------------------------------------------

    def parse_dimension_list(self) -> list[int]:
        extents: list[int] = []
        delimiter = self._current_token.span.start
        while self._current_token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
            extents.append(self.parse_shape_dimension())
            delimiter = self._current_token.span.start
            if not self._parse_optional_shape_delimiter():
                return extents
        if extents:
            # The last delimiter is for whoever reads what follows.
            self._resume_from(delimiter)
        return extents

    def parse_optional_builtin_int_or_float_attr(self) -> Any:
        start = self._current_token.span
        negative = start.text == "-"
        hexadecimal = self.text.startswith("0x", start.start + negative)
        if (found := self.try_parse_builtin_boolean_attr()) is not None:
            return found
        if (value := self.parse_optional_number()) is None:
            return None
        if self._current_token.kind is not MLIRTokenKind.COLON:
            type: Any = f64 if isinstance(value, float) else i64
        else:
            type = self._parse_attribute_type()
        return self._number(Literal(value, negative, hexadecimal), type, start)

    def _number(self, literal: Literal, type: Any, start: Span) -> Any:
        """Return the attribute of `type` that a literal is."""
        value: Any = literal.value
        if isinstance(type, AnyFloat):
            return FloatAttr(self._in_format(literal, type, start), type)
        if value.__class__ is float:
            self.raise_error("floating point value not valid for specified type", start)
        if type.name not in (IntegerType.name, IndexType.name):
            self.raise_error("integer literal not valid for specified type", start)
        if not is_in_range(literal, type):
            self.raise_error("integer constant out of range for attribute", start)
        return IntegerAttr(value, type)

    def _in_format(self, literal: Literal, type: AnyFloat, at: Span) -> float:
        """Return the value of a float's literal, as far as it can be told apart in `type`."""
        try:
            return float_of(literal, type)
        except ValueError as error:
            self.raise_error(str(error), at)

    def _parse_dense_literal_type(self) -> Any:
        type = self.expect(self.parse_optional_type, "expected type of the dense constant")
        if not hasattr(type, "get_shape") or not hasattr(type, "element_type"):
            self.raise_error("elements literal must be a shaped type")
        if any(extent < 0 for extent in type.get_shape()):
            self.raise_error("elements literal type must have static shape")
        return type

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        self.parse_punctuation("<", " in dense attribute")
        if (long := self._long_dense(type)) is not None:
            return long
        hex_string: str | None = None
        elements: list[Any] = []
        shape: list[int] = []
        empty = self.parse_optional_punctuation(">") is not None
        if not empty:
            if (hex_string := self.parse_optional_str_literal()) is None:
                elements, shape = self._parse_tensor_literal()
            self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        if hex_string is not None:
            return self._dense_from_hex(type, hex_string)
        if shape and list(type.get_shape()) != shape:
            self.raise_error(
                f"inferred shape of elements literal ({shape}) does not match type "
                f"({list(type.get_shape())})"
            )
        if empty and 0 not in type.get_shape():
            self.raise_error("expected at least one element in the dense constant")
        return self._dense_from_elements(type, elements)

    def _long_dense(self, type: Any) -> DenseIntOrFPElementsAttr | None:
        """Read a long list of plain numbers at once; None, and nothing read, if it is none."""
        start = self._current_token.span.start
        end = dense_text.list_end(self.text, start)
        if not end:
            return None
        self._resume_from(end)
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        data = dense_text.numbers(self.text[start:end], type.element_type, type.get_shape())
        if data is not None:
            return dense.from_bytes(type, data)
        self._resume_from(start)
        return None

    def _dense_from_elements(self, type: Any, elements: list[Any]) -> DenseIntOrFPElementsAttr:
        element = type.element_type
        if isinstance(element, AnyFloat):
            data = b"".join(self._bytes_of_float(value, element) for value in elements)
            return dense.from_bytes(type, data)
        values = [value.to_type(self, element) for value in elements]
        if not values:
            return DenseIntOrFPElementsAttr.from_list(type, values)
        if isinstance(element, AnyFloat | IntegerType) or len(values) == 1:
            return (
                dense.dense(type, values)
                if not isinstance(values[0], tuple)
                else (DenseIntOrFPElementsAttr.from_list(type, values))
            )
        return DenseIntOrFPElementsAttr.from_list(type, values)

    def _bytes_of_float(self, element: Any, type: AnyFloat) -> bytes:
        value, start = element.value, element.span.start
        negative = self.text.startswith("-", start)
        literal = Literal(value, negative, self.text.startswith("0x", start + negative))
        number = self._in_format(literal, type, element.span)
        if literal.hexadecimal:
            # Written bits stay as they are, those of NaNs too.
            return value.to_bytes(type.compile_time_size, "little")
        return type.pack((number,))

    def _dense_from_hex(self, type: Any, text: str) -> DenseIntOrFPElementsAttr:
        if not text.startswith("0x"):
            self.raise_error("expected string containing hex digits starting with `0x`")
        try:
            data = bytes.fromhex(text[2:])
        except ValueError:
            self.raise_error("elements hex string only contains hex digits")
        count = 1
        for extent in type.get_shape():
            count *= extent
        element = type.element_type
        is_boolean = element == i1
        if is_boolean and count > 1:
            # Booleans are packed eight to a byte.
            if len(data) == 1 and count > 8:
                data *= (count + 7) // 8
            if len(data) != (count + 7) // 8:
                self.raise_error("elements hex data size is invalid for provided type")
            data = bytes(data[i // 8] >> (i % 8) & 1 for i in range(count))
        elif is_boolean:
            data = bytes(byte & 1 for byte in data)
        if len(data) not in (element.compile_time_size, element.compile_time_size * count):
            self.raise_error("elements hex data size is invalid for provided type")
        return dense.from_bytes(type, data)

    def _parse_typed_integer(
        self,
        type: IntegerType,
        allow_boolean: bool = True,
        allow_negative: bool = True,
        context_msg: str = "",
    ) -> int:
        """Read an element of a dense array; those of `i1` are `true` and `false`."""
        is_boolean = type.width.data == 1
        if is_boolean and self._current_token.kind is not MLIRTokenKind.BARE_IDENT:
            self.raise_error("expected 'true' or 'false' values for i1 type")
        if not is_boolean and self._current_token.text in ("true", "false"):
            self.raise_error("expected i1 type for 'true' or 'false' values")
        return super()._parse_typed_integer(type, allow_boolean, allow_negative, context_msg)

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase | None:
        start = self.pos
        match = re.compile(r"<\s*(f16|bf16|f32|f64)\s*:([^>]*)>").match(self.text, start)
        if match is None or "0x" not in match[2]:
            return super()._parse_builtin_densearray_attr()
        self._consume_token()
        element = self.parse_type()
        self._resume_from(match.end())
        numbers = [self._float_from_text(element, part.strip()) for part in match[2].split(",")]
        return DenseArrayBase.from_list(element, numbers)  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]

    def _float_from_text(self, type: Any, text: str) -> float:
        if not text.startswith("0x"):
            return float(text)
        data = int(text, 16).to_bytes(type.compile_time_size, "little")
        return next(iter(type.iter_unpack(data)))


def _memo_of(context: Any) -> tuple[dict[str, Attribute], dict[str, dict[str, Attribute]]]:
    memo: Any = context.__dict__.get("_xtriton_memo")
    if memo is None:
        memo = (_EVERYDAY_TYPES.copy(), dict[str, dict[str, Attribute]]())
        context.__dict__["_xtriton_memo"] = memo
    return memo
