"""
Operands that products in a loop share with those of other programs, where no loop adds them up.

The programs of a head of attention go past the same keys and the same values, block by block:

    for start in range(0, length, BLOCK):
        weights = f(queries @ keys[start].T)
        c = g(c, weights) + weights @ values[start]

A unit of the CPU reads each block as `units` packs it, others what has been turned or converted.
What one program has made of a block stays on a shelf for those after it, as the panels of sums
do; see `shelves`.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.block_loads import comes_in_columns, is_turned
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.matmul import NAMES, form_of, operand_of, product_shapes, transposed
from xtriton.cpu.emitter.panels import converting
from xtriton.cpu.emitter.shelves import Packing, Shelf, lasting_load, shelf_for, shelf_of_copies
from xtriton.cpu.emitter.units import UnitProduct
from xtriton.cpu.emitter.values import Storage, View, row_major_strides


@dataclass
class KeptOperand:
    """Operand `number` of `op`, the form in which it is read, and where that is kept."""

    op: Operation
    number: int
    view: View
    shelf: Shelf

    def begin(self, e: Emitter) -> None:
        """Begin an iteration of the loop."""

        def choose(pointer: str) -> View:
            place = replace(self.view, storage=Storage(pointer, writable=False))
            e.prepared[self.op, self.number] = place
            return place

        self.shelf.begin(e, 0, 0, choose)
        e.kept[self.op, self.number] = self.shelf


def kept_operands(e: Emitter, loop: Operation, but: Collection[Operation]) -> list[KeptOperand]:
    """Return what is kept of the operands of products in a loop that are not in `but`."""
    products = [op for op in single_block(loop).ops if op.name in NAMES and op not in but]
    found = [_kept(e, op, number) for op in products for number in range(2)]
    return [each for each in found if each is not None]


def _kept(e: Emitter, op: Operation, number: int) -> KeptOperand | None:
    if (op, number) in e.prepared:
        return None
    unit = form_of(e, op).on_unit
    return _copied(e, op, number) if unit is None else _packed(e, op, number, unit)


def _packed(e: Emitter, op: Operation, number: int, unit: UnitProduct) -> KeptOperand | None:
    value = op.operands[number]
    view = (unit.left, unit.right)[number](unit.words)
    packing = Packing(e.type(value.type), (unit.pack_left, unit.pack_right)[number])
    turned = transposed(op)[number] != is_turned(value)
    shelf = shelf_for(e, op, number, turned, 1, view, packing, False)
    return None if shelf is None else KeptOperand(op, number, view, shelf)


def _copied(e: Emitter, op: Operation, number: int) -> KeptOperand | None:
    """Return what is kept of an operand that is turned or converted each time."""
    form, load = form_of(e, op), lasting_load(e, op, number, shared=True)
    if load is None:
        return None
    source, turned = form.sources[number], transposed(op)[number] != is_turned(op.operands[number])
    if source == form.type and (number == 0 or turned == comes_in_columns(load)):
        return None
    sizes = product_shapes(op)[number]
    view = View(Storage(""), form.type, 0, sizes, row_major_strides(sizes))
    packing = converting(source, form.type)
    alone = shelf_for(e, op, number, turned, 1, view, packing, True)

    def load_now(e: Emitter, place: View) -> None:
        form.bring(e, number, operand_of(e, op, number), place)

    if alone is not None:
        return KeptOperand(op, number, view, alone)
    shelf = shelf_of_copies(e, load, view, load_now)
    shelf.leave_trail(e)
    return KeptOperand(op, number, view, shelf)
