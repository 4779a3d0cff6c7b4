"""
Rematerialisation that hands what it has made on to others that use the same values.

What a conversion needed exists in two layouts then, unless all that computes with the old one
takes the new one as well; so it does, where one op computes element by element.

Source: `RemoveLayoutConversions.cpp` of the Intel XPU backend, August 2026.
"""

from __future__ import annotations

from collections import deque

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.module import BLOCK_IO, COLUMN_MAJOR, ONE_MATRIX_PER_LOAD
from xtriton.dialects.encodings.inference import has_one_encoding
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr, SliceEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.value_flow import LOOP_BOUNDS
from xtriton.layouts.block_messages import load_cost
from xtriton.layouts.conversion import reorders_registers
from xtriton.transforms.triton_gpu.layout_conversions.backward_slice import BackwardSlice
from xtriton.transforms.triton_gpu.layout_conversions.propagation import insert_after_value
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import (
    LEAST_BITS,
    LEAST_ELEMENTS,
    SHARED_MEMORY_COST,
    Mapping,
    Rematerialization,
    cost_of,
    size_in_bytes,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import defining_op
from xtriton.transforms.triton_gpu.retyping import layout_of_value, set_type, with_encoding

LOADS = ("tt.descriptor_load", "tt.load")

Wanted = dict[SSAValue, Attribute]


class ForwardingRematerialization(Rematerialization):
    """The values of one function that exist in several layouts."""

    def cleanup(self) -> None:
        """Erase what has been replaced and what nobody uses any more."""
        for op in reversed(self.deleted):
            if all(result.first_use is None for result in op.results):
                op.detach()
                op.erase(safe_erase=False)
        self.deleted.clear()

    def rematerialise(self, conversion: ConvertLayoutOp) -> None:
        made = defining_op(conversion.src)
        relabelled = made is not None and self.target.is_relabelled_load(made)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        if relabelled and _is_first_guess(layout_of_value(conversion.result)):
            return
        super().rematerialise(conversion)

    # --- the cost -----------------------------------------------------------------------

    def pays(self, conversion: ConvertLayoutOp, found: BackwardSlice) -> bool:
        return not _costs_messages(found) and self.pays_to_hoist(conversion, found)

    def pays_to_hoist(
        self,
        conversion: ConvertLayoutOp,
        found: BackwardSlice,
        made: tuple[SSAValue, Attribute] | None = None,
    ) -> bool:
        cost = 0 if made is None else self._cost_of_conversion(*made)
        for op in self._duplicated(conversion, found):
            added = 0 if op.name == "arith.constant" else cost_of(op)
            if added is None:
                return False
            cost += added
        return cost <= self._cost_of_conversion(conversion.src, layout_of_value(conversion.result))

    def _cost_of_conversion(self, value: SSAValue, encoding: Attribute) -> int:
        # What stays in its thread does not go through shared memory and its banks.
        least = 0 if _stays_in_threads(value, encoding) else LEAST_ELEMENTS
        factor = SHARED_MEMORY_COST * self.target.conversion_cost_factor
        return factor * size_in_bytes(value, least, LEAST_BITS)

    def _duplicated(
        self, conversion: ConvertLayoutOp, found: BackwardSlice
    ) -> dict[Operation, None]:
        """Return the ops of a slice that something outside needs as they are."""
        ops = {op for value in found.members if (op := defining_op(value)) is not None}
        kept: dict[SSAValue, None] = {}
        for value in found.members:
            users = (use.operation for use in value.uses)
            if any(user is not conversion and user not in ops for user in users):
                kept[value] = None
        queue = list(kept)
        for value in queue:
            op = defining_op(value)
            for operand in op.operands if op is not None else ():
                if operand in found.members and operand not in kept:
                    kept[operand] = None
                    queue.append(operand)
        return dict.fromkeys(op for value in kept if (op := defining_op(value)) is not None)

    # --- handing on ---------------------------------------------------------------------

    def rewrite(self, conversion: ConvertLayoutOp, found: BackwardSlice, mapping: Mapping) -> None:
        if mapping:
            # Hoisting hands nothing on.
            super().rewrite(conversion, found, mapping)
            return
        duplicated = self._duplicated(conversion, found)
        known = {value for value in found.members if (value, found.layouts[value]) in self.known}
        super().rewrite(conversion, found, mapping)
        wanted: Wanted = {}
        for value in found.members:
            if value in known:
                continue
            encoding = found.layouts[value]
            if isinstance(value, OpResult):
                if value.op in duplicated:
                    self._want(wanted, value, encoding, conversion)
                continue
            self._want(wanted, value, encoding, conversion)
            result = _result_carried_by(value)
            if result is not None:
                self._want(wanted, result, encoding, conversion)
        if wanted:
            self._spread(wanted)
            self._hand_on(wanted)

    def _want(
        self, wanted: Wanted, value: SSAValue, encoding: Attribute, conversion: Operation
    ) -> None:
        if any(use.operation is not conversion for use in value.uses):
            wanted[value] = encoding

    def _spread(self, wanted: Wanted) -> None:
        """Want in the same layout what is computed element by element of what is wanted."""
        queue = list(wanted)
        while queue:
            value = queue.pop()
            for user in list(dict.fromkeys(use.operation for use in value.uses)):
                if not self._may_be_made_again(user):
                    continue
                encoding = self.target.infer_result(user, wanted[value])
                for result in user.results:
                    if encoding is None or not is_tensor(result.type) or result in wanted:
                        continue
                    wanted[result] = encoding
                    queue.append(result)

    def _may_be_made_again(self, op: Operation) -> bool:
        return (
            has_one_encoding(op)
            and is_side_effect_free(op)
            and not op.regions
            and self.target.can_be_rematerialised(op)
        )

    def _hand_on(self, wanted: Wanted) -> None:
        regions = deque([self.function.regions[0]])
        while regions:
            for block in regions.popleft().blocks:
                for op in list(block.ops):
                    self._visit(op, wanted)
                    regions += op.regions

    def _visit(self, op: Operation, wanted: Wanted) -> None:
        if any(self._is_missing(result, wanted) for result in op.results):
            if self._may_be_made_again(op):
                self._make_again(op, wanted[op.results[0]])
        elif op.name == "tt.assert":
            self._take(op, 0, wanted)
        elif op.name == "tt.descriptor_store":
            self._take(op, 1, wanted)

    def _is_missing(self, value: SSAValue, wanted: Wanted) -> bool:
        encoding = wanted.get(value)
        if encoding is None or (value, encoding) in self.known:
            return False
        return layout_of_value(value) != encoding

    def _take(self, op: Operation, index: int, wanted: Wanted) -> None:
        """Let an op take an operand in the layout wanted of it, if it exists there."""
        operand = op.operands[index]
        if operand in wanted:
            op.operands[index] = self.existing((op, index), wanted[operand]) or operand

    def _make_again(self, op: Operation, encoding: Attribute) -> None:
        """Compute an op in another layout as well."""
        self.deleted[op] = None
        clone = op.clone()
        clone.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(clone, op)
        source = self.target.infer_operand(op, encoding)
        for i, operand in enumerate(list(op.operands)):
            if source is not None and is_tensor(operand.type):
                clone.operands[i] = self._value_as((op, i), source)
        for old, new in zip(op.results, clone.results, strict=True):
            if is_tensor(new.type):
                set_type(new, with_encoding(old.type, encoding))
                self.remember(old, encoding, new)

    def _value_as(self, use: tuple[Operation, int], encoding: Attribute) -> SSAValue:
        op, index = use
        value = op.operands[index]
        if layout_of_value(value) == encoding:
            return value
        existing = self.existing(use, encoding)
        if existing is not None:
            return existing
        conversion = ConvertLayoutOp(value, with_encoding(value.type, encoding))
        insert_after_value(conversion, value)
        self.remember(value, encoding, conversion.result)
        return conversion.result


def _costs_messages(found: BackwardSlice) -> bool:
    """Return whether a 2D block load of the slice would take more messages in its new layout."""
    for value in found.members:
        op = defining_op(value)
        if op is None or op.name not in LOADS or BLOCK_IO not in op.attributes:
            continue
        if is_tensor(value.type) and len(shape := value.type.get_shape()) >= 2:
            row_major = op.attributes[BLOCK_IO] != StringAttr(COLUMN_MAJOR)
            bits, one_matrix = element_bits(value.type), ONE_MATRIX_PER_LOAD in op.attributes
            before, after = (
                load_cost(layout_of(encoding, shape), row_major, bits, one_matrix)
                for encoding in (layout_of_value(value), found.layouts[value])
            )
            if after > before:
                return True
    return False


def _is_first_guess(encoding: Attribute) -> bool:
    """Return whether a layout has one element for each thread, before anything chose one."""
    if isinstance(encoding, SliceEncodingAttr):
        encoding = encoding.parent
    if not isinstance(encoding, BlockedEncodingAttr):
        return False
    return all(size == 1 for size in encoding.size_per_thread)


def _stays_in_threads(value: SSAValue, encoding: Attribute) -> bool:
    assert is_tensor(value.type)
    shape = value.type.get_shape()
    try:
        source, target = layout_of(layout_of_value(value), shape), layout_of(encoding, shape)
        return reorders_registers(source, target)
    except (NoLinearLayout, ValueError):
        return False


def _result_carried_by(argument: SSAValue) -> SSAValue | None:
    """Return the result of a loop that an argument of its body becomes."""
    assert isinstance(argument, BlockArgument)
    loop = argument.block.parent_op()
    if loop is None or loop.name != "scf.for" or argument.index == 0:
        return None
    assert len(loop.operands) == LOOP_BOUNDS + len(loop.results)
    return loop.results[argument.index - 1]
