"""
The part of the printer that writes text, attributes and types.

What is printed goes into a list of pieces; the text of an attribute is made once. Pieces
that depend on the numbering of aliases are resolved at the end (see `aliases`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import AnyFloat, FloatAttr, FunctionType, UnitAttr
from xdsl.ir import (
    Attribute,
    BuiltinAttribute,
    Data,
    OpaqueSyntaxAttribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.printer import Printer as XDSLPrinter

from xtriton.budget import current
from xtriton.errors import UserError
from xtriton.ir.versions import Version, dialect_names, version_text
from xtriton.ir.writing import attribute_text
from xtriton.ir.writing.aliases import (
    LOCATIONS,
    Entry,
    InlineLocation,
    Piece,
    Stripped,
    alias_name,
    join,
)
from xtriton.ir.writing.attribute_text import BUILTIN_TEXT
from xtriton.ir.writing.float_text import float_text


class TooLong(UserError):
    """A text is longer than the budget allows: attributes that share parts have such texts."""


class AttributePrinter(XDSLPrinter):
    """
    Writes attributes and types in the syntax of a release.

    `version` is the release: attributes that changed over time ask it in their
    `print_parameters`.
    """

    def __init__(self, version: Version, *, debug_info: bool, generic: bool):
        super().__init__(print_generic_format=generic, print_debuginfo=debug_info)
        self.version = version
        self.most_text = current().text
        self.debug_info = debug_info
        self._dialect_names = dialect_names(version)
        self._out: list[Piece] = []
        # The text of attributes, by identity; of types and of what has an alias, also by value.
        self._memo: dict[int, str | Entry] = {}
        self._by_value: dict[Attribute, str | Entry] = {}
        self._keep: list[Attribute] = []
        self._stripped: dict[int, Piece] = {}
        self._entries: list[Entry] = []
        self._children: list[Entry] | None = None
        self._deferring = False
        self._key_texts: dict[str, str] = {}

    # --- text ---------------------------------------------------------------------------

    def emit(self, text: str) -> None:
        """Write `text`, which has no line breaks."""
        self._out.append(text)

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            spaces = " " * (self.indent_num_spaces * (self._indent if indent is None else indent))
            text = text.replace("\n", "\n" + spaces)
        self._out.append(text)

    def _print_new_line(self, indent: int | None = None, print_message: bool = True) -> None:
        self._out.append("\n" + "  " * (self._indent if indent is None else indent))

    def print_string_literal(self, string: str) -> None:
        self._out.append(attribute_text.string_text(string))

    def print_bytes_literal(self, bytestring: bytes) -> None:
        self._out.append(attribute_text.string_text(bytestring))

    def print_identifier_or_string_literal(self, string: str) -> None:
        self._out.append(attribute_text.keyword_text(string))

    def print_symbol_name(self, sym_name: str) -> None:
        self._out.append(attribute_text.symbol_text(sym_name))

    def print_int(self, value: int, type: Attribute | None = None) -> None:
        self._out.append(attribute_text.integer_text(value, type))

    def print_float(self, value: float | FloatAttr[Any], type: AnyFloat | None = None) -> None:
        if isinstance(value, FloatAttr):
            value, type = value.value.data, value.type
        assert type is not None
        self._out.append(float_text(value, type))

    def print_resource_handle(self, dialect: str, handle: str) -> None:
        self._out.append(attribute_text.keyword_text(handle))

    # --- attributes ---------------------------------------------------------------------

    def print_attribute(self, attribute: Attribute) -> None:
        """
        Write an attribute or type: its alias, if it has one.

        A location written by an op is that of a block argument, which MLIR spells out.
        """
        piece = self._piece(attribute)
        if piece.__class__ is not str and self._children is None:
            assert isinstance(piece, Entry)
            if isinstance(piece.attribute, LOCATIONS):
                self._out.append(InlineLocation(piece))
                return
        self._out.append(piece)

    def _piece(self, attribute: Attribute) -> str | Entry:
        piece = self._memo.get(id(attribute))
        if piece is None:
            piece = self._remember(attribute)
        if piece.__class__ is not str:
            self._visit(piece)  # pyright: ignore[reportArgumentType]
        return piece

    def _visit(self, entry: Entry) -> None:
        if self._children is not None:
            self._children.append(entry)
        if entry.deferrable and not self._deferring:
            entry.forbid_deferral()

    def _remember(self, attribute: Attribute) -> str | Entry:
        name = alias_name(attribute)
        by_value = name is not None or isinstance(attribute, TypeAttribute)
        piece = self._by_value.get(attribute) if by_value else None
        if piece is None:
            piece = self._make(attribute, name)
            if by_value:
                self._by_value[attribute] = piece
        self._memo[id(attribute)] = piece
        self._keep.append(attribute)
        return piece

    def _make(self, attribute: Attribute, name: str | None) -> str | Entry:
        entry = Entry(attribute, name, self._deferring)
        if name is not None:
            self._entries.append(entry)
        outer = self._out, self._children
        self._out, self._children = entry.body, entry.children
        try:
            self._write_attribute(attribute)
        finally:
            self._out, self._children = outer
        entry.depth = max((child.depth for child in entry.children), default=0)
        if name is None and not entry.depth:
            return self._bounded(join(entry.body))
        entry.depth += 1
        return entry

    def _bounded(self, text: str) -> str:
        """Return the text of an attribute; raise `UserError` where it repeats parts too often."""
        if len(text) > self.most_text:
            raise TooLong(f"an attribute has a text of more than {self.most_text:,} characters")
        return text

    def _write_attribute(self, attribute: Attribute) -> None:
        if (write := BUILTIN_TEXT.get(type(attribute))) is not None:
            write(self, attribute)
        elif isinstance(attribute, BuiltinAttribute):
            attribute.print_builtin(self)
        else:
            prefix, suffix = self._symbol_affixes(attribute)
            since: Version | None = getattr(attribute, "SINCE", None)
            if since is not None and self.version < since and not hasattr(attribute, "text_name"):
                raise UserError(f"Triton {version_text(self.version)} has no {prefix}")
            self.emit(prefix)
            if isinstance(attribute, Data):
                attribute.print_parameter(self)
            elif isinstance(attribute, ParametrizedAttribute):
                attribute.print_parameters(self)
            self.emit(suffix)

    def _symbol_affixes(self, attribute: Attribute) -> tuple[str, str]:
        """Return what surrounds the parameters of a dialect's attribute."""
        sigil = "!" if isinstance(attribute, TypeAttribute) else "#"
        # `text_name` of a class says what releases call it that had another name for it.
        own = getattr(attribute, "text_name", None)
        name = self.old_or_new_name(attribute.name if own is None else own(self.version))
        if not isinstance(attribute, OpaqueSyntaxAttribute):
            return sigil + name, ""
        space = " " if isinstance(attribute, SpacedOpaqueSyntaxAttribute) else ""
        return sigil + name.replace(".", "<", 1) + space, ">"

    def old_or_new_name(self, name: str) -> str:
        """Return the name of an op or attribute with the dialect called as `version` does."""
        if self._dialect_names:
            dialect, dot, rest = name.partition(".")
            return self._dialect_names.get(dialect, dialect) + dot + rest
        return name

    def print_stripped(self, attribute: Attribute) -> None:
        """Write a dialect's attribute or type without `!dialect.name`, or its alias."""
        piece = self._piece(attribute)
        stripped = self._stripped.get(id(attribute))
        if stripped is None:
            stripped = self._stripped[id(attribute)] = self._strip(attribute, piece)
        self._out.append(stripped)

    def _strip(self, attribute: Attribute, piece: str | Entry) -> Piece:
        if isinstance(attribute, BuiltinAttribute):
            return piece
        prefix, suffix = self._symbol_affixes(attribute)
        if isinstance(piece, Entry):
            return Stripped(piece, len(prefix), len(suffix))
        return piece[len(prefix) : len(piece) - len(suffix)] or piece

    def key_text(self, name: str) -> str:
        """Return the name of an attribute in a dictionary."""
        text = self._key_texts.get(name)
        if text is None:
            text = attribute_text.keyword_text(self.old_or_new_name(name))
            self._key_texts[name] = text
        return text

    def print_named_attributes(self, items: Sequence[tuple[str, Attribute]]) -> None:
        """Write `a = 1, b`; the names are in order, in today's spelling."""
        emit, separator = self._out.append, ""
        if self._dialect_names:
            items = sorted(items, key=lambda item: self.old_or_new_name(item[0]))
        for name, attribute in items:
            emit(separator + self.key_text(name))
            if attribute.__class__ is not UnitAttr:
                emit(" = ")
                emit(self._piece(attribute))
            separator = ", "

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        self._out.append("{")
        self.print_named_attributes(sorted(attr_dict.items()))
        self._out.append("}")

    def print_op_attributes(
        self,
        attributes: Mapping[str, Attribute],
        *,
        reserved_attr_names: Iterable[str] = (),
        print_keyword: bool = False,
    ) -> bool:
        if reserved_attr_names:
            reserved = frozenset(reserved_attr_names)
            attributes = {k: v for k, v in attributes.items() if k not in reserved}
        if not attributes:
            return False
        self._out.append(" attributes " if print_keyword else " ")
        self.print_attr_dict(attributes)
        return True

    def print_function_type(
        self, input_types: Iterable[Attribute], output_types: Iterable[Attribute]
    ) -> None:
        outputs = list(output_types)
        bare = len(outputs) == 1 and not isinstance(outputs[0], FunctionType)
        self._out.append("(")
        self.print_list(input_types, self.print_attribute)
        self._out.append(") -> " if bare else ") -> (")
        self.print_list(outputs, self.print_attribute)
        if not bare:
            self._out.append(")")

    # --- locations ----------------------------------------------------------------------

    def _location(self, location: Attribute) -> Entry:
        """Return the entry of an op's location, which may be defined after the module."""
        piece = self._memo.get(id(location))
        if piece is None:
            self._deferring = True
            piece = self._remember(location)
            self._deferring = False
        assert isinstance(piece, Entry)
        return piece

    def print_optional_location(self, location: Attribute) -> None:
        """Write ` loc(...)`, spelled out, if locations are written at all."""
        if self.debug_info:
            self._out.append(" ")
            self.print_attribute(location)
