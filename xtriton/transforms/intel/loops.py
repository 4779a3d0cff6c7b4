"""Loops that carry more, or less, than they did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream.scf import ForOp, YieldOp


def with_carried(loop: ForOp, values: Sequence[SSAValue]) -> ForOp:
    """
    Replace `loop` by one that carries `values` as well; return that.

    Its terminator still has to yield them.
    """
    block = loop.body.block
    for value in values:
        argument = block.insert_arg(value.type, len(block.args))
        argument.location = loop.location
    return _replaced(loop, [*loop.iter_args, *values], range(len(loop.results)))


def without_carried(loop: ForOp, removed: Iterable[int]) -> ForOp:
    """
    Replace `loop` by one that does not carry the values at `removed`; return that.

    Ops of the body that use them are erased, with all that depends on these; nobody else
    may use them, or what the loop gives for them.
    """
    gone = set(removed)
    kept = [i for i in range(len(loop.results)) if i not in gone]
    block = loop.body.block
    end = block.last_op
    assert end is not None
    new_end = YieldOp(*(end.operands[i] for i in kept))
    new_end.location = end.location
    block.insert_op_after(new_end, end)
    end.detach()
    end.erase()
    for i in sorted(gone, reverse=True):
        argument = block.args[i + 1]
        for user in _users(argument):
            user.detach()
            user.erase()
        block.erase_arg(argument)
    return _replaced(loop, [loop.iter_args[i] for i in kept], kept)


def _users(value: SSAValue) -> list[Operation]:
    """Return all that depends on `value`, users before what they use."""
    found: dict[Operation, None] = {}

    def visit(current: SSAValue) -> None:
        for use in list(current.uses):
            for result in use.operation.results:
                visit(result)
            found.setdefault(use.operation)

    visit(value)
    return list(found)


def _replaced(loop: ForOp, initial: Sequence[SSAValue], kept: Iterable[int]) -> ForOp:
    """Replace `loop` by one with other initial values; its results are those at `kept`."""
    region = loop.detach_region(loop.regions[0])
    loop.add_region(Region(Block()))
    new = ForOp.create(
        operands=[loop.lb, loop.ub, loop.step, *initial],
        result_types=[value.type for value in initial],
        regions=[region],
        properties=dict(loop.properties),
        attributes=dict(loop.attributes),
    )
    new.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_before(new, loop)
    for i, result in zip(kept, new.results, strict=False):
        result.name_hint = loop.results[i].name_hint
        loop.results[i].replace_all_uses_with(result)
    loop.detach()
    loop.erase()
    return new


def erase_unused(ops: dict[Operation, None]) -> None:
    """Erase the ops of `ops` that nobody uses, and then those that these used."""
    pending = list(ops)
    while pending:
        op = pending.pop()
        if op not in ops or any(result.first_use is not None for result in op.results):
            continue
        del ops[op]
        if op.parent is None:
            continue
        # Erased ops may leave others of them without a use.
        pending += [o.owner for o in op.operands if isinstance(o.owner, Operation)]
        op.detach()
        op.erase()
