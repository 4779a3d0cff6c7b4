"""Whether the bands of a program may run in any order and round alike."""

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from xtriton.analysis.pointer_roots import POINTER_MOVES
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.upstream.scf import ForOp, IfOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import string
from xtriton.ir.value_flow import beginnings

_ENDS = ("tt.return", "scf.yield", "tt.reduce.return", "tt.scan.return")
_PRODUCTS = frozenset(("arith.mulf", "arith.divf", "tt.precise_divf"))
_SUMS = frozenset(("arith.addf", "arith.subf"))
"""Ops of floats that a compiler may fuse, one of the products with a sum."""


class NotSplit(Exception):
    """A kernel cannot be split; the message says why."""


def independent_stores(function: Operation) -> list[Operation]:
    """Return the stores of a kernel in which the order of bands makes no difference."""
    region = function.regions[0]
    if len(region.blocks) != 1:
        raise NotSplit("it has branches")
    if string(function, "sym_visibility") == "private":
        raise NotSplit("it is no kernel")
    stores: dict[SSAValue, Operation] = {}
    loaded: set[SSAValue] = set()
    for op in region.block.walk():
        if isinstance(op, LoadOp):
            if op.isVolatile.value.data:
                raise NotSplit("a load is volatile")
            loaded |= _arguments_behind(op.ptr, region.block)
        elif isinstance(op, StoreOp):
            _check_is_no_loop(op, function)
            for argument in _arguments_behind(op.ptr, region.block):
                if argument in stores:
                    raise NotSplit("two stores go through one argument")
                stores[argument] = op
        elif isinstance(op, ForOp | IfOp) or op.name in (*_ENDS, "llvm.intr.assume"):
            continue
        elif not is_side_effect_free(op):
            raise NotSplit(f"the order of '{op.name}' and others matters")
    if loaded & stores.keys():
        raise NotSplit("it loads through an argument to which it stores")
    if not stores:
        raise NotSplit("it stores nothing")
    return list(dict.fromkeys(stores.values()))


def check_rounding(function: Operation) -> None:
    """Refuse what the compiler may round otherwise in a band."""
    ops = list(function.walk())
    for op in ops:
        if op.name in ("tt.reduce", "tt.scan") and any(map(_is_of_floats, op.operands)):
            raise NotSplit(f"the order of a '{op.name}' of floats is free")
    names = {op.name for op in ops}
    if names & _PRODUCTS and names & _SUMS:
        raise NotSplit("products may be fused with sums in several ways")


def _is_of_floats(value: SSAValue) -> bool:
    return is_tensor(value.type) and isinstance(value.type.element_type, AnyFloat)


def _check_is_no_loop(store: Operation, function: Operation) -> None:
    op = store
    while op is not function:
        parent = op.parent_op()
        assert parent is not None
        if isinstance(parent, ForOp):
            raise NotSplit("a store is in a loop")
        op = parent


def _arguments_behind(pointer: SSAValue, entry: Block) -> set[SSAValue]:
    """Return the arguments of the kernel that a pointer may have been made from."""
    found = beginnings(pointer, POINTER_MOVES)
    if any(value.owner is not entry for value in found):
        raise NotSplit("a pointer is of unknown origin")
    return found
