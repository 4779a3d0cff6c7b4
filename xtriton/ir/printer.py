"""
The printer: a module as the text that MLIR, as Triton uses it, prints.

    text = print_module(module)
    text = print_module(module, version=(3, 6), debug_info=True)

Names, aliases, spaces, float digits and elided defaults are MLIR's to the byte. Ops say
how they are written by their `SYNTAX`, or by a method `print(self, printer)` that uses
the interface of xDSL's printer, all of which this class has.

What is printed goes into a list of pieces; the text of an attribute is made once. Pieces
that depend on the numbering of aliases are resolved at the end (see `aliases`).
"""

import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    FunctionType,
    UnitAttr,
    UnregisteredOp,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    BuiltinAttribute,
    Data,
    OpaqueSyntaxAttribute,
    Operation,
    ParametrizedAttribute,
    Region,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.printer import Printer as XDSLPrinter
from xdsl.traits import IsTerminator

from xtriton.errors import UserError
from xtriton.ir import attribute_text
from xtriton.ir.aliases import (
    LOCATIONS,
    Entry,
    InlineLocation,
    Piece,
    Pieces,
    Stripped,
    alias_name,
    definitions,
    join,
    number_aliases,
)
from xtriton.ir.attribute_text import BUILTIN_TEXT
from xtriton.ir.float_text import float_text
from xtriton.ir.naming import Names, name_values
from xtriton.ir.op_text import OpText, op_text_of
from xtriton.ir.versions import (
    LAST_VERSION_OF_OLD_DIALECT_NAMES,
    NEWEST,
    RENAMED_DIALECTS,
    Version,
    version_read,
)

_OLD_DIALECT_NAMES = {new: old for old, new in RENAMED_DIALECTS.items()}
_item: Any = tuple.__getitem__
"""`SSAValues` indexes ten times slower than the tuple that it is."""
_FRAMES = 30_000
"""Python frames that printing may take: some thousand nested regions."""


def print_module(
    module: Operation,
    *,
    version: Version | None = None,
    debug_info: bool = False,
    generic: bool = False,
    names_from_locations: bool | None = None,
) -> str:
    """
    Return the text of `module`, a newline at its end.

    `version` is the release of Triton whose syntax to write (default: the one that was
    read). `debug_info` writes locations; `generic` writes every op in generic form.
    `names_from_locations` names values as their name locations say; that is the default
    with `debug_info`, as in Triton. Raises `UserError` for what cannot be said in the
    syntax of `version`, and for regions nested thousands deep.
    """
    if version is None:
        version = version_read(module)
    if names_from_locations is None:
        names_from_locations = debug_info
    printer = Printer(
        version=version,
        debug_info=debug_info,
        generic=generic,
        names_from_locations=names_from_locations,
    )
    with _deep_recursion():
        return printer.print_top_level(module)


@contextmanager
def _deep_recursion() -> Generator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    except RecursionError:
        raise UserError("regions are nested too deeply to print") from None
    finally:
        sys.setrecursionlimit(limit)


