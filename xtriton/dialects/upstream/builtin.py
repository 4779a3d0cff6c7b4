"""The `builtin` dialect: modules and casts between types that a conversion leaves behind."""

from xdsl.dialects.builtin import (
    Builtin,
    ModuleOp as ModuleOp,
    UnrealizedConversionCastOp as UnrealizedConversionCastOp,
)
from xdsl.ir import Block, Dialect
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.repair import repair


def _parse_module(cls: type[ModuleOp], parser: Parser) -> ModuleOp:
    name = parser.parse_optional_symbol_name()
    attributes = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region()
    if not body.blocks:
        body.add_block(Block())
    return cls.create(
        properties={"sym_name": name} if name is not None else {},
        attributes=dict(attributes.data) if attributes is not None else {},
        regions=[body],
    )


def _print_module(self: ModuleOp, printer: Printer) -> None:
    if self.sym_name is not None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
    if self.attributes:
        printer.print_op_attributes(self.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


def _verify_module(op: ModuleOp) -> None:
    blocks = op.body.blocks
    if blocks.first is not None and blocks.first.args:
        raise VerifyException("region should have no arguments")
    for name in op.attributes:
        if "." not in name:
            raise VerifyException(
                f"can only contain attributes with dialect-prefixed names, found: '{name}'"
            )


repair(ModuleOp, parse=classmethod(_parse_module), print=_print_module, verify=_verify_module)
repair(
    UnrealizedConversionCastOp,
    syntax="($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
)

BUILTIN = Dialect(
    "builtin",
    list(Builtin.operations),
    list(Builtin.attributes),
    list(Builtin._interfaces),
)
