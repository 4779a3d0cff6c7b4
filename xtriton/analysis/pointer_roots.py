"""Whether a carried pointer can only ever point from the base that it started with."""

from xdsl.ir import BlockArgument, SSAValue

from xtriton.ir.value_flow import beginnings

POINTER_MOVES = frozenset(
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
"""What makes pointers of its first operand that point from the same base."""


def common_root(value: SSAValue, argument: BlockArgument, base: SSAValue) -> bool:
    """
    Tell whether `value` surely comes from `argument` or from `base`.

    Follows what moves and reshapes pointers, selects, and the loops inside; anything else
    counts as another base.
    """
    known = (argument, base)
    return beginnings(value, POINTER_MOVES, known) <= {argument, base}
