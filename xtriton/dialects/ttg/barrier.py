"""
Barriers among the threads of a CTA.

Triton 3.7 and later have `ttg.barrier`, which says what it orders. 3.6 had
`ttg.local_barrier` for shared memory alone; what it and earlier releases have for the rest
is `gpu.barrier`, which orders everything. All three are read; printed is what the release
asked for has, a stronger barrier where it has no other.
"""

from typing import Any

from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Value, i32_attr
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.enums import AddrSpace
from xtriton.dialects.ttg.parameters import read_only_in, version_of
from xtriton.ir.versions import Version

LAST_VERSION_WITHOUT_BARRIER: Version = (3, 6)
VERSION_OF_LOCAL_BARRIER: Version = (3, 6)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """
    Wait until all threads of the CTA are here and see each other's accesses.

    `addrSpace` says which memories' accesses; see `AddrSpace`. Upstream `TTG_BarrierOp`.

    ```mlir
    ttg.barrier all
    ttg.barrier local|global_read
    ```
    """

    name = "ttg.barrier"

    addrSpace = prop_def(I32Value)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    def __init__(self, addr_space: AddrSpace = AddrSpace.all):
        super().__init__(properties={"addrSpace": i32_attr(addr_space)})

    @property
    def memories(self) -> AddrSpace:
        """The memories that the barrier orders."""
        return AddrSpace(self.addrSpace.value.data)

    def verify_(self) -> None:
        if not 0 <= self.addrSpace.value.data <= AddrSpace.all:
            raise VerifyException("'addrSpace' must be a set of address spaces")

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        if version > LAST_VERSION_WITHOUT_BARRIER:
            return self.name
        local = version == VERSION_OF_LOCAL_BARRIER and self.memories == AddrSpace.local
        return "ttg.local_barrier" if local else "gpu.barrier"

    def encode_attributes(self, version: Version) -> dict[str, Any]:
        """Return the attributes as `version` writes them in the generic form."""
        if version > LAST_VERSION_WITHOUT_BARRIER:
            return self.properties | self.attributes
        return dict(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> "BarrierOp":
        memories = _parse_memory(parser)
        while parser.parse_optional_punctuation("|") is not None:
            memories |= _parse_memory(parser)
        return cls(memories)

    def print(self, printer: Printer) -> None:
        if version_of(printer) > LAST_VERSION_WITHOUT_BARRIER:
            # Upstream's printer drops discardable attributes here; so does its parser.
            printer.print_string(f" {self.memories.text}")
        else:
            printer.print_op_attributes(self.attributes)


def _parse_memory(parser: Parser) -> AddrSpace:
    position = parser.pos
    keyword = parser.parse_optional_identifier()
    if keyword is None:
        keyword = parser.parse_str_literal()
    if keyword not in AddrSpace.__members__:
        parser.raise_error(f"unknown addrSpace '{keyword}'", position)
    return AddrSpace[keyword]


@irdl_op_definition
class LocalBarrierOp(IRDLOperation):
    """
    `ttg.local_barrier` of Triton 3.6; read as `ttg.barrier local`.

    Upstream `TTG_LocalBarrierOp`.

    ```mlir
    ttg.local_barrier
    ```
    """

    name = "ttg.local_barrier"

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        read_only_in(parser, VERSION_OF_LOCAL_BARRIER)
        return cls.create(attributes=parser.parse_optional_attr_dict())

    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Any:
        """Return the barrier of today."""
        properties = {"addrSpace": i32_attr(AddrSpace.local)}
        return BarrierOp.create(*args, **{**kwargs, "properties": properties})
