"""
Accesses without structure: every pointer becomes one base and integer offsets.

Before:

    %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %1 = tt.addptr %0, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %2 = tt.load %1, %m, %o : tensor<64x!tt.ptr<f32>>

After:

    %2 = tts.gather %p[%i] mask = %m default = ... : (<f32>, tensor<64xi32>) -> tensor<64xf32>

The base may have been moved by `tt.addptr` before. The offset is kept as narrow as it was
written; adding two makes it 64 bits wide, so that a chain of 32-bit offsets cannot overflow.
Each access is rewritten by itself: one whose pointers come from several bases, or from
memory, stays as it was.
"""
# xDSL's types have type parameters that it does not always fill in.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, TensorType, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.passes import ModulePass

from xtriton.analysis.values import byte_width
from xtriton.dialects import tt, tts
from xtriton.dialects.upstream import arith
from xtriton.dialects.upstream.volatile import mark_volatile
from xtriton.ir import dense
from xtriton.ir.noted_edits import set_value_type
from xtriton.ir.value_flow import LOOP_BOUNDS, handed_on, initial_values
from xtriton.ir.walking import ops_in
from xtriton.lowering.builder import Builder, constant_scalar
from xtriton.lowering.linalg_rules.generic import holds_pointers
from xtriton.lowering.modules import modules
from xtriton.lowering.pointer_origins import origin
from xtriton.lowering.pointers import drop_dead, is_pointer
from xtriton.passes.rewriting import replace
from xtriton.records import record
from xtriton.transforms.layout_free import refuse_layouts


@dataclass(frozen=True)
class TritonToUnstructuredPass(ModulePass):
    """Rewrite accesses through pointers as gathers and scatters from one base."""

    name = "triton-to-unstructured"

    offset_bit_width: int = 32
    """Width of the offset of a pointer that nothing has been added to."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        width = IntegerType(self.offset_bit_width)
        for module in modules(op):
            for function in module.ops:
                if isinstance(function, tt.FuncOp) and function.regions[0].blocks:
                    _Rewriter(width).run(function)


@record
class Location:
    """`base` plus `offset` elements; no offset means 0."""

    base: SSAValue
    """A scalar pointer."""
    offset: SSAValue | None
    """An integer, or a tensor of integers for a tensor of pointers."""


def points(kind: Any) -> bool:
    """Return whether a type is a pointer to elements or a tensor of such."""
    return is_pointer(kind) or (holds_pointers(kind))


def with_element(kind: Any, element: Attribute) -> Attribute:
    """Return the type of `kind`'s shape whose elements are `element`."""
    if isinstance(kind, TensorType):
        return TensorType(element, kind.get_shape(), kind.encoding)
    return element


def keep_volatile(load: tt.LoadOp, gather: tts.GatherOp) -> None:
    """Mark what a volatile load becomes."""
    if load.isVolatile.value.data:
        mark_volatile(gather)


