"""
Matrix products: a micro-kernel that keeps a tile of the result in registers.

The result is cut into tiles of `rows` x `vectors` registers. For each step along K a tile
takes one row of B, in vectors, and one number of A per row, and does one multiply-add per
register. Tile sizes follow from the number of registers; what is left over at the edges is
done by smaller tiles. Operands whose rows are not contiguous, or whose elements are narrower
than the accumulator's, are first copied into a buffer in the accumulator's type.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import affine_maps
from xtriton.cpu.emitter.casts import convert_float, resize_integer
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.values import Lazy, Tensor, View
from xtriton.cpu.types import Type
from xtriton.ir.attributes import attribute


@dataclass(frozen=True)
class TileShape:
    """How many rows, and how many vectors of how many lanes, a register tile has."""

    rows: int
    vectors: int
    lanes: int


def tile_shape(e: Emitter, type: Type, rows: int, columns: int) -> TileShape:
    """Return the tile for a result of `rows` x `columns`."""
    lanes = e.target.lanes(type.bytes)
    while lanes > columns and lanes > 1:
        lanes //= 2
    registers = e.target.vector_registers
    vectors = 2 if columns >= 2 * lanes else 1
    # Besides the accumulators a step holds one row of B and one number of A.
    limit = (registers - vectors - 1) // vectors
    tile_rows = next(n for n in (12, 8, 6, 4, 2, 1) if n <= limit)
    divisors = [n for n in (16, 12, 8, 6, 4) if n <= limit and rows % n == 0]
    return TileShape(min(divisors[0] if divisors else tile_rows, rows), vectors, lanes)


@rule("linalg.matmul")
def _matmul(e: Emitter, op: Operation) -> None:
    a, b, c = op.operands
    transpose_a, transpose_b = _transposed(op)
    left, right = e.tensor(a), e.tensor(b)
    if transpose_a:
        left = _transposed_tensor(e, left)
    if transpose_b:
        right = _transposed_tensor(e, right)
    place = result_place(e, op, c)
    with e.builder.fresh_memory():
        multiply(e, op, left, right, place, e.type(a.type), e.type(b.type))
    if op.results:
        e.bind(op.results[0], place)


@rule("linalg.matmul_transpose_a")
def _matmul_transpose_a(e: Emitter, op: Operation) -> None:
    a, b, c = op.operands
    place = result_place(e, op, c)
    with e.builder.fresh_memory():
        left = _transposed_tensor(e, e.tensor(a))
        multiply(e, op, left, e.tensor(b), place, e.type(a.type), e.type(b.type))
    if op.results:
        e.bind(op.results[0], place)


@rule("linalg.matmul_transpose_b")
def _matmul_transpose_b(e: Emitter, op: Operation) -> None:
    a, b, c = op.operands
    place = result_place(e, op, c)
    with e.builder.fresh_memory():
        right = _transposed_tensor(e, e.tensor(b))
        multiply(e, op, e.tensor(a), right, place, e.type(a.type), e.type(b.type))
    if op.results:
        e.bind(op.results[0], place)


def _transposed(op: Operation) -> tuple[bool, bool]:
    """Return whether the indexing maps of a `linalg.matmul` transpose A and B."""
    if attribute(op, "indexing_maps") is None:
        return False, False
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
    accumulator = c
    if type != c.type:
        # Accumulate narrow floats in f32; the result is rounded once.
        accumulator = e.allocate(c.sizes, type)
        e.write(_converted(e, c, c.type, type), accumulator)
    if c.strides[1] != 1:
        accumulator = e.allocate(c.sizes, type)
        e.write(_converted(e, c, c.type, type), accumulator)
    a = _prepared(e, left, left_type, type, rows_contiguous=False)
    b = _prepared(e, right, right_type, type, rows_contiguous=True)
    _tiles(e, a, b, accumulator, depth)
    if accumulator is not c:
        e.write(_converted(e, accumulator, type, c.type), c)


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
    e.write(_converted(e, tensor, source, type), place)
    return place


def _converted(e: Emitter, tensor: Tensor, source: Type, target: Type) -> Tensor:
    """Return `tensor` with its elements converted."""
    if source == target:
        return tensor

    def compute(indices: Sequence[Operand]) -> Operand:
        value = e.element(tensor, indices)
        if source.is_float:
            return convert_float(e, value, source, target)
        return resize_integer(e, value, source, target, signed=True)

    return Lazy(target, tensor.sizes, compute, e.reads_of(tensor))


def _tiles(e: Emitter, a: View, b: View, c: View, depth: int) -> None:
    rows, columns = c.sizes
    assert isinstance(rows, int)
    assert isinstance(columns, int)
    shape = tile_shape(e, c.type, rows, columns)

    def row_block(i: Operand, count: int) -> None:
        start = 0
        vectors, lanes = shape.vectors, shape.lanes
        while start < columns:
            width = vectors * lanes
            if (whole := (columns - start) // width) == 0:
                # Less than a tile is left: fewer vectors, then narrower ones.
                vectors, lanes = (vectors // 2, lanes) if vectors > 1 else (1, lanes // 2)
                continue
            tile = TileShape(count, vectors, lanes)
            _along(e, start, whole, width, partial(_tile, e, tile, a, b, c, depth, i))
            start += whole * width

    full = rows // shape.rows
    _along(e, 0, full, shape.rows, lambda i: row_block(i, shape.rows))
    if rest := rows % shape.rows:
        row_block(full * shape.rows, rest)


def _along(e: Emitter, start: int, count: int, step: int, body: Callable[[Operand], None]) -> None:
    """Do `body` at `count` positions `step` apart."""
    if count == 1:
        body(start)
    elif count > 1:

        def inside(index: Operand, _: list[str]) -> Sequence[Operand]:
            body(index)
            return ()

        e.builder.loop(start, start + count * step, step, inside)


def _tile(
    e: Emitter, tile: TileShape, a: View, b: View, c: View, depth: int, i: Operand, j: Operand
) -> None:
    """Add to one tile of the result, at row `i` and column `j`, its product over all of K."""
    builder, element = e.builder, c.type.register
    vector = element if tile.lanes == 1 else f"<{tile.lanes} x {element}>"
    rows = [builder.add(i, r) for r in range(tile.rows)]
    columns = [builder.add(j, v * tile.lanes) for v in range(tile.vectors)]
    places = [e.address(c, (row, column)) for row in rows for column in columns]
    align = c.type.bytes
    initial = [builder.load(vector, place, align) for place in places]

    def step(k: Operand, accumulators: list[str]) -> list[Operand]:
        row_of_b = [builder.load(vector, e.address(b, (k, column)), align) for column in columns]
        results: list[Operand] = []
        for r, row in enumerate(rows):
            number = _broadcast(
                e, builder.load(element, e.address(a, (row, k)), align), vector, tile.lanes
            )
            for v, factor in enumerate(row_of_b):
                old = accumulators[r * tile.vectors + v]
                results.append(_multiply_add(e, vector, tile.lanes, element, number, factor, old))
        return results

    final = builder.loop(0, depth, 1, step, [(vector, value) for value in initial])
    for value, place in zip(final, places, strict=True):
        builder.store(vector, value, place, align)


def _broadcast(e: Emitter, value: str, vector: str, lanes: int) -> str:
    if lanes == 1:
        return value
    element = vector.split(" x ")[1].rstrip(">")
    first = e.builder.value(f"insertelement {vector} poison, {element} {value}, i64 0")
    mask = f"<{lanes} x i32> zeroinitializer"
    return e.builder.value(f"shufflevector {vector} {first}, {vector} poison, {mask}")


def _multiply_add(
    e: Emitter, vector: str, lanes: int, element: str, a: str, b: str, c: Operand
) -> str:
    if element.startswith("i"):
        return e.builder.value(f"add {vector} {c}, {e.builder.value(f'mul {vector} {a}, {b}')}")
    suffix = "f32" if element == "float" else "f64"
    name = f"llvm.fmuladd.{suffix}" if lanes == 1 else f"llvm.fmuladd.v{lanes}{suffix}"
    return e.builder.call(vector, name, [(vector, a), (vector, b), (vector, c)])
