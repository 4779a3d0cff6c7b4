"""Several blocks that one loop writes."""

from collections.abc import Sequence

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Tensor, View


def write_together(e: Emitter, items: Sequence[tuple[View, Tensor]]) -> None:
    """Write several tensors in one loop, so that what they share is computed once."""
    read = {r.storage.pointer for _, tensor in items for r in e.reads_of(tensor)}

    def body(indices: list[Operand]) -> None:
        for place, _ in items:
            if place.storage.pointer in read:
                e.replaced_element(place, indices)
        values = [e.element(tensor, indices) for _, tensor in items]
        for (place, _), value in zip(items, values, strict=True):
            e.store(place, indices, value)

    with e.builder.fresh_memory():
        e.nest(items[0][0].sizes, body, parallel=True)