class _Rewriter:
    """Rewrites one function, top down."""

    def __init__(self, width: IntegerType):
        self.width = width
        self.locations: dict[SSAValue, Location] = {}
        self.carried: dict[Operation, list[int]] = {}
        """By loop, the iter args that are offsets now."""
        self.handed: dict[Operation, list[int]] = {}
        """By `scf.while`, what its condition hands on and is offsets now."""

    def run(self, function: Operation) -> None:
        for op in ops_in(function, VISITS):
            if op.parent is not None:
                VISITS[op.name](self, op)
        drop_dead(function)

    def locate(self, value: SSAValue) -> Location | None:
        """Return where a pointer points; a scalar that nothing is known of is its own base."""
        found = self.locations.get(value)
        if found is None and is_pointer(value.type):
            return Location(value, None)
        return found

    # --- pointer arithmetic -------------------------------------------------------------

    def add(self, op: Operation) -> None:
        """Add to the offsets of a tensor; a moved scalar pointer is a base of its own."""
        where = self.locate(op.operands[0])
        if where is None or is_pointer(op.results[0].type):
            return
        offset = op.operands[1]
        if where.offset is not None:
            builder = Builder(before=op)
            wide = [self.widened(builder, value) for value in (where.offset, offset)]
            offset = builder.value(arith.AddiOp, wide, wide[0].type, _WRAPS)
        self.locations[op.results[0]] = Location(where.base, offset)

    @staticmethod
    def widened(builder: Builder, value: SSAValue) -> SSAValue:
        target = with_element(value.type, i64)
        if value.type == target:
            return value
        return builder.value(arith.ExtSIOp, (value,), target)

    def reshape(self, op: Operation) -> None:
        """Give the offsets the shape that the pointers get."""
        if not points(op.results[0].type):
            return
        where = self.locate(op.operands[0])
        if where is None:
            return
        offset = where.offset
        if offset is not None:
            builder = Builder(before=op)
            element = getattr(offset.type, "element_type", offset.type)
            kind = with_element(op.results[0].type, element)
            offset = builder.value(type(op), (offset,), kind, op.properties)
        self.locations[op.results[0]] = Location(where.base, offset)

    def bitcast(self, op: Operation) -> None:
        """View the base as another type; offsets count elements, so these must be as wide."""
        if not points(op.results[0].type):
            return
        where = self.locate(op.operands[0])
        if where is None or not isinstance(op.results[0].type, TensorType):
            return
        target: Any = op.results[0].type.element_type
        if where.offset is not None and _bytes(target) != _bytes(where.base.type):
            return
        base = where.base
        if base.type != target:
            base = _after(base, op).value(tt.BitcastOp, (base,), target)
        self.locations[op.results[0]] = Location(base, where.offset)

    def select(self, op: Operation) -> None:
        """Select offsets, and the base where it differs, which takes one condition for all."""
        if not holds_pointers(op.results[0].type):
            return
        condition, *values = op.operands
        first, second = map(self.locate, values)
        if first is None or second is None:
            return
        builder = Builder(before=op)
        base = first.base
        if base is not second.base:
            if condition.type != i1 or base.type != second.base.type:
                return
            base = builder.value(arith.SelectOp, (condition, base, second.base), base.type)
        offsets = [
            self.widened(builder, self.offset_of(builder, where, op.results[0].type))
            for where in (first, second)
        ]
        offset = builder.value(arith.SelectOp, (condition, *offsets), offsets[0].type)
        self.locations[op.results[0]] = Location(base, offset)

    def offset_of(self, builder: Builder, where: Location, pointer: Any) -> SSAValue:
        """Return the offset as a value, zeros where there is none."""
        if where.offset is not None:
            return where.offset
        kind: Any = with_element(pointer, self.width)
        if isinstance(kind, TensorType):
            return builder.constant(dense.splat(kind, 0))
        return builder.constant(IntegerAttr(0, kind))

    # --- accesses -----------------------------------------------------------------------

    def load(self, op: Any) -> None:
        pointer = op.ptr
        where = self.locate(pointer)
        if where is None or not points(pointer.type):
            return
        builder = Builder(before=op)
        other = None
        if op.other is not None:
            other = scalar_of(op.other)
            if other is None and isinstance(op.other.type, TensorType):
                self.load_with_tensor(op, builder, where)
                return
            other = other or op.other
        gather = builder.insert(
            tts.GatherOp(where.base, self.offset_of(builder, where, pointer.type), op.mask, other)
        )
        keep_volatile(op, gather)
        replace(op, gather.results)

    def load_with_tensor(self, op: Any, builder: Builder, where: Location) -> None:
        """Load where the mask is true and choose `other`, a tensor, elsewhere."""
        offset = self.offset_of(builder, where, op.ptr.type)
        gather = builder.insert(tts.GatherOp(where.base, offset, op.mask))
        keep_volatile(op, gather)
        kind = op.results[0].type
        chosen = builder.value(arith.SelectOp, (op.mask, gather.results[0], op.other), kind)
        replace(op, (chosen,))

    def store(self, op: Any) -> None:
        where = self.locate(op.ptr)
        if where is None or not points(op.ptr.type):
            return
        builder = Builder(before=op)
        offset = self.offset_of(builder, where, op.ptr.type)
        builder.insert(tts.ScatterOp(op.value, where.base, offset, op.mask))
        replace(op, ())

    def atomic(self, op: Any) -> None:
        where = self.locate(op.ptr)
        if where is None:
            return
        builder = Builder(before=op)
        offset = self.offset_of(builder, where, op.ptr.type)
        is_cas = op.name == "tt.atomic_cas"
        new = builder.make(
            tts.UnstructuredAtomicCASOp if is_cas else tts.UnstructuredAtomicRMWOp,
            (where.base, offset, *op.operands[1:]),
            [result.type for result in op.results],
            {
                name: op.properties[name]
                for name in ("atomic_rmw_op", "sem", "scope")
                if name in op.properties
            },
        )
        replace(op, new.results)

    def address(self, op: Operation) -> None:
        """Write the addresses of a tensor as the base's plus offsets in bytes."""
        where = self.locate(op.operands[0])
        kind: Any = op.results[0].type
        if where is None or not isinstance(kind, TensorType):
            return
        builder = Builder(before=op)
        base = builder.value(tt.PtrToIntOp, (where.base,), i64)
        total = builder.value(tt.SplatOp, (base,), kind)
        if where.offset is not None:
            wide = self.widened(builder, where.offset)
            size = builder.constant(dense.splat(kind, _bytes(where.base.type)))
            octets = builder.value(arith.MuliOp, (wide, size), kind, _WRAPS)
            total = builder.value(arith.AddiOp, (total, octets), kind, _WRAPS)
        replace(op, (total,))

    # --- loops --------------------------------------------------------------------------

    def carry(self, op: Any) -> None:
        """
        Carry offsets instead of pointer tensors.

        The base must be the same in every iteration; scalar pointers are carried by the
        passes that follow. The body is rewritten before the yield is known, so an iter arg
        gets an offset whenever its pointer is only ever moved by `tt.addptr`, in the body or in
        loops and branches inside of it.
        """
        body = op.regions[0].blocks[0]
        for index, start in enumerate(initial_values(op)):
            if not isinstance(start.type, TensorType) or not points(start.type):
                continue
            where = self.locate(start)
            argument = body.args[index + 1]
            if where is not None and origin(body.last_op.operands[index]) is argument:
                self.start(op, LOOP_BOUNDS + index, where)
                self.become_offset(argument, where.base)
                self.become_offset(op.results[index], where.base)
                self.carried.setdefault(op, []).append(index)

    def carry_while(self, op: Any) -> None:
        """The same for `scf.while`, whose condition hands on what the body and the results get."""
        before, after = (region.blocks[0] for region in op.regions)
        places = {argument: k for k, argument in enumerate(before.args)}
        starts = {
            k: where
            for k, start in enumerate(op.operands)
            if holds_pointers(start.type) and (where := self.locate(start)) is not None
        }
        origins = [places.get(origin(v), -1) for v in handed_on(before.last_op)]
        again = [origin(v) for v in after.last_op.operands]
        size = -1
        while len(starts) != size:
            size = len(starts)
            handed = {after.args[j]: k for j, k in enumerate(origins) if k in starts}
            starts = {
                k: where
                for k, where in starts.items()
                if again[k] in handed and starts[handed[again[k]]].base is where.base
            }
        self.carried[op] = list(starts)
        self.handed[op] = [j for j, k in enumerate(origins) if k in starts]
        for k, where in starts.items():
            self.start(op, k, where)
            self.become_offset(before.args[k], where.base)
        for j in self.handed[op]:
            base = starts[origins[j]].base
            self.become_offset(after.args[j], base)
            self.become_offset(op.results[j], base)

    def start(self, loop: Any, operand: int, where: Location) -> None:
        """Let a loop begin with the offset of what it carries."""
        builder = Builder(before=loop)
        offset = self.offset_of(builder, where, loop.operands[operand].type)
        loop.operands[operand] = self.widened(builder, offset)

    def become_offset(self, value: Any, base: SSAValue) -> None:
        """Let a tensor of pointers that a loop or branch gives be its offsets from `base`."""
        owner = value.owner
        first = owner.next_op if isinstance(owner, Operation) else owner.first_op
        loop = owner if isinstance(owner, Operation) else owner.parent_op()
        builder = Builder(before=first, location=loop.location)
        kind = value.type
        whole = builder.value(tt.SplatOp, (base,), kind)
        set_value_type(value, with_element(kind, i64))
        pointers = builder.make(tt.AddPtrOp, (whole, value), (kind,))

        def elsewhere(use: Use) -> bool:
            return use.operation is not pointers

        value.replace_uses_with_if(pointers.results[0], elsewhere)
        self.locations[pointers.results[0]] = Location(base, value)

    def yield_(self, op: Operation) -> None:
        """Hand the offsets of carried pointers on to the next iteration."""
        self.hand_on(op, self.carried, 0)
        parent = op.parent_op()
        if (
            parent is not None
            and parent.name == "scf.if"
            and op.parent_region() is parent.regions[1]
        ):
            self.join(parent)

    def join(self, branch: Operation) -> None:
        """Let the results of an `scf.if` be offsets, where both sides give one base."""
        yields: list[Any] = [region.blocks[0].last_op for region in branch.regions]
        for index, result in enumerate(branch.results):
            first, second = (self.locate(op.operands[index]) for op in yields)
            if not holds_pointers(result.type) or first is None or second is None:
                continue
            if first.base is second.base:
                for op, where in zip(yields, (first, second), strict=True):
                    builder = Builder(before=op)
                    offset = self.offset_of(builder, where, result.type)
                    op.operands[index] = self.widened(builder, offset)
                self.become_offset(result, first.base)

    def condition(self, op: Operation) -> None:
        """Hand the offsets of carried pointers on to the body and the results."""
        self.hand_on(op, self.handed, 1)

    def hand_on(self, op: Operation, which: dict[Operation, list[int]], first: int) -> None:
        loop = op.parent_op()
        for index in which.get(loop, ()) if loop is not None else ():
            where = self.locate(op.operands[first + index])
            assert where is not None
            assert where.offset is not None
            op.operands[first + index] = self.widened(Builder(before=op), where.offset)


