"""
What backends decide about layouts: which ops keep theirs, what is too dear to compute twice.

`CORE` is what Triton decides for NVIDIA and AMD; the Intel backend has its own (in
`xtriton.transforms.intel`).
"""

from __future__ import annotations

from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use

from xtriton.dialects.encodings.inference import infer_operand, infer_result
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of_type
from xtriton.dialects.ttg.context import num_warps, threads_per_warp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.layouts.conversion import reorders_registers
from xtriton.transforms.cleanup.canonicalization.ttg import expensive_cat, expensive_view
from xtriton.transforms.triton_gpu.retyping import (
    is_tensor_pointer,
    layout_of_value,
    tensor_of,
    with_encoding,
)

_DESCRIPTOR_OPS = frozenset(
    ("tt.descriptor_gather", "tt.descriptor_load", "tt.descriptor_reduce",
     "tt.descriptor_scatter", "tt.descriptor_store")
)  # fmt: skip

_ANCHORS = frozenset(
    ("tt.atomic_cas", "tt.atomic_rmw", "tt.dot", "tt.dot_scaled", "ttng.tmem_load",
     "ttng.warp_group_dot")
)  # fmt: skip

_MADE_IN_ANY_LAYOUT = frozenset(
    ("arith.constant", "tt.histogram", "tt.make_range", "tt.splat", "ttg.convert_layout",
     "ttg.local_alloc", "ttg.local_load", "ttg.local_store")
)  # fmt: skip

_MERGING = _MADE_IN_ANY_LAYOUT | {"tt.cat", "tt.reshape"}
"""Ops into which conversions may be merged."""

_VIEWS = frozenset(("tt.expand_dims", "tt.join", "tt.reshape", "tt.split", "tt.trans"))

FORWARDED = _VIEWS | {"tt.reduce", "ttg.convert_layout"}
"""Ops, besides those with one encoding throughout, that carry layouts from operand to result."""


class Target:
    """Decisions of Triton's own passes."""

    slices_through_existing = False
    """Whether a backward slice goes on behind a value that exists in the layout wanted."""

    anchors = _DESCRIPTOR_OPS | _ANCHORS | {"tt.gather", "tt.load", "tt.reshape", "tt.store"}
    """Names of the ops that may be anchors."""

    ends_at_equal = False
    """Whether a backward slice ends at values in the layout wanted, which may have no other."""

    slices_through_loops = False
    """Whether a backward slice goes on from the results of `scf.for` into the loop."""

    conversion_cost_factor = 1

    most_rounds: int | None = None
    """How often what remains is rematerialised at most; None for as long as something goes and the budget lasts."""

    hoists = 3
    """How many ways of moving conversions up are tried."""

    cleans_up_in_steps = False
    """Whether what is left over goes before conversions and branches are simplified."""

    makes_in_place = False
    """Whether what may be made in any layout is made in the one chosen, without a conversion."""

    def infer_operand(self, op: Operation, encoding: Attribute) -> Attribute | None:
        """Return the encoding that operands of `op` need for its results to have `encoding`."""
        return infer_operand(op, encoding)

    def infer_result(self, op: Operation, encoding: Attribute) -> Attribute | None:
        """Return the encoding of the results of `op` if its operands have `encoding`."""
        return infer_result(op, encoding)

    def is_sliced(self, type: Attribute) -> bool:
        """Return whether values of a type take part in backward slices."""
        return is_tensor(type)

    def is_expensive_access(self, op: Operation) -> bool:
        """Return whether a load or store is too dear to do in a layout of somebody else."""
        pointer = op.operands[0].type
        if is_tensor_pointer(pointer):
            return True
        if not is_tensor(pointer):
            return False
        return is_large(op, pointer)

    def is_anchor(self, op: Operation) -> bool:
        """Return whether the layout of an op's results is to be kept."""
        if op.name in _DESCRIPTOR_OPS or op.name in _ANCHORS:
            return True
        return self.is_access_or_fixed(op)

    def is_access_or_fixed(self, op: Operation) -> bool:
        """Return whether an op is an expensive access, or has a layout chosen for it."""
        if op.name in ("tt.load", "tt.store"):
            return self.is_expensive_access(op)
        if op.name == "tt.gather":
            return "efficient_layout" in op.properties
        # What a reshape gives may have any layout, so propagation has to begin anew there.
        return op.name == "tt.reshape" and "allow_reorder" in op.properties

    def propagates_specially(self, use: Use, encodings: list[Attribute]) -> list[SSAValue] | None:
        """Return the values that a use hands encodings on to; None for the usual rules."""
        if use.operation.name == "ttng.warp_group_dot_wait":
            return [use.operation.results[use.index]]
        return None

    def choose(self, value: SSAValue, encodings: list[Attribute]) -> Attribute:
        """Return the layout for a value that nothing else decides."""
        return encodings[0]

    def keeps_encoding(self, op: Operation) -> bool:
        """Return whether encodings pass an op unchanged, whatever `infer_result` says."""
        return op.name == "ttg.convert_layout"

    def rewrite_store(self, propagation: object, store: Operation) -> bool:
        """Let a store take its operands as they have become; return whether that was done."""
        return False

    def rematerialization(self, function: Operation) -> object | None:
        """Return a `Rematerialization` of the target's own for a function; None for the usual."""
        return None

    def after_rematerialisation(self, step: object) -> None:
        """Do what a backend does between rematerialisation and the clean-up after it."""

    def can_be_rematerialised(self, op: Operation) -> bool:
        """Return whether an op may be computed once more, in another layout."""
        if op.name in ("tt.load", "tt.store"):
            return not self.is_expensive_access(op)
        if op.name == "tt.gather":
            return "efficient_layout" not in op.properties
        return op.name not in (
            "scf.condition", "scf.while", "tt.atomic_cas", "tt.atomic_rmw", "tt.call", "tt.dot"
        )  # fmt: skip

    def stays(self, conversion: ConvertLayoutOp) -> bool:
        """Return whether a conversion is not to be removed by rematerialisation."""
        return isinstance(layout_of_value(conversion.result), DotOperandEncodingAttr)

    def hoists_to_loads(self, encoding: Attribute) -> bool:
        """Return whether conversions to `encoding` in front of a dot move up to the loads."""
        return True

    def hoists_to_load(self, load: Operation, conversion: ConvertLayoutOp) -> bool:
        """Return whether such a conversion may move up to this load."""
        return True


