"""
The ops inside of an op, quickly.

xDSL's own `walk` makes three generators for each op, and its properties cost more than what they
find, hence its fields.
"""

# pyright: reportPrivateUsage=false

from collections.abc import Container

from xdsl.ir import Operation


def ops_in(root: Operation, names: Container[str] | None = None) -> list[Operation]:
    """Return the ops in `root` from the top, an op before those in it; all, or of these names."""
    found: list[Operation] = []
    _collect(root, names, found)
    return found


def _collect(root: Operation, names: Container[str] | None, found: list[Operation]) -> None:
    for region in root.regions:
        block = region._first_block
        while block is not None:
            op = block._first_op
            while op is not None:
                if names is None or op.name in names:
                    found.append(op)
                if op.regions:
                    _collect(op, names, found)
                op = op._next_op
            block = block._next_block
