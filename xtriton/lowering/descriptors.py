"""Which descriptors have no structured form, so that they become pointers first."""

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xtriton.dialects import tt
from xtriton.ir.walking import ops_in

ROWS = frozenset(("tt.descriptor_gather", "tt.descriptor_reduce", "tt.descriptor_scatter"))


def by_pointers(module: ModuleOp) -> bool:
    """
    Return whether `triton-rewrite-tensor-descriptor-to-pointer` has to run first.

    So it is for ops on rows of a descriptor, and for descriptors that arrive from elsewhere:
    as arguments, through loops, branches and calls.
    """
    return any(_flows(op) for op in ops_in(module))


def _flows(op: Operation) -> bool:
    if op.name in ROWS:
        return True
    values: list[SSAValue] = list(op.results) if op.name != "tt.make_tensor_descriptor" else []
    values += [argument for region in op.regions for b in region.blocks for argument in b.args]
    return any(_is_descriptor(value.type) for value in values)


def _is_descriptor(kind: Any) -> bool:
    return isinstance(kind, tt.TensorDescType)
