"""How the ops of a class are written: by their format, by themselves, or generically."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Attribute, Operation

from xtriton.ir.checking.release_checks import checked
from xtriton.ir.op_plan import OpPlan, plan_of
from xtriton.ir.syntax import GENERIC, Syntax
from xtriton.ir.versions import Version
from xtriton.ir.writing.attribute_text import string_text, symbol_text
from xtriton.ir.writing.format_printer import FormatCompiler, Step, defaults_of

if TYPE_CHECKING:
    from xtriton.ir.writing.printer import Printer

_DEFAULT_DIALECTS = {"builtin.module": "builtin", "func.func": "func"}
"""Ops in whose regions ops of a dialect are written without its name."""


@dataclass(slots=True)
class OpText:
    """How the ops of a class are written in one syntax."""

    name: str
    dialect: str | None
    """The dialect whose name may be left out, None if that is not allowed."""
    short_name: str
    write: Step
    """Writes what follows the name."""
    default_dialect: str
    """The dialect that may be left out in the op's regions."""
    defaults: dict[str, Attribute]
    """Values that the generic form has for properties that are absent."""
    encode: Callable[[Any, Version], dict[str, Attribute]] | None
    """The attributes to write, where that depends on the version."""
    name_of: Callable[[Any, Version], str] | None
    """The name to write, where that depends on the version (`text_name` of the class)."""

    def versioned_name(self, printer: "Printer", op: Operation) -> str:
        """Return the name of an op that not every release calls the same."""
        assert self.name_of is not None
        name = printer.old_or_new_name(self.name_of(op, printer.version))
        return string_text(name) if self.name.startswith('"') else name


def op_text_of(printer: "Printer", cls: type[Operation]) -> OpText:
    """Return how `printer` writes ops of `cls`."""
    plan = plan_of(cls)
    name = printer.old_or_new_name(cls.name)
    write = None if printer.generic else _custom_writer(printer, cls, plan)
    dialect, _, rest = name.partition(".")
    droppable = write is not None and "." not in rest
    text = OpText(
        name=name,
        dialect=dialect if droppable else None,
        short_name=rest,
        write=_checked(printer, write or _write_generic, cls, plan),
        default_dialect=getattr(cls, "DEFAULT_DIALECT", _DEFAULT_DIALECTS.get(name, "")),
        defaults=_required_defaults(plan),
        encode=getattr(cls, "encode_attributes", None),
        name_of=getattr(cls, "text_name", None),
    )
    if issubclass(cls, UnregisteredOp):
        text.name, text.write = "", _write_unregistered
    elif write is None:
        text.name = string_text(name)
    return text


def _required_defaults(plan: OpPlan | None) -> dict[str, Attribute]:
    """Return the defaults that the generic form writes out: not those of optional ones."""
    if plan is None:
        return {}
    return {n: d for n, d in defaults_of(plan).items() if not plan.properties[n].optional}


def _write_generic(p: "Printer", op: Operation) -> None:
    p.print_op_with_default_format(op)


def _write_unregistered(p: "Printer", op: UnregisteredOp) -> None:
    p.emit(string_text(p.old_or_new_name(op.op_name.data)))
    p.print_op_with_default_format(op)


def _write_module(p: "Printer", op: ModuleOp) -> None:
    if op.sym_name is not None:
        p.emit(" " + symbol_text(op.sym_name.data))
    attributes = {k: v for k, v in op.properties.items() if k != "sym_name"}
    p.print_op_attributes({**attributes, **op.attributes}, print_keyword=True)
    p.emit(" ")
    p.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


def _write_own(p: "Printer", op: Operation) -> None:
    op.print(p)


def _custom_writer(printer: "Printer", cls: type[Operation], plan: OpPlan | None) -> Step | None:
    """Return what writes ops of `cls` in their own syntax, None if they have none."""
    if issubclass(cls, ModuleOp):
        return _write_module
    syntax: Syntax | None = getattr(cls, "SYNTAX", None)
    if plan is not None and syntax is not None:
        if syntax.for_version(printer.version) == GENERIC:
            return None
        return FormatCompiler(plan, printer.version).write()
    if cls.print is not Operation.print and not issubclass(cls, UnregisteredOp):
        return _write_own
    return None


def _checked(printer: "Printer", write: Step, cls: type[Operation], plan: OpPlan | None) -> Step:
    return write if printer.lenient else checked(write, cls, plan, printer.version)
