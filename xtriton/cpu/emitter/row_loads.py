"""
Blocks loaded row by row where the same is true of all elements of a row.

A convolution loads pixels so, with zeros outside of the image:

    inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
    block = tl.load(x + place[:, None] + ins[None, :], inside[:, None], other=0.0)

The mask and the place are those of a row, whose elements follow each other. So a row is copied
or filled as a whole, after one look at its mask, instead of element by element. A block that only
a product reads is brought to where that gathers its operands, or it is only noted there where the
rows are, and where one is that stands for those that the mask keeps out; see `pointed`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, generic_of, indexed, is_identity, is_loop_over_all
from xtriton.cpu.emitter.hazards import argument_of, is_stored_between, stored_arguments
from xtriton.cpu.emitter.matmul import NAMES, form_of, transposed
from xtriton.cpu.emitter.values import ANY_ARGUMENT, Lazy, Tensor, View, condition_text
from xtriton.dialects.upstream.volatile import is_volatile
from xtriton.ir.attributes import integer

SHORTEST = 64
"""Bytes of a row that is worth a branch of its own."""
MOST_USERS = 4
"""Of a mask."""


@dataclass(frozen=True)
class RowLoad:
    """A structured op that loads a block, and the branch that does so where the mask holds."""

    generic: Generic
    load: Operation
    branch: Operation

    @property
    def mask(self) -> SSAValue:
        """The block of masks."""
        number = self.number_of(self.branch.operands[0])
        assert number is not None
        return self.generic.inputs[number]

    def number_of(self, value: SSAValue) -> int | None:
        """Return of which operand a value is an element; None if of none."""
        arguments: list[SSAValue] = [*self.generic.block.args]
        return arguments.index(value) if value in arguments else None

    @property
    def other(self) -> SSAValue:
        """What takes the place of an element where the mask does not hold."""
        return terminator(self.branch.regions[1].blocks[0]).operands[0]


def row_load_of(e: Emitter, generic: Generic) -> RowLoad | None:
    """Return the load that a structured op is, if its rows are loaded alike."""
    if e.checked or len(generic.reductions) < 2 or not is_loop_over_all(generic):
        return None
    branch = terminator(generic.block).operands[0].owner
    if not isinstance(branch, Operation) or branch.name != "scf.if":
        return None
    shape = shape_of(generic.op.results[0].type)
    row_bytes = shape[-1] * e.type(generic.op.results[0].type).bytes
    loads, otherwise = ([*region.blocks[0].ops] for region in branch.regions)
    load = terminator(branch.regions[0].blocks[0]).operands[0].owner
    if (
        row_bytes < SHORTEST
        or shape in e.in_columns
        or not isinstance(load, Operation)
        or load.name != "memref.load"
        or is_volatile(load)
        or len(load.operands) != 2
        or len(otherwise) != 1
    ):
        return None
    plain = [op for op in (*generic.block.ops, *loads) if op not in (branch, load)]
    names = ("arith.", "linalg.index", "linalg.yield", "scf.yield")
    if not all(op.name.startswith(names) for op in plain):
        return None
    rows = _Rows(generic, len(shape) - 1)
    if branch.operands[0] not in generic.block.args or rows.differ(branch.operands[0]):
        return None
    return RowLoad(generic, load, branch) if rows.go_by_one(load.operands[1]) else None


@dataclass(frozen=True)
class _Rows:
    """How what a structured op computes changes along its rows, dimension `along`."""

    generic: Generic
    along: int

    def differ(self, value: SSAValue) -> bool:
        """Return whether a value may have changed from one element of a row to the next."""
        owner = value.owner
        if isinstance(owner, Block):
            if owner is not self.generic.block:
                return False
            number = owner.args.index(value)
            return number >= len(self.generic.inputs) or not self._repeats(number)
        if owner.name == "linalg.index":
            return integer(owner, "dim") == self.along
        if not _is_inside(owner, self.generic.op):
            return False
        return not owner.name.startswith("arith.") or any(map(self.differ, owner.operands))

    def _repeats(self, number: int) -> bool:
        """Return whether the elements of an operand are the same all along the rows."""
        map, value = self.generic.maps[number], self.generic.inputs[number]
        if not any(self.along in result.used_dims() for result in map.results):
            return True
        maker = value.owner
        return is_identity(map) and isinstance(maker, Operation) and repeats_rows(maker)

    def go_by_one(self, value: SSAValue) -> bool:
        """Return whether an index is one more for each element of a row."""
        owner = value.owner
        if not isinstance(owner, Operation) or not _is_inside(owner, self.generic.op):
            return False
        if owner.name == "linalg.index":
            return integer(owner, "dim") == self.along
        if owner.name != "arith.addi":
            return False
        first, second = owner.operands
        return (self.go_by_one(first) and not self.differ(second)) or (
            self.go_by_one(second) and not self.differ(first)
        )


def _is_inside(op: Operation, outer: Operation) -> bool:
    above: Operation | None = op
    while above is not None and above is not outer:
        above = above.parent_op()
    return above is outer


def repeats_rows(op: Operation) -> bool:
    """Return whether an op repeats a block of one column along the rows of another."""
    if op.name != "linalg.generic":
        return False
    generic = generic_of(op)
    return (
        len(generic.inputs) == 1
        and len(generic.maps[0].results) == len(generic.reductions) > 1
        and isinstance(generic.maps[0].results[-1], AffineConstantExpr)
        and is_loop_over_all(generic)
        and terminator(generic.block).operands[0] is generic.block.args[0]
    )


def is_mask_of_rows(e: Emitter, op: Operation) -> bool:
    """Return whether all that an op does is to repeat masks along rows that are loaded."""
    uses = list(op.results[0].uses)
    if not repeats_rows(op) or not 0 < len(uses) <= MOST_USERS:
        return False
    if any(use.operation.name != "linalg.generic" for use in uses):
        return False
    loads = [row_load_of(e, generic_of(use.operation)) for use in uses]
    block = op.parent_block()
    return all(
        load is not None and load.mask is op.results[0] and load.generic.op.parent_block() is block
        for load in loads
    )


# --- code -------------------------------------------------------------------------------


def bind_rows(e: Emitter, load: RowLoad) -> None:
    """Load a block, or say how it gets to the panel of the product that it is for."""
    generic, op = load.generic, load.generic.op
    type, sizes = e.type(op.results[0].type), shape_of(op.results[0].type)
    operands = [e.tensor(value) for value in (*generic.inputs, *generic.outputs)]
    used = [bool(argument.uses) for argument in generic.block.args]
    tensors = [tensor for tensor, is_used in zip(operands, used, strict=True) if is_used]

    def write(place: View) -> None:
        with e.builder.fresh_memory():
            _Writing(e, load, operands, place).write()

    if _waits(e, load):
        reads = tuple(read for tensor in tensors for read in e.reads_of(tensor))
        e.bind(op.results[0], Lazy(type, sizes, _no_element, reads, by_rows=write))
        return
    place = e.allocate(sizes, type, op)
    write(place)
    e.bind(op.results[0], place)


def _no_element(_: Sequence[Operand]) -> Operand:
    raise AssertionError("a block is asked for an element that is loaded by rows")


def waiting_rows(e: Emitter, product: Operation, number: int) -> RowLoad | None:
    """Return how an operand is loaded, if a product may read its rows at any time."""
    op = product.operands[number].owner
    if not isinstance(op, Operation) or op.name != "linalg.generic" or e.foreign_memory:
        return None
    load = row_load_of(e, generic_of(op))
    if load is None or not _waits(e, load):
        return None
    stored = stored_arguments(e)
    kept = ANY_ARGUMENT not in stored and _source(e, load) not in stored
    return load if kept else None


def _source(e: Emitter, load: RowLoad) -> int:
    """Return the argument that is loaded from."""
    return argument_of(e, load.load.operands[0])


def _waits(e: Emitter, load: RowLoad) -> bool:
    """Return whether all that is done with a block is that a product reads it, as it is."""
    op = load.generic.op
    uses, block = list(op.results[0].uses), op.parent_block()
    if len(uses) != 1 or block is None or uses[0].index > 1:
        return False
    product, number = uses[0].operation, uses[0].index
    if product.name not in NAMES or product.parent_block() is not block:
        return False
    form, here = form_of(e, product), e.liveness.position
    return (
        not transposed(product)[number]
        and form.on_unit is None
        and form.sources[number] == form.type
        # Of memory of our own nobody keeps count of what is stored there.
        and _source(e, load) != ANY_ARGUMENT
        and not is_stored_between(e, block, here(op), here(product))
    )


@dataclass(frozen=True)
class _Writing:
    """A block of rows on the way to where they are dense, or where it is noted where they are."""

    e: Emitter
    load: RowLoad
    operands: Sequence[Tensor]
    place: View

    def write(self) -> None:
        self.e.builder.if_else(self._is_near(), self._point, self._pack)

    @property
    def _outer(self) -> tuple[int, ...]:
        return shape_of(self.load.generic.op.results[0].type)[:-1]

    def _is_near(self) -> str:
        """
        Return, as an i1, whether rows may be read where they are, and are near each other.

        Far from each other they may all fall on the same lines of the first cache. That is
        guessed from the first two, as rows go by formulas.
        """
        b, far = self.e.builder, self.e.target.near_bytes + 1
        if self.place.storage.rows is None or self._only_other is None:
            return "false"
        starts = [b.value(f"ptrtoint ptr {self._start([row, 0])} to i64") for row in (0, 1)]
        distance = b.sub(*starts[::-1])
        near = b.both(b.less(distance, far), b.less(-far, distance))
        return b.both(near, b.value("xor i1 %overlap, true"))

    def _point(self) -> Sequence[Operand]:
        """Note where each row is: where it is loaded from, or one for all that masks keep out."""
        e, b, type, length = self.e, self.e.builder, self.place.type, self.place.sizes[-1]
        other, masks = e.allocate((length,), type), e.tensor(self.load.mask)
        e.write(Lazy(type, (length,), lambda _: str(self._only_other)), other)

        def row(indices: list[Operand]) -> None:
            inside = condition_text(e.element(masks, [*indices, 0]))
            start = self._start([*indices, 0])
            start = b.value(f"select i1 {inside}, ptr {start}, ptr {other.storage.pointer}")
            b.store("ptr", start, self._pointer_at(indices))

        e.nest(self._outer, row, parallel=True)
        return ()

    def _pack(self) -> Sequence[Operand]:
        """Copy or fill each row."""
        e, b, type, masks = self.e, self.e.builder, self.place.type, self._masks()

        def row(indices: list[Operand]) -> None:
            packed = e.address(self.place, [*indices, 0])

            def loaded() -> Sequence[Operand]:
                bytes = b.mul(self.place.sizes[-1], type.bytes)
                b.copy(packed, self._start([*indices, 0]), bytes, type.bytes)
                return ()

            inside = condition_text(e.element(masks, [*indices, 0]))
            b.if_else(inside, loaded, lambda: self._filled(indices))
            if self.place.storage.rows is not None:
                b.store("ptr", packed, self._pointer_at(indices))

        b.nest(self._outer, row)
        return ()

    def _masks(self) -> View:
        """Return the masks of all rows, in memory."""
        mask = self.e.tensor(self.load.mask)
        sizes = (*mask.sizes[:-1], 1)
        rows = Lazy(mask.type, sizes, lambda indices: self.e.element(mask, indices))
        return self.e.materialized(rows)

    def _pointer_at(self, indices: Sequence[Operand]) -> str:
        return self.e.builder.element_pointer("ptr", str(self.place.storage.rows), indices[0])

    def _filled(self, indices: Sequence[Operand]) -> Sequence[Operand]:
        """Fill a row that the mask keeps out."""

        def element(column: list[Operand]) -> None:
            at = [*indices, *column]
            self.e.store(self.place, at, self._other(at))

        self.e.builder.nest([self.place.sizes[-1]], element, parallel=True)
        return ()

    def _other(self, indices: Sequence[Operand]) -> Operand:
        """Return what takes the place of an element that the mask keeps out."""
        number = self.load.number_of(self.load.other)
        if number is None:
            return self.e.scalar(self.load.other)
        return indexed(self.e, self.operands[number], self.load.generic.maps[number], indices)

    @property
    def _only_other(self) -> Operand | None:
        """
        The constant that takes the place of all elements that the mask keeps out, if it is one.

        What an iteration computes may be another number in the next, while pointers to it wait.
        """
        number = self.load.number_of(self.load.other)
        if number is None:
            other = self.e.scalar(self.load.other)
        else:
            operand = self.operands[number]
            pieces = operand.pieces if isinstance(operand, Lazy) else None
            if pieces is None or not pieces.is_uniform:
                return None
            other = pieces.first
        return None if str(other).startswith("%") else other

    def _start(self, indices: Sequence[Operand]) -> str:
        """Return where a row begins."""
        e, generic, branch = self.e, self.load.generic, self.load.branch
        before = dict(e.environment)
        operands = zip(generic.block.args, self.operands, generic.maps, strict=True)
        for argument, operand, map in operands:
            if argument.uses and argument is not branch.operands[0]:
                e.environment[argument] = indexed(e, operand, map, indices)
        for op in (*generic.block.ops, *branch.regions[0].blocks[0].ops):
            if op.name == "linalg.index":
                e.bind(op.results[0], indices[integer(op, "dim")])
            elif op.name.startswith("arith."):
                e.run(op)
        memref, index = self.load.load.operands
        start = e.address(e.view(memref), [e.scalar(index)])
        e.environment.update(before)
        return start
