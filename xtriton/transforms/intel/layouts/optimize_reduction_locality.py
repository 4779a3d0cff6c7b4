"""
Reduce rows of a product's result inside of threads, which exchange what is left over.

Before:

    %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({...})
        : (tensor<16x32xf32, #mma>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #mma}>>

After:

    %0 = tt.reshape %x allow_reorder efficient_layout
        : tensor<16x32xf32, #mma> -> tensor<16x8x1x2x1x2x1xf32, #blocked>
    %1 = "tt.reduce"(%0) <{axis = 2 : i32}> ({...})
    %2 = "tt.reduce"(%1) <{axis = 4 : i32}> ({...})
    %3 = ttg.convert_layout %2 : ... -> tensor<16x8x2x1x1xf32, #blocked1>
    %4 = tt.reshape %3 allow_reorder efficient_layout : ... -> tensor<16x16x1x1xf32, #blocked2>
    %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({...})
    %6 = "tt.reduce"(%5) <{axis = 1 : i32}> ({...})
    %7 = tt.reshape %6 allow_reorder efficient_layout
        : ... -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %r = ttg.convert_layout %7 : ... -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #mma}>>

With DPAS every lane holds a column, so that the sum of a row takes a message from each lane to
each. The reshapes do nothing but tell the columns that a thread holds (dimensions 2 and 5 of
the first one) from those of other lanes (0) and warps (4): each element stays where it is. The
conversion then turns a lane's rows and the lanes of a row round, in one go for all of them.
Source: `OptimizeReductionLocality.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.tt.reductions import ReduceOp
from xtriton.dialects.tt.shapes import ReshapeOp
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr, SliceEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.passes.rewriting import PatternRewriter, RewritePattern, rewrite_greedily
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.triton_gpu.retyping import with_encoding


@dataclass(frozen=True)
class OptimizeReductionLocalityPass(ModulePass):
    """Split reductions of rows so that the exchange between lanes is one for all rows."""

    name = "tritonintelgpu-optimize-reduction-locality"
    tolerance = SUM_TOLERANCE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_greedily(op, [_SplitReduction()])


class _SplitReduction(RewritePattern):
    op_types = (ReduceOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, ReduceOp)
        tile = _Tile.of(op)
        if tile is None:
            return
        new = [_reshaped(op.srcs[0], *tile.by_owner())]

        def add(following: Operation) -> SSAValue:
            new.append(following)
            return following.results[0]

        columns = add(_reduced(op, new[0].results[0], 2))
        repetitions = add(_reduced(op, columns, 4))
        turned = add(ConvertLayoutOp(repetitions, with_encoding(repetitions.type, tile.turned())))
        by_row = add(_reshaped(turned, *tile.by_row()))
        lanes = add(_reduced(op, by_row, 0))
        warps = add(_reduced(op, lanes, 1))
        rows = add(_reshaped(warps, [tile.height], tile.rows()))
        add(ConvertLayoutOp(rows, op.results[0].type))
        rewriter.replace(op, new)


@dataclass(frozen=True)
class _Tile:
    """A tensor of `height` rows, of which a warp has as many as a multiple of its lanes."""

    dpas: DpasEncodingAttr
    height: int
    width: int

    @classmethod
    def of(cls, op: ReduceOp) -> _Tile | None:
        """Return the tile that `op` reduces the rows of, if the rewrite is for such."""
        if len(op.operands) != 1 or op.axis.value.data != 1:
            return None
        type = op.operands[0].type
        if not is_tensor(type) or not isinstance(dpas := type.encoding, DpasEncodingAttr):
            return None
        shape = type.get_shape()
        return cls(dpas, *shape) if len(shape) == 2 and cls(dpas, *shape)._is_fit() else None

    def _is_fit(self) -> bool:
        lanes, warps = self.dpas.threads_per_warp, self.dpas.warps_per_cta
        return (
            self.dpas.execution_size == lanes
            and self._rows_per_warp % lanes == 0
            and self._rows_per_warp * warps[0] == self.height
            and lanes % self.dpas.rep_cluster[0] == 0
            and self._repetitions > 0
        )

    @property
    def _rows_per_warp(self) -> int:
        return self.dpas.repeat_count * self.dpas.rep_cluster[0]

    @property
    def _rows_per_thread(self) -> int:
        """How many rows a thread has once each is of one thread."""
        return self._rows_per_warp // self.dpas.execution_size

    @property
    def _repetitions(self) -> int:
        columns = self.dpas.execution_size * self.dpas.rep_cluster[1]
        return self.width // (columns * self.dpas.warps_per_cta[1])

    def by_owner(self) -> tuple[list[int], Attribute]:
        """
        Return the shape and layout in which each dimension is of threads, lanes or warps.

        Columns are dimensions 0 (lanes), 2, 4 (warps) and 5; rows 1, 3 and 6 (warps).
        """
        dpas, (across_y, across_x) = self.dpas, self.dpas.warps_per_cta
        own = [1, dpas.repeat_count, *reversed(dpas.rep_cluster), 1, self._repetitions, 1]
        lanes = [dpas.execution_size, 1, 1, 1, 1, 1, 1]
        warps = [1, 1, 1, 1, across_x, 1, across_y]
        shape = [a * b * c for a, b, c in zip(own, lanes, warps, strict=True)]
        return shape, _blocked(own, lanes, warps)

    def turned(self) -> Attribute:
        """Return the layout of rows by threads, of columns (dimension 0) inside of them."""
        size, (across_y, across_x) = self.dpas.execution_size, self.dpas.warps_per_cta
        cluster = self.dpas.rep_cluster[0]
        own = [size, self._rows_per_thread, 1, 1, 1]
        return _blocked(own, [1, size // cluster, cluster, 1, 1], [1, 1, 1, across_x, across_y])

    def by_row(self) -> tuple[list[int], Attribute]:
        """Return shape and layout of the same with one dimension for a warp's rows."""
        size, (across_y, across_x) = self.dpas.execution_size, self.dpas.warps_per_cta
        own = [size, self._rows_per_thread, 1, 1]
        layout = _blocked(own, [1, size, 1, 1], [1, 1, across_x, across_y])
        return [size, self._rows_per_warp, across_x, across_y], layout

    def rows(self) -> Attribute:
        """Return the layout of the reduced rows, each of one thread of a warp."""
        across_y, across_x = self.dpas.warps_per_cta
        own = [1, self._rows_per_thread]
        return SliceEncodingAttr(
            0, _blocked(own, [1, self.dpas.execution_size], [across_x, across_y])
        )


def _blocked(own: Sequence[int], lanes: Sequence[int], warps: Sequence[int]) -> Attribute:
    return BlockedEncodingAttr(own, lanes, warps, range(len(own)))


def _reshaped(value: SSAValue, shape: Sequence[int], layout: Attribute) -> Operation:
    """Return `value` seen in another shape, every element of which stays where it is."""
    type = value.type
    assert is_tensor(type)
    return ReshapeOp.create(
        operands=[value],
        result_types=[TensorType(type.element_type, shape, layout)],
        properties={"allow_reorder": UnitAttr(), "efficient_layout": UnitAttr()},
    )


def _reduced(like: ReduceOp, value: SSAValue, axis: int) -> Operation:
    """Return the reduction of `value` along `axis` by what `like` reduces with."""
    return ReduceOp([value], axis, like.combineOp.clone())
