"""
Blocks of A whose rows lie anywhere.

A product reads A number by number. So rows that a program gathers from all over an image need not
be copied to a panel: the panel has a pointer to each of them instead, block by block along K, and
a tile of the result takes those of its rows along.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter

DEPTH = 640
"""
Of such blocks along K at once: their rows take no room in caches but what they share, so that sums
stay in registers for longer.
"""
ROWS = 11
"""Of a register tile: as many pointers as there are registers for them."""


@dataclass(frozen=True)
class Pointed:
    """The pointers to the rows of blocks: `rows` for each block, which is `block` long along K."""

    pointers: str
    rows: int
    block: int

    def of_block(self, e: Emitter, number: Operand) -> str:
        """Return where the pointers to the rows of a block are."""
        return e.builder.element_pointer("ptr", self.pointers, e.builder.mul(number, self.rows))

    def rows_of(
        self, e: Emitter, number: Operand, rows: Sequence[Operand], memory: str
    ) -> Callable[[Operand], Callable[[int, int], str]]:
        """Return what finds places of a block behind some k, in one of the `rows`."""
        b, first = e.builder, self.of_block(e, number)
        starts = [b.load("ptr", b.element_pointer("ptr", first, row)) for row in rows]
        return lambda k: lambda r, n: b.element_pointer(memory, starts[r], b.add(k, n))
