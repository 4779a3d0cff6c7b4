"""
Version loops over tiles, so that one version knows what the rows of descriptors divide by.

Before:

    %d = tt.make_tensor_descriptor %p, [%m, %k], [%s, %c1_i64] : <f16>, <128x64xf16>
    scf.while ... {
      %x = tt.descriptor_load %d[%i, %j]
    }

After:

    %d = tt.make_tensor_descriptor %p, [%m, %k], [%s, %c1_i64] : <f16>, <128x64xf16>
    %even = arith.muli (arith.divsi %k, %c2_i32), %c2_i32
    %e = tt.make_tensor_descriptor %p, [%m, %even], [%s, %c1_i64] : <f16>, <128x64xf16>
    %is_even = arith.cmpi eq, (arith.remsi %k, %c2_i32), %c0_i32
    scf.if %is_even {
      scf.while ... { %x = tt.descriptor_load %e[%i, %j] }
    } else {
      scf.while ... { %x = tt.descriptor_load %d[%i, %j] }
    }

A 2D block access needs rows of whole 4-byte words: of two f16, of four i8. Both versions are
marked `ttig.descriptor_k_versioned`. Descriptors have to be made in front of the loop, in its
block, of rank 2 or more, with rows of a length that is not constant.
Source: `DescriptorVersioning.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.values import DESCRIPTOR, final_value, maker_of
from xtriton.dialects.tt.descriptors import DescriptorLoadOp, DescriptorStoreOp, MakeTensorDescOp
from xtriton.dialects.tt.types import TensorDescType
from xtriton.dialects.upstream.arith import AndIOp, CmpiOp, DivSIOp, MuliOp, RemSIOp
from xtriton.dialects.upstream.scf import WhileOp
from xtriton.ir.noted_edits import set_attribute
from xtriton.transforms.intel.building import constant, insert_before
from xtriton.transforms.intel.loops.versioning import erase, known_int, version_loop

VERSIONED = "ttig.descriptor_k_versioned"
"""On loops that are versions already."""

_WORD_BITS = 32
Divisors = dict[MakeTensorDescOp, int]
"""What the rows of descriptors should divide by."""


@dataclass(frozen=True)
class DescriptorVersioningPass(ModulePass):
    """Give `while` loops a version in which rows of descriptors are whole words."""

    name = "triton-intel-descriptor-versioning"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in _outermost(op):
            divisors = _divisors(loop)
            if divisors:
                _version(loop, divisors)


def _outermost(op: Operation) -> list[WhileOp]:
    """Return the `while` loops inside `op` that are in no other, but for versions."""
    found: list[WhileOp] = []
    pending = [op]
    while pending:
        current = pending.pop()
        if not isinstance(current, WhileOp):
            pending += [o for region in current.regions for b in region.blocks for o in b.ops]
        elif VERSIONED not in current.attributes:
            found.append(current)
    return found[::-1]


def _divisors(loop: WhileOp) -> Divisors:
    """Return the descriptors that are worth a version, in the order of the accesses."""
    found: Divisors = {}
    for access in loop.walk():
        if not isinstance(access, (DescriptorLoadOp, DescriptorStoreOp)):
            continue
        maker = maker_of(access.desc, DESCRIPTOR)
        # Of the same block, a descriptor is made in front of the loop that uses it.
        if not isinstance(maker, MakeTensorDescOp) or maker.parent is not loop.parent:
            continue
        if maker not in found:
            divisor = _divisor(maker)
            if divisor > 1:
                found[maker] = divisor
    return found


def _divisor(maker: MakeTensorDescOp) -> int:
    """Return how many elements are a word; 1 if that is known to divide rows, or no matter."""
    type = maker.result.type
    assert isinstance(type, TensorDescType)
    if (
        len(maker.shape) < 2
        or known_int(final_value(maker.shape[-1], through_loops=False)) is not None
    ):
        return 1
    return -(-_WORD_BITS // element_bits(type.element_type))


def _version(loop: WhileOp, divisors: Divisors) -> None:
    lengths: dict[SSAValue, int] = {}
    for maker, divisor in divisors.items():
        length = maker.shape[-1]
        lengths[length] = max(divisor, lengths.get(length, 1))
    then, otherwise, _ = version_loop(loop, _are_divisible(lengths, loop))
    erase(loop)
    set_attribute(then, VERSIONED, UnitAttr())
    set_attribute(otherwise, VERSIONED, UnitAttr())
    for maker, divisor in divisors.items():
        new = _with_whole_rows(maker, divisor)
        maker.result.replace_uses_with_if(
            new, lambda use: use.operation is not then and then.is_ancestor(use.operation)
        )


def _are_divisible(lengths: dict[SSAValue, int], loop: WhileOp) -> SSAValue:
    """Return whether lengths divide by the numbers they should, asked in front of `loop`."""
    location = loop.location
    found: SSAValue | None = None
    for length, divisor in lengths.items():
        by = constant(divisor, length.type, loop, location)
        zero = constant(0, length.type, loop, location)
        rest = insert_before(RemSIOp(length, by), loop, location)
        check = insert_before(CmpiOp(rest, zero, "eq"), loop, location)
        found = check if found is None else insert_before(AndIOp(found, check), loop, location)
    assert found is not None
    return found


def _with_whole_rows(maker: MakeTensorDescOp, divisor: int) -> SSAValue:
    """Return a descriptor behind `maker` whose rows are as long, written as a multiple."""
    place, location = maker.next_op, maker.location
    assert place is not None
    length = maker.shape[-1]
    by = constant(divisor, length.type, place, location)
    words = insert_before(DivSIOp(length, by), place, location)
    new = maker.clone()
    new.operands[len(maker.shape)] = insert_before(MuliOp(words, by), place, location)
    return insert_before(new, place, location)
