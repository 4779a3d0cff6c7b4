"""Accesses of a window of a block: from `starts` to `ends`, each constant or not."""

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tts.lists import IndexArray, integers, mixed, verify_list
from xtriton.dialects.tts.memory import accessed_type
from xtriton.ir.op_parts import operand_group

WINDOW_SYNTAX = (
    "`from` custom<DynamicIndexList>($starts, $static_starts) "
    "`to` custom<DynamicIndexList>($ends, $static_ends) (`nonempty` $nonempty^)? "
)


class WindowedOp(IRDLOperation):
    """An op that accesses a window of the block at `ptr`, or all of it."""

    if TYPE_CHECKING:
        ptr: Any
        starts: Any
        ends: Any
        static_starts: IndexArray
        static_ends: IndexArray

    nonempty = opt_prop_def(UnitAttr)
    """Every start is before its end, and both are within the block; else the access is undefined."""

    @property
    def mixed_starts(self) -> list[int | SSAValue]:
        """Where the window begins in each dimension; empty for the whole block."""
        return mixed(self.static_starts, operand_group(self, "starts"))

    @property
    def mixed_ends(self) -> list[int | SSAValue]:
        """Where the window ends in each dimension; empty for the whole block."""
        return mixed(self.static_ends, operand_group(self, "ends"))

    def verify_(self) -> None:
        """Check that there is no window, or a start and an end within each dimension."""
        self._verify_entries()
        if self.nonempty is not None:
            self._verify_nonempty()

    def _verify_entries(self) -> None:
        shape = accessed_type(self.ptr.type).get_shape()
        rank = len(shape) if len(self.static_starts) or len(self.static_ends) else 0
        verify_list("starts", self.static_starts, self.starts, rank)
        verify_list("ends", self.static_ends, self.ends, rank)
        for name, entries in (
            ("starts", integers(self.static_starts)),
            ("ends", integers(self.static_ends)),
        ):
            for dim, (entry, size) in enumerate(zip(entries, shape, strict=False)):
                if entry != DYNAMIC_INDEX and not 0 <= entry <= size:
                    raise VerifyException(
                        f"'{name}' must be within the block: dimension {dim} has size {size}, "
                        f"but got {entry}"
                    )

    def _verify_nonempty(self) -> None:
        for dim, (start, end) in enumerate(zip(self.mixed_starts, self.mixed_ends, strict=True)):
            if isinstance(start, int) and isinstance(end, int) and start >= end:
                raise VerifyException(
                    "a window that is 'nonempty' must begin before it ends: "
                    f"dimension {dim} is from {start} to {end}"
                )
