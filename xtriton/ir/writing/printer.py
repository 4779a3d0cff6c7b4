"""
The printer: a module as the text that MLIR, as Triton uses it, prints.

    text = print_module(module)
    text = print_module(module, version=(3, 6), debug_info=True)

Names, aliases, spaces, float digits and elided defaults are MLIR's to the byte. Ops say
how they are written by their `SYNTAX`, or by a method `print(self, printer)` that uses
the interface of xDSL's printer, all of which this class has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xtriton.budget import current
from xtriton.errors import Position, UserError
from xtriton.ir.limits import deep_recursion, without_garbage_collection
from xtriton.ir.locations import file_position
from xtriton.ir.versions import (
    FIRST_VERSION_OF_NAMES_FROM_LOCATIONS,
    NEWEST,
    Version,
    version_read,
)
from xtriton.ir.writing.aliases import Piece, Pieces, definitions, join, number_aliases
from xtriton.ir.writing.attribute_printer import AttributePrinter, TooLong
from xtriton.ir.writing.naming import Names, name_values
from xtriton.ir.writing.op_text import OpText, op_text_of

_item: Any = getattr(tuple, "__getitem__")  # noqa: B009
"""`SSAValues` indexes ten times slower than the tuple that it is."""


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
    with `debug_info`, as in Triton since 3.5. Raises `UserError` for what cannot be said in the
    syntax of `version`, and for regions nested thousands deep.
    """
    if version is None:
        version = version_read(module)
    if names_from_locations is None:
        names_from_locations = debug_info and version >= FIRST_VERSION_OF_NAMES_FROM_LOCATIONS
    printer = Printer(
        version=version,
        debug_info=debug_info,
        generic=generic,
        names_from_locations=names_from_locations,
    )
    try:
        with without_garbage_collection(), deep_recursion():
            return printer.print_top_level(module)
    except RecursionError:
        raise UserError("regions are nested too deeply to print") from None
    except TooLong:
        raise
    except UserError as error:
        op = _op_that_cannot_be_said(module, version)
        if op is None or f"'{op.name}'" in error.message:
            raise
        place = file_position(op.location)
        position = Position(*place) if place is not None else error.position
        raise UserError(f"{error.message} ('{op.name}')", position, error.notes) from None


def _op_that_cannot_be_said(module: Operation, version: Version) -> Operation | None:
    """Return the first op with a type or attribute that `version` has no text for."""
    for op in module.walk():
        arguments = [
            argument for region in op.regions for block in region.blocks for argument in block.args
        ]
        types = [value.type for value in (*op.operands, *op.results, *arguments)]
        for attribute in (*types, *op.properties.values(), *op.attributes.values()):
            try:
                attribute_string(attribute, version)
            except UserError:
                return op
    return None


def attribute_string(attribute: Attribute, version: Version = NEWEST) -> str:
    """
    Return the text of an attribute or type by itself, without aliases, for messages.

    Of one that is longer than the budget for messages only the name and the length are told.
    """
    text = short_attribute_string(attribute, version)
    most = current().message
    return f"<{attribute.name} of more than {most:,} characters>" if text is None else text


def short_attribute_string(attribute: Attribute, version: Version = NEWEST) -> str | None:
    """Return the text of an attribute or type, None if a message has no room for it."""
    printer = Printer(version=version)
    printer.most_text = current().message
    try:
        printer.print_attribute(attribute)
    except TooLong:
        return None
    return join(printer._out)


def op_string(op: Operation, version: Version = NEWEST) -> str:
    """Return an op in generic form, as error messages show it, be it of `version` or not."""
    printer = Printer(version=version, generic=True)
    printer.lenient = True
    printer.print_op(op)
    return join(printer._out)


def op_texts(ops: Iterable[Operation], version: Version) -> Iterator[str]:
    """Yield each of `ops`, all of one module, as it stands there, without aliases."""
    printer = Printer(version=version)
    printer.lenient = True
    for op in ops:
        printer.print_op(op)
        yield join(printer._out)
        printer._out.clear()


class Printer(AttributePrinter):
    """Writes ops; one object prints one module."""

    def __init__(
        self,
        *,
        version: Version = NEWEST,
        debug_info: bool = False,
        generic: bool = False,
        names_from_locations: bool = False,
    ):
        super().__init__(version, debug_info=debug_info, generic=generic)
        self.generic = generic
        self.names_from_locations = names_from_locations
        self.lenient = False
        """Whether to write what the release does not have."""
        self._names = Names()
        self._values: dict[int, str] = {}
        self._default_dialect = "builtin"
        self._op_texts: dict[type[Operation], OpText] = {}

    # --- whole modules ------------------------------------------------------------------

    def print_top_level(self, op: Operation) -> str:
        """Return the text of `op` with the aliases that it needs."""
        self._use_names_of(op)
        self._print_full_op(op)
        aliases = number_aliases(self._entries)
        early = definitions(aliases, deferrable=False)
        late = definitions(aliases, deferrable=True)
        self._check_length(early, late)
        return f"{early}{join(self._out)}\n{late}"

    def _check_length(self, *others: str) -> None:
        """Raise `UserError` where the text is too long, which sharing makes it, not size."""
        written = sum([len(piece) for piece in self._out if piece.__class__ is str])  # pyright: ignore[reportArgumentType]
        if written + sum(map(len, others)) > self.most_text:
            raise TooLong(f"the module has a text of more than {self.most_text:,} characters")

    def _use_names_of(self, root: Operation) -> None:
        self._names = name_values(
            root, from_locations=self.names_from_locations, generic=self.generic
        )
        self._values = self._names.values

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
        if text.name_of is not None:
            name = text.versioned_name(self, op)
        else:
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
        operands = op._operands
        out.append(f"({', '.join([values[id(operand)] for operand in operands])})")
        successors = op._successors
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
