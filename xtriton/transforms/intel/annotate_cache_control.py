"""
Say of loads how the caches are to treat what they bring.

Before:

    scf.for %i = ... {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = tt.load %q : tensor<32x32x!tt.ptr<f16>, #ttg.dot_op<...>>
    }

After, if `%p` moves on by as much as is loaded, `%q` stays, and warps share what it points to:

    scf.for %i = ... {
      %x = tt.load %p cacheModifier = cg : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = tt.load %q evictionPolicy = evict_last : tensor<32x32x!tt.ptr<f16>, #ttg.dot_op<...>>
    }

What nobody loads again goes past the first cache (`cg`); what other warps and all iterations
load again stays in it longest, as far as it has room. All else is left as it is: loads that
say themselves how to be cached, that several lanes share, from pointers of unknown origin, in
functions with atomics, from memory that the function writes to, and of what is added up there.
Source: `AnnotateCacheControl.cpp` of the Intel XPU backend. Other than there, a pointer that a
loop carries moves by what the loop adds to it; with `as-backend` it counts as one that stays, and
what goes by only once is to stay in the cache.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.intel.memory_use import MemoryUse
from xtriton.analysis.intel.registers import bytes_of_tensor
from xtriton.analysis.intel.reuse import (
    Load,
    Reuse,
    has_layout,
    is_shared_by_lanes,
    is_shared_by_warps,
)
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.enums import CacheModifier, EvictionPolicy
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of

_BYTES_OF_LOAD = 32 * 1024
_BYTES_IN_LOOP = 48 * 1024
"""What may stay in the first cache, of one load and of all loads in a loop."""

_NO_CACHE, _NORMAL = i32_attr(CacheModifier.none), i32_attr(EvictionPolicy.evict_normal)


@dataclass(frozen=True)
class AnnotateCacheControlPass(ModulePass):
    """Let loads pass the first cache by, or stay in it, by who else wants the same."""

    name = "tritonintelgpu-annotate-cache-control"

    as_backend: bool = False
    """Whether what moves in loops is taken as the backend takes it; see `AdvancesAsBackend`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in ops_of(op, FuncOp):
            if function.body.blocks:
                _Annotator(MemoryUse.of(function), Reuse(self.as_backend)).annotate()


@dataclass
class _Annotator:
    memory: MemoryUse
    reuse: Reuse
    kept: Counter[ForOp | None] = field(default_factory=Counter[ForOp | None])
    """Bytes that are to stay in the cache, for each loop."""

    def annotate(self) -> None:
        """Choose for all loads that are free to be cached in any way."""
        for op in self.memory.ops:
            if isinstance(op, LoadOp | DescriptorLoadOp) and self._is_free(op):
                self._choose(op)

    def _is_free(self, load: Load) -> bool:
        """Return whether nothing but reuse has a say in how `load` is cached."""
        said = (load.cache, load.evict) != (_NO_CACHE, _NORMAL) or load.cachePolicy is not None
        if said or not is_tensor(load.result.type) or is_shared_by_lanes(load):
            return False
        if self.memory.has_atomics:
            return False
        pointer = load.operands[0]
        if isinstance(load, LoadOp) and None in self.memory.roots[pointer]:
            return False
        return not self.memory.may_be_written(pointer) and load.result not in self.memory.added_up

    def _choose(self, load: Load) -> None:
        if has_layout(load.result.type) and self.reuse.is_possible(load):
            if self._stays(load):
                load.evict = i32_attr(EvictionPolicy.evict_last)
        elif isinstance(load, LoadOp):
            # What goes through a descriptor loses the modifier when it is lowered.
            load.cache = i32_attr(CacheModifier.cg)

    def _stays(self, load: Load) -> bool:
        """Return whether what is loaded again surely fits into the cache, and keep it there."""
        if not is_shared_by_warps(load) or not self.reuse.is_certain_in_time(load):
            return False
        type = load.result.type
        size = bytes_of_tensor(type) if is_tensor(type) else 0
        if not 0 < size <= _BYTES_OF_LOAD:
            return False
        loop = _loop_around(load)
        if loop is not None and self.kept[loop] + size > _BYTES_IN_LOOP:
            return False
        self.kept[loop] += size
        return True


def _loop_around(load: Load) -> ForOp | None:
    parent = load.parent_op()
    while parent is not None and not isinstance(parent, ForOp):
        parent = parent.parent_op()
    return parent
