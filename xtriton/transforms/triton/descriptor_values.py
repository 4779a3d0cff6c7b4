"""Which ops and modules have tensor descriptors."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from xtriton.dialects.tt.types import TensorDescType
from xtriton.ir.listings import nested_ops


def holds_descriptors(module: ModuleOp) -> bool:
    """Return whether there are descriptors in `module`: what is used comes from somewhere."""
    return any(map(_gives_descriptors, nested_ops(module)))


def _gives_descriptors(op: Operation) -> bool:
    """Return whether an op makes a descriptor or brings one into a region."""
    # Asked of each op of a module.
    for result in op.results:
        if type(result._type) is TensorDescType:
            return True
    return bool(op.regions) and any(
        type(a.type) is TensorDescType for r in op.regions for b in r.blocks for a in b.args
    )


def touches_descriptors(op: Operation) -> bool:
    """Return whether an op uses, makes or brings into a region a descriptor."""
    is_used = any(type(operand._type) is TensorDescType for operand in op._operands)
    return is_used or _gives_descriptors(op)


def is_descriptor(type: Attribute) -> bool:
    """Return whether a type is that of descriptors."""
    return isinstance(type, TensorDescType)
