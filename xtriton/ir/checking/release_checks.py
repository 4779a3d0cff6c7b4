"""
What a release of Triton cannot say of an op: the op itself, a value of an enum, a type.

The printer asks once for each op class and release, so that what every release can say
costs nothing. An op may have a method `unsayable_in(version) -> str | None`, which says what
of it a release does not have.
"""

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import Float8E4M3FNType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation

from xtriton.errors import UserError
from xtriton.ir.op_plan import Arity, OpPlan
from xtriton.ir.syntax import GENERIC, Syntax
from xtriton.ir.versions import Version, version_text
from xtriton.ir.writing.format_printer import Step, names_in

if TYPE_CHECKING:
    from xtriton.ir.writing.printer import Printer

FIRST_VERSION_OF_F8E4M3FN: Version = (3, 2)
"""Triton 3.1 says `f8E4M3FNUZ` for both formats, so that no text means this one."""


def checked(write: Step, cls: type[Operation], plan: OpPlan | None, version: Version) -> Step:
    """Return `write`, or what checks beforehand that `version` can say what it writes."""
    if not _has_op(cls, version):
        return _refusal(f"Triton {version_text(version)} has no '{cls.name}'")
    if unknown := _unknown_values(plan, version):
        write = _with_known_values(write, unknown, version)
    for unsaid in _unsaid_operands(plan, version):
        write = _without_operand(write, unsaid, version)
    if hasattr(cls, "unsayable_in"):
        write = _with_own_check(write, version)
    if version < FIRST_VERSION_OF_F8E4M3FN and cls.name.startswith("tt."):
        write = _without_f8e4m3fn(write, version)
    return write


def _has_op(cls: type[Operation], version: Version) -> bool:
    """Return whether `version` has the op; one with a `text_name` answers for itself."""
    syntax: Syntax | None = getattr(cls, "SYNTAX", None)
    since = getattr(cls, "SINCE", None) if syntax is None else syntax.since
    until = None if syntax is None else syntax.until
    return (since is None or since <= version) and (until is None or version <= until)


def _refusal(message: str) -> Step:
    def refuse(p: "Printer", op: Operation) -> None:
        raise UserError(message)

    return refuse


def _unknown_values(plan: OpPlan | None, version: Version) -> dict[str, dict[int, str]]:
    """Return the keywords that `version` does not know, by property and number."""
    found = {
        name: {int(m): m.keyword for m in declared.enum if version < (m.since() or version)}
        for name, declared in (plan.properties.items() if plan is not None else ())
        if declared.enum is not None
    }
    return {name: members for name, members in found.items() if members}


def _with_known_values(write: Step, unknown: dict[str, dict[int, str]], version: Version) -> Step:
    def step(p: "Printer", op: Operation) -> None:
        for name, members in unknown.items():
            value: Any = op.properties.get(name)
            if isinstance(value, IntegerAttr) and value.value.data in members:
                raise UserError(
                    f"Triton {version_text(version)} has no '{members[value.value.data]}' "
                    f"as '{name}' of '{op.name}'"
                )
        write(p, op)

    return step


def _unsaid_operands(plan: OpPlan | None, version: Version) -> list[str]:
    """Return the operands that may be absent and that the format of `version` leaves out."""
    if plan is None or plan.syntax is None or plan.syntax.for_version(version) == GENERIC:
        return []
    said = set(names_in(plan.format_for(version)))
    if "operands" in said:
        return []
    return [v.name for v in plan.operands if v.arity is not Arity.SINGLE and v.name not in said]


def _without_operand(write: Step, name: str, version: Version) -> Step:
    def step(p: "Printer", op: Any) -> None:
        value = getattr(op, name)
        if value is not None and value != ():
            raise UserError(f"'{op.name}' of Triton {version_text(version)} has no '{name}'")
        write(p, op)

    return step


def _with_own_check(write: Step, version: Version) -> Step:
    """Ask the op, which says what the release does not have."""

    def step(p: "Printer", op: Any) -> None:
        what = op.unsayable_in(version)
        if what is not None:
            raise UserError(f"'{op.name}' of Triton {version_text(version)} has no {what}")
        write(p, op)

    return step


def _without_f8e4m3fn(write: Step, version: Version) -> Step:
    def step(p: "Printer", op: Operation) -> None:
        for value in (*op.operands, *op.results):
            if isinstance(_element(value.type), Float8E4M3FNType):
                raise UserError(f"'{op.name}' of Triton {version_text(version)} takes no f8E4M3FN")
        write(p, op)

    return step


def _element(type: Attribute) -> Attribute:
    return type.get_element_type() if isinstance(type, TensorType) else type  # pyright: ignore[reportUnknownVariableType]
