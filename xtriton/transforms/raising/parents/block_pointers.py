"""The rewriting behind `triton-raise-block-pointer`."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.classify import Dimension
from xtriton.analysis.indexing import Expr, Kind
from xtriton.analysis.memory_ops import mask_of
from xtriton.analysis.report import order_of
from xtriton.diagnostics import remark
from xtriton.dialects.tt import AddPtrOp, AdvanceOp, BitcastOp, LoadOp, MakeTensorPtrOp
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.upstream.arith import ConstantOp, SelectOp
from xtriton.ir.dense import is_splat, splat_value
from xtriton.ir.noted_edits import set_property
from xtriton.transforms.loop_rewriting import add_carried, yield_also
from xtriton.transforms.raising.dead_values import remove_dead_values
from xtriton.transforms.raising.parents.carried import CarriedOffsets, Progress
from xtriton.transforms.raising.parents.parents import NoParent, Parent, ParentFinder, loops_around
from xtriton.transforms.raising.parents.requests import request_of
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter
from xtriton.transforms.triton_gpu.retyping import encoding_of, set_encoding


@dataclass(frozen=True)
class Proved:
    """A number that fits into 32 bits, and why."""

    form: Expr
    proof: str


@dataclass(frozen=True)
class Home:
    """
    Where the block pointer of an access is made: before `anchor`.

    If `loop` is given it carries the pointer, which `steps` advance in each iteration: at its
    end, or before `moved`, if the access goes where the pointer is then.
    """

    anchor: Operation
    loop: Operation | None
    offsets: tuple[Proved, ...]
    steps: tuple[Proved, ...]
    moved: Operation | None = None


class BlockPointerRewriter:
    """Turns the accesses of one function into accesses through block pointers."""

    form = "block pointer"
    """What accesses are raised to, in messages."""

    extent_bits = 64
    """The width of an extent of the tensor."""

    def __init__(self, accesses: Accesses, chosen: Container[Operation] | None = None):
        """`chosen` are the accesses to raise, by default all."""
        self.accesses = accesses
        self.chosen = chosen
        self.analysis = accesses.analysis
        self.space = self.analysis.space
        self.emitter = ExprEmitter(self.analysis, i64)
        self.carried = CarriedOffsets(self.emitter)
        self._pointers: dict[object, SSAValue] = {}

    def rewrite(self) -> None:
        """Raise what can be raised and remove what that leaves dead."""
        finder = ParentFinder(self.accesses, self.emitter.narrowings, self.extent_bits)
        plans: list[tuple[Access, Parent]] = []
        for access in self.accesses.all:
            if access.op.name not in ("tt.load", "tt.store") or not access.shape:
                continue
            if self.chosen is not None and access.op not in self.chosen:
                continue
            try:
                parent = finder.parent(access)
                self.qualify(access, parent)
                plans.append((access, parent))
            except NoParent as reason:
                self.leave(access, reason)
        for access, parent in plans:
            try:
                self.raise_access(access, parent)
            except CannotEmit as failure:
                self.leave(access, failure)
        if plans:
            remove_dead_values(self.analysis.function)

    def leave(self, access: Access, reason: Exception) -> None:
        """Say why an access stays as it is."""
        remark(access.op, f"no {self.form}: {reason}")

    def qualify(self, access: Access, parent: Parent) -> None:
        """Raise `NoParent` where a block pointer cannot say what `parent` does."""

    def raise_access(self, access: Access, parent: Parent) -> None:
        """Send an access through a block pointer."""
        op = access.op
        pointer = self.pointer(access, parent)
        new = self.load(access, parent, pointer) if access.kind == "load" else None
        if new is None:
            op.operands = [pointer, op.operands[1]]
            checks = DenseArrayBase.from_list(i32, parent.checked)
            set_property(op, "boundaryCheck", checks)
            return
        result = self.emitter.op(new, op)
        result.name_hint = op.results[0].name_hint
        result = self.filtered(access, parent, result)
        op.results[0].replace_all_uses_with(result)
        self.analysis.replace(op.results[0], result)
        op.detach()
        op.erase()

    def load(self, access: Access, parent: Parent, pointer: SSAValue) -> Operation:
        new = LoadOp(pointer, boundary_check=parent.checked, padding=self.padding(access, parent))
        for name in ("cache", "evict", "isVolatile", "cachePolicy"):
            if name in access.op.properties:
                new.properties[name] = access.op.properties[name]
        new.attributes |= access.op.attributes
        return new

    def padding(self, access: Access, parent: Parent) -> PaddingOption | None:
        """Return the padding that reads what `other` gives, or None where none does."""
        other = request_of(access).other
        if other is None or not parent.checked or not isinstance(other.owner, ConstantOp):
            return None
        value = other.owner.value
        if not is_splat(value):
            return None
        number = splat_value(value)
        if number == 0 and str(number)[0] != "-":
            return PaddingOption.zero
        return PaddingOption.nan if number != number else None

    def filtered(self, access: Access, parent: Parent, result: SSAValue) -> SSAValue:
        """Put `other` where the mask is off, if no padding does it."""
        other, mask = request_of(access).other, mask_of(access.op)
        if other is None or mask is None or self.padding(access, parent) is not None:
            return result
        return self.emitter.op(SelectOp(mask, result, other), access.op)

    # --- pointers ---------------------------------------------------------------------

    def pointer(self, access: Access, parent: Parent) -> SSAValue:
        """Return the block pointer of an access, made where nothing of it is made again."""
        home = self.home(access, parent)
        encoding = _encoding(access, parent)
        key = (parent, home.anchor, home.loop, home.moved, encoding)
        if key not in self._pointers:
            self._pointers[key] = self._made(parent, home, encoding)
        return self._pointers[key]

    def home(self, access: Access, parent: Parent) -> Home:
        """Find the outermost place to make a pointer, and the loop that carries it on."""
        fixed = (parent.origin, *parent.strides, *parent.shape)
        for loop in loops_around(access.op):
            if loop.name != "scf.for" or loop.parent is None:
                break
            if not all(self.emitter.invariant(e, loop) for e in (parent.origin, *parent.strides)):
                break
            progress = [self.carried.progress(e, loop) for e in parent.offsets]
            if any(p is None for p in progress):
                break
            if not any(p.step.terms for p in progress if p is not None):
                continue
            extents = self.extents(parent, loop)
            if not all(self.emitter.invariant(e, loop) for e in extents):
                break
            known = [p for p in progress if p is not None]
            moved = moved_before(access.op.operands[0], loop)
            carried = self._carried(access, parent, known, loop, moved)
            if carried is None:
                break
            return Home(loop, loop, *carried, moved)
        everything = (*fixed, *parent.offsets)
        anchor = self.definition(access, everything)
        for loop in loops_around(anchor):
            if not all(self.emitter.invariant(e, loop) for e in everything):
                break
            anchor = loop
        return Home(anchor, None, self._proved(access, parent.offsets), ())

    def _proved(self, access: Access, forms: Sequence[Expr]) -> tuple[Proved, ...]:
        """Return numbers with the proofs that they fit into 32 bits; raise `CannotEmit`."""
        found = [(e, self.emitter.narrowings.proof(e, 32, access.op)) for e in forms]
        for e, proof in found:
            if proof is None:
                raise CannotEmit(f"{e} may not fit into 32 bits")
        return tuple(Proved(e, proof) for e, proof in found if proof is not None)

    def _carried(
        self,
        access: Access,
        parent: Parent,
        progress: Sequence[Progress],
        loop: Operation,
        moved: Operation | None,
    ) -> tuple[tuple[Proved, ...], tuple[Proved, ...]] | None:
        """Return what a loop's pointer starts with and is advanced by; None without a proof."""
        proof = self.emitter.narrowings.proof
        runs_always = access.op.parent is loop.regions[0].blocks[0]
        firsts: list[Proved] = []
        steps: list[Proved] = []
        for e, p in zip(parent.offsets, progress, strict=True):
            first = p.first if moved is None else p.first - p.step
            why = proof(first, 32, loop)
            if why is None and moved is None and runs_always:
                why = proof(e, 32, access.op) and "it is what the first iteration uses"
            by = proof(p.step, 32, access.op)
            if by is None and self._is_never_negative(e, access):
                by = "it leads from one iteration's offset to the next, both in 31 bits"
            if why is None or by is None:
                return None
            firsts.append(Proved(first, why))
            steps.append(Proved(p.step, by))
        return tuple(firsts), tuple(steps)

    def _is_never_negative(self, e: Expr, access: Access) -> bool:
        with self.space.assuming(access.facts_around):
            return e.interval[0] >= 0

    def definition(self, access: Access, forms: Sequence[Expr]) -> Operation:
        """Return the op that makes the pointers of an access, or the access if that is too early."""
        made = access.op.operands[0].owner
        if not isinstance(made, Operation) or made.parent is not access.op.parent:
            return access.op
        return made if all(self.emitter.available(e, made) for e in forms) else access.op

    def extents(self, parent: Parent, loop: Operation) -> list[Expr]:
        """Return the shape of the tensor for all iterations of a loop."""
        return [
            e if d in parent.checked else self.reached(e, loop) for d, e in enumerate(parent.shape)
        ]

    def reached(self, e: Expr, loop: Operation) -> Expr:
        """Return how far a block reaches in any iteration of a loop: in the first or the last."""
        space = self.space
        for u in e.leaves:
            leaf = space.atoms[u]
            if leaf.kind is not Kind.ITERATION or leaf.key is not loop:
                continue
            atom = e.atom()
            if atom is not None and atom.kind is Kind.MAX:
                return space.maximum(*(self.reached(a, loop) for a in atom.args))
            slope = e.coefficient(leaf)
            if u in slope.leaves or u in (e - slope * space.wrap(leaf)).leaves:
                raise CannotEmit("a block that reaches unevenly far in a loop")
            trips = self.analysis.resolved(self.analysis.trip_counts[loop])
            last = space.maximum(trips - 1, space.zero)
            ends = [space.substitute(e, {u: end}) for end in (space.zero, last)]
            low, high = slope.interval
            if low >= 0:
                return ends[1]
            return ends[0] if high <= 0 else space.maximum(*ends)
        return e

    def _made(self, parent: Parent, home: Home, encoding: Attribute | None) -> SSAValue:
        emitter, anchor = self.emitter, home.anchor
        base = parent.pointer.base
        if not emitter.dominates(base, anchor):
            raise CannotEmit("base is made inside of the loop")
        assert isinstance(base.type, PtrType)
        if base.type.pointee_type != parent.pointer.pointee:
            type = PtrType(parent.pointer.pointee, base.type.address_space)
            base = emitter.converted(base, type, lambda: BitcastOp(parent.pointer.base, type))
        shape = self.extents(parent, home.loop) if home.loop else list(parent.shape)
        wide = [emitter.typed(e, i64, anchor) for e in (*shape, *parent.strides)]
        offsets = [emitter.narrow(e.form, i32, anchor, e.proof) for e in home.offsets]
        steps: list[SSAValue] = []
        end = home.moved
        if home.loop is not None:
            end = end or home.loop.regions[0].blocks[0].ops.last
            assert end is not None
            for step in home.steps:
                place = home.loop if emitter.invariant(step.form, home.loop) else end
                steps.append(emitter.narrow(step.form, i32, place, step.proof))
        if parent.origin.terms:
            origin = emitter.integer(parent.origin, anchor)
            base = emitter.op(AddPtrOp(base, origin), anchor)
        rank = len(parent.sizes)
        dims = parent_dims(parent)
        made = MakeTensorPtrOp(base, wide[:rank], wide[rank:], offsets, parent.sizes, dims)
        pointer = emitter.op(made, anchor)
        if encoding is not None:
            set_encoding(pointer, encoding)
        if home.loop is None or end is None:
            return pointer
        argument = add_carried(home.loop, pointer.type, pointer)
        advanced = emitter.op(AdvanceOp(argument, steps), end)
        yield_also(home.loop, advanced)
        return argument if home.moved is None else advanced


def moved_before(value: SSAValue, loop: Operation) -> Operation | None:
    """Return the op of a loop's body that makes a pointer which the loop hands on."""
    body = loop.regions[0].blocks[0]
    made = value.owner
    if not isinstance(made, Operation) or made.parent is not body or body.ops.last is None:
        return None
    return made if value in body.ops.last.operands else None


def _encoding(access: Access, parent: Parent) -> Attribute | None:
    """Return the layout of the tensor of pointers, which the block gets; None without one."""
    encoding = encoding_of(access.op.operands[0].type)
    if encoding is not None and access.shape != tuple(parent.sizes):
        raise CannotEmit("a tensor with a layout is no block of the same shape")
    return encoding


def parent_dims(parent: Parent) -> list[int]:
    """Return the order of the dimensions, the contiguous one first."""
    zero = parent.origin.space.zero
    return order_of(
        tuple(Dimension(n, zero, s) for n, s in zip(parent.sizes, parent.strides, strict=True))
    )
