"""Whether a carried pointer can only ever point from the base that it started with."""

from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.ir.value_flow import sources

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
        origins = sources_of(v)
        if not origins:
            return False
        worklist += origins
    return True


def sources_of(v: SSAValue) -> list[SSAValue]:
    """Return what a pointer may come from; nothing where that is not known."""
    handed_on = sources(v)
    if handed_on is not None or isinstance(v, BlockArgument):
        return handed_on or []
    op = v.owner
    assert isinstance(op, Operation)
    if op.name in _MOVES:
        return [op.operands[0]]
    if op.name == "arith.select":
        return [op.operands[1], op.operands[2]]
    return []
