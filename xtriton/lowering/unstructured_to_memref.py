"""
Gathers, scatters and atomics from one base: loops over elements, loads and stores of memref.

Before:

    %v = tts.gather %p[%i] mask = %m default = %o : (<f32>, tensor<64xi32>) -> tensor<64xf32>

After (`%p` being `memref<*xf32>`):

    %memory = memref.cast %p : memref<*xf32> to memref<?xf32>
    %v = linalg.generic ... ins(%i, %m : tensor<64xi32>, tensor<64xi1>) outs(%empty : ...) {
    ^bb0(%in: i32, %in_0: i1, %out: f32):
      %1 = scf.if %in_0 -> (f32) {
        %2 = arith.index_cast %in : i32 to index
        %3 = memref.load %memory[%2] : memref<?xf32>
        scf.yield %3 : f32
      } else {
        scf.yield %o : f32
      }
      linalg.yield %1 : f32
    } -> tensor<64xf32>

A scalar access is a view of one element at its offset and a load or store of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects import tts
from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.upstream import arith, memref
from xtriton.lowering import views
from xtriton.lowering.builder import Builder, Extent, SharedOps
from xtriton.lowering.linalg_rules.generic import elementwise, is_tensor
from xtriton.lowering.linalg_rules.scatter import for_each_element
from xtriton.lowering.pointers import Pointer, Pointers, drop_dead
from xtriton.lowering.triton_arith_to_linalg import replace

Values = Sequence[SSAValue]


@dataclass(frozen=True)
class UnstructuredToMemrefPass(ModulePass):
    """Lower gathers, scatters and atomics to loads and stores of single elements."""

    name = "unstructured-to-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if function.name == "func.func" and function.regions[0].blocks:
                _FunctionLowering(function).run()


class _FunctionLowering:
    def __init__(self, function: Operation):
        self.function = function
        self.pointers = Pointers()
        self.shared = SharedOps(function.regions[0].blocks[0])

    def run(self) -> None:
        self.pointers.lower(self.function)
        rules = {
            tts.GatherOp: self.gather,
            tts.ScatterOp: self.scatter,
            tts.UnstructuredAtomicRMWOp: self.atomic_rmw,
            tts.UnstructuredAtomicCASOp: self.atomic_cas,
        }
        for op in list(self.function.walk()):
            rule = rules.get(type(op))  # pyright: ignore
            pair = self.pointers.get(op.ptr) if rule is not None else None  # pyright: ignore
            if rule is None or pair is None:
                continue
            builder = Builder(before=op, shared=self.shared)
            replace(op, rule(op, builder, pair))
        drop_dead(self.function)
        self.shared.drop_unused()

    # --- loads and stores ---------------------------------------------------------------

    def gather(self, op: Any, builder: Builder, base: Pointer) -> Values:
        if not is_tensor(op.offset):
            return (self.scalar_load(op, builder, base),)
        memory = flat(builder, base)
        element = memory.type.element_type  # pyright: ignore
        other = op.other
        operands = [value for value in (op.offset, op.mask) if value is not None]

        def body(inner: Builder, elements: Values) -> Values:
            def load(at: Builder) -> SSAValue:
                return load_element(at, memory, base, elements[0])

            if len(elements) == 1:
                return (load(inner),)
            return (guarded(inner, elements[1], load, other, element),)

        found = elementwise(builder, operands, [op.results[0].type], body)
        assert found is not None
        return found

    def scalar_load(self, op: Any, builder: Builder, base: Pointer) -> SSAValue:
        def load(at: Builder) -> SSAValue:
            view = one_element(at, base, op.offset)
            return at.value(
                memref.LoadOp, (view, builder.integer(0)), view.type.element_type  # pyright: ignore
            )

        if op.mask is None:
            return load(builder)
        return guarded(builder, op.mask, load, op.other, op.results[0].type)

    def scatter(self, op: Any, builder: Builder, base: Pointer) -> Values:
        if not is_tensor(op.offset):
            at = builder
            if op.mask is not None:
                at = builder.inside(builder.if_(op.mask).regions[0].blocks[0])
            view = one_element(at, base, op.offset)
            at.make(memref.StoreOp, (op.value, view, builder.integer(0)))
            if op.mask is not None:
                at.yield_()
            return ()
        memory = flat(builder, base)
        operands = [v for v in (op.offset, op.value, op.mask) if v is not None]

        def body(inner: Builder, elements: Values) -> Values:
            at = inner
            if op.mask is not None:
                at = inner.inside(inner.if_(elements[2]).regions[0].blocks[0])
            place = element_index(at, base, elements[0])
            at.make(memref.StoreOp, (elements[1], memory, place))
            if op.mask is not None:
                at.yield_()
            return ()

        for_each_element(builder, operands, body)
        return ()

    # --- atomics ------------------------------------------------------------------------

    def atomic_rmw(self, op: Any, builder: Builder, base: Pointer) -> Values:
        memory = flat(builder, base)
        kind = RMWOp(op.properties["atomic_rmw_op"].value.data)
        order = {n: op.properties[n] for n in ("sem", "scope")}

        def update(at: Builder, place: SSAValue, value: SSAValue) -> SSAValue:
            return atomic(at, memory, place, kind, value, order)

        operands = [v for v in (op.offset, op.value, op.mask) if v is not None]
        result = op.results[0]

        def body(inner: Builder, elements: Values) -> Values:
            def run(at: Builder) -> SSAValue:
                return update(at, element_index(at, base, elements[0]), elements[1])

            if len(elements) == 2:
                return (run(inner),)
            return (guarded(inner, elements[2], run, None, elements[1].type),)

        if not is_tensor(op.offset):
            return body(builder, operands)
        if result.first_use is None:
            return self.without_result(builder, operands, body, result)
        found = elementwise(builder, operands, [result.type], body)
        assert found is not None
        return found

    @staticmethod
    def without_result(builder: Builder, operands: Values, body: Any, result: SSAValue) -> Values:
        def dropped(inner: Builder, elements: Values) -> Values:
            body(inner, elements)
            return ()

        for_each_element(builder, operands, dropped)
        return (builder.empty(result.type),)

    def atomic_cas(self, op: Any, builder: Builder, base: Pointer) -> Values:
        memory = flat(builder, base)
        order = {n: op.properties[n] for n in ("sem", "scope")}
        operands = [op.offset, op.cmp, op.value]

        def body(inner: Builder, elements: Values) -> Values:
            place = element_index(inner, base, elements[0])
            return (compare_and_swap(inner, memory, place, elements[1], elements[2], order),)

        if not is_tensor(op.offset):
            return body(builder, operands)
        found = elementwise(builder, operands, [op.results[0].type], body)
        assert found is not None
        return found


# --- elements of memory -----------------------------------------------------------------


def flat(builder: Builder, base: Pointer) -> SSAValue:
    """Return the memory of a pointer as `memref<?xT>`."""
    kind: Any = base.memory.type
    target = MemRefType(kind.element_type, [DYNAMIC_INDEX])
    if kind == target:
        return base.memory
    return builder.value(memref.CastOp, (base.memory,), target)


def element_index(builder: Builder, base: Pointer, offset: SSAValue) -> SSAValue:
    """Return the index of an element `offset` behind the pointer."""
    return builder.materialise(builder.add(base.offset, builder.to_index(offset)))


def load_element(builder: Builder, memory: SSAValue, base: Pointer, offset: SSAValue) -> SSAValue:
    place = element_index(builder, base, offset)
    element = memory.type.element_type  # pyright: ignore
    return builder.value(memref.LoadOp, (memory, place), element)


def one_element(builder: Builder, base: Pointer, offset: SSAValue) -> SSAValue:
    """Return the view of the one element `offset` behind the pointer."""
    total: Extent = builder.add(base.offset, builder.to_index(offset))
    return views.reinterpret(builder, base.memory, total, [1], [1])


def guarded(
    builder: Builder, condition: SSAValue, make: Any, other: SSAValue | None, kind: Attribute
) -> SSAValue:
    """Return what `make` makes where `condition` holds, `other` (or poison) elsewhere."""
    branch = builder.if_(condition, [kind])
    then = builder.inside(branch.regions[0].blocks[0])
    then.yield_(make(then))
    otherwise = builder.inside(branch.regions[1].blocks[0])
    otherwise.yield_(other if other is not None else undefined(otherwise, kind))
    return branch.results[0]


def undefined(builder: Builder, kind: Attribute) -> SSAValue:
    """Return a value of which nothing is promised."""
    return builder.number(0, kind)


_ATOMIC_KINDS = {
    RMWOp.and_: "andi", RMWOp.or_: "ori", RMWOp.add: "addi", RMWOp.fadd: "addf",
    RMWOp.max: "maxs", RMWOp.min: "mins", RMWOp.umax: "maxu", RMWOp.umin: "minu",
    RMWOp.exch: "assign",
}  # fmt: skip


def atomic(
    builder: Builder,
    memory: SSAValue,
    place: SSAValue,
    kind: RMWOp,
    value: SSAValue,
    order: dict[str, Attribute],
) -> SSAValue:
    """Combine `value` with one element atomically; return what was there."""
    if kind is RMWOp.xor:
        return generic_atomic(
            builder,
            memory,
            place,
            lambda at, old: at.value(arith.XOrIOp, (old, value), old.type),
            order,
        )
    code = arith.AtomicRMWKind[_ATOMIC_KINDS[kind]]
    op = builder.make(
        memref.AtomicRMWOp,
        (value, memory, place),
        (value.type,),
        {"kind": IntegerAttr(int(code), 64)},
    )
    op.attributes.update({f"tt.{name}": attribute for name, attribute in order.items()})
    return op.results[0]


def compare_and_swap(
    builder: Builder,
    memory: SSAValue,
    place: SSAValue,
    expected: SSAValue,
    value: SSAValue,
    order: dict[str, Attribute],
) -> SSAValue:
    """Put `value` where `expected` is, bit for bit; return what was there."""

    def chosen(at: Builder, old: SSAValue) -> SSAValue:
        same = at.equal_bits(old, expected)
        return at.value(arith.SelectOp, (same, value, old), old.type)

    return generic_atomic(builder, memory, place, chosen, order)


def generic_atomic(
    builder: Builder, memory: SSAValue, place: SSAValue, make: Any, order: dict[str, Attribute]
) -> SSAValue:
    element = memory.type.element_type  # pyright: ignore
    block = Block(arg_types=[element])
    inner = builder.inside(block)
    inner.make(memref.AtomicYieldOp, (make(inner, block.args[0]),))
    op = builder.make(
        memref.GenericAtomicRMWOp, (memory, place), (element,), regions=[Region(block)]
    )
    op.attributes.update({f"tt.{name}": attribute for name, attribute in order.items()})
    return op.results[0]