VISITS: dict[str, Callable[[_Rewriter, Any], None]] = {
    "tt.addptr": _Rewriter.add,
    "tt.splat": _Rewriter.reshape,
    "tt.broadcast": _Rewriter.reshape,
    "tt.expand_dims": _Rewriter.reshape,
    "tt.reshape": _Rewriter.reshape,
    "tt.trans": _Rewriter.reshape,
    "tt.bitcast": _Rewriter.bitcast,
    "arith.select": _Rewriter.select,
    "tt.load": _Rewriter.load,
    "tt.store": _Rewriter.store,
    "tt.atomic_rmw": _Rewriter.atomic,
    "tt.atomic_cas": _Rewriter.atomic,
    "tt.ptr_to_int": _Rewriter.address,
    "scf.for": _Rewriter.carry,
    "scf.while": _Rewriter.carry_while,
    "scf.yield": _Rewriter.yield_,
    "scf.condition": _Rewriter.condition,
}


_WRAPS = {"overflowFlags": arith.OVERFLOW_NONE}


def _bytes(kind: Any) -> int:
    """Return the size of what a pointer points to."""
    return byte_width(kind.pointee_type)


def _after(value: SSAValue, user: Operation) -> Builder:
    """Return a builder right behind the definition of `value`."""
    owner = value.owner
    if isinstance(owner, Operation):
        following = owner.next_op
        return Builder(before=following) if following is not None else Builder(before=user)
    first = owner.first_op
    return Builder(before=first if first is not None else user)


def scalar_of(value: SSAValue) -> SSAValue | None:
    """Return the scalar that a tensor repeats, made before its splat constant if need be."""
    owner = value.owner
    if isinstance(owner, tt.SplatOp):
        return owner.operands[0]
    if isinstance(owner, arith.ConstantOp):
        attribute = constant_scalar(value)
        if attribute is not None and isinstance(value.type, TensorType):
            return Builder(before=owner).constant(attribute)
    return None
