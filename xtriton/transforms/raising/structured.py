"""The rewriting behind `triton-to-structured`: what each raised access becomes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses, mask_of
from xtriton.analysis.indexing import Kind, Rebuilder
from xtriton.analysis.masks import MaskRegion, mask_region
from xtriton.analysis.radices import with_split_positions
from xtriton.analysis.report import assumptions
from xtriton.analysis.values import Block, Pointer, Sort, tensor_type, type_facts
from xtriton.dialects.tt import AddPtrOp, BitcastOp, ReshapeOp, SplatOp
from xtriton.dialects.tt import MakeTensorPtrOp as TensorPointerOp
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts import (
    AtomicRMWOp,
    LoadOp,
    MakeTensorPtrOp,
    MaskedLoadOp,
    MaskedStoreOp,
    StoreOp,
)
from xtriton.transforms.raising.affine_pointers import (
    AffinePlan,
    affine_plan,
    make_affine_pointer,
)
from xtriton.transforms.raising.blocks import BlockPlan, block_plan
from xtriton.transforms.raising.carried import CarriedOffsets
from xtriton.transforms.raising.emitter import CannotEmit, Emitter
from xtriton.transforms.raising.gathers import GatherPlan, gather_plan, make_gather_pointer
from xtriton.transforms.raising.loops import remove_dead_values
from xtriton.transforms.raising.parts import parts
from xtriton.transforms.raising.requests import Request, request_of, scalar_filler
from xtriton.transforms.raising.transcript import Transcript
from xtriton.transforms.raising.transcript_masks import MaskTranscript

Entry = int | SSAValue


class StructuredRewriter:
    """Rewrites the accesses of one function."""

    def __init__(self, accesses: Accesses, gathers: bool = True, affine: bool = True):
        self.gathers = gathers
        self.affine = affine
        self.demands_proof = False
        """Whether accesses stay whose addresses might overflow."""

        self.accesses = accesses
        self.analysis = accesses.analysis
        self.space = self.analysis.space
        self.emitter = Emitter(self.analysis)
        self.carried = CarriedOffsets(self.emitter)
        self.transcript = Transcript(self.emitter)
        self._made: dict[SSAValue, SSAValue] = {}
        self.left: list[tuple[Access, str]] = []
        """The accesses that stay, each with its reason."""

    def rewrite(self) -> None:
        """Raise what can be raised and remove what that leaves dead."""
        plans: list[tuple[Access, BlockPlan | GatherPlan | AffinePlan]] = []
        for access in self.accesses.all:
            if access.op.name == "tt.atomic_cas" or not access.shape:
                continue
            if is_volatile(access.op):
                self.left.append((access, "volatile"))
                continue
            if self.demands_proof and (assumed := assumptions(self.analysis, access)):
                self.left.append((access, f"not proved: {assumed[0]}"))
                continue
            plan = block_plan(self.space, access)
            if self.affine and access.form.parts and access.region.rest:
                # A mask that is no window is asked lane by lane, once better than for each part.
                plan = affine_plan(self.space, access) or plan
            if plan is None and self.gathers and access.kind != "atomic":
                plan = gather_plan(self.space, access)
            if plan is None and self.affine:
                plan = affine_plan(self.space, access)
            if plan is None:
                reason = access.form.reason or "wrap-around that is no bound"
                self.left.append((access, reason))
            else:
                plans.append((access, plan))
        raised = any(isinstance(plan, BlockPlan | GatherPlan) for _, plan in plans)
        if raised:
            self.transcript.follow(self.analysis.function.regions[0])
        for access, plan in plans:
            try:
                if isinstance(plan, GatherPlan):
                    self.raise_gather(access, plan)
                elif isinstance(plan, BlockPlan) and access.form.parts:
                    self.raise_parts(access)
                else:
                    self.raise_access(access, plan)
                raised = True
            except CannotEmit as failure:
                self.left.append((access, str(failure)))
        if raised:
            remove_dead_values(self.analysis.function)

    # --- one access -------------------------------------------------------------------

    def raise_access(self, access: Access, plan: BlockPlan | AffinePlan) -> None:
        """Put a structured access in the place of a memory operation."""
        op = access.op
        request = request_of(access)
        region = self.split_region(access) if access.form.is_reshaped else access.region
        window = self.window(access, region, plan)
        if isinstance(plan, AffinePlan):
            base = self.pointer_base(plan.pointer)
            loops = self.loops_moving(op)
            for e in plan.symbols:
                self.carried.carry(e, op, loops)
            pointer = make_affine_pointer(self.emitter, plan, base, op)
        else:
            pointer = self.block_pointer(plan, op)
        if access.kind == "load":
            new: Operation = self.load(request, region, window, pointer, plan)
        elif access.kind == "store":
            new = self.store(request, region, window, pointer, plan)
        else:
            new = self.atomic(request, region, window, pointer, plan)
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
        made: list[tuple[BlockPlan, MaskRegion, Window, SSAValue]] = []
        for part, bounded in parts(form, region):
            one = replace(access, form=part)
            plan = block_plan(self.space, one)
            assert plan is not None
            window = self.window(one, bounded, plan)
            made.append((plan, bounded, window, self.make_pointer(plan, op)))
        # nothing below fails: memory is accessed by all the parts or by none
        loaded: SSAValue | None = None
        for plan, bounded, window, pointer in made:
            if access.kind == "store":
                new = self.store(request, bounded, window, pointer, plan)
            elif loaded is None:
                new = self.load(request, bounded, window, pointer, plan)
            else:
                mask = self.residual(request, bounded, plan)
                new = MaskedLoadOp(pointer, window.starts, window.ends, mask, loaded)
            self.emitter.insert(new, op)
            loaded = new.results[0] if new.results else None
        if loaded is not None:
            self.replace_result(op, loaded)
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
        pointer = self.transcribed(plan, op) if plan.mask is self.space.true else None
        ends: Sequence[Entry] = self.bounded(access, region, plan.sizes).ends if masked else ()
        if plan.mask is not self.space.true:
            ends = [0 if d == plan.dim else end for d, end in enumerate(ends)]
        if pointer is None:
            base = self.pointer_base(plan.pointer)
            pointer = make_gather_pointer(self.emitter, plan, base, op)
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

    def window(self, access: Access, region: MaskRegion, plan: BlockPlan | AffinePlan) -> "Window":
        """Return where in the block the mask lets anything through; empty lists for all of it."""
        if region.is_everything and (mask_of(access.op) is None or region is not access.region):
            return Window((), ())
        window = self.bounded(access, region, plan.sizes)
        if region.is_everything and window.ends != plan.sizes:
            return Window((), ())
        return window

    def bounded(self, access: Access, region: MaskRegion, sizes: Sequence[int]) -> "Window":
        """Return where in the block the mask lets anything through."""
        mask = mask_of(access.op)
        with self.space.assuming(access.facts_around):
            if region is access.region and region.is_prefix and mask is not None:
                extents = MaskTranscript(self.transcript, access.op).extents(mask, region)
                if extents is not None:
                    return Window((0,) * len(extents), tuple(extents))
            ends = self.ends(access, region, sizes)
            starts = self.starts(access, region, sizes)
        return Window(tuple(starts), tuple(ends))

    def load(
        self,
        request: Request,
        region: MaskRegion,
        window: "Window",
        pointer: SSAValue,
        plan: BlockPlan | AffinePlan,
    ) -> Operation:
        everything = region.is_everything
        filler = None
        if request.has_filler and not everything:
            filler = scalar_filler(request, plan.pointer.pointee, self.emitter)
        if region.is_prefix and (everything or not request.has_filler or filler is not None):
            return LoadOp(pointer, window.ends, filler)
        other = None
        if request.other is not None:
            other = self.split_value(request.other, plan)
        elif filler is not None:
            type = TensorType(plan.pointer.pointee, plan.sizes)
            other = self.emitter.op(
                SplatOp.create(operands=[filler], result_types=[type]), request.op
            )
        return MaskedLoadOp(
            pointer, window.starts, window.ends, self.residual(request, region, plan), other
        )

    def store(
        self,
        request: Request,
        region: MaskRegion,
        window: "Window",
        pointer: SSAValue,
        plan: BlockPlan | AffinePlan,
    ) -> Operation:
        assert request.value is not None
        value = self.split_value(request.value, plan)
        if region.is_prefix:
            return StoreOp(pointer, value, window.ends)
        mask = self.residual(request, region, plan)
        return MaskedStoreOp(pointer, value, window.starts, window.ends, mask)

    def atomic(
        self,
        request: Request,
        region: MaskRegion,
        window: "Window",
        pointer: SSAValue,
        plan: BlockPlan | AffinePlan,
    ) -> Operation:
        assert request.value is not None
        value = self.split_value(request.value, plan)
        kinds = {n: request.op.properties[n] for n in ("atomic_rmw_op", "sem", "scope")}
        new = AtomicRMWOp(
            RMWOp(number(kinds["atomic_rmw_op"])),
            pointer,
            value,
            window.starts,
            window.ends,
            self.residual(request, region, plan),
        )
        new.properties |= kinds
        return new

    def residual(
        self, request: Request, region: MaskRegion, plan: BlockPlan | AffinePlan
    ) -> SSAValue | None:
        """Return the mask operand where the window does not say all of it."""
        if not region.rest:
            return None
        if request.mask is None:
            raise CannotEmit("boundary that is no window")
        return self.split_value(request.mask, plan)

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

    def split_value(self, value: SSAValue, plan: BlockPlan | AffinePlan) -> SSAValue:
        """Return a tensor in the shape of the block."""
        old = tensor_type(value.type)
        if old.get_shape() == plan.sizes:
            return value
        type = TensorType(old.element_type, plan.sizes, old.encoding)
        anchor = value.owner if isinstance(value.owner, Operation) else None
        op = reshape(value, type)
        if anchor is not None:
            return self.emitter.after(op, anchor)
        assert isinstance(value, BlockArgument)
        assert value.owner.ops.first is not None
        return self.emitter.op(op, value.owner.ops.first)

    # --- pointers ---------------------------------------------------------------------

    def transcribed(self, plan: BlockPlan | GatherPlan, op: Operation) -> SSAValue | None:
        """Return the pointers of a plan as the program computes them, where they can be had."""
        value = op.operands[0]
        state = self.transcript.pointer(value)
        if state is None or not state.sizes:
            return None
        same = self.transcript.says if isinstance(plan, BlockPlan) else self.transcript.gathers
        if not same(state, plan):  # pyright: ignore
            return None
        if value not in self._made:
            self._made[value] = self.transcript.made(value, state)
        return self._made[value]

    def block_pointer(self, plan: BlockPlan, op: Operation) -> SSAValue:
        """Return the pointers of a block: as the program computes them, or from the plan."""
        made = op.operands[0].owner
        if isinstance(made, TensorPointerOp) and made.parent is op.parent:
            return self.make_pointer(plan, made)
        return self.transcribed(plan, op) or self.make_pointer(plan, op)

    def make_pointer(self, plan: BlockPlan, anchor: Operation) -> SSAValue:
        emitter = self.emitter
        plan = self.rebased(plan, anchor)
        loops = self.loops_moving(anchor)
        for e in (*plan.offsets, plan.extra):
            if e.constant is None:
                self.carried.carry(e, anchor, loops)
        base = self.base(plan, anchor)
        if plan.extra.terms:
            base = emitter.op(AddPtrOp(base, emitter.integer(plan.extra, anchor)), anchor)
        bounds = [0 if b is None else emitter.mixed(b, anchor) for b in plan.bounds]
        return emitter.op(
            MakeTensorPtrOp(
                base,
                plan.sizes,
                [emitter.mixed(e, anchor) for e in plan.strides],
                [emitter.mixed(e, anchor) for e in plan.offsets],
                [abs(b) if isinstance(b, int) else b for b in bounds],
            ),
            anchor,
        )

    def rebased(self, plan: BlockPlan, anchor: Operation) -> BlockPlan:
        """Let a scalar pointer that a loop carries irregularly be the base itself."""
        space = self.space
        for d, offset in enumerate((*plan.offsets, plan.extra)):
            for atom in offset.atoms():
                key = atom.parts
                if atom.kind is not Kind.SCALAR or not key:
                    continue
                if key[0] != "offset" or offset.coefficient(atom) is not space.one:
                    continue
                argument = self.carried_at(key[1], anchor)
                if argument is None:
                    continue
                rest = offset - space.wrap(atom)
                pointer = Pointer(argument, space.zero, plan.pointer.pointee)
                if d == len(plan.offsets):
                    return replace(plan, pointer=pointer, extra=rest)
                offsets = (*plan.offsets[:d], rest, *plan.offsets[d + 1 :])
                return replace(plan, pointer=pointer, offsets=offsets)
        return plan

    def carried_at(self, argument: BlockArgument, anchor: Operation) -> SSAValue | None:
        """
        Return the scalar pointer that a loop carries as `argument`, as it is called at `anchor`.

        The body of an `scf.while` has its own name for what the condition hands on.
        """
        assert isinstance(argument.type, PtrType)
        if argument.type.is_block_pointer:
            return None
        loop = argument.owner.parent_op()
        names: list[SSAValue] = [argument]
        if loop is not None and loop.name == "scf.while":
            before, after = (region.blocks[0] for region in loop.regions)
            assert before.ops.last is not None
            handed = zip(before.ops.last.operands[1:], after.args, strict=True)
            names += [inner for value, inner in handed if value is argument]
        return next((v for v in names if self.emitter.dominates(v, anchor)), None)

    def base(self, plan: BlockPlan, anchor: Operation) -> SSAValue:
        """Return the base pointer, of the type that the access reads or writes."""
        return self.pointer_base(plan.pointer)

    def pointer_base(self, pointer: Pointer) -> SSAValue:
        """Return a base pointer as one to what is accessed."""
        base = pointer.base
        assert isinstance(base.type, PtrType)
        if base.type.pointee_type == pointer.pointee:
            return base
        type = PtrType(pointer.pointee, base.type.address_space)
        return self.emitter.converted(base, type, lambda: BitcastOp(base, type))

    def loops_moving(self, op: Operation) -> set[Operation]:
        """Return the loops that carry the pointer of an access."""
        raw = self.analysis.get(op.operands[0])
        leaves: set[int] = set()
        if isinstance(raw, Pointer):
            leaves |= raw.offset.leaves
        elif isinstance(raw, Block):
            leaves = leaves.union(*(e.leaves for e in (raw.origin, *raw.offsets)))
        solutions = dict(self.analysis.solutions)
        loops: set[Operation] = set()
        worklist = list(leaves)
        seen: set[int] = set()
        while worklist:
            u = worklist.pop()
            if u in seen:
                continue
            seen.add(u)
            key = self.space.atoms[u].parts
            if key and key[0] == "offset":
                argument: BlockArgument = key[1]
                loop = argument.owner.parent_op()
                if loop is not None:
                    loops.add(loop)
                if u in solutions:
                    worklist += solutions[u].leaves
        return loops

    # --- masks ------------------------------------------------------------------------

    def ends(self, access: Access, region: MaskRegion, sizes: Sequence[int]) -> list[Entry]:
        """Return the position after the last that the mask lets through, by dimension."""
        space = self.space
        found: list[Entry] = []
        guard = space.conjunction(region.guards)
        for d, size in enumerate(sizes):
            end = space.minimum(*region.upper[d], space.const(size))
            end = space.maximum(end, space.zero)
            if d == 0:
                end = space.select(guard, end, space.zero)
            found.append(self.emitter.mixed(end, access.op))
        return found

    def starts(self, access: Access, region: MaskRegion, sizes: Sequence[int]) -> list[Entry]:
        """Return the first position that the mask lets through, by dimension."""
        space = self.space
        found: list[Entry] = []
        for d, size in enumerate(sizes):
            start = space.maximum(*region.lower[d], space.zero)
            start = space.minimum(start, space.const(size))
            found.append(self.emitter.mixed(start, access.op))
        return found


@dataclass(frozen=True)
class Window:
    """The part of a block that an access may touch; empty lists for all of it."""

    starts: tuple[Entry, ...]
    ends: tuple[Entry, ...]


def number(attribute: Attribute) -> int:
    assert isinstance(attribute, IntegerAttr)
    return attribute.value.data


def reshape(value: SSAValue, type: Attribute) -> Operation:
    """Return the op that gives a tensor another shape and keeps the order of elements."""
    return ReshapeOp.create(operands=[value], result_types=[type])


def is_volatile(op: Operation) -> bool:
    flag = op.properties.get("isVolatile")
    return flag is not None and bool(flag.value.data)  # pyright: ignore
