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
from dataclasses import dataclass, replace as replaced
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass

from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.upstream import affine
from xtriton.dialects.upstream.volatile import is_volatile, mark_volatile
from xtriton.ir.attributes import integer
from xtriton.ir.listings import classes_of
from xtriton.ir.walking import ops_in
from xtriton.lowering import views
from xtriton.lowering.builder import Builder, SharedOps, constant_integer
from xtriton.lowering.element_access import Elements, guarded
from xtriton.lowering.linalg_rules.generic import is_tensor
from xtriton.lowering.modules import modules
from xtriton.lowering.pointer_flow import plan_calls
from xtriton.lowering.pointers import (
    MemRefPointer,
    Pointers,
    drop_dead,
    flat,
    is_erasable,
    may_hold_pointers,
)
from xtriton.passes.rewriting import replace
from xtriton.transforms.layout_free import refuse_layouts

Values = Sequence[SSAValue]


@dataclass(frozen=True)
class UnstructuredToMemrefPass(ModulePass):
    """Lower gathers, scatters and atomics to loads and stores of single elements."""

    name = "unstructured-to-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        for module in modules(op):
            plan_calls(module)
            for function in module.ops:
                if function.name in ("func.func", "tt.func") and function.regions[0].blocks:
                    lower_function(function)


def lower_function(function: Operation) -> None:
    """Lower the unstructured accesses of one function."""
    if function.name == "func.func" and not may_hold_pointers(function):
        if any(map(is_erasable, classes_of(function))):
            drop_dead(function)
        return
    pointers = Pointers()
    pointers.lower(function)
    shared = SharedOps(function.regions[0].blocks[0])
    for op in ops_in(function, RULES):
        base = pointers.get(op.ptr)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
        if base is not None:
            replace(op, RULES[op.name](op, Builder(before=op, shared=shared), base))
    drop_dead(function)
    shared.drop_unused()


def _elements(op: Any, builder: Builder, base: MemRefPointer, mask: SSAValue | None) -> Elements:
    """Return the elements that an offset, or a tensor of them, tells."""

    def address(at: Builder, places: Values) -> SSAValue:
        return at.materialise(at.add(base.offset, at.to_index(places[0])))

    offset = op.offset
    shape = tuple(offset.type.get_shape()) if is_tensor(offset) else None
    return Elements(flat(builder, base), address, (offset,), shape, mask)


def _gather(op: Any, builder: Builder, base: MemRefPointer) -> Values:
    if is_tensor(op.offset):
        elements = replaced(_elements(op, builder, base, op.mask), is_volatile=is_volatile(op))
        return (elements.load(builder, op.other, op.results[0].type),)

    def load(at: Builder) -> SSAValue:
        view = _one_element(at, base, op.offset)
        kind: Any = view.type
        load = at.make(affine.LoadOp, (view,), (kind.element_type,), _FIRST)
        if is_volatile(op):
            mark_volatile(load)
        return load.results[0]

    if op.mask is None:
        return (load(builder),)
    return (guarded(builder, op.mask, load, op.other, op.results[0].type),)


def _scatter(op: Any, builder: Builder, base: MemRefPointer) -> Values:
    if is_tensor(op.offset):
        _elements(op, builder, base, op.mask).store(builder, op.value)
        return ()
    at = builder
    if op.mask is not None:
        at = builder.inside(builder.if_(op.mask).regions[0].blocks[0])
    view = _one_element(at, base, op.offset)
    at.make(affine.StoreOp, (op.value, view), (), _FIRST)
    if op.mask is not None:
        at.yield_()
    return ()


_FIRST = {"map": AffineMapAttr(AffineMap(0, 0, (AffineExpr.constant(0),)))}
"""Properties of an access to the first element."""


def _one_element(builder: Builder, base: MemRefPointer, offset: SSAValue) -> SSAValue:
    """Return the view of the one element `offset` behind the pointer."""
    known = constant_integer(offset)
    moved = known if known is not None else builder.to_index(offset)
    total = builder.materialise(builder.add(base.offset, moved))
    return views.reinterpret(builder, base.memory, total, [1], [1])


def _atomic_rmw(op: Any, builder: Builder, base: MemRefPointer) -> Values:
    elements = _elements(op, builder, base, op.mask)
    kind = RMWOp(integer(op, "atomic_rmw_op"))
    return (elements.update(builder, kind, op.value, op.results[0], memory_order(op)),)


def _atomic_cas(op: Any, builder: Builder, base: MemRefPointer) -> Values:
    elements = _elements(op, builder, base, None)
    kind = op.results[0].type
    return (elements.swap(builder, op.cmp, op.value, kind, memory_order(op)),)


def memory_order(op: Operation) -> dict[str, Any]:
    """Return the memory order and scope of an atomic."""
    return {name: op.properties[name] for name in ("sem", "scope")}


RULES = {
    "tts.gather": _gather,
    "tts.scatter": _scatter,
    "tts.unstructured_atomic_rmw": _atomic_rmw,
    "tts.unstructured_atomic_cas": _atomic_cas,
}
