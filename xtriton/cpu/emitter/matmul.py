"""
Matrix products.

Operands whose rows are not contiguous, or whose elements are narrower than the accumulator's,
are first copied into a buffer in the accumulator's type; `tiles` multiplies. Narrow ones that the
CPU has a unit for are packed for that by `units`. Where a loop adds up products, their operands
go to `panels`, which multiplies several steps at once.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import affine_maps
from xtriton.cpu.emitter.casts import convert_float, resize_integer
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.tiles import Sums, multiply_tiles
from xtriton.cpu.emitter.units import unit_product
from xtriton.cpu.emitter.values import Lazy, Tensor, View
from xtriton.cpu.types import Type
from xtriton.ir.attributes import attribute


@rule("linalg.matmul", "linalg.matmul_transpose_a", "linalg.matmul_transpose_b")
def _matmul(e: Emitter, op: Operation) -> None:
    a, b, c = op.operands
    transpose_a, transpose_b = transposed(op)
    left, right = e.tensor(a), e.tensor(b)
    if transpose_a:
        left = _transposed_tensor(e, left)
    if transpose_b:
        right = _transposed_tensor(e, right)
    # Panels have what carries the sum through the loop, and add to it where they choose.
    place = e.view(c) if (op, 0) in e.panels else result_place(e, op, c)
    with e.builder.fresh_memory():
        multiply(e, op, left, right, place, e.type(a.type), e.type(b.type))
    if op.results:
        e.bind(op.results[0], place)


def transposed(op: Operation) -> tuple[bool, bool]:
    """Return whether a product transposes A and B, by its name or its indexing maps."""
    if attribute(op, "indexing_maps") is None:
        return op.name.endswith("_transpose_a"), op.name.endswith("_transpose_b")
    a, b, c = affine_maps(op, "indexing_maps")
    m, n = (str(result) for result in c.results)
    return str(a.results[0]) != m, str(b.results[-1]) != n


def _transposed_tensor(e: Emitter, tensor: Tensor) -> Tensor:
    if isinstance(tensor, View):
        return permuted(tensor, (1, 0))
    sizes = (tensor.sizes[1], tensor.sizes[0])
    reads = e.reads_of(tensor, aligned=False)
    return Lazy(tensor.type, sizes, lambda i: e.element(tensor, (i[1], i[0])), reads, tensor.cost)


@rule("linalg.batch_matmul")
def _batch_matmul(e: Emitter, op: Operation) -> None:
    a, b, c = op.operands
    left, right = e.view(a), e.view(b)
    place = result_place(e, op, c)

    def body(batch: Operand, _: list[str]) -> Sequence[Operand]:
        operands = [_plane(e, view, batch) for view in (left, right, place)]
        multiply(e, op, operands[0], operands[1], operands[2], left.type, right.type)
        return ()

    with e.builder.fresh_memory():
        e.builder.loop(0, place.sizes[0], 1, body)
    if op.results:
        e.bind(op.results[0], place)


def _plane(e: Emitter, view: View, batch: Operand) -> View:
    offset = e.builder.add(view.offset, e.builder.mul(batch, view.strides[0]))
    return View(view.storage, view.type, offset, view.sizes[1:], view.strides[1:])


def result_place(e: Emitter, op: Operation, output: object) -> View:
    """Return the buffer to accumulate in, holding the initial value."""
    value = op.operands[-1]
    assert output is value
    if isinstance(value.type, MemRefType):
        view = e.view(value)
        e.note_write(view)
        return view
    tensor = e.tensor(value)
    if (
        isinstance(tensor, View)
        and tensor.is_contiguous
        and e.may_take_over(tensor, op, op.operands[:-1])
    ):
        return tensor
    return e.materialized(tensor)


def multiply(
    e: Emitter,
    op: Operation,
    left: Tensor,
    right: Tensor,
    c: View,
    left_type: Type,
    right_type: Type,
) -> None:
    """Add the product of `left`, [m, k], and `right`, [k, n], to `c`, [m, n]."""
    rows, columns = c.sizes
    depth = left.sizes[1] if isinstance(left.sizes[1], int) else right.sizes[0]
    if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(depth, int)):
        e.unsupported(op, "dynamic sizes")
        return
    type = e.computing_type(c.type)
    on_unit = unit_product(e, (left_type, right_type), type, (rows, columns, depth))
    if (op, 0) in e.panels:
        packs = (None, None) if on_unit is None else (on_unit.pack_left, on_unit.pack_right)
        operands = ((left, left_type), (right, right_type))
        for number, ((tensor, source), pack) in enumerate(zip(operands, packs, strict=True)):
            place = e.panels[op, number]
            if isinstance(tensor, View) and tensor.storage.pointer == place.storage.pointer:
                continue  # It was loaded there.
            if pack is None:
                e.write(converted(e, tensor, source, type), place)
            else:
                pack(e, tensor, place)
        return
    accumulator = c
    if type != c.type:
        # Accumulate narrow floats in f32; the result is rounded once.
        accumulator = e.allocate(c.sizes, type)
        e.write(converted(e, c, c.type, type), accumulator)
    if c.strides[1] != 1:
        accumulator = e.allocate(c.sizes, type)
        e.write(converted(e, c, c.type, type), accumulator)
    if on_unit is None:
        a = _prepared(e, left, left_type, type, rows_contiguous=False)
        b = _prepared(e, right, right_type, type, rows_contiguous=True)
        multiply_tiles(e, a, b, Sums(accumulator), depth)
    else:
        on_unit.multiply(e, left, right, accumulator)
    if accumulator is not c:
        e.write(converted(e, accumulator, type, c.type), c)


def _prepared(
    e: Emitter, tensor: Tensor, source: Type, type: Type, *, rows_contiguous: bool
) -> View:
    """Return `tensor` in memory and in `type`, with contiguous rows if they must be."""
    if (
        isinstance(tensor, View)
        and source == type
        and (not rows_contiguous or tensor.strides[1] == 1)
    ):
        return tensor
    place = e.allocate(tensor.sizes, type)
    e.write(converted(e, tensor, source, type), place)
    return place


def converted(e: Emitter, tensor: Tensor, source: Type, target: Type) -> Tensor:
    """Return `tensor` with its elements converted."""
    if source == target:
        return tensor

    def compute(indices: Sequence[Operand]) -> Operand:
        value = e.element(tensor, indices)
        if source.is_float:
            return convert_float(e, value, source, target)
        return resize_integer(e, value, source, target, signed=True)

    return Lazy(target, tensor.sizes, compute, e.reads_of(tensor))
