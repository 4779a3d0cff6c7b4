"""The ops inside of an op, quickly: xDSL's own `walk` makes three generators for each."""

from collections.abc import Iterator

from xdsl.ir import Operation


def operations(root: Operation) -> Iterator[Operation]:
    """Yield an op and all inside of it, outer ones first, in the order of the text."""
    yield root
    for region in root.regions:
        for block in region.blocks:
            op = block.first_op
            while op is not None:
                if op.regions:
                    yield from operations(op)
                else:
                    yield op
                op = op.next_op