class Printer(XDSLPrinter):
    """
    Writes ops, attributes and types; one object prints one module.

    `version` is the release whose syntax is written: attributes that changed over time
    ask it in their `print_parameters`.
    """

    def __init__(
        self,
        *,
        version: Version = NEWEST,
        debug_info: bool = False,
        generic: bool = False,
        names_from_locations: bool = False,
    ):
        super().__init__(print_generic_format=generic, print_debuginfo=debug_info)
        self.version = version
        self.debug_info = debug_info
        self.generic = generic
        self.names_from_locations = names_from_locations
        self._old_names = version <= LAST_VERSION_OF_OLD_DIALECT_NAMES
        self._out: list[Piece] = []
        self._values: dict[int, str] = {}
        self._names = Names()
        self._default_dialect = "builtin"
        # Attributes: text by identity; types and what has an alias also by value.
        self._memo: dict[int, str | Entry] = {}
        self._by_value: dict[Attribute, str | Entry] = {}
        self._keep: list[Attribute] = []
        self._stripped: dict[int, Piece] = {}
        self._entries: list[Entry] = []
        self._children: list[Entry] | None = None
        self._deferring = False
        self._key_texts: dict[str, str] = {}
        self._op_texts: dict[type[Operation], OpText] = {}

    # --- whole modules ------------------------------------------------------------------

    def print_top_level(self, op: Operation) -> str:
        """Return the text of `op` with the aliases that it needs."""
        self._use_names_of(op)
        self._print_full_op(op)
        aliases = number_aliases(self._entries)
        early = definitions(aliases, deferrable=False)
        late = definitions(aliases, deferrable=True)
        return f"{early}{join(self._out)}\n{late}"

    def _use_names_of(self, root: Operation) -> None:
        self._names = name_values(
            root, from_locations=self.names_from_locations, generic=self.generic
        )
        self._values = self._names.values

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

    # --- values -------------------------------------------------------------------------

    def name_of(self, value: SSAValue) -> str:
        """Return `%name`."""
        return self._values.get(id(value), "%<<UNKNOWN SSA VALUE>>")

    def print_ssa_value(self, value: SSAValue) -> str:
        name = self._values.get(id(value), "%<<UNKNOWN SSA VALUE>>")
        self._out.append(name)
        return name[1:]

    def print_operand(self, operand: SSAValue) -> None:
        self._out.append(self._values.get(id(operand), "%<<UNKNOWN SSA VALUE>>"))

    def print_values(self, values: Iterable[SSAValue]) -> None:
        """Write names with commas between them."""
        names = self._values
        self._out.append(", ".join([names[id(value)] for value in values]))

    def print_types(self, values: Sequence[SSAValue]) -> None:
        """Write the types of `values` with commas between them."""
        for index, value in enumerate(values):
            if index:
                self._out.append(", ")
            self.print_attribute(value.type)

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
            self._visit(piece)  # pyright: ignore
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
            return join(entry.body)
        entry.depth += 1
        return entry

    def _write_attribute(self, attribute: Attribute) -> None:
        if (write := BUILTIN_TEXT.get(type(attribute))) is not None:
            write(self, attribute)
        elif isinstance(attribute, BuiltinAttribute):
            attribute.print_builtin(self)
        else:
            prefix, suffix = self._symbol_affixes(attribute)
            self.emit(prefix)
            if isinstance(attribute, Data):
                attribute.print_parameter(self)
            elif isinstance(attribute, ParametrizedAttribute):
                attribute.print_parameters(self)
            self.emit(suffix)

    def _symbol_affixes(self, attribute: Attribute) -> tuple[str, str]:
        """Return what surrounds the parameters of a dialect's attribute."""
        sigil = "!" if isinstance(attribute, TypeAttribute) else "#"
        name = self.old_or_new_name(attribute.name)
        if not isinstance(attribute, OpaqueSyntaxAttribute):
            return sigil + name, ""
        space = " " if isinstance(attribute, SpacedOpaqueSyntaxAttribute) else ""
        return sigil + name.replace(".", "<", 1) + space, ">"

    def old_or_new_name(self, name: str) -> str:
        """Return the name of an op or attribute with the dialect called as `version` does."""
        if self._old_names:
            dialect, dot, rest = name.partition(".")
            return _OLD_DIALECT_NAMES.get(dialect, dialect) + dot + rest
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

    def print_attribute_without_type(self, attribute: Attribute) -> None:
        """Write an attribute whose type the reader knows."""
        attribute_text.print_without_type(self, attribute)

    def key_text(self, name: str) -> str:
        """Return the name of an attribute in a dictionary."""
        text = self._key_texts.get(name)
        if text is None:
            text = attribute_text.keyword_text(self.old_or_new_name(name))
            self._key_texts[name] = text
        return text

    def print_named_attributes(self, items: Sequence[tuple[str, Attribute]]) -> None:
        """Write `a = 1, b` in the order given."""
        emit, separator = self._out.append, ""
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

    # --- ops ----------------------------------------------------------------------------

    def print_op(self, op: Operation) -> None:
        if not self._values and not self._names.blocks:
            root = op
            while (parent := root.parent_op()) is not None:
                root = parent
            self._use_names_of(root)
        self._print_full_op(op)

    def _print_full_op(self, op: Operation) -> None:
        cls = op.__class__
        text = self._op_texts.get(cls)
        if text is None:
            text = self._op_texts[cls] = op_text_of(self, cls)
        location = self._location(op.location) if self.debug_info else None
        name = text.short_name if text.dialect == self._default_dialect else text.name
        results = op.results
        if not results:
            self._out.append(name)
        elif len(results) == 1:
            self._out.append(f"{self._values[id(_item(results, 0))]} = {name}")
        else:
            self._out.append(f"{self._names.results[id(op)]} = {name}")
        text.write(self, op)
        if location is not None:
            self._out += (" loc(", location, ")")

    def print_op_with_default_format(self, op: Operation) -> None:
        """Write what follows the name of an op in generic form."""
        out, values = self._out, self._values
        operands = op._operands  # pyright: ignore[reportPrivateUsage]
        out.append(f"({', '.join([values[id(operand)] for operand in operands])})")
        successors = op._successors  # pyright: ignore[reportPrivateUsage]
        if successors:
            out.append(f"[{', '.join(self.block_name(block) for block in successors)}]")
        # MLIR numbers the aliases of properties after those of regions and types.
        slot = len(out)
        out.append("")
        self.print_regions(op.regions)
        for value in (*operands, *op.results):
            self._piece(value.type)
        properties, attributes = self._generic_attributes(op)
        for _, attribute in sorted({**properties, **attributes}.items()):
            self._piece(attribute)
        if properties:
            out[slot] = self._properties(properties)
        if attributes:
            out.append(" ")
            self.print_attr_dict(attributes)
        out.append(" : ")
        self.print_function_type(
            [operand.type for operand in operands], [result.type for result in op.results]
        )

    def _generic_attributes(
        self, op: Operation
    ) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
        text = self._op_texts[op.__class__]
        properties: dict[str, Attribute] = {**text.defaults, **op.properties}
        attributes = op.attributes
        if isinstance(op, UnregisteredOp):
            attributes = {k: v for k, v in attributes.items() if k != "op_name__"}
        if text.encode is not None:
            encoded = text.encode(op, self.version)
            attributes = {k: v for k, v in encoded.items() if k in op.attributes}
            properties = {k: v for k, v in encoded.items() if k not in op.attributes}
        return properties, attributes

    def _properties(self, properties: Mapping[str, Attribute]) -> Piece:
        outer, self._out = self._out, []
        self._out.append(" <")
        self.print_attr_dict(properties)
        self._out.append(">")
        pieces, self._out = self._out, outer
        return Pieces(pieces)

    def print_operands(self, operands: Sequence[SSAValue]) -> None:
        self._out.append("(")
        self.print_values(operands)
        self._out.append(")")

    def print_successors(self, successors: Sequence[Block]) -> None:
        if successors:
            names = ", ".join(self.block_name(block) for block in successors)
            self._out.append(f"[{names}]")

    def print_regions(self, regions: Sequence[Region]) -> None:
        if regions:
            self._out.append(" (")
            self.print_list(regions, self.print_region)
            self._out.append(")")

    def print_operation_type(self, op: Operation) -> None:
        self.print_function_type(op.operand_types, op.result_types)

    def enter_scope(self) -> None:
        """Nothing to do: names are given out before printing."""

    def exit_scope(self) -> None:
        """Nothing to do: names are given out before printing."""

    # --- regions and blocks -------------------------------------------------------------

    def block_name(self, block: Block) -> str:
        """Return `^bb0`."""
        return self._names.blocks.get(id(block), "^INVALIDBLOCK")

    def print_block_name(self, block: Block) -> str:
        name = self.block_name(block)
        self._out.append(name)
        return name[1:]

    def print_region(
        self,
        region: Region,
        print_entry_block_args: bool = True,
        print_empty_block: bool = True,
        print_block_terminators: bool = True,
    ) -> None:
        self._out.append("{")
        block = region.first_block
        if block is not None:
            outer = self._default_dialect
            self._default_dialect = self._dialect_of_region(region)
            has_header = (print_empty_block and block.first_op is None) or (
                print_entry_block_args and bool(block.args)
            )
            self.print_block(block, has_header, print_block_terminators)
            while (block := block.next_block) is not None:
                self.print_block(block)
            self._default_dialect = outer
        self._out.append("\n" + "  " * self._indent + "}")

    def _dialect_of_region(self, region: Region) -> str:
        parent = region.parent
        if parent is None:
            return ""
        text = self._op_texts.get(parent.__class__)
        return text.default_dialect if text is not None else ""

    def print_block(
        self,
        block: Block,
        print_block_args: bool = True,
        print_block_terminator: bool = True,
    ) -> None:
        if print_block_args:
            self._print_block_header(block)
        last = block.last_op
        if print_block_terminator or last is None or not last.has_trait(IsTerminator):
            last = None
        self._indent += 1
        newline = "\n" + "  " * self._indent
        op = block.first_op
        while op is not last and op is not None:
            self._out.append(newline)
            self._print_full_op(op)
            op = op.next_op
        self._indent -= 1

    def _print_block_header(self, block: Block) -> None:
        self._print_new_line()
        self.print_block_name(block)
        if block.args:
            self._out.append("(")
            self.print_list(block.args, self.print_block_argument)
            self._out.append(")")
        self._out.append(":" + self._predecessors_comment(block))

    def _predecessors_comment(self, block: Block) -> str:
        if block.parent is None:
            return "  // block is not in a region!"
        predecessors = block.predecessors()
        if not predecessors:
            return "" if block is block.parent.first_block else "  // no predecessors"
        order = self._names.order
        names = [
            self.block_name(predecessor)
            for predecessor in sorted(predecessors, key=lambda b: order.get(id(b), -1))
        ]
        if len(names) == 1:
            return f"  // pred: {names[0]}"
        return f"  // {len(names)} preds: {', '.join(names)}"

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        self.print_operand(arg)
        if print_type:
            self._out.append(": ")
            self.print_attribute(arg.type)
            self.print_optional_location(arg.location)

    def print_region_argument(
        self, arg: BlockArgument, attributes: Mapping[str, Attribute] = {}
    ) -> None:
        """Write `%arg0: type {attributes} loc(...)`, the argument of a function."""
        self.print_operand(arg)
        self._out.append(": ")
        self.print_attribute(arg.type)
        self.print_op_attributes(attributes)
        self.print_optional_location(arg.location)


def attribute_string(attribute: Attribute, version: Version = NEWEST) -> str:
    """Return the text of an attribute or type by itself, without aliases."""
    printer = Printer(version=version)
    printer.print_attribute(attribute)
    return join(printer._out)  # pyright: ignore[reportPrivateUsage]


def op_string(op: Operation, version: Version = NEWEST) -> str:
    """Return an op in generic form, as error messages show it."""
    printer = Printer(version=version, generic=True)
    printer.print_op(op)
    return join(printer._out)  # pyright: ignore[reportPrivateUsage]
