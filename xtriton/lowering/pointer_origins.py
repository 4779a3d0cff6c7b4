"""Where a tensor of pointers comes from: back through what moves it and through control flow."""

from collections.abc import Sequence

from xdsl.ir import OpResult, SSAValue

from xtriton.ir.value_flow import origins

_MOVES = ("tt.addptr",)
_FOLLOWED = (*_MOVES, "arith.select", "scf.for", "scf.if")


def origin(value: SSAValue) -> SSAValue:
    """Return the tensor of pointers that was moved to `value`, through loops and branches too."""
    known: dict[SSAValue, SSAValue] = {}
    pending = [value]
    while pending:
        moved_from = _moved_from(pending[-1])
        missing = [source for source in moved_from if source not in known]
        if missing:
            pending += missing
        else:
            done = pending.pop()
            known[done] = _common(done, [known[source] for source in moved_from])
    return known[value]


def _moved_from(value: SSAValue) -> Sequence[SSAValue]:
    """Return the tensors of pointers that one is made of, by moving or choosing."""
    if not isinstance(value, OpResult) or value.op.name not in _FOLLOWED:
        return ()
    return origins(value, _MOVES) or ()


def _common(value: SSAValue, origins: Sequence[SSAValue]) -> SSAValue:
    """Return the one origin of what a value is made of, or the value itself."""
    if isinstance(value, OpResult) and value.op.name == "scf.for" and origins:
        # The body moves on what it was given.
        body = value.op.regions[0].blocks[0]
        return origins[0] if origins[1] is body.args[1 + value.index] else value
    return origins[0] if len(set(origins)) == 1 else value
