"""
The ops inside of an op, quickly.

xDSL's own `walk` makes three generators for each op, and its properties cost more than what they
find, hence its fields.
"""

from collections.abc import Container

from xdsl.ir import Operation

from xtriton.ir.listings import nested_ops, ops_named


def ops_in(
    root: Operation, names: Container[str] | None = None, *, but_not_inside: Container[str] = ()
) -> list[Operation]:
    """
    Return the ops in `root` from the top, an op before those in it; all, or of these names.

    The regions of ops that `but_not_inside` names are left out.
    """
    if not but_not_inside:
        if names is None:
            return list(nested_ops(root)[1:])
        found = ops_named(root, names)
        return found[1:] if found and found[0] is root else found
    found = list[Operation]()
    _collect(root, names, but_not_inside, found)
    return found


def _collect(
    root: Operation,
    names: Container[str] | None,
    closed: Container[str],
    found: list[Operation],
) -> None:
    for region in root.regions:
        block = region._first_block
        while block is not None:
            op = block._first_op
            while op is not None:
                name = op.name
                if names is None or name in names:
                    found.append(op)
                if op.regions and name not in closed:
                    _collect(op, names, closed, found)
                op = op._next_op
            block = block._next_block
