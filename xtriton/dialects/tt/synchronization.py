"""What atomic accesses have in common: their ordering, and the threads that see it."""

from typing import ClassVar

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, prop_def

from xtriton.dialects.tt.constraints import EnumValue, i32_attr
from xtriton.dialects.tt.enums import MemSemantic, MemSyncScope
from xtriton.ir.syntax import I32Enum


class SynchronizedOp(IRDLOperation):
    """An access that is ordered by `sem` among the threads of `scope`."""

    sem = prop_def(EnumValue(MemSemantic))
    scope = prop_def(EnumValue(MemSyncScope))

    ENUMS: ClassVar[dict[str, type[I32Enum]]] = {"sem": MemSemantic, "scope": MemSyncScope}


def synchronized(sem: MemSemantic, scope: MemSyncScope) -> dict[str, Attribute | None]:
    """Return the properties of a `SynchronizedOp`."""
    return {"sem": i32_attr(sem), "scope": i32_attr(scope)}
