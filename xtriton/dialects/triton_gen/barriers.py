"""
Barriers of work groups, whole and split. Upstream: `TritonGENOps.td`.

A split barrier is an arrival and a wait. The arrival took fences and scopes in Triton 3.1
(`split_barrier_signal`), scopes up to 3.7, and since then returns the barrier's data.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import IntAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from xtriton.dialects.triton_gen.attributes import MemFence, MemScope
from xtriton.dialects.triton_gen.types import Pointer
from xtriton.dialects.tt.constraints import EnumValue, i32_attr
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.errors import UserError
from xtriton.ir.syntax import I32Enum, Syntax
from xtriton.ir.versions import Version, version_text

LAST_VERSION_OF_FENCES: Version = (3, 2)
LAST_VERSION_OF_SCOPES: Version = (3, 7)
LOCAL_ADDRESS_SPACE = 3

_KEYS: dict[str, type[I32Enum]] = {
    "mem_fence": MemFence,
    "mem_scope": MemScope,
    "execution_scope": MemScope,
    "memory_scope": MemScope,
}


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """
    Wait for all work items of the group. Upstream `TritonGEN_BarrierOp`.

    ```mlir
    triton_gen.barrier {mem_fence = Local}
    ```
    """

    name = "triton_gen.barrier"

    mem_fence = prop_def(EnumValue(MemFence))

    traits = traits_def(AnyEffects())

    SYNTAX: ClassVar = Syntax("` ` `{` `mem_fence` `=` $mem_fence `}` attr-dict")
    ENUMS: ClassVar = {"mem_fence": MemFence}

    def __init__(self, mem_fence: MemFence):
        super().__init__(properties={"mem_fence": i32_attr(mem_fence)})


@irdl_op_definition
class SplitBarrierSignalOp(IRDLOperation):
    """
    Arrive at a split barrier (Triton 3.1). Upstream `TritonGEN_SplitBarrierSignalOp`.

    ```mlir
    triton_gen.split_barrier_signal {mem_fence = None, mem_scope = WorkGroup}
    ```
    """

    name = "triton_gen.split_barrier_signal"

    mem_fence = prop_def(EnumValue(MemFence))
    mem_scope = prop_def(EnumValue(MemScope))

    traits = traits_def(AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "` ` `{` `mem_fence` `=` $mem_fence `,` `mem_scope` `=` $mem_scope `}` attr-dict",
        until=LAST_VERSION_OF_FENCES,
    )
    ENUMS: ClassVar = {"mem_fence": MemFence, "mem_scope": MemScope}


def _parse_keys(parser: Parser, keys: tuple[str, ...]) -> dict[str, Attribute]:
    """Parse `{key = Keyword, ...}` with these keys, in this order."""
    found: dict[str, Attribute] = {}
    parser.parse_punctuation("{")
    for i, key in enumerate(keys):
        if i:
            parser.parse_punctuation(",")
        parser.parse_keyword(key)
        parser.parse_punctuation("=")
        member = _KEYS[key].from_keyword(parser.parse_identifier())
        if member is None:
            parser.raise_error(f"'{key}' has no such value")
        found[key] = i32_attr(member)
    parser.parse_punctuation("}")
    return found


def _print_keys(printer: Printer, op: Operation, keys: tuple[str, ...]) -> None:
    texts: list[str] = []
    for key in keys:
        value = op.properties.get(key)
        assert isinstance(value, IntegerAttr)
        texts.append(f"{key} = {_KEYS[key](value.value.data).keyword}")
    printer.print_string(f" {{{', '.join(texts)}}}")


def _check_version(op: Operation, printer: Printer, first: Version, last: Version | None) -> None:
    version: Version | None = getattr(printer, "version", None)
    if version is None or (first <= version and (last is None or version <= last)):
        return
    raise UserError(
        f"this form of '{op.name}' cannot be written in the syntax of Triton "
        f"{version_text(version)}"
    )


_SCOPES = ("execution_scope", "memory_scope")
_FENCES = ("mem_fence", "mem_scope")


def _at_key(parser: Parser, key: str) -> bool:
    """Whether `{key` comes next."""
    state = parser._resume_from
    position = parser.pos
    found = (
        parser.parse_optional_punctuation("{") is not None
        and parser.parse_optional_keyword(key) is not None
    )
    state(position)
    return found


@irdl_op_definition
class SplitBarrierArriveOp(IRDLOperation):
    """
    Arrive at a split barrier; since Triton 3.8 the result stands for it.

    Upstream `TritonGEN_SplitBarrierArriveOp`.

    ```mlir
    %b = triton_gen.split_barrier_arrive
    triton_gen.split_barrier_arrive {execution_scope = WorkGroup, memory_scope = WorkGroup}
    ```
    """

    name = "triton_gen.split_barrier_arrive"

    execution_scope = opt_prop_def(EnumValue(MemScope))
    memory_scope = opt_prop_def(EnumValue(MemScope))
    bData = opt_result_def(Pointer)

    traits = traits_def(AnyEffects())

    @classmethod
    def parse(cls, parser: Parser) -> "SplitBarrierArriveOp":
        if _at_key(parser, "execution_scope"):
            properties = _parse_keys(parser, _SCOPES)
            return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())
        return cls.create(
            result_types=[local_pointer()], attributes=parser.parse_optional_attr_dict()
        )

    def print(self, printer: Printer) -> None:
        if self.bData is None:
            _check_version(self, printer, (3, 3), LAST_VERSION_OF_SCOPES)
            _print_keys(printer, self, _SCOPES)
        else:
            _check_version(self, printer, (3, 8), None)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class SplitBarrierWaitOp(IRDLOperation):
    """
    Wait at a split barrier, which since Triton 3.8 is an operand.

    Upstream `TritonGEN_SplitBarrierWaitOp`.

    ```mlir
    triton_gen.split_barrier_wait %b
    triton_gen.split_barrier_wait {execution_scope = WorkGroup, memory_scope = WorkGroup}
    triton_gen.split_barrier_wait {mem_fence = None, mem_scope = WorkGroup}
    ```
    """

    name = "triton_gen.split_barrier_wait"

    bData = opt_operand_def(Pointer)
    mem_fence = opt_prop_def(EnumValue(MemFence))
    mem_scope = opt_prop_def(EnumValue(MemScope))
    execution_scope = opt_prop_def(EnumValue(MemScope))
    memory_scope = opt_prop_def(EnumValue(MemScope))

    traits = traits_def(AnyEffects())

    @classmethod
    def parse(cls, parser: Parser) -> "SplitBarrierWaitOp":
        properties: dict[str, Attribute] = {}
        operands: list[SSAValue] = []
        for keys in (_SCOPES, _FENCES):
            if _at_key(parser, keys[0]):
                properties = _parse_keys(parser, keys)
                break
        else:
            operand = parser.parse_unresolved_operand()
            operands.append(parser.resolve_operand(operand, local_pointer()))
        return cls.create(
            operands=operands,
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        if self.bData is not None:
            _check_version(self, printer, (3, 8), None)
            printer.print_string(" ")
            printer.print_operand(self.bData)
        elif self.mem_fence is not None:
            _check_version(self, printer, (3, 1), LAST_VERSION_OF_FENCES)
            _print_keys(printer, self, _FENCES)
        else:
            _check_version(self, printer, (3, 3), LAST_VERSION_OF_SCOPES)
            _print_keys(printer, self, _SCOPES)
        printer.print_op_attributes(self.attributes)


def local_pointer() -> Any:
    """Return the type of what stands for a split barrier."""
    # Here, so that reading other ops does not load that dialect.
    from xtriton.dialects.upstream.llvm import LLVM

    pointer = next(attribute for attribute in LLVM.attributes if attribute.name == "llvm.ptr")
    return pointer(IntAttr(LOCAL_ADDRESS_SPACE))  # pyright: ignore[reportCallIssue]
