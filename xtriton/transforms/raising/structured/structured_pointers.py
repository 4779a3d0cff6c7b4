"""Pointers to blocks, made for the accesses that are raised: `tts.make_tptr` and its siblings."""

from dataclasses import replace

from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.analysis.indexing import Kind
from xtriton.analysis.values import Pointer, TensorBlock
from xtriton.dialects.tt import AddPtrOp, BitcastOp, MakeTensorPtrOp as TensorPointerOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts import MakeTensorPtrOp
from xtriton.ir.value_flow import handed_on
from xtriton.transforms.raising.parents.carried import CarriedOffsets
from xtriton.transforms.raising.structured.affine_pointers import AffinePlan, make_affine_pointer
from xtriton.transforms.raising.structured.blocks import BlockPlan
from xtriton.transforms.raising.structured.gathers import GatherPlan, make_gather_pointer
from xtriton.transforms.raising.transcripts.pointers import Transcript
from xtriton.transforms.raising.writing.emitter import ExprEmitter


class StructuredPointers:
    """Makes the pointers of the raised accesses of one function."""

    def __init__(self, emitter: ExprEmitter, transcript: Transcript):
        self.emitter = emitter
        self.analysis = emitter.analysis
        self.space = emitter.space
        self.transcript = transcript
        self.carried = CarriedOffsets(emitter)
        self._made: dict[SSAValue, SSAValue] = {}
        """The blocks that transcripts of pointers have become."""

    def of_block(self, plan: BlockPlan, op: Operation) -> SSAValue:
        """Return the pointers of a block: as the program computes them, or from the plan."""
        made = op.operands[0].owner
        if isinstance(made, TensorPointerOp) and made.parent is op.parent:
            return self.make_pointer(plan, made)
        return self.transcribed(plan, op) or self.make_pointer(plan, op)

    def of_affine(self, plan: AffinePlan, op: Operation) -> SSAValue:
        """Return the pointers of an affine access, made before `op`."""
        base = self.pointer_base(plan.pointer)
        loops = self.loops_moving(op)
        for e in plan.symbols:
            self.carried.carry(e, op, loops)
        return make_affine_pointer(self.emitter, plan, base, op)

    def of_gather(self, plan: GatherPlan, op: Operation) -> SSAValue:
        """Return the pointers of a gather: as the program computes them, or from the plan."""
        if plan.mask is self.space.true:
            transcribed = self.transcribed(plan, op)
            if transcribed is not None:
                return transcribed
        return make_gather_pointer(self.emitter, plan, self.pointer_base(plan.pointer), op)

    def transcribed(self, plan: BlockPlan | GatherPlan, op: Operation) -> SSAValue | None:
        """Return the pointers of a plan as the program computes them, where they can be had."""
        value = op.operands[0]
        state = self.transcript.pointer(value)
        if state is None or not state.sizes:
            return None
        same = self.transcript.says if isinstance(plan, BlockPlan) else self.transcript.gathers
        if not same(state, plan):  # pyright: ignore[reportArgumentType]
            return None
        if value not in self._made:
            self._made[value] = self.transcript.made(value, state)
        return self._made[value]

    def make_pointer(
        self, plan: BlockPlan, anchor: Operation, access: Operation | None = None
    ) -> SSAValue:
        """
        Return the pointers of a block, made before `anchor` from the plan.

        `access` is the op whose pointers they were, if it is not `anchor`.
        """
        emitter = self.emitter
        plan = self.rebased(plan, anchor)
        loops = self.loops_moving(access or anchor)
        for e in (*plan.offsets, plan.extra):
            if e.constant is None:
                self.carried.carry(e, anchor, loops)
        base = self.pointer_base(plan.pointer)
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
            handed = zip(handed_on(before.ops.last), after.args, strict=True)
            names += [inner for value, inner in handed if value is argument]
        return next((v for v in names if self.emitter.dominates(v, anchor)), None)

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
        elif isinstance(raw, TensorBlock):
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
