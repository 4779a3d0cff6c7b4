"""
Matrix products.

Operands whose rows are not contiguous, or whose elements are narrower than the accumulator's,
are first copied into a buffer in the accumulator's type; `tiles` multiplies. Narrow ones that the
CPU has a unit for are packed for that by `units`. Where a loop adds up products, their operands
go to `panels`, which multiplies several steps at once.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import affine_maps, shape_of, single_block
from xtriton.cpu.emitter.block_loads import is_turned
from xtriton.cpu.emitter.casts import convert_float, resize_integer
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.elementwise import element_users
from xtriton.cpu.emitter.extents import is_zero_fill
from xtriton.cpu.emitter.late_panels import made_with
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.lookahead import Following
from xtriton.cpu.emitter.memory import permuted
from xtriton.cpu.emitter.narrowing import rounded_block, store_rounded
from xtriton.cpu.emitter.tiles import Sums, multiply_tiles
from xtriton.cpu.emitter.together import write_together
from xtriton.cpu.emitter.units import UnitProduct, unit_product
from xtriton.cpu.emitter.values import Lazy, Storage, Tensor, View
from xtriton.cpu.types import BF16, Type
from xtriton.ir.attributes import attribute

Pack = Callable[[Emitter, Tensor, View], None]
"""Writes an operand to a place as a unit reads it."""
LOAD = "bufferization.to_tensor"
FAR_BYTES = 1 << 14
"""Of a result that is not in the first cache when it is stored."""
NAMES = ("linalg.matmul", "linalg.matmul_transpose_a", "linalg.matmul_transpose_b")


@rule(*NAMES)
def _matmul(e: Emitter, op: Operation) -> None:
    c = op.operands[2]
    # Panels have what carries the sum through the loop, and add to it where they choose.
    sums = Sums(e.view(c)) if (op, 0) in e.panels else result_place(e, op)
    with e.builder.fresh_memory():
        multiply(e, op, [operand_of(e, op, number) for number in range(2)], sums)
    if op.results:
        e.bind(op.results[0], sums.place)


def plan_packing(e: Emitter, function: Operation) -> None:
    """Find the loads that only a product reads that packs its operands for a unit."""
    for op in function.walk():
        if op.name not in NAMES:
            continue
        if form_of(e, op).on_unit is None:
            continue
        for number, value in enumerate(op.operands[:2]):
            owner = value.owner
            if isinstance(owner, Operation) and owner.name == LOAD and value.has_one_use():
                e.packed[owner] = number == 1 and not transposed(op)[1]


def prepare_before(e: Emitter, loop: Operation, but: Collection[Operation]) -> None:
    """
    Bring what products in a loop have from before it to the form in which they read it.

    This is not for those that gather their operands, which are in `but`.
    """
    block = single_block(loop)
    for op in block.ops:
        if op.name not in NAMES or op in but:
            continue
        for number, value in enumerate(op.operands[:2]):
            if _is_from_before(value, block):
                operand = operand_of(e, op, number)
                e.prepared[op, number] = form_of(e, op).ready(e, number, operand)


def _is_from_before(value: SSAValue, block: Block) -> bool:
    """Return whether a value that a block uses does not come from it."""
    owner = value.owner
    return owner is not block if isinstance(owner, Block) else ancestor_in(owner, block) is None


def operand_of(e: Emitter, op: Operation, number: int) -> Tensor:
    """
    Return A, [m, k], or B, [k, n], as it comes.

    What is computed and transposed is computed in rows first, as going through it by columns would
    touch a line of a cache for each element. So is a B that is rounded, which packing would do one
    by one.
    """
    value, turned = op.operands[number], transposed(op)[number]
    if isinstance(value.owner, Operation) and is_turned(value):
        source = value.owner.operands[0]
        if isinstance(e.tensor(source), Lazy):
            value, turned = source, not turned
    tensor = e.tensor(value)
    if isinstance(tensor, Lazy) and tensor.type == BF16:
        tensor = replace(tensor, rounded=rounded_block(e, value))
    if isinstance(tensor, Lazy) and (turned or (number == 1 and tensor.rounded is not None)):
        tensor = _in_rows(e, op, tensor)
    return permuted(tensor, (1, 0)) if turned and isinstance(tensor, View) else tensor


def _in_rows(e: Emitter, op: Operation, block: Lazy) -> View:
    """Return what is computed for a product in memory."""
    rounded = block.rounded
    place = e.allocate(block.sizes, block.type, op, by_rows=rounded is not None)
    if rounded is None:
        e.write(block, place)
    else:
        store_rounded(e, rounded, place)
    return place


def product_shapes(op: Operation) -> list[tuple[int, int]]:
    """Return the shapes of A, [m, k], and B, [k, n]."""
    shapes: list[tuple[int, int]] = []
    for value, turned in zip(op.operands, transposed(op), strict=False):
        first, second = shape_of(value.type)
        shapes.append((second, first) if turned else (first, second))
    return shapes


def transposed(op: Operation) -> tuple[bool, bool]:
    """Return whether a product transposes A and B, by its name or its indexing maps."""
    if attribute(op, "indexing_maps") is None:
        return op.name.endswith("_transpose_a"), op.name.endswith("_transpose_b")
    a, b, c = affine_maps(op, "indexing_maps")
    m, n = (str(result) for result in c.results)
    return str(a.results[0]) != m, str(b.results[-1]) != n


@rule("linalg.batch_matmul")
def _batch_matmul(e: Emitter, op: Operation) -> None:
    operands = [e.view(value) for value in op.operands[:2]]
    sums = result_place(e, op)

    def body(batch: Operand, _: list[str]) -> Sequence[Operand]:
        planes = [_plane(e, view, batch) for view in operands]
        multiply(e, op, planes, replace(sums, place=_plane(e, sums.place, batch)))
        return ()

    with e.builder.fresh_memory():
        e.builder.loop(0, sums.place.sizes[0], 1, body)
    if op.results:
        e.bind(op.results[0], sums.place)


def _plane(e: Emitter, view: View, batch: Operand) -> View:
    offset = e.builder.add(view.offset, e.builder.mul(batch, view.strides[0]))
    return View(view.storage, view.type, offset, view.sizes[1:], view.strides[1:])


def result_place(e: Emitter, op: Operation) -> Sums:
    """Return the buffer to accumulate in, holding the initial value unless that is 0."""
    value = op.operands[-1]
    if isinstance(value.type, MemRefType):
        view = e.view(value)
        e.note_write(view)
        return Sums(view)
    begun = "false" if is_zero_fill(e, value.owner) else "true"
    tensor = e.tensor(value)
    if isinstance(tensor, View):
        if tensor.is_contiguous and e.may_take_over(tensor, op, op.operands[:-1]):
            return Sums(tensor, begun=begun)
    elif begun == "true" and (place := _place_of_source(e, op, tensor)) is not None:
        e.write(tensor, place)
        return Sums(place)
    if begun == "false":
        place = _panel_behind(e, op) or e.allocate(tensor.sizes, tensor.type, op)
        return Sums(place, begun=begun)
    return Sums(e.materialized(tensor))


def _place_of_source(e: Emitter, op: Operation, tensor: Lazy) -> View | None:
    """Return the place of a tensor that a lazy one may be written over, element by element."""
    for read in tensor.reads:
        again = [other for other in tensor.reads if other.storage is read.storage]
        if not all(other.aligned for other in again) or not read.storage.writable:
            continue
        for value in read.storage.values:
            view = e.environment.get(value)
            if (
                isinstance(view, View)
                and view.storage is read.storage
                and (view.type, view.sizes) == (tensor.type, tensor.sizes)
                and view.is_contiguous
                and e.may_take_over(view, op, op.operands[:-1])
            ):
                # A new identity: what was there before is of no concern.
                return replace(view, storage=Storage(view.storage.pointer, row=view.storage.row))
    return None


@dataclass(frozen=True)
class _Form:
    """How a product reads its operands: as a unit does, or in the type that it is computed in."""

    sources: tuple[Type, Type]
    type: Type
    on_unit: UnitProduct | None

    def ready(self, e: Emitter, number: int, tensor: Tensor) -> View:
        """Return operand `number` in memory as it is read."""
        if self.on_unit is not None:
            return self.on_unit.packed(e, number, tensor)
        source = self.sources[number]
        if (
            isinstance(tensor, View)
            and source == self.type
            and (number == 0 or tensor.strides[1] == 1)
        ):
            return tensor
        place = e.allocate(tensor.sizes, self.type)
        self.bring(e, number, tensor, place)
        return place

    def bring(self, e: Emitter, number: int, tensor: Tensor, place: View) -> None:
        """Write operand `number` to a place, as it is read where that is no unit."""
        if isinstance(tensor, Lazy) and tensor.by_rows is not None:
            tensor.by_rows(place)
            return
        e.write(converted(e, tensor, self.sources[number], self.type), place)


def form_of(e: Emitter, op: Operation) -> _Form:
    """Return how a product of static shapes reads its operands."""
    (m, k), (_, n) = product_shapes(op)
    return _form(e, op, (m, n, k))


def _form(e: Emitter, op: Operation, sizes: tuple[int, int, int]) -> _Form:
    """Return how a product of (m, n, k) reads its operands."""
    left, right, result = (e.type(value.type) for value in op.operands)
    type = e.computing_type(result)
    return _Form((left, right), type, unit_product(e, (left, right), type, sizes))


def multiply(e: Emitter, op: Operation, operands: Sequence[Tensor], sums: Sums) -> None:
    """Add the product of A, [m, k], and B, [k, n], to `sums`, [m, n]."""
    c, (left, right) = sums.place, operands
    rows, columns = c.sizes
    depth = left.sizes[1] if isinstance(left.sizes[1], int) else right.sizes[0]
    if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(depth, int)):
        e.unsupported(op, "dynamic sizes")
        return
    form = _form(e, op, (rows, columns, depth))
    if (op, 0) in e.panels:
        _gather(e, op, operands, form)
        return
    accumulator = c
    if form.type != c.type or c.strides[1] != 1:
        # Narrow floats are added up in f32; the result is rounded once.
        accumulator = e.allocate(c.sizes, form.type)
        if sums.begun != "false":
            e.write(converted(e, c, c.type, form.type), accumulator)
    a, b = (
        _prepared(e, op, number) or form.ready(e, number, tensor)
        for number, tensor in enumerate(operands)
    )
    sums = replace(sums, place=accumulator)
    if form.on_unit is None:
        # What does not begin with 0 is read first, which brings it near.
        far = rows * columns * form.type.bytes >= FAR_BYTES
        sums = replace(sums, asked=far and sums.begun == "false")
        following = [each for number in range(2) for each in _next_block(e, op, number)]
        multiply_tiles(e, a, b, sums, depth, following=following)
    else:
        form.on_unit.multiply_packed(e, (a, b), sums)
    if accumulator is not c:
        e.write(converted(e, accumulator, form.type, c.type), c)


def _prepared(e: Emitter, op: Operation, number: int) -> View | None:
    """Return an operand that need not be made ready any more, having looked where it is kept."""
    kept = e.kept.get((op, number))
    if kept is None or kept.load_now is None:
        # What the load itself put there, or what was made before a loop.
        return e.prepared.get((op, number))
    return kept.found(e)


def _next_block(e: Emitter, op: Operation, number: int) -> list[Following]:
    """Return where the next block of an operand likely comes from, if this one is kept."""
    kept = e.kept.get((op, number))
    if kept is None or kept.trail is None:
        return []
    return [kept.trail.next_block(e, product_shapes(op)[number])]


def _gather(e: Emitter, op: Operation, operands: Sequence[Tensor], form: _Form) -> None:
    """Put the operands of an iteration into their panels."""
    unit = form.on_unit
    packs = (None, None) if unit is None else (unit.pack_left, unit.pack_right)
    for number, (tensor, pack) in enumerate(zip(operands, packs, strict=True)):
        if (kept := e.kept.get((op, number))) is not None:
            kept.found(e)
            continue
        place, value = e.panels[op, number], op.operands[number]
        if value in e.late_panels:
            continue
        if isinstance(tensor, View) and tensor.storage.pointer == place.storage.pointer:
            continue  # It was loaded there.
        if late := made_with(e, value.owner):
            write_together(e, [*late, (place, tensor)])
            continue
        gather(e, op, number, tensor, place, pack)


def _panel_behind(e: Emitter, op: Operation) -> View | None:
    """Return where a product gathers what ops on its elements alone make of the one of `op`."""
    maker = op
    while len(maker.results) == 1:
        users = {use.operation for use in maker.results[0].uses}
        if len(users) != 1 or users != {*element_users(maker)}:
            break
        (maker,) = users
        if maker.parent_block() is not op.parent_block():
            return None
    place = None if maker is op else panel_of(e, maker)
    if place is None or place.type != e.type(op.results[0].type):
        return None
    # Of several products that meet there only the first one may lie there.
    return None if place.storage.values else place


def panel_of(e: Emitter, op: Operation) -> View | None:
    """
    Return where a product gathers the first result of `op`, if others but read its elements there.

    That is `op` in the same iteration, so what is there stays for as long as they need it.
    """
    result = op.results[0]
    users = [use.operation for use in result.uses]
    for use in result.uses:
        product, number = use.operation, use.index
        place = e.panels.get((product, number))
        if (
            place is None
            or (product, number) in e.kept
            or product.parent_block() is not op.parent_block()
            or transposed(product)[number]
            or form_of(e, product).on_unit is not None
            or place.type != e.type(result.type)
            or place.strides[-1] != 1
            or place.storage.rows is not None
        ):
            continue
        others = [user for user in users if user is not product]
        if users.count(product) == 1 and {*others} <= {*element_users(op)}:
            return place
    return None


def gather(
    e: Emitter, op: Operation, number: int, tensor: Tensor, place: View, pack: Pack | None
) -> None:
    """Put an operand into a panel, which `pack` does for a unit."""
    if pack is None:
        form_of(e, op).bring(e, number, tensor, place)
    else:
        pack(e, tensor, place)


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
