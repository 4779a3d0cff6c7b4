"""
Moving conversions that remain to where they cost less.

In front of an extension or a broadcast there is less data to move; in one branch of an `if`
inside a loop a conversion does not always run; next to the load of a dot's operand it is
pipelined together with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.analysis.axis_facts import element_bits
from xtriton.dialects.encodings.inference import is_elementwise
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.interfaces import MmaEncoding
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_with_regions
from xtriton.transforms.loop_rewriting import terminator
from xtriton.transforms.triton_gpu.layout_conversions.backward_slice import (
    BackwardSlice,
    OpOperand,
)
from xtriton.transforms.triton_gpu.layout_conversions.propagation import insert_after_value
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import (
    Mapping,
    Rematerialization,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import defining_op, is_view
from xtriton.transforms.triton_gpu.retyping import (
    layout_of_value,
    set_type,
    with_encoding,
)

_EXTENSIONS = frozenset(
    ("arith.extf", "arith.extsi", "arith.extui", "tt.broadcast", "tt.expand_dims")
)
_DOTS = frozenset(("tt.dot", "tt.dot_scaled", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled",
                   "ttng.warp_group_dot"))  # fmt: skip
_LOADS = frozenset(("tt.descriptor_load", "tt.load"))


def makes_more(op: Operation) -> bool:
    """Return whether an op's result has more bytes than its operand."""
    if op.name == "tt.fp_to_fp":
        return element_bits(op.operands[0].type) < element_bits(op.results[0].type)
    return op.name in _EXTENSIONS


# --- in front of extensions -------------------------------------------------------------


def hoist_over_extension(owner: Rematerialization, conversion: ConvertLayoutOp) -> None:
    """Convert the operand of the only extension in a conversion's slice instead."""
    encoding = layout_of_value(conversion.result)
    if isinstance(encoding, DotOperandEncodingAttr):
        return
    found = owner.rematerialisable_slice((conversion, 0), encoding, makes_more)
    if found is None:
        return
    chosen = _only_extension(owner, found)
    if chosen is None:
        return
    extension, found = chosen
    result = extension.results[0]
    target = found.layouts[result]
    source = owner.target.infer_operand(extension, target)
    if source is None:
        return
    operand = extension.operands[0]
    if not owner.pays_to_hoist(conversion, found, (operand, source)):
        return
    smaller = ConvertLayoutOp(operand, with_encoding(operand.type, source))
    smaller.location = conversion.location
    clone = extension.clone()
    clone.location = extension.location
    block = extension.parent
    assert block is not None
    block.insert_op_before(smaller, extension)
    block.insert_op_before(clone, extension)
    clone.operands[0] = smaller.result
    set_type(clone.results[0], with_encoding(result.type, target))
    found.members.pop(result, None)
    owner.rewrite(conversion, found, {result: clone.results[0]})


def _only_extension(
    owner: Rematerialization, found: BackwardSlice
) -> tuple[Operation, BackwardSlice] | None:
    """Return the extension that stops the slice, and the slice; None unless there is one."""
    extension: Operation | None = None
    for value in list(found.members):
        op = defining_op(value)
        if op is None or not makes_more(op):
            continue
        source = owner.target.infer_operand(op, found.layouts[value])
        if source is None:
            return None
        if owner.target.slices_through_existing:
            rest = _separate(owner, (op, 0), source, found)
        else:
            rest = owner.rematerialisable_slice((op, 0), source, known=found)
        if rest is not None:
            # All behind it can be computed once more; it needs no conversion.
            found = rest
            continue
        if extension is not None:
            return None
        extension = op
    return None if extension is None else (extension, found)


def _separate(
    owner: Rematerialization, root: OpOperand, encoding: Attribute, found: BackwardSlice
) -> BackwardSlice | None:
    """Return `found` with the slice of `root`, unless the two want different layouts."""
    rest = owner.rematerialisable_slice(root, encoding)
    if rest is None:
        return None
    if any(found.layouts.get(value, wanted) != wanted for value, wanted in rest.layouts.items()):
        return None
    merged = found.copy()
    merged.merge(rest)
    return merged


# --- into branches ----------------------------------------------------------------------


def has_branch_in_loop(function: Operation) -> bool:
    """Return whether there is anything into which `hoist_into_branch` could move."""
    return any(
        op.name == "scf.if" and (outer := op.parent_op()) is not None and outer.name == "scf.for"
        for op in ops_with_regions(function)
    )


def hoist_into_branch(owner: Rematerialization, conversion: ConvertLayoutOp) -> None:
    """Convert in the one branch of an `if` in a loop that cannot have the layout wanted."""
    encoding = layout_of_value(conversion.result)
    found = owner.rematerialisable_slice((conversion, 0), encoding, _is_branch)
    if found is None:
        return
    plan = _Branches(owner, found)
    plan.explore()
    if not plan.edges or not owner.pays_to_hoist(conversion, plan.rest()):
        return
    mapping: Mapping = {}

    def convert(value: SSAValue, wanted: Attribute) -> ConvertLayoutOp:
        new = ConvertLayoutOp(value, with_encoding(value.type, wanted))
        mapping[value] = new.result
        plan.found.members.pop(value, None)
        return new

    for value in plan.ends:
        new = convert(value, plan.found.layouts[value])
        insert_after_value(new, value)
        new.location = conversion.location
    for result, (op, index) in plan.edges:
        new = convert(op.operands[index], plan.found.layouts[result])
        new.location = conversion.location
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
    owner.rewrite(conversion, plan.found, mapping)


