"""Prefetches of what loads load."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation

from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.ttig.block_io import DescriptorPrefetchOp
from xtriton.dialects.ttig.ops import PrefetchOp


def insert_prefetch(load: LoadOp | DescriptorLoadOp) -> None:
    """Insert a prefetch with the attributes of a load, all of them, in front of it."""
    prefetch = _of_pointer(load) if isinstance(load, LoadOp) else _of_descriptor(load)
    prefetch.location = load.location
    assert load.parent is not None
    load.parent.insert_op_before(prefetch, load)


def _of_pointer(load: LoadOp) -> Operation:
    operands = [load.ptr] if load.mask is None else [load.ptr, load.mask]
    kept = {name: load.properties[name] for name in ("cache", "evict", "isVolatile")}
    others = {k: v for k, v in load.properties.items() if k not in kept}
    if rules_for(load).has_descriptors:
        # Without block pointers there is nothing whose boundary could be checked.
        others.pop("boundaryCheck", None)
    segments = [1, int(load.mask is not None), int(load.other is not None)]
    others["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
    return PrefetchOp.create(
        operands=operands, properties=kept, attributes={**load.attributes, **others}
    )


def _of_descriptor(load: DescriptorLoadOp) -> Operation:
    kept = {name: load.properties[name] for name in ("cache", "evict")}
    return DescriptorPrefetchOp.create(
        operands=list(load.operands), properties=kept, attributes=dict(load.attributes)
    )
