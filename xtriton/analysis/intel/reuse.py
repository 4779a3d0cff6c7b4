"""
Whether what a load brings into the cache is soon wanted again.

By another warp of the same program, as its layout tells, or by the next iteration of a loop.
Source: `SpatialReuseAnalysis.cpp` and `TemporalReuseAnalysis.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Attribute, Operation

from xtriton.analysis.intel.advances import Advances, AdvancesAsBackend
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of_type
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.types import TensorDescType
from xtriton.dialects.upstream.scf import ForOp, WhileOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import LANE, WARP

Load = LoadOp | DescriptorLoadOp


class Move(Enum):
    """Where an operand of a load points to in the next iteration."""

    NEAR = auto()
    """To a tile that overlaps the present one, or the same."""
    AWAY = auto()
    UNKNOWN = auto()


class Reuse:
    """
    Answers for the loads of a module; what moves in a loop is found once.

    With `as_backend` as the backend takes it, see `AdvancesAsBackend`.
    """

    def __init__(self, as_backend: bool = False) -> None:
        self._kind = AdvancesAsBackend if as_backend else Advances
        self._advances: dict[Operation, Advances] = {}

    def is_possible(self, load: Load) -> bool:
        """Return whether another warp or the next iteration may want the same."""
        layout = _layout(load)
        if layout is None or _dims_without_warps(layout):
            return True
        return any(Move.AWAY not in moves for moves in self._moves(load))

    def is_certain_in_time(self, load: Load) -> bool:
        """Return whether each iteration of all loops around a load surely wants the same."""
        moves = list(self._moves(load))
        return bool(moves) and all(set(m) == {Move.NEAR} for m in moves)

    def _moves(self, load: Load) -> Iterator[list[Move]]:
        """Yield, for each loop around `load`, where its operands move in an iteration."""
        extents = _tile(load)
        parent = load.parent_op()
        while parent is not None:
            if isinstance(parent, ForOp | WhileOp):
                if parent not in self._advances:
                    self._advances[parent] = self._kind(parent)
                yield _moves_in(self._advances[parent], load, extents)
            parent = parent.parent_op()


def _moves_in(advances: Advances, load: Load, extents: tuple[int, ...]) -> list[Move]:
    if isinstance(load, LoadOp):
        return [_move(advances.of(load.ptr), extents)]
    indices = [
        _move(advances.of(index), (extent,))
        for index, extent in zip(load.indices, extents, strict=True)
    ]
    is_same = not any(a != 0 for a in advances.of(load.desc))
    return [Move.NEAR if is_same else Move.UNKNOWN, *indices]


def _move(advance: tuple[int | None, ...], extents: tuple[int, ...]) -> Move:
    if not any(a != 0 for a in advance):
        return Move.NEAR
    if len(advance) != len(extents):
        return Move.UNKNOWN
    pairs = list(zip(advance, extents, strict=True))
    if any(a is not None and abs(a) >= extent for a, extent in pairs):
        return Move.AWAY
    return Move.UNKNOWN if None in advance else Move.NEAR


def _tile(load: Load) -> tuple[int, ...]:
    if isinstance(load, DescriptorLoadOp) and isinstance(load.desc.type, TensorDescType):
        return load.desc.type.get_shape()
    type = load.result.type
    return type.get_shape() if is_tensor(type) else (1,)


def is_shared_by_warps(load: Load) -> bool:
    """Return whether the layout lets two warps, at least, load the same elements."""
    layout = _layout(load)
    if layout is None:
        return False
    return bool(_dims_without_warps(layout)) and _has_copies(layout, WARP)


def is_shared_by_lanes(load: Load) -> bool:
    """Return whether the layout lets two lanes of a warp, at least, load the same elements."""
    layout = _layout(load)
    return layout is not None and _has_copies(layout, LANE)


def has_layout(type: Attribute) -> bool:
    """Return whether `type` is a tensor that says which thread has which element."""
    return is_tensor(type) and not isinstance(type.encoding, NoneAttr)


def _layout(load: Load) -> LinearLayout | None:
    type = load.result.type
    if not is_tensor(type) or not has_layout(type):
        return None
    try:
        return layout_of_type(type)
    except NoLinearLayout:
        return None


def _dims_without_warps(layout: LinearLayout) -> list[str]:
    """Return the dimensions in which all warps have the same indices."""
    return [dim for dim in layout.out_names if layout.sublayout_is_zero([WARP], [dim])]


def _has_copies(layout: LinearLayout, name: str) -> bool:
    return any(not any(basis) for basis in layout.bases_of.get(name, ()))