def _is_branch(op: Operation) -> bool:
    return op.name == "scf.if"


@dataclass
class _Branches:
    owner: Rematerialization
    found: BackwardSlice

    def __post_init__(self) -> None:
        self.edges: list[tuple[SSAValue, OpOperand]] = []
        """Results of `if`, and the yields in front of which they are converted."""

        self.ends: list[OpResult] = []
        """Results of `if` behind which the conversion stays."""

    def rest(self) -> BackwardSlice:
        """Return what is left of the slice in front of the conversions that will be made."""
        rest = self.found.copy()
        converted = [op.operands[index] for _, (op, index) in self.edges]
        for value in (*self.ends, *converted):
            rest.members.pop(value, None)
        return rest

    def explore(self) -> None:
        seen: set[SSAValue] = set()
        pending = list(self.found.members)
        while pending:
            for value in pending:
                seen.add(value)
                op = defining_op(value)
                if op is not None and op.name == "scf.if":
                    assert isinstance(value, OpResult)
                    self._visit(op, value)
            pending = [value for value in self.found.members if value not in seen]

    def _visit(self, op: Operation, value: OpResult) -> None:
        wanted = self.found.layouts[value]
        sides: list[OpOperand] = [(terminator(region), value.index) for region in op.regions]
        slices = self._slices(sides, wanted)
        if slices[0] is not None and slices[1] is not None:
            self._merge(slices[0], slices[1])
            return
        possible = next((i for i in (0, 1) if slices[i] is not None), None)
        outer = op.parent_op()
        if possible is None or outer is None or outer.name != "scf.for":
            # Outside of loops a branch runs no less often than what follows it.
            self.ends.append(value)
            return
        self.edges.append((value, sides[1 - possible]))
        kept = slices[possible]
        assert kept is not None
        self._merge(kept)

    def _slices(self, sides: list[OpOperand], wanted: Attribute) -> list[BackwardSlice | None]:
        owner = self.owner
        if owner.target.slices_through_existing:
            return [owner.rematerialisable_slice(side, wanted, _is_branch) for side in sides]
        first = owner.rematerialisable_slice(sides[0], wanted, _is_branch, self.found)
        second = owner.rematerialisable_slice(
            sides[1], wanted, _is_branch, self.found if first is None else first
        )
        return [first, second]

    def _merge(self, *slices: BackwardSlice) -> None:
        for found in slices:
            self.found.merge(found)


# --- to loads ---------------------------------------------------------------------------


def hoist_to_load(owner: Rematerialization, conversion: ConvertLayoutOp) -> None:
    """Convert what is loaded for a dot right after the load."""
    encoding = layout_of_value(conversion.result)
    if not owner.target.hoists_to_loads(encoding):
        return
    if not _can_be_pipelined(owner, conversion):
        return
    found = owner.slice((conversion, 0), encoding, lambda op: not _moves_nothing(op))
    if found is None:
        return
    loads: list[Operation] = []
    inner = found.copy()
    inner.members.clear()
    for value in found.members:
        op = defining_op(value)
        if op is None:
            return
        if op.name in _LOADS:
            if not owner.target.hoists_to_load(op, conversion):
                return
            loads.append(op)
        elif op.name == "arith.constant" or _moves_nothing(op):
            inner.members[value] = None
        else:
            return
    mapping: Mapping = {}
    for load in loads:
        result = load.results[0]
        if not is_tensor(result.type):
            continue
        new = ConvertLayoutOp(result, with_encoding(result.type, found.layouts[result]))
        insert_after_value(new, result)
        new.location = conversion.location
        mapping[result] = new.result
    if inner.members:
        owner.rewrite(conversion, inner, mapping)


def _moves_nothing(op: Operation) -> bool:
    """Return whether an op leaves elements with the threads that have them."""
    if op.name in ("tt.broadcast", "ttg.convert_layout", "ttg.fp4_to_fp") or is_view(op):
        return True
    return is_elementwise(op) and is_side_effect_free(op)


def _can_be_pipelined(owner: Rematerialization, conversion: ConvertLayoutOp) -> bool:
    """Return whether a dot with operands in registers follows next to the conversion."""
    parent = conversion.parent_op()
    if parent is None:
        return False
    for op in parent.walk():
        if op.name not in _DOTS or not is_tensor(op.operands[0].type):
            continue
        encoding = op.operands[0].type.encoding
        if not isinstance(encoding, DotOperandEncodingAttr):
            continue
        if isinstance(encoding.parent, MmaEncoding) and _follows(owner, op, conversion):
            return True
    return False


def _follows(owner: Rematerialization, op: Operation, other: Operation) -> bool:
    """Return whether `op` always runs after `other`."""
    at: Operation | None = other
    while at is not None and at.parent is not op.parent:
        at = at.parent_op()
    return at is not None and owner.order.is_before(at, op)