CORE = Target()


def is_large(op: Operation, pointer: TensorType[Any]) -> bool:
    """
    Return whether an access has at least one element for each thread.

    Smaller ones hit the cache, and one of a single element is the same for all threads.
    """
    count = prod(pointer.get_shape())
    if count == 1:
        return False
    return count >= (num_warps(op) or 1) * threads_per_warp(op)


def is_large_access(op: Operation) -> bool:
    """Return whether an access, be it by block pointer, has an element for each thread."""
    tensor = tensor_of(op.operands[0].type)
    return tensor is not None and is_large(op, tensor)


def is_view(op: Operation) -> bool:
    """Return whether an op only renames elements."""
    return op.name in _VIEWS


def merges_into_conversion(op: Operation, encoding: Attribute) -> bool:
    """Return whether a conversion of what `op` makes to `encoding` is merged into `op`."""
    if op.name not in _MERGING:
        return False
    if op.name == "tt.cat":
        return not expensive_cat(op, encoding)  # pyright: ignore[reportArgumentType]
    if isinstance(op, ConvertLayoutOp):
        source = layout_of_value(op.src)
        return not isinstance(encoding, NvidiaMmaEncodingAttr) or encoding == source
    if op.name == "tt.reshape":
        if "allow_reorder" not in op.properties or "efficient_layout" in op.properties:
            return False
        target = with_encoding(op.results[0].type, encoding)
        return not expensive_view(op.operands[0].type, target)
    return op.name in _MADE_IN_ANY_LAYOUT


def is_free_conversion(op: Operation) -> bool:
    """Return whether `op` is a conversion that only renames registers."""
    if not isinstance(op, ConvertLayoutOp):
        return False
    (operand,), (value,) = op._operands, op.results
    source, result = cast(Any, operand.type), cast(Any, value.type)
    try:
        return reorders_registers(layout_of_type(source), layout_of_type(result))
    except (NoLinearLayout, ValueError):
        return False


def defining_op(value: SSAValue) -> Operation | None:
    """Return the op that makes a value; None for a block argument."""
    return value.op if isinstance(value, OpResult) else None
