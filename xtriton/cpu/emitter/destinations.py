"""
Sums of products whose last part goes where they are stored.

The block that a loop over K adds up often begins at 0 and is stored as it is:

    c = 0
    for k in range(steps):
        c += a[:, k] @ b[k, :]
    store(c)

A buffer for it would be cleared, and copied at the end, and both wait for memory. Where nobody
can tell the difference, the last tiles go to the memory of the argument instead, while the next
ones are multiplied, and the store has nothing left to do. Sums that are not complete stay in the
buffer, as another program may store to the same place. Whether all of the block is stored, and
whether arguments overlap, is asked at run time; else all goes to the buffer.
"""

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.access import is_shaped, single_block
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import (
    extents_taken,
    is_zero_fill,
    only_user,
    run_before,
    takes_first,
)
from xtriton.cpu.emitter.hazards import UNKNOWN_WRITERS, root_of
from xtriton.cpu.emitter.panels import Panels, only_product
from xtriton.cpu.emitter.staging import fill_with
from xtriton.cpu.emitter.tiles import chosen
from xtriton.cpu.emitter.values import ANY_ARGUMENT, View

STORE = "bufferization.materialize_in_destination"


def sums_from_zero(e: Emitter, loop: Operation, initial: Sequence[SSAValue]) -> list[int]:
    """Return the results of a loop, by number, that only add up products, and begin at 0."""
    block = single_block(loop)
    numbers = [n for n, value in enumerate(initial) if is_zero_fill(e, value.owner)]
    return [n for n in numbers if only_product(block, n) is not None]


def begin_sums(
    e: Emitter,
    loop: Operation,
    panels: Panels | None,
    buffers: Mapping[int, View],
    zeros: Sequence[int],
) -> None:
    """
    Let the sums of a loop begin, and tell panels where they are stored.

    Nothing has been written to the buffers of `zeros`; where panels cannot do without, that is
    done here.
    """
    for number in zeros:
        product = None if panels is None else panels.product_in(buffers[number])
        if product is None:
            fill_with(e, buffers[number].type.zero, buffers[number])
            continue
        product.from_zero = True
        product.destination = _destination(e, loop, number, buffers[number])
    for number, buffer in buffers.items():
        product = None if panels is None else panels.product_in(buffer)
        if product is not None:
            product.live = extents_taken(e, loop, loop.results[number])


def _destination(e: Emitter, loop: Operation, number: int, buffer: View) -> View | None:
    """
    Return where a result of `loop` goes: where it is stored, or else to `buffer`.

    Code that finds out where that is runs before the loop; the store is told if it is in vain.
    None is for the buffer in any case.
    """
    store = _store_of(loop.results[number])
    if store is None or e.checked or e.races or e.foreign_memory:
        return None
    if not _is_alone(e, store.operands[1]) or not run_before(e, loop, store, [store.operands[1]]):
        return None
    view = e.view(store.operands[1])
    if len(view.strides) != 2 or view.strides[1] != 1 or view.type != buffer.type:
        return None
    return _choose(e, store, view, buffer)


def _choose(e: Emitter, store: Operation, view: View, buffer: View) -> View | None:
    """Return `view` where it is as large as `buffer` and no other argument is in the way."""
    b = e.builder
    direct = b.value("xor i1 %overlap, true")
    for size, whole in zip(view.sizes, buffer.sizes, strict=True):
        direct = b.both(direct, b.equal(size, whole))
    if direct == "false":
        return None
    e.settled[store] = direct
    return chosen(e, direct, view, buffer)


def _store_of(result: SSAValue) -> Operation | None:
    """Return what stores a result, or its first rows and columns, if nothing else uses it."""
    user = only_user(result)
    if user is not None and user.name == "tensor.extract_slice":
        user = only_user(user.results[0]) if takes_first(user) else None
    if user is None or user.name != STORE or any(is_shaped(r.type) for r in user.results):
        return None
    return user


def _is_alone(e: Emitter, destination: SSAValue) -> bool:
    """Return whether the kernel uses an argument for one store and lets nobody wait for it."""
    root = root_of(destination)
    meaning = e.environment.get(root)
    if not isinstance(root.owner, Block) or not isinstance(meaning, View):
        return False
    if meaning.storage.argument in (None, ANY_ARGUMENT):
        return False
    value = destination
    while value is not root:
        if not value.has_one_use() or not isinstance(value.owner, Operation):
            return False
        value = value.owner.operands[0]
    assert e.kernel is not None
    others = any(op.name in UNKNOWN_WRITERS for op in e.kernel.walk())
    return root.has_one_use() and not others
