"""
Along which axes of the grid programs load blocks of their own.

    offset = program_id(1) * pitch + k          # of axis 1; the same along axis 0
    offset = (program_id(0) // 8) * pitch + k   # of none: some programs load the same

A block's place is looked at, as far as it follows from the number of a program by sums and
products, which differ where that does.
"""

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.block_loads import Load

_VIEWS = ("memref.subview", "memref.reinterpret_cast", "memref.cast")
_LINEAR = {
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.extsi",
    "arith.extui",
    "arith.index_cast",
    "arith.index_castui",
}
_AXES = 3


def own_axes(load: Load, kernel: Operation) -> set[int]:
    """Return the axes along which no two programs load the same block."""
    numbers = single_block(kernel).args[-_AXES:]
    pending = [value for copy in load.copies for value in _places(copy.operands[0])]
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        pending += _factors(value)
    return {axis for axis, number in enumerate(numbers) if number in seen}


def _places(memref: SSAValue) -> list[SSAValue]:
    """Return the offsets, among other operands, of the views that a memref is a view of."""
    found: list[SSAValue] = []
    while isinstance(memref.owner, Operation) and memref.owner.name in _VIEWS:
        found += memref.owner.operands[1:]
        memref = memref.owner.operands[0]
    return found


def _factors(value: SSAValue) -> list[SSAValue]:
    """Return what a value is a sum or a product of, or begins with if a loop carries it."""
    owner = value.owner
    if not isinstance(owner, Block):
        return list(owner.operands) if owner.name in _LINEAR else []
    loop, number = owner.parent_op(), owner.args.index(value)
    if loop is None or loop.name != "scf.for" or number == 0:
        return []
    return [loop.operands[2 + number]]
