"""The rewriting behind `triton-to-structured`: what each raised access becomes."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.indexing import Kind, Rebuilder
from xtriton.analysis.masks import MaskRegion, mask_region
from xtriton.analysis.radices import with_split_positions
from xtriton.analysis.report import assumptions
from xtriton.analysis.values import Sort, tensor_type, type_facts
from xtriton.diagnostics import remark
from xtriton.dialects.tt import ReshapeOp, SplatOp
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.tts import (
    AtomicRMWOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    StoreOp,
)
from xtriton.dialects.upstream import tensor
from xtriton.ir.attributes import flag, integer_of
from xtriton.records import record
from xtriton.transforms.raising.dead_values import remove_dead_values
from xtriton.transforms.raising.parents.requests import Request, request_of, scalar_filler
from xtriton.transforms.raising.structured.affine_pointers import AffinePlan, affine_plan
from xtriton.transforms.raising.structured.blocks import BlockPlan, block_plan
from xtriton.transforms.raising.structured.gathers import GatherPlan, gather_plan
from xtriton.transforms.raising.structured.parts import alone, parts, share
from xtriton.transforms.raising.structured.rows import Rows, loop_of_rows, rows_of
from xtriton.transforms.raising.structured.structured_pointers import StructuredPointers
from xtriton.transforms.raising.structured.windows import Entry, MaskBounds, Windows
from xtriton.transforms.raising.transcripts.pointers import Transcript
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter


@record
class RaisedBlock:
    """A block, the lanes of it that are on as a region and a window, and the pointers to it."""

    plan: BlockPlan | AffinePlan
    region: MaskRegion
    window: MaskBounds
    pointer: SSAValue


RAISED = frozenset(
    ("tt.load", "tt.store", "tt.atomic_rmw", "tt.descriptor_load", "tt.descriptor_store")
)
"""Accesses for which there is an op of `tts`."""


SHORTEST_RUN = 16
"""Elements that follow each other of which a loop of its own takes less time than what is in it."""


class StructuredRewriter:
    """Rewrites the accesses of one function."""

    def __init__(self, accesses: Accesses, gathers: bool = True, affine: bool = True):
        self.gathers = gathers
        self.affine = affine
        self.demands_proof = False
        """Whether accesses stay whose addresses might overflow."""
        self.rows_by_element = 0
        """From which length on parts of a row are loaded by element, see the pass; 0 for none."""

        self.accesses = accesses
        self.analysis = accesses.analysis
        self.space = self.analysis.space
        self.emitter = ExprEmitter(self.analysis)
        self.transcript = Transcript(self.emitter)
        self.pointers = StructuredPointers(self.emitter, self.transcript)
        self.windows = Windows(self.emitter, self.transcript)

    def rewrite(self) -> None:
        """Raise what can be raised and remove what that leaves dead."""
        plans: list[tuple[Access, BlockPlan | GatherPlan | AffinePlan]] = []
        for access in self.accesses.all:
            if access.op.name not in RAISED or not access.shape:
                continue
            if flag(access.op, "isVolatile"):
                self.leave(access, "volatile")
                continue
            if self.demands_proof and (assumed := assumptions(self.analysis, access)):
                self.leave(access, f"not proved: {assumed[0]}")
                continue
            plan = block_plan(self.space, access)
            if self.affine and access.form.parts and self.is_better_by_element(access):
                plan = affine_plan(self.space, access) or plan
            if plan is None and self.gathers and access.kind != "atomic":
                plan = gather_plan(self.space, access)
            if plan is None and self.affine:
                plan = affine_plan(self.space, access)
            if plan is None:
                reason = access.form.reason or "wrap-around that is no bound"
                self.leave(access, reason)
            else:
                plans.append((access, plan))
        if any(isinstance(plan, BlockPlan | GatherPlan) for _, plan in plans):
            self.transcript.follow(self.analysis.function.regions[0])
        for access, plan in plans:
            try:
                if isinstance(plan, GatherPlan):
                    self.raise_gather(access, plan)
                elif isinstance(plan, BlockPlan) and access.form.parts:
                    self.raise_parts(access)
                else:
                    self.raise_access(access, plan)
            except CannotEmit as failure:
                self.leave(access, str(failure))
        if plans:
            remove_dead_values(self.analysis.function)

    def is_better_by_element(self, access: Access) -> bool:
        """Return whether an access in parts had better be one to all of its elements."""
        form = access.form
        if access.region.rest:
            # A mask that is no window is asked lane by lane, once better than for each part.
            return True
        if not self.rows_by_element or access.kind != "load":
            return False
        if len(form.radices[-1]) > 1 and form.dims[-1].size < SHORTEST_RUN:
            return True
        # Of parts that repeat one element each, others find out that they do.
        if prod(access.shape) > max(access.shape) or form.dims[-1].stride.constant != 1:
            return False
        # Parts are copied to where they are stored.
        is_stored = all(use.operation.name == "tt.store" for use in access.op.results[0].uses)
        return not is_stored and max(access.shape) >= self.rows_by_element * (len(form.parts) - 1)

    def forget(self) -> None:
        """Let go of all that was found out; what holds each other takes long to find as garbage."""
        self.space.forget()
        del self.transcript.loops, self.emitter.narrowings

    def leave(self, access: Access, reason: str) -> None:
        """Say why an access stays as it is."""
        remark(access.op, f"no block: {reason}")

    # --- one access -------------------------------------------------------------------

    def raise_access(self, access: Access, plan: BlockPlan | AffinePlan) -> None:
        """Put a structured access in the place of a memory operation."""
        op = access.op
        request = request_of(access)
        is_split = access.form.is_reshaped and isinstance(plan, BlockPlan)
        region = self.split_region(access) if is_split else access.region
        window = self.windows.window(access, region, plan.sizes)
        if isinstance(plan, AffinePlan):
            pointer = self.pointers.of_affine(plan, op)
        else:
            pointer = self.pointers.of_block(plan, op)
        place = RaisedBlock(plan, region, window, pointer)
        if access.kind == "load":
            new: Operation = self.load(request, place)
        elif access.kind == "store":
            new = self.store(request, place)
        else:
            new = self.atomic(request, place)
        self.emitter.insert(new, op)
        if op.results:
            self.replace_result(op, new.results[0])
        op.detach()
        op.erase()

    def raise_parts(self, access: Access) -> None:
        """Access each part of a block in parts; a load fills in what the one before left."""
        op, form = access.op, access.form
        request = request_of(access)
        region = self.split_region(access) if form.is_reshaped else access.region
        with self.space.assuming(access.facts_around):
            rows = None if region.rest else rows_of(self.space, form, region)
        if rows is not None:
            self.raise_rows(access, request, region, rows)
            return
        places: list[RaisedBlock] = []
        for part, bounded in parts(form, region):
            one = replace(access, form=part)
            plan = block_plan(self.space, one)
            assert plan is not None
            window = self.windows.window(one, bounded, plan.sizes)
            places.append(RaisedBlock(plan, bounded, window, self.pointers.make_pointer(plan, op)))
        # nothing below fails: memory is accessed by all the parts or by none
        loaded: SSAValue | None = None
        for place in places:
            if access.kind == "store":
                new = self.store(request, place)
            elif loaded is None:
                new = self.load(request, place)
            else:
                mask, window = self.residual(request, place), place.window
                new = MaskedLoadOp(place.pointer, window.starts, window.ends, mask, loaded)
            self.emitter.insert(new, op)
            loaded = new.results[0] if new.results else None
        if loaded is not None:
            self.replace_result(op, loaded)
        op.detach()
        op.erase()

    def raise_rows(self, access: Access, request: Request, region: MaskRegion, rows: Rows) -> None:
        """Access the parts of a block in a loop that carries what is loaded."""
        op, form = access.op, access.form
        sizes = tuple(dim.size for dim in form.dims)
        carried = [self.surroundings(request, sizes)] if access.kind == "load" else []
        loop = loop_of_rows(self.emitter, rows.reached(region, sizes), carried, op)
        body = loop.body.block
        last = body.ops.last
        assert last is not None
        low, high = self.space.interval(rows.first)
        part = rows.row(self.analysis.symbol(body.args[0], (low, high + len(form.parts) - 1)))
        plan = block_plan(self.space, replace(access, form=alone(form, part)))
        assert plan is not None
        window = self.windows.row(share(part, region), sizes, last)
        pointer = self.pointers.make_pointer(plan, last, op)
        if access.kind == "load":
            new = MaskedLoadOp(
                pointer, window.starts, window.ends, None, body.args[1], nonempty=True
            )
            self.emitter.insert(new, last)
            last.operands = new.results
            self.replace_result(op, loop.results[0])
        else:
            assert request.value is not None
            value = self.split_value(request.value, sizes)
            new = MaskedStoreOp(pointer, value, window.starts, window.ends, nonempty=True)
            self.emitter.insert(new, last)
        op.detach()
        op.erase()

    def raise_gather(self, access: Access, plan: GatherPlan) -> None:
        """Put an access through a gathering pointer in the place of a memory operation."""
        op, region = access.op, plan.region
        request = request_of(access)
        masked = not access.region.is_everything
        scalar = None
        if request.has_filler and masked:
            scalar = scalar_filler(request, plan.pointer.pointee, self.emitter)
            if scalar is None:
                raise CannotEmit("what is read where the mask is off varies")
        ends: Sequence[Entry] = ()
        if masked:
            ends = self.windows.bounded(access, region, plan.sizes).ends
        if plan.mask is not self.space.true:
            ends = [0 if d == plan.dim else end for d, end in enumerate(ends)]
        pointer = self.pointers.of_gather(plan, op)
        if access.kind == "load":
            new: Operation = LoadOp(pointer, ends, scalar)
        else:
            assert request.value is not None
            new = StoreOp(pointer, request.value, ends)
        self.emitter.insert(new, op)
        if op.results:
            self.replace_result(op, new.results[0])
        op.detach()
        op.erase()

    def load(self, request: Request, place: RaisedBlock) -> Operation:
        plan, region, window = place.plan, place.region, place.window
        everything = region.is_everything
        filler = None
        if request.has_filler and not everything:
            filler = scalar_filler(request, plan.pointer.pointee, self.emitter)
        if region.is_prefix and (everything or not request.has_filler or filler is not None):
            return LoadOp(place.pointer, window.ends, filler)
        other = None
        if request.other is not None:
            other = self.split_value(request.other, plan.sizes)
        elif filler is not None:
            other = self.splat(filler, plan.sizes, request.op)
        mask = self.residual(request, place)
        return MaskedLoadOp(place.pointer, window.starts, window.ends, mask, other)

    def surroundings(self, request: Request, sizes: tuple[int, ...]) -> SSAValue:
        """Return what lanes that are off read."""
        if request.other is not None:
            return self.split_value(request.other, sizes)
        element = tensor_type(request.op.results[0].type).element_type
        filler = scalar_filler(request, element, self.emitter)
        if filler is None:
            return self.emitter.op(tensor.EmptyOp((), TensorType(element, sizes)), request.op)
        return self.splat(filler, sizes, request.op)

    def splat(self, scalar: SSAValue, sizes: tuple[int, ...], anchor: Operation) -> SSAValue:
        """Return a tensor of one scalar."""
        type = TensorType(scalar.type, sizes)
        return self.emitter.op(SplatOp.create(operands=[scalar], result_types=[type]), anchor)

    def store(self, request: Request, place: RaisedBlock) -> Operation:
        assert request.value is not None
        value, window = self.split_value(request.value, place.plan.sizes), place.window
        if place.region.is_prefix:
            return StoreOp(place.pointer, value, window.ends)
        mask = self.residual(request, place)
        return MaskedStoreOp(place.pointer, value, window.starts, window.ends, mask)

    def atomic(self, request: Request, place: RaisedBlock) -> Operation:
        assert request.value is not None
        value, window = self.split_value(request.value, place.plan.sizes), place.window
        kinds = {n: request.op.properties[n] for n in ("atomic_rmw_op", "sem", "scope")}
        new = AtomicRMWOp(
            RMWOp(integer_of(kinds["atomic_rmw_op"])),
            place.pointer,
            value,
            window.starts,
            window.ends,
            self.residual(request, place),
        )
        new.properties |= kinds
        return new

    def residual(self, request: Request, place: RaisedBlock) -> SSAValue | None:
        """Return the mask operand where the window does not say all of it."""
        if not place.region.rest:
            return None
        if request.mask is None:
            raise CannotEmit("boundary that is no window")
        return self.split_value(request.mask, place.plan.sizes)

    def replace_result(self, op: Operation, result: SSAValue) -> None:
        """Let `result`, in the shape of the block, stand for the result of `op`."""
        old = op.results[0]
        result.name_hint = old.name_hint
        if result.type != old.type:
            result = self.emitter.op(reshape(result, old.type), op)
        old.replace_all_uses_with(result)
        if type_facts(result.type).sort in (Sort.INTEGER, Sort.BOOLEAN):
            self.analysis.replace(old, result)
            self.transcript.renamed[old] = result

    def split_region(self, access: Access) -> MaskRegion:
        """Return the mask of an access over the dimensions that its own are split into."""
        radices = access.form.radices
        mapping = {
            u: with_split_positions(self.space, self.space.wrap(self.space.atoms[u]), radices)
            for u in access.mask.leaves
            if self.space.atoms[u].kind is Kind.POSITION
        }
        mask = Rebuilder(self.space, mapping).cond(access.mask)
        return mask_region(self.space, mask, tuple(n for r in radices for n in r))

    def split_value(self, value: SSAValue, sizes: tuple[int, ...]) -> SSAValue:
        """Return a tensor in the shape of the block."""
        old = tensor_type(value.type)
        if old.get_shape() == sizes:
            return value
        type = TensorType(old.element_type, sizes, old.encoding)
        anchor = value.owner if isinstance(value.owner, Operation) else None
        op = reshape(value, type)
        if anchor is not None:
            return self.emitter.after(op, anchor)
        assert isinstance(value, BlockArgument)
        assert value.owner.ops.first is not None
        return self.emitter.op(op, value.owner.ops.first)


def reshape(value: SSAValue, type: Attribute) -> Operation:
    """Return the op that gives a tensor another shape and keeps the order of elements."""
    return ReshapeOp.create(operands=[value], result_types=[type])
