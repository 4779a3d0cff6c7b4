"""
Carrying layouts forward from the ops that need them to all that depends on these.

Anchors (expensive accesses, dots) keep the layout they have. Each value that depends on one
may get its layout, or several; one of these is chosen, and the function is rewritten from
top to bottom with the layouts chosen, with conversions where they disagree.
"""

from __future__ import annotations

from collections import deque

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use

from xtriton.dialects.encodings.inference import has_one_encoding
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.ttg.interfaces import MmaEncoding
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_named, ops_of_block
from xtriton.ir.quick_edits import use_first
from xtriton.ir.value_flow import bounds_of, initial_values
from xtriton.transforms.loop_rewriting import (
    LOOP_BOUNDS,
    moved_block,
    with_regions,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import (
    FORWARDED,
    Target,
    defining_op,
    merges_into_conversion,
)
from xtriton.transforms.triton_gpu.retyping import (
    encoding_of,
    layout_of_value,
    set_type,
    with_encoding,
)

_STRUCTURED = ("scf.for", "scf.if", "scf.while")
_LOOPS = ("scf.for", "scf.while")
_REWRITTEN = frozenset(
    ("scf.condition", "scf.yield", "tt.assert", "tt.descriptor_store", "tt.reduce", "tt.store")
)
"""Ops that may be rewritten though their results stay as they are."""
_STORES = ("tt.descriptor_store", "tt.store")
_ACCESSES = ("tt.atomic_cas", "tt.atomic_rmw", "tt.load", "tt.store")


class Propagation:
    """Layouts of the values of one function; `run` finds and applies them."""

    def __init__(self, function: Operation, target: Target):
        self.function = function
        self.target = target
        self.layouts: dict[SSAValue, list[Attribute]] = {}
        """Layouts that a value may get, in the order in which they were met."""

        self._changing: set[SSAValue] = set()
        """Values that get another layout than they have, once layouts are chosen."""

        self._rewritten: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        self._places: dict[SSAValue, Operation] = {}
        """Values that are others now, with the conversions that made them so."""

        self._replaced: list[Operation] = []

    def run(self) -> None:
        """Propagate the layouts of anchors through the function."""
        self.find_anchors()
        self.propagate()
        self.choose()
        self.rewrite()

    # --- finding layouts ----------------------------------------------------------------

    def find_anchors(self) -> None:
        """Start with the function's arguments and the ops whose layouts are kept."""
        for argument in self.function.regions[0].blocks.first.args:  # pyright: ignore[reportOptionalMemberAccess]
            self._anchor(argument)
        named = self.target.anchors
        for op in ops_named(self.function, named, region_first=True):
            if op.results and self.target.is_anchor(op):
                for result in op.results:
                    self._anchor(result)

    def _anchor(self, value: SSAValue) -> None:
        if is_tensor(value.type):
            self.layouts.setdefault(value, [value.type.encoding])

    def propagate(self) -> None:
        """Hand layouts on from value to value until there are no new ones."""
        queue = list(self.layouts)
        while queue:
            value = queue.pop()
            encodings = list(self.layouts[value])
            for use in list(value.uses):
                queue += self._propagate_use(use, encodings)

    def _propagate_use(self, use: Use, encodings: list[Attribute]) -> list[SSAValue]:
        user = use.operation
        targets = self._targets(use, encodings)
        return [value for value in targets if self._add(value, encodings, user)]

    def _targets(self, use: Use, encodings: list[Attribute]) -> list[SSAValue]:
        """Return the values whose layouts follow from that of an operand."""
        user = use.operation
        parent = user.parent_op()
        match user.name:
            case "scf.for":
                i = use.index - LOOP_BOUNDS
                return [] if i < 0 else [user.regions[0].block.args[i + 1], user.results[i]]
            case "scf.while":
                return [user.regions[0].block.args[use.index]]
            case "scf.yield":
                return self._targets_of_yield(parent, use.index)
            case "scf.condition":
                assert parent is not None
                i = use.index - 1
                return [] if i < 0 else [parent.regions[1].block.args[i], parent.results[i]]
            case _:
                pass
        special = self.target.propagates_specially(use, encodings)
        if special is not None:
            return special
        if user.name == "tt.gather" and "efficient_layout" not in user.properties:
            # Only the indices have the layout of the result.
            return list(user.results) if use.index == 1 else []
        if self.forwards(user):
            return list(user.results)
        return []

    def _targets_of_yield(self, parent: Operation | None, i: int) -> list[SSAValue]:
        if parent is None or parent.name not in _STRUCTURED:
            return []
        targets: list[SSAValue] = [parent.results[i]] if i < len(parent.results) else []
        if parent.name == "scf.for":
            targets.append(parent.regions[0].block.args[i + 1])
        elif parent.name == "scf.while":
            targets.append(parent.regions[0].block.args[i])
        return targets

    def forwards(self, op: Operation) -> bool:
        """Return whether the layout of an op's operands decides that of its results."""
        # A load has one layout throughout as well, but is an anchor or cheap.
        return (has_one_encoding(op) and op.name != "tt.load") or op.name in FORWARDED

    def _add(self, value: SSAValue, encodings: list[Attribute], op: Operation) -> bool:
        """Add what follows from `encodings` behind `op`; return whether that is new."""
        if not is_tensor(value.type) or _comes_from_outside(value):
            return False
        changed = False
        for encoding in encodings:
            keeps = self.target.keeps_encoding(op)
            inferred = encoding if keeps else self.target.infer_result(op, encoding)
            if inferred is None:
                continue
            known = self.layouts.setdefault(value, [])
            if inferred not in known:
                known.append(inferred)
                changed = True
        return changed

    def choose(self) -> None:
        """Choose one layout for each value: of accesses a blocked one, else that of a dot."""
        for value, encodings in self.layouts.items():
            if len(encodings) <= 1:
                continue
            op = defining_op(value)
            preferred = (
                BlockedEncodingAttr if op is not None and op.name in _ACCESSES else MmaEncoding
            )
            chosen = next((e for e in encodings if isinstance(e, preferred)), None)
            if chosen is None:
                chosen = self.target.choose(value, encodings)
            self.layouts[value] = [chosen]

    # --- rewriting ----------------------------------------------------------------------

    def chosen(self, value: SSAValue) -> Attribute | None:
        """Return the layout chosen for a value; None if it keeps the one it has."""
        found = self.layouts.get(value)
        return found[0] if found else None

    def rewrite(self) -> None:
        """Rewrite the function with the layouts chosen."""
        self._changing = {
            value
            for value, chosen in self.layouts.items()
            if chosen and encoding_of(value.type) != chosen[0]
        }
        queue = deque([self.function.regions[0]])
        while queue:
            region = queue.popleft()
            for block in list(region.blocks):
                for op in ops_of_block(block):
                    queue += self._visit(op)
        for op in reversed(self._replaced):
            if all(result.first_use is None for result in op.results):
                op.detach()
                op.erase(safe_erase=False)

    def _visit(self, op: Operation) -> list[Region]:
        """Rewrite an op; return the regions to go on with."""
        changing = self._changing
        for result in op.results:
            if result in changing:
                return list(self._replace(op).regions)
        if op.name not in _REWRITTEN:
            self._remap_operands(op)
            return list(op.regions)
        if op.name == "scf.yield":
            self._rewrite_yield(op)
        elif op.name == "scf.condition":
            self._rewrite_condition(op)
        elif op.name == "tt.reduce" and not is_tensor(op.results[0].type):
            self._rewrite_reduction_to_scalar(op)
        elif op.name == "tt.assert":
            encoding = self.chosen(op.operands[0])
            if encoding is not None:
                op.operands[0] = self.value_as(op.operands[0], encoding)
        elif op.name in _STORES and self.target.rewrite_store(self, op):
            pass
        else:
            self._remap_operands(op)
            return list(op.regions)
        return []

    def _remap_operands(self, op: Operation) -> None:
        layouts, changing = self.layouts, self._changing
        for i, operand in enumerate(op._operands):
            if operand in changing:
                encoding = encoding_of(operand.type)
                assert encoding is not None
                op.operands[i] = self.value_as(operand, encoding)
            elif operand in layouts:
                use_first(op, i)

    def map(self, old: SSAValue, new: SSAValue) -> None:
        """Note that `new` is `old` in its new layout."""
        encoding = encoding_of(new.type)
        assert encoding is not None
        self._rewritten[old, encoding] = new

    def rewritten(self, value: SSAValue) -> SSAValue:
        """Return the value in the layout chosen for it."""
        if value not in self._changing:
            return value
        return self._rewritten[value, self.layouts[value][0]]

    def value_as(self, value: SSAValue, encoding: Attribute) -> SSAValue:
        """Return the value in a layout, converted after its definition if need be."""
        if not is_tensor(value.type):
            return value
        found = self.rewritten(value)
        if encoding_of(found.type) == encoding:
            return found
        place = self._places.get(value)
        type = with_encoding(value.type, encoding)
        is_back = place is not None and found is place._operands[0] and type == value.type
        if is_back and value.has_one_use():
            # The conversion that there was is what is wanted.
            return value
        conversion = ConvertLayoutOp(found, type)
        insert_after_value(conversion, found if place is None else place.results[0])
        return conversion.result

    def _replace(self, op: Operation) -> Operation:
        self._replaced.append(op)
        match op.name:
            case "scf.for":
                return self._rewrite_for(op)
            case "scf.while":
                return self._rewrite_while(op)
            case "scf.if":
                return self._rewrite_if(op)
            case _:
                return self._rewrite_plain(op)

    def _rewrite_plain(self, op: Operation) -> Operation:
        encoding = self.layouts[op.results[0]][0]
        block = op.parent
        assert block is not None
        if isinstance(op, ConvertLayoutOp):
            source = self.chosen(op.src)
            assert layout_of_value(op.src) is not None
            value = self.value_as(op.src, source or layout_of_value(op.src))
            if encoding_of(value.type) == encoding:
                self.map(op.result, value)
                self._places[op.result] = op
                return op
            return self._converted(op, value, encoding)
        if merges_into_conversion(op, encoding):
            clone = _clone(op)
            block.insert_op_before(clone, op)
            if not self.target.makes_in_place:
                return self._converted(op, clone.results[0], encoding)
            set_type(clone.results[0], with_encoding(op.results[0].type, encoding))
            self.map(op.results[0], clone.results[0])
            return clone
        new = self._clone_elementwise(op, encoding)
        for old, result in zip(op.results, new.results, strict=True):
            if old.type == result.type:
                old.replace_all_uses_with(result)
            else:
                self.map(old, result)
        return new

    def _converted(self, op: Operation, value: SSAValue, encoding: Attribute) -> Operation:
        conversion = ConvertLayoutOp(value, with_encoding(op.results[0].type, encoding))
        conversion.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(conversion, op)
        self.map(op.results[0], conversion.result)
        return conversion

    def _clone_elementwise(self, op: Operation, encoding: Attribute) -> Operation:
        clone = _clone(op)
        assert op.parent is not None
        op.parent.insert_op_before(clone, op)
        wanted = self._operand_encoding(op, encoding) if op.operands else None
        if wanted is not None:
            for i, operand in enumerate(list(op.operands)):
                clone.operands[i] = self.value_as(operand, wanted)
        for result in clone.results:
            if is_tensor(result.type):
                set_type(result, with_encoding(result.type, encoding))
        return clone

    def _operand_encoding(self, op: Operation, encoding: Attribute) -> Attribute:
        for operand in op.operands:
            if self.target.makes_in_place and operand not in self.layouts:
                continue
            found = encoding_of(self.rewritten(operand).type)
            if found is not None and self.target.infer_result(op, found) == encoding:
                return found
        inferred = self.target.infer_operand(op, encoding)
        assert inferred is not None
        return inferred

    def _take_over(self, old: SSAValue, new: SSAValue) -> None:
        if old.type == new.type:
            old.replace_all_uses_with(new)
        else:
            self.map(old, new)

    def _rewrite_for(self, op: Operation) -> Operation:
        operands = list(bounds_of(op))
        for operand, result in zip(initial_values(op), op.results, strict=True):
            chosen = self.chosen(result)
            operands.append(operand if chosen is None else self.value_as(operand, chosen))
        types = [operand.type for operand in operands[LOOP_BOUNDS:]]
        old_block = op.regions[0].block
        body = moved_block(old_block, [old_block.args[0].type, *types])
        new = with_regions(op, operands, types, [Region(body)])
        for old, value in zip(op.results, new.results, strict=True):
            self._take_over(old, value)
        for old, value in zip(old_block.args, body.args, strict=True):
            self._take_over(old, value)
        return new

    def _rewrite_while(self, op: Operation) -> Operation:
        before, after = op.regions[0].block, op.regions[1].block
        operands: list[SSAValue] = []
        for operand, argument in zip(op.operands, before.args, strict=True):
            chosen = self.chosen(argument)
            operands.append(operand if chosen is None else self.value_as(operand, chosen))
        types = [self._new_type(result) for result in op.results]
        blocks: list[Block] = [
            moved_block(before, [operand.type for operand in operands]),
            moved_block(after, types),
        ]
        new = with_regions(op, operands, types, [Region(block) for block in blocks])
        old_values: list[SSAValue] = [*op.results, *before.args, *after.args]
        new_values: list[SSAValue] = [*new.results, *blocks[0].args, *blocks[1].args]
        for old, value in zip(old_values, new_values, strict=True):
            self._take_over(old, value)
        return new

    def _new_type(self, value: SSAValue) -> Attribute:
        chosen = self.chosen(value)
        return value.type if chosen is None else with_encoding(value.type, chosen)

    def _rewrite_if(self, op: Operation) -> Operation:
        types = [self._new_type(result) for result in op.results]
        regions = [op.detach_region(region) for region in list(op.regions)]
        new = with_regions(op, list(op.operands), types, regions)
        for _ in regions:
            op.add_region(Region(Block()))
        for old, value in zip(op.results, new.results, strict=True):
            self._take_over(old, value)
        return new

    def _rewrite_yield(self, op: Operation) -> None:
        parent = op.parent_op()
        assert parent is not None
        for i, operand in enumerate(list(op.operands)):
            wanted = operand.type
            if parent.name in ("scf.for", "scf.if"):
                wanted = parent.results[i].type
            elif parent.name == "scf.while":
                wanted = parent.regions[0].block.args[i].type
            if is_tensor(wanted):
                op.operands[i] = self.value_as(operand, wanted.encoding)

    def _rewrite_condition(self, op: Operation) -> None:
        parent = op.parent_op()
        assert parent is not None
        for i, operand in enumerate(list(op.operands)):
            wanted = parent.results[i - 1].type if i else None
            if wanted is not None and is_tensor(wanted):
                op.operands[i] = self.value_as(operand, wanted.encoding)

    def _rewrite_reduction_to_scalar(self, op: Operation) -> None:
        """A reduction to a scalar takes its operands as they are, all in one layout."""
        chosen = next((c for o in op.operands if (c := self.chosen(o)) is not None), None)
        if chosen is None:
            return
        for i, operand in enumerate(list(op.operands)):
            op.operands[i] = self.value_as(operand, chosen)


def _clone(op: Operation) -> Operation:
    clone = op.clone()
    clone.location = op.location
    return clone


def insert_after_value(op: Operation, value: SSAValue) -> None:
    """Insert `op` right after the definition of `value`."""
    if isinstance(value, OpResult):
        block = value.op.parent
        assert block is not None
        op.location = value.op.location
        block.insert_op_after(op, value.op)
        return
    assert isinstance(value, BlockArgument)
    op.location = value.location or op.location
    first = value.block.first_op
    if first is None:
        value.block.add_op(op)
    else:
        value.block.insert_op_before(op, first)


def _comes_from_outside(value: SSAValue) -> bool:
    """Return whether a value is given to a function or a block of it, which says its layout."""
    if not isinstance(value, BlockArgument):
        return False
    parent = value.block.parent_op()
    return parent is None or parent.name not in _LOOPS
