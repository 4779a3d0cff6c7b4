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
buffer, as another program may store to the same place. Whether all of the block is stored, unless
the CPU stores parts of vectors at no cost, and whether arguments overlap, is asked at run time;
else all goes to the buffer. If sums are multiplied by one number before they are stored, the last
tiles do that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import BLOCK_STORE, is_shaped, single_block, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import (
    extents_taken,
    is_zero_fill,
    only_user,
    run_before,
    takes_first,
)
from xtriton.cpu.emitter.generics import generic_of, is_pointwise
from xtriton.cpu.emitter.hazards import UNKNOWN_WRITERS, root_of
from xtriton.cpu.emitter.narrowing import rounded_by
from xtriton.cpu.emitter.panels import Panels, Product, only_product
from xtriton.cpu.emitter.staging import fill_with
from xtriton.cpu.emitter.streaming import stays_in_caches
from xtriton.cpu.emitter.tiles import Rounded, chosen
from xtriton.cpu.emitter.values import ANY_ARGUMENT, View
from xtriton.cpu.types import BF16

SHORTEST = 64
"""Elements of a row that takes longer to copy than to ask where it goes."""


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
    for number, buffer in buffers.items():
        product = None if panels is None else panels.product_in(buffer)
        if product is not None:
            final = _narrowed(_scaled(e, loop, number, product)[0])
            product.live = extents_taken(e, loop, final)
    for number in zeros:
        product = None if panels is None else panels.product_in(buffers[number])
        if product is None:
            fill_with(e, buffers[number].type.zero, buffers[number])
            continue
        product.from_zero = True
        _settle(e, loop, number, product)


def _settle(e: Emitter, loop: Operation, number: int, product: Product) -> None:
    """
    Tell a product where the result of `loop` that it adds up is stored, if it may go there.

    Code that finds out where that is runs before the loop; the store is told if it is in vain.
    """
    final, factor = _scaled(e, loop, number, product)
    store, buffer = _store_before(e, loop, _narrowed(final)), product.place
    if store is None:
        return
    view = e.view(store.operands[1])
    if len(view.strides) != 2 or view.strides[1] != 1:
        return
    rounds = product.may_round and view.type == BF16 and e.target.rounds_bf16
    if view.type != buffer.type and not rounds:
        return
    in_part = not rounds and product.may_end and e.bytes_in_part > 0 and product.live is not None
    made = product.live if in_part and product.live is not None else buffer.sizes
    direct = _may_store(e, view, made)
    if direct == "false":
        return
    e.settled[store] = direct
    if factor is not None:
        type = buffer.type.register
        either = f"{type} {e.scalar(factor)}, {type} 1.0"
        product.factor = e.builder.value(f"select i1 {direct}, {either}")
    if rounds:
        product.rounded = Rounded(direct, view)
    else:
        product.destination = replace(chosen(e, direct, view, buffer), sizes=tuple(made))


def part_stored(e: Emitter, op: Operation, sizes: Sequence[Operand]) -> tuple[Operand, ...]:
    """Return how much of a block that `op` makes is stored, if nothing else is done with it."""
    return extents_taken(e, op, op.results[0]) or tuple(sizes)


def stored_at_once(e: Emitter, op: Operation, buffer: View, made: Sequence[Operand]) -> View:
    """
    Return where the result of `op` is stored, if elements may go there as they are made.

    Else that is `buffer`. So much of it is `made`. Whether elements may is asked at run time, of
    which the store is told; not where stores around the caches are better.
    """
    *rows, length = buffer.sizes
    if len(rows) > 1 or not isinstance(length, int) or length < SHORTEST:
        return buffer
    if (store := _store_before(e, op, op.results[0])) is None:
        return buffer
    view = e.view(store.operands[1])
    if view.strides[-1:] != (1,) or view.type != buffer.type or len(view.sizes) != len(made):
        return buffer
    direct = e.builder.both(_may_store(e, view, made), stays_in_caches(e, view, length))
    if direct == "false":
        return buffer
    e.settled[store] = direct
    return chosen(e, direct, view, buffer)


def _store_before(e: Emitter, op: Operation, result: SSAValue) -> Operation | None:
    """
    Return what stores a result of `op`, if that may be done before.

    Code that finds out where it is stored has run then.
    """
    store = _store_of(result)
    if store is None or store in e.grouped_stores:
        return None
    if e.checked or e.races or e.foreign_memory:
        return None
    if not _is_alone(e, store.operands[1]) or not run_before(e, op, store, [store.operands[1]]):
        return None
    return store


def _may_store(e: Emitter, view: View, made: Sequence[Operand]) -> str:
    """Return, as an i1, whether `view` takes all that is `made`, and no argument is in the way."""
    b = e.builder
    direct = b.value("xor i1 %overlap, true")
    for size, whole in zip(view.sizes, made, strict=True):
        direct = b.both(direct, b.equal(size, whole))
    return direct


def _scaled(
    e: Emitter, loop: Operation, number: int, product: Product
) -> tuple[SSAValue, SSAValue | None]:
    """
    Return what is made of a sum, and by which number each element is multiplied for that.

    That is the sum itself, and None, if something else is done with it. Code that finds out the
    number has run then.
    """
    result = loop.results[number]
    users = {use.operation for use in result.uses}
    op = users.pop() if len(users) == 1 else None
    if op is None or op.name != "linalg.generic" or not product.may_end:
        return result, None
    generic = generic_of(op)
    multiplies = generic.block.first_op
    if not is_pointwise(generic, 1) or generic.inputs[0] is not result:
        return result, None
    if multiplies.name != "arith.mulf" or multiplies.next_op is not terminator(generic.block):
        return result, None
    factors = [value for value in multiplies.operands if value is not generic.block.args[0]]
    if len(factors) != 1 or not run_before(e, loop, op, factors):
        return result, None
    return op.results[0], factors[0]


def _narrowed(result: SSAValue) -> SSAValue:
    """Return what a result is rounded to, if that is all it is for."""
    user = only_user(result)
    return result if user is None or rounded_by(user) is not result else user.results[0]


def _store_of(result: SSAValue) -> Operation | None:
    """Return what stores a result, or its first rows and columns, if nothing else uses it."""
    user = only_user(result)
    if user is not None and user.name == "tensor.extract_slice":
        user = only_user(user.results[0]) if takes_first(user) else None
    if user is None or user.name != BLOCK_STORE or any(is_shaped(r.type) for r in user.results):
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
