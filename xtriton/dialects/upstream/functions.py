"""
The text of functions: `func.func`, and every op that is written like it.

An op class qualifies with the properties `sym_name`, `function_type`, optionally
`sym_visibility`, `arg_attrs` and `res_attrs`, and one region.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

OpT = TypeVar("OpT", bound=Operation)

_NAMED = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")

_TypesAndAttributes = tuple[list[Attribute], list[dict[str, Attribute]]]


def parse_function(cls: type[OpT], parser: Parser) -> OpT:
    """Read ` visibility? @name(arguments) -> results attributes {...} { body }`."""
    properties: dict[str, Attribute] = {}
    if (visibility := parser.parse_optional_visibility_keyword()) is not None:
        properties["sym_visibility"] = visibility
    properties["sym_name"] = parser.parse_symbol_name()
    arguments, inputs, input_attributes, _ = parse_arguments(parser)
    outputs, output_attributes = parse_results(parser)
    properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    for name, dictionaries in (("arg_attrs", input_attributes), ("res_attrs", output_attributes)):
        if any(dictionaries):
            properties[name] = ArrayAttr([DictionaryAttr(d) for d in dictionaries])
    found = parser.parse_optional_attr_dict_with_keyword()
    attributes = dict(found.data) if found is not None else {}
    declared: Any = cls.get_irdl_definition().properties  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    for name in [name for name in attributes if name in declared]:
        properties[name] = attributes.pop(name)
    body = parser.parse_optional_region(arguments)
    return cls.create(
        properties=properties,
        attributes=attributes,
        regions=[body if body is not None else Region()],
    )


def parse_arguments(
    parser: Parser, *, may_be_variadic: bool = False
) -> tuple[list[Parser.Argument] | None, list[Attribute], list[dict[str, Attribute]], bool]:
    """
    Read the arguments; they have names or none of them has, as in a declaration.

    Returns those with names (None if none has), types, attributes, and whether `...`
    stands at the end.
    """
    arguments: list[Parser.Argument] = []
    types: list[Attribute] = []
    dictionaries: list[dict[str, Attribute]] = []
    variadic = False

    def argument() -> None:
        nonlocal variadic
        if may_be_variadic and parser.parse_optional_punctuation("..."):
            variadic = True
            return
        named = parser.parse_optional_argument()
        if types and (named is not None) != bool(arguments):
            parser.raise_error("either all arguments have names or none")
        types.append(named.type if named is not None else parser.parse_type())
        dictionaries.append(parser.parse_optional_dictionary_attr_dict())
        location = parser.parse_optional_location()
        if named is not None:
            # Without attributes in between, the location was read with the argument.
            if location is not None:
                named.location = location
            arguments.append(named)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    return (arguments or None), types, dictionaries, variadic


def parse_results(parser: Parser) -> _TypesAndAttributes:
    """Read `-> type`, `-> (types {attributes})` or nothing."""
    if not parser.parse_optional_punctuation("->"):
        return [], []
    types: list[Attribute] = []
    dictionaries: list[dict[str, Attribute]] = []

    def result() -> None:
        types.append(parser.parse_type())
        dictionaries.append(parser.parse_optional_dictionary_attr_dict())

    if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result) is None:
        types.append(parser.parse_type())
        dictionaries.append({})
    return types, dictionaries


def print_function(op: Operation, printer: Printer) -> None:
    """Write what `parse_function` reads."""
    properties: Any = op.properties
    printer.print_string(" ")
    if (visibility := properties.get("sym_visibility")) is not None:
        printer.print_string(visibility.data + " ")
    printer.print_symbol_name(properties["sym_name"].data)
    type: FunctionType = properties["function_type"]
    body = op.regions[0]
    print_arguments(printer, type.inputs.data, body, dictionaries_of(properties.get("arg_attrs")))
    print_results(printer, type.outputs.data, dictionaries_of(properties.get("res_attrs")))
    attributes = {
        **{name: value for name, value in op.properties.items() if name not in _NAMED},
        **op.attributes,
    }
    if attributes:
        printer.print_op_attributes(attributes, print_keyword=True)
    if body.blocks:
        printer.print_string(" ")
        printer.print_region(body, print_entry_block_args=False, print_empty_block=False)


def dictionaries_of(attributes: ArrayAttr[DictionaryAttr] | None) -> Sequence[DictionaryAttr]:
    """Return the dictionaries of `arg_attrs` or `res_attrs`, none if that is absent."""
    return attributes.data if attributes is not None else ()


def print_arguments(
    printer: Printer,
    types: Sequence[Attribute],
    body: Region,
    dictionaries: Sequence[DictionaryAttr],
    *,
    variadic: bool = False,
) -> None:
    """Write what `parse_arguments` reads."""
    printer.print_string("(")
    first = body.blocks.first
    for index, input in enumerate(types):
        if index:
            printer.print_string(", ")
        if first is not None:
            printer.print_block_argument(first.args[index], print_type=False)
            printer.print_string(": ")
        printer.print_attribute(input)
        _print_dictionary(printer, dictionaries, index)
        if first is not None and printer.print_debuginfo:
            printer.print_string(" ")
            printer.print_attribute(first.args[index].location)
    if variadic:
        printer.print_string(", ..." if types else "...")
    printer.print_string(")")


def print_results(
    printer: Printer, types: Sequence[Attribute], dictionaries: Sequence[DictionaryAttr]
) -> None:
    """Write what `parse_results` reads."""
    if not types:
        return
    printer.print_string(" -> ")
    described = bool(dictionaries) and bool(dictionaries[0].data)
    if len(types) == 1 and not isinstance(types[0], FunctionType) and not described:
        printer.print_attribute(types[0])
        return
    printer.print_string("(")
    for index, output in enumerate(types):
        if index:
            printer.print_string(", ")
        printer.print_attribute(output)
        _print_dictionary(printer, dictionaries, index)
    printer.print_string(")")


def _print_dictionary(printer: Printer, dictionaries: Sequence[DictionaryAttr], index: int) -> None:
    if dictionaries and dictionaries[index].data:
        printer.print_op_attributes(dictionaries[index].data)
