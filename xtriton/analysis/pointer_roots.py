"""Whether a carried pointer can only ever point from the base that it started with."""

from xdsl.ir import BlockArgument, Operation, SSAValue

_MOVES = frozenset(
    {
        "tt.addptr",
        "tt.advance",
        "tt.splat",
        "tt.broadcast",
        "tt.expand_dims",
        "tt.trans",
        "tt.reshape",
        "tt.bitcast",
        "tt.make_tensor_ptr",
        "tt.make_tensor_descriptor",
        "ttg.convert_layout",
    }
)


def common_root(value: SSAValue, argument: BlockArgument, base: SSAValue) -> bool:
    """
    Tell whether `value` surely comes from `argument` or from `base`.

    Follows what moves and reshapes pointers, selects, and the loops inside; anything else
    counts as another base.
    """
    seen: set[SSAValue] = set()
    worklist = [value]
    while worklist:
        v = worklist.pop()
        if v is argument or v is base or v in seen:
            continue
        seen.add(v)
        sources = sources_of(v)
        if not sources:
            return False
        worklist += sources
    return True


def sources_of(v: SSAValue) -> list[SSAValue]:
    """Return what a pointer may come from; nothing where that is not known."""
    if isinstance(v, BlockArgument):
        return _carried_sources(v)
    op = v.owner
    assert isinstance(op, Operation)
    if op.name in _MOVES:
        return [op.operands[0]]
    if op.name == "arith.select":
        return [op.operands[1], op.operands[2]]
    index = list(op.results).index(v)  # pyright: ignore[reportArgumentType]
    if op.name == "scf.for":
        last = op.regions[0].blocks[0].ops.last
        return [op.operands[3 + index], last.operands[index]] if last is not None else []
    if op.name == "scf.while":
        condition = op.regions[0].blocks[0].ops.last
        return [condition.operands[1 + index]] if condition is not None else []
    if op.name == "scf.if":
        lasts = [r.blocks[0].ops.last for r in op.regions if r.blocks]
        return [last.operands[index] for last in lasts if last is not None]
    return []


def _carried_sources(v: BlockArgument) -> list[SSAValue]:
    loop = v.owner.parent_op()
    if loop is not None and loop.name == "scf.while":
        before, after = (region.blocks[0] for region in loop.regions)
        condition, last = before.ops.last, after.ops.last
        if condition is None or last is None:
            return []
        if v.owner is after:
            return [condition.operands[1 + v.index]]
        return [loop.operands[v.index], last.operands[v.index]]
    if loop is None or loop.name != "scf.for" or v.index == 0:
        return []
    last = v.owner.ops.last
    if last is None:
        return []
    return [loop.operands[2 + v.index], last.operands[v.index - 1]]
