"""
Load operands of products as they are wanted instead of transposing them.

Before:

    %p = tt.make_tensor_ptr %base, [%n, %k], [%s, %c1_i64], [%i, %j] : <tensor<64x32xf16, ...>>
    %x = tt.load %p {ttig.block_io = "row_major"}
    %y = tt.trans %x {order = array<i32: 1, 0>} : ... -> tensor<32x64xf16, #ttg.dot_op<...>>

After:

    %p = tt.make_tensor_ptr %base, [%k, %n], [%c1_i64, %s], [%j, %i]
        : <tensor<32x64xf16, #ttg.dot_op<...>>>
    %y = tt.load %p {ttig.block_io = "column_major"}

By the rules of August 2026 it is loads through descriptors, which stay as they are, that give the
columns of a block: `tt.descriptor_load %d {ttig.block_io = "column_major"}` has the shape of the
transposed block.

Source: `OptimizeDotOperands.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, StringAttr, i32
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass

from xtriton.analysis.intel.accesses import is_block_pointer, tensor_type
from xtriton.analysis.intel.module import (
    BLOCK_IO,
    COLUMN_MAJOR,
    ROW_MAJOR,
    supports_2d_block_io,
)
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.intel.values import DESCRIPTOR, makers_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.tt.shapes import TransOp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.upstream.scf import WhileOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integers
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_attribute, set_property
from xtriton.transforms.intel.block_io.pointer_chains import (
    PointerChain,
    feeds_a_product,
    pointer_to,
    replace_by_load,
)
from xtriton.transforms.intel.building import insert_before

_OTHER_MODE = {ROW_MAJOR: COLUMN_MAJOR, COLUMN_MAJOR: ROW_MAJOR}


@dataclass(frozen=True)
class IntelOptimizeDotOperandsPass(ModulePass):
    """Move transpositions of loaded operands of products into the block pointers."""

    name = "tritonintelgpu-optimize-dot-operands"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        transpositions = ops_of(op, TransOp)
        if rules_for(op).has_descriptors:
            if supports_2d_block_io(op):
                for transposition in transpositions:
                    _load_columns(transposition)
            return
        for transposition in transpositions:
            load = _load_of(transposition)
            chain = None if load is None else PointerChain.of(load)
            if chain is not None and all(len(a.offsets) == 2 for a in chain.advances):
                _fuse(chain, transposition)


def _load_of(op: TransOp) -> LoadOp | None:
    """Return the load whose block can be transposed in memory, if there is one."""
    type = op.results[0].type
    if _is_in_while(op) or not feeds_a_product(op):
        return None
    if not is_tensor(type) or not isinstance(type.encoding, DotOperandEncodingAttr):
        return None
    source = op.operands[0]
    load = source.op if isinstance(source, OpResult) else None
    if not isinstance(load, LoadOp) or not load.result.has_one_use():
        return None
    mode = load.attributes.get(BLOCK_IO)
    if not isinstance(mode, StringAttr) or mode.data not in _OTHER_MODE:
        return None
    block = tensor_type(load.ptr.type)
    fits = is_block_pointer(load.ptr.type) and block is not None and len(block.get_shape()) == 2
    return load if fits else None


def _is_in_while(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, WhileOp):
            return True
        parent = parent.parent_op()
    return False


def _fuse(chain: PointerChain, op: TransOp) -> None:
    maker, load = chain.maker, chain.load
    type = op.results[0].type
    new = MakeTensorPtrOp.create(
        operands=[
            maker.base,
            *reversed(maker.shape),
            *reversed(maker.strides),
            *reversed(maker.offsets),
        ],
        result_types=[pointer_to(maker, type)],
        properties=dict(maker.properties),
        attributes=dict(maker.attributes),
    )
    new.location = maker.location
    assert maker.parent is not None
    maker.parent.insert_op_before(new, maker)
    mode = load.attributes[BLOCK_IO]
    assert isinstance(mode, StringAttr)
    set_attribute(load, BLOCK_IO, StringAttr(_OTHER_MODE[mode.data]))
    checks = load.properties["boundaryCheck"]
    assert isinstance(checks, DenseArrayBase)
    transposed = sorted(1 - int(axis) for axis in checks.iter_values())
    set_property(load, "boundaryCheck", DenseArrayBase.from_list(i32, transposed))
    chain.redirect(new, lambda advance: advance.offsets[::-1], type)
    replace_by_load(op, load)


def _load_columns(op: TransOp) -> None:
    """Let a load through a descriptor give what a transposition of its last dimensions makes."""
    source, result = op.operands[0], op.results[0]
    load = source.op if isinstance(source, OpResult) else None
    if not isinstance(load, DescriptorLoadOp) or not load.result.has_one_use():
        return
    order = integers(op, "order")
    rank = len(order)
    swaps = rank >= 2 and order == (*range(rank - 2), rank - 1, rank - 2)
    is_block = load.attributes.get(BLOCK_IO) == StringAttr(ROW_MAJOR)
    if not swaps or not is_block or not feeds_a_product(op, scaled=True):
        return
    if not makers_of(load.desc, DESCRIPTOR):
        return
    new = DescriptorLoadOp.create(
        operands=list(load.operands),
        result_types=[result.type],
        properties=dict(load.properties),
        attributes={**load.attributes, BLOCK_IO: StringAttr(COLUMN_MAJOR)},
    )
    insert_before(new, load, load.location)
    result.replace_all_uses_with(new.result)
    for old in (op, load):
        old.detach()
        old.erase()
