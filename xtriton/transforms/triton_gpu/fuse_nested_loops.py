"""
Make one loop of two nested ones, so that a pipeline need not run empty in between.

Before:

    scf.for %i = ... {
      scf.for %j = ... {
        "body"(%i, %j) : (i32, i32) -> ()
      }
      "epilogue"(%i) : (i32) -> ()
    } {tt.flatten}

After:

    scf.for %t = ... {
      scf.if %first { ... }
      "body"(%i, %j) : (i32, i32) -> ()
      scf.if %last {
        "epilogue"(%i) : (i32) -> ()
      }
    }

`tt.flatten` on the outer loop asks for it; the frontend sets it for `tl.range(flatten=True)`.
If the inner loop may have no iterations at all, both cases are written out. Loops with
`ttg.always-fuse`, for tests, are fused however many there are.

Source: `FuseNestedLoops.cpp` of Triton.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free, is_speculatable

from xtriton.dialects.upstream.arith import CmpiOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import note_edit, set_attribute
from xtriton.ir.value_flow import bounds_of
from xtriton.transforms.cleanup.licm import hoist_invariants
from xtriton.transforms.triton_gpu.loop_emitter import OpInserter
from xtriton.transforms.triton_gpu.loop_fusion import MUST_EXECUTE, WARP_SPECIALIZE, fuse
from xtriton.transforms.triton_gpu.loop_nests import (
    Nest,
    in_program_order,
    ops_to_hoist,
)

FLATTEN = "tt.flatten"
ALWAYS_FUSE = "ttg.always-fuse"
_ASSUME = "llvm.intr.assume"
_DOTS = frozenset(
    (
        "tt.dot",
        "tt.dot_scaled",
        "ttng.warp_group_dot",
        "ttng.tc_gen5_mma",
        "ttng.tc_gen5_mma_scaled",
    )
)
# Comparisons that say that the first operand is greater, or less.
_GREATER, _LESS = (4, 8), (2, 6)


@dataclass(frozen=True)
class TritonGPUFuseNestedLoopsPass(ModulePass):
    """Fuse loops with the loops in them where `tt.flatten` asks for it."""

    name = "tritongpu-fuse-nested-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.ops if o.name == "tt.func"]:
            for nest in _nests(function):
                if nest.has_unsigned():
                    continue
                if ALWAYS_FUSE in nest.loop.attributes or (
                    nest.size == 2 and FLATTEN in nest.loop.attributes and _prepare(nest)
                ):
                    fuse(nest)


def _nests(container: Operation) -> list[Nest]:
    """Return the outermost loops inside of an op, each with the loops in it."""
    found: list[Nest] = []
    if not ops_of(container, ForOp):
        return found
    for region in container.regions:
        for op in [op for block in region.blocks for op in block.ops]:
            if isinstance(op, ForOp):
                nest = Nest(op)
                _add_children(nest, op, found)
                found.append(nest)
            elif op.regions:
                found += _nests(op)
    return found


def _add_children(nest: Nest, loop: ForOp, others: list[Nest]) -> None:
    """Add the loops directly in a loop; those in other ops begin nests of their own."""
    for op in loop.body.block.ops:
        if isinstance(op, ForOp):
            child = Nest(op)
            nest.children.append(child)
            _add_children(child, op, others)
        elif op.regions:
            others += _nests(op)


def _prepare(nest: Nest) -> bool:
    """Bring two loops into the form that gives the best one; return whether that is possible."""
    outer, inner = nest.loop, nest.children[0].loop
    hoist_invariants(outer)
    _sink_to_epilogue(outer, inner)
    if _is_known_to_run(inner):
        set_attribute(inner, MUST_EXECUTE, UnitAttr())
        return True
    to_hoist = ops_to_hoist(outer, bounds_of(inner))
    if to_hoist is None:
        return False
    assert outer.parent is not None
    for op in in_program_order(to_hoist, outer):
        op.detach()
        outer.parent.insert_op_before(op, outer)
    set_attribute(inner, MUST_EXECUTE, UnitAttr())
    _split_off_empty(outer, inner)
    return True


def _sink_to_epilogue(outer: ForOp, inner: ForOp) -> None:
    """Move what only the epilogue needs behind the inner loop."""
    body = outer.body.block
    ops = list(body.ops)
    at = ops.index(inner)
    behind = set(ops[at + 1 :])
    sunk: set[Operation] = set()
    for op in reversed(ops[:at]):
        if op.name in _DOTS or not is_side_effect_free(op) or not is_speculatable(op):
            continue
        users = {_in_block(use.operation, body) for result in op.results for use in result.uses}
        if users <= behind | sunk:
            sunk.add(op)
    following = inner.next_op
    assert following is not None
    for op in [op for op in ops[:at] if op in sunk]:
        op.detach()
        body.insert_op_before(op, following)


def _in_block(op: Operation, block: Block) -> Operation:
    while op.parent is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


def _is_known_to_run(loop: ForOp) -> bool:
    """Return whether an assumption says that the upper bound is above the lower one."""
    unsigned = int("unsignedCmp" in loop.properties)
    bounds = (loop.ub, loop.lb)
    for use in loop.ub.uses:
        compare = use.operation
        if not isinstance(compare, CmpiOp):
            continue
        if not any(u.operation.name == _ASSUME for u in compare.results[0].uses):
            continue
        predicate = compare.properties["predicate"]
        assert isinstance(predicate, IntegerAttr)
        code = predicate.value.data
        a, b = compare.operands
        if code == _GREATER[unsigned] and (a, b) == bounds:
            return True
        if code == _LESS[unsigned] and (b, a) == bounds:
            return True
    return False


def _split_off_empty(outer: ForOp, inner: ForOp) -> None:
    """
    Write out the case that the inner loop has no iterations, with an outer loop without it.

    Twice, as its bounds may be equal or its lower one above the upper one, which upstream
    forgets: the loop that is left takes it that the inner one runs.
    """
    emit = OpInserter.in_front_of(outer)
    length = emit.iterations(bounds_of(inner))
    zero = emit.integer(0, length.type)
    position = next(i for i, op in enumerate(outer.body.block.ops) if op is inner)
    for predicate in ("slt", "eq"):
        emit = OpInserter.in_front_of(outer)
        is_empty = emit.add(CmpiOp(length, zero, predicate))
        then, otherwise = Block(), Block()
        without = _without(outer, position)
        OpInserter(outer, then).insert(without)
        OpInserter(outer, then).insert(YieldOp(*without.results))
        found = IfOp(is_empty, outer.result_types, Region(then), Region(otherwise))
        emit.insert(found)
        uses: list[SSAValue] = list(outer.results)
        for old, new in zip(uses, found.results, strict=True):
            old.replace_all_uses_with(new)
        outer.detach()
        otherwise.add_op(outer)
        OpInserter(outer, otherwise).insert(YieldOp(*outer.results))


def _without(outer: ForOp, position: int) -> ForOp:
    """Return a copy of a loop in which the loop at `position` has no iterations."""
    without = outer.clone()
    empty = list(without.body.block.ops)[position]
    assert isinstance(empty, ForOp)
    for result, initial in zip(empty.results, empty.iter_args, strict=True):
        result.replace_all_uses_with(initial)
    empty.detach()
    empty.erase()
    note_edit(without)
    without.attributes.pop(WARP_SPECIALIZE, None)
    return without
