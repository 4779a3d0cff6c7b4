# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""
Block pointers and tensor descriptors as formulas: where each lane of a block lies in memory.

Along each dimension a lane's index is its place in the block plus an offset. Its address is the
base plus the sum of indices times strides, and it is inside where no index that is checked is
negative or reaches the size of its dimension. Sizes, strides and offsets have 64 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.intel.module import BLOCK_IO
from xtriton.interpreter.types import TypeInfo, attribute, info, integer, integers, plain
from xtriton.judge.proofs.formulas import (
    LANES,
    NoFormula,
    Term,
    context,
    given,
    literal_float,
    number,
    widened,
)

PAD_ZERO, PAD_NAN = 1, 2

_LOADS = ("tt.load", "tt.descriptor_load", "tt.descriptor_gather")
_STORES = ("tt.store", "tt.descriptor_store", "tt.descriptor_scatter")


@dataclass(frozen=True)
class BlockTerm:
    """
    What a block pointer or a descriptor is.

    `padding` is what a descriptor reads beyond its sizes, as its attribute says it; a descriptor
    has no offsets of its own.
    """

    base: Term
    sizes: tuple[Term, ...]
    strides: tuple[Term, ...]
    offsets: tuple[Term, ...] = ()
    padding: int | None = None

    def moved(self, by: Sequence[Any], known: tuple[Any, ...]) -> BlockTerm:
        """Return the block that lies further on, by numbers of 64 bits; `known` is given then."""
        steps = [*by, *[number(0, 64)] * (len(self.offsets) - len(by))]
        pairs = zip(self.offsets, steps, strict=True)
        return replace(
            self, offsets=tuple(Term(o.formula + n, (*o.given, *known)) for o, n in pairs)
        )


Terms = Mapping[SSAValue, Term]
Blocks = Mapping[SSAValue, BlockTerm]


def is_block(value: SSAValue) -> bool:
    """Whether a value is a block pointer or a descriptor."""
    return info(value.type).kind in ("block_pointer", "descriptor")


def made(op: Operation, terms: Terms, blocks: Blocks) -> BlockTerm | None:
    """Return the block that an op makes or moves; None if it does not."""
    match op.name:
        case "tt.make_tensor_ptr" | "tt.make_tensor_descriptor":
            rank, numbers = info(op.results[0].type).rank, _wide(op.operands[1:], terms)
            padding = None
            if op.name == "tt.make_tensor_descriptor":
                padding = integer(op, "padding", PAD_ZERO)
            parts = (numbers[k * rank : (k + 1) * rank] for k in range(3))
            return BlockTerm(terms[op.operands[0]], *map(tuple, parts), padding=padding)
        case "tt.advance":
            before, steps = blocks[op.operands[0]], _wide(op.operands[1:], terms)
            return before.moved([s.formula for s in steps], given(*steps))
        case _:
            return None


def reached(op: Operation, terms: Terms, blocks: Blocks) -> tuple[Term, Term, Term | None]:
    """
    Return the address that an access reaches on each lane, the mask, and what is read elsewhere.

    The last is None where that is undefined, and for stores.
    """
    block, of = blocks[op.operands[0]], info(op.operands[0].type)
    if op.name in ("tt.load", "tt.store"):
        if len(op.operands) > 1 + (op.name in _STORES):
            raise NoFormula("a mask beside a block pointer")
        indices = _indices(block.offsets, of.shape, of.shape)
        checked, padding = set(integers(op, "boundaryCheck")), plain(attribute(op, "padding"))
    elif op.name in ("tt.descriptor_gather", "tt.descriptor_scatter"):
        row, column = terms[op.operands[1]], terms[op.operands[2]]
        lane = Term(z3.ZeroExt(32, LANES[1]))
        rows = Term(widened(row), row.given)
        columns = Term(widened(column) + lane.formula, column.given)
        indices, checked, padding = [rows, columns], {0, 1}, block.padding
    else:
        if op.attributes.get(BLOCK_IO) is not None:
            raise NoFormula("a block that is read by columns")
        first = 1 if op.name in _LOADS else 2
        offsets = _wide(op.operands[first:], terms)
        indices = _indices(offsets, of.shape, _registers(op).shape)
        checked, padding = set(range(of.rank)), block.padding
    other = _padding(padding, of) if op.name in _LOADS else None
    return _place(block, indices, of.scalar.size), _inside(block, indices, checked), other


def value_stored(op: Operation) -> SSAValue | None:
    """Return what an access of a block stores; None for a load."""
    places = {"tt.store": 1, "tt.descriptor_store": 1, "tt.descriptor_scatter": 3}
    return op.operands[places[op.name]] if op.name in places else None


def _registers(op: Operation) -> TypeInfo:
    """Return the type of what an access reads or writes."""
    return info((value_stored(op) or op.results[0]).type)


def _wide(values: Sequence[SSAValue], terms: Terms) -> list[Term]:
    return [Term(widened(terms[v]), terms[v].given) for v in values]


def _indices(offsets: Sequence[Term], block: tuple[int, ...], shape: tuple[int, ...]) -> list[Term]:
    """Return a lane's index in each dimension; leading ones of size 1 may miss in registers."""
    missing = len(block) - len(shape)
    if missing < 0 or block[missing:] != shape or any(n != 1 for n in block[:missing]):
        raise NoFormula("a block of another shape")
    lanes = [number(0, 64)] * missing + [z3.ZeroExt(32, lane) for lane in LANES[: len(shape)]]
    return [Term(o.formula + lane, o.given) for o, lane in zip(offsets, lanes, strict=True)]


def _place(block: BlockTerm, indices: Sequence[Term], size: int) -> Term:
    address: Any = block.base.formula
    for index, stride in zip(indices, block.strides, strict=True):
        address = address + index.formula * stride.formula * size
    return Term(address, given(block.base, *indices, *block.strides))


def _inside(block: BlockTerm, indices: Sequence[Term], checked: set[int]) -> Term:
    """Return the mask of the lanes that are inside in the dimensions that are `checked`."""
    conditions: list[Any] = []
    for d in sorted(checked):
        index, size = indices[d].formula, block.sizes[d].formula
        conditions += [index >= 0, index < size]
    inside = z3.simplify(z3.And(*conditions, context()))
    bits = number(1, 1), number(0, 1)
    formula = bits[0] if z3.is_true(inside) else z3.If(inside, *bits)
    return Term(formula, given(*indices, *block.sizes))


def _padding(padding: int | None, of: TypeInfo) -> Term | None:
    if padding is None:
        return None
    if not of.scalar.is_float:
        return Term(number(0, of.scalar.width))
    return literal_float(of.scalar.name, float("nan") if padding == PAD_NAN else 0.0)
