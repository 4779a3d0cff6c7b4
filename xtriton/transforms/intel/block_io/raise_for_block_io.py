"""
Accesses go through block pointers where that makes 2D block accesses of them, and nowhere else.

For the backend of August 2026, which has no block pointers, they go through tensor descriptors.

Before:

    %p = tt.addptr %as, %rows_and_columns : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %p, %mask, %zeros : tensor<64x32x!tt.ptr<f16>>
    %q = tt.addptr %bs, %places : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %y = tt.load %q : tensor<64x!tt.ptr<f32>>

After:

    %p = tt.make_tensor_ptr %a, [%m, %k], [%stride, %c1], [%row, %column] ... : <tensor<64x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
    %q = tt.addptr %bs, %places : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %y = tt.load %q : tensor<64x!tt.ptr<f32>>

What an access becomes is not guessed: the backend's own passes run to the end on copies of the
module, one as it is and one with all candidates raised. What is a 2D block access as it is stays,
with its facts about alignment; so does what is none when raised. The rest is tried again together, and
raised if no access loses what it had, and the loads and conversions move no more bytes than before.
A remark on each access says what was compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.costs import Cost, module_cost
from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.diagnostics import collect, remark
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.ir.locations import program_position
from xtriton.ir.versions import copied
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.intel.releases import release_called
from xtriton.transforms.raising.triton_raise_block_pointer import raise_block_pointers
from xtriton.transforms.raising.triton_raise_tensor_descriptor import raise_tensor_descriptors
from xtriton.universe import pass_class

_FILE = "access"
"""The file that the numbers of accesses are lines of, in copies."""

_MOST_TRIALS = 4
_PRODUCTS = ("tt.dot", "tt.dot_scaled")


@dataclass(frozen=True)
class RaiseForBlockIOPass(ModulePass):
    """Raise accesses to what the backend takes where the device gains 2D block accesses."""

    name = "xtriton-raise-for-block-io"

    device: str = "pvc"
    num_warps: int = 4
    num_stages: int = 2
    threads_per_warp: int = 16
    version: bool = False
    """Whether kernels get a version for good arguments afterwards."""
    release: str = "2026-01"
    """The release of the backend, see `xtriton-intel-ttgir-pipeline`."""
    reduce_variable_liveness: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(map(_may_gain, _accesses(op))):
            return
        if not any(made.name in _PRODUCTS for made in op.walk()):
            # Without a product nothing has a layout that 2D block accesses are made for.
            return
        # What gains nothing stays as written, so it is a copy that is made canonical first.
        copy = copied(op)
        canonicalize(copy)
        chosen = self._chosen(ctx, copy, op)
        if chosen:
            canonicalize(op)
            accesses = _accesses(op)
            self._raise(ctx, op, {accesses[i] for i in chosen})

    def _chosen(self, ctx: Context, op: ModuleOp, original: ModuleOp) -> set[int]:
        """Return the numbers of the accesses to raise; say of those of `original` why."""
        candidates = {i for i, access in enumerate(_accesses(op)) if _may_gain(access)}
        before = self._outcome(ctx, op, ())
        chosen = {i for i in candidates if not before.blocks[i]}
        after = before
        for _ in range(_MOST_TRIALS):
            if not chosen:
                break
            after = self._outcome(ctx, op, chosen)
            kept = {i for i in chosen if after.blocks[i]}
            if kept == chosen:
                break
            chosen = kept
        else:
            chosen = set[int]()
        if chosen and not after.is_no_worse_than(before):
            chosen = set[int]()
        accesses = _accesses(original)
        if len(accesses) == len(_accesses(op)):
            for i in candidates:
                remark(accesses[i], self._compared(i, before, after, chosen))
        return chosen

    def _outcome(self, ctx: Context, module: ModuleOp, chosen: Collection[int]) -> _Outcome:
        """Return what the backend makes of a module in which these accesses are raised."""
        copy = copied(module)
        accesses = _accesses(copy)
        for i, access in enumerate(accesses):
            access.location = FileLineColLoc(StringAttr(_FILE), IntAttr(i + 1), IntAttr(1))
        options: dict[str, Any] = {
            "num_warps": self.num_warps,
            "num_stages": self.num_stages,
            "threads_per_warp": self.threads_per_warp,
            "device": self.device,
            "release": self.release,
            "reduce_variable_liveness": self.reduce_variable_liveness,
            "version_for_block_io": self.version and bool(chosen),
        }
        pipeline = pass_class("xtriton-intel-ttgir-pipeline")(**options)
        with collect():
            self._raise(ctx, copy, {accesses[i] for i in chosen})
            pipeline.apply(ctx, copy)
        return _Outcome.of(copy)

    def _raise(self, ctx: Context, module: ModuleOp, chosen: Collection[Operation]) -> None:
        if not chosen:
            return
        if self._takes_block_pointers:
            raise_block_pointers(module, chosen)
            pass_class("xtriton-pad-unused-strides")().apply(ctx, module)
        else:
            raise_tensor_descriptors(module, chosen, stores_below_zero=True)

    @property
    def _takes_block_pointers(self) -> bool:
        return release_called(self.release).has_block_pointers

    def _compared(self, i: int, before: _Outcome, after: _Outcome, chosen: Collection[int]) -> str:
        """Return what was compared, and what came of it."""
        if before.blocks[i]:
            return "stays a tensor of pointers: it is a 2D block access as it is"
        costs = f"loads and conversions move {before.cost} before, {after.cost} after"
        if i in chosen:
            form = "block pointer" if self._takes_block_pointers else "tensor descriptor"
            return f"raised to a {form}: a 2D block access, which it was not; {costs}"
        if after.blocks[i]:
            return f"stays a tensor of pointers: other accesses would lose by it; {costs}"
        return "stays a tensor of pointers: raised it would be no 2D block access"


@dataclass(frozen=True)
class _Outcome:
    """How many 2D block accesses each access became, and what loads and conversions cost."""

    blocks: Counter[int]
    cost: Cost

    @classmethod
    def of(cls, module: ModuleOp) -> _Outcome:
        blocks: Counter[int] = Counter()
        for op in _accesses(module):
            position = program_position(op.location)
            if position is not None and position[0] == _FILE and _is_lowered_to_blocks(op):
                blocks[position[1] - 1] += 1
        return cls(blocks, module_cost(module, axis_analysis(module, "intel")))

    def is_no_worse_than(self, other: _Outcome) -> bool:
        """Return whether no access lost what it was, and nothing costs more."""
        kept = all(self.blocks[i] >= n for i, n in other.blocks.items())
        return kept and self.cost.total <= other.cost.total


_ACCESSES = ("tt.load", "tt.store", "tt.descriptor_load", "tt.descriptor_store")


def _accesses(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op.name in _ACCESSES]


def _is_lowered_to_blocks(op: Operation) -> bool:
    """
    Return whether the lowering makes 2D block operations of an access.

    It does so where the access is marked and the tensor has the layout of a product.
    """
    type = tensor_type(op.results[0].type if op.results else op.operands[1].type)
    if type is None or BLOCK_IO not in op.attributes:
        return False
    encoding = type.encoding
    if isinstance(encoding, DotOperandEncodingAttr):
        encoding = encoding.parent
    return isinstance(encoding, DpasEncodingAttr)


def _may_gain(access: Operation) -> bool:
    """Return whether an access goes through a tensor of pointers of two dimensions or more."""
    pointer = access.operands[0].type
    type = tensor_type(pointer)
    if access.name not in ("tt.load", "tt.store"):
        return False
    return type is not None and not is_block_pointer(pointer) and len(type.get_shape()) > 1
