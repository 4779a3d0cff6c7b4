"""
Where one slice of a tensor goes: elements at a position of one dimension, through the kernel.

Row i of the left operand of a matrix product only ever reaches row i of the result. If what
a load read in a row ends in stores whose masks leave that row out, it does not matter what was
read. This is what makes a boundary of the modulo in the matmul that everybody writes.
"""

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.classify import Dimension
from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import type_facts
from xtriton.ir.attributes import integer, integers

_ELEMENTWISE_DIALECTS = ("arith.", "math.")
_ELEMENTWISE = frozenset(
    {"tt.fp_to_fp", "tt.bitcast", "tt.clampf", "tt.precise_sqrt", "tt.precise_divf"}
)


def wrap_point(around: Dimension) -> Expr:
    """Return the position from which on a dimension of step 1 has wrapped."""
    assert around.modulus is not None
    return around.modulus - around.start


class SliceFlow:
    """Follows slices through one function."""

    def __init__(self, accesses: Accesses):
        self.accesses = accesses
        self.invariant = accesses.analysis.invariant
        self.by_op: dict[Operation, Access] = {a.op: a for a in accesses.all}

    def stores_before(self, value: SSAValue, dim: int, around: Dimension) -> list[Access] | None:
        """
        Return the stores that slices of a tensor end in, if those at positions where `around`,
        its dimension `dim`, has wrapped reach no memory and decide nothing; else None.
        """
        stores: dict[Operation, Access] = {}
        seen: set[tuple[SSAValue, int]] = set()
        worklist = [(value, dim)]
        while worklist:
            item = worklist.pop()
            if item in seen:
                continue
            seen.add(item)
            v, d = item
            for use in v.uses:
                reached = self._through(use.operation, use.index, d, around)
                if reached is None:
                    return None
                worklist += reached
                if use.operation in self.by_op:
                    stores[use.operation] = self.by_op[use.operation]
        return list(stores.values())

    def _through(
        self, op: Operation, operand: int, dim: int, around: Dimension
    ) -> Iterable[tuple[SSAValue, int]] | None:
        """Return where a slice of an operand shows up, or None if it gets out of hand."""
        name = op.name
        if name == "tt.store":
            return () if operand == 1 and self._leaves_out(op, dim, around) else None
        if name in ("tt.dot", "tt.dot_scaled"):
            if operand == 2 or (operand == 0 and dim == 0) or (operand == 1 and dim == 1):
                return [(op.results[0], dim)]
            return None
        if name == "tt.expand_dims":
            axis = integer(op, "axis")
            return [(op.results[0], dim + (axis <= dim))]
        if name == "tt.broadcast":
            return [(op.results[0], dim)]
        if name == "tt.trans":
            order = integers(op, "order")
            return [(op.results[0], order.index(dim))]
        if name == "tt.reduce":
            axis = integer(op, "axis")
            return None if axis == dim else [(r, dim - (axis < dim)) for r in op.results]
        if name == "scf.yield":
            return self._yielded(op, operand, dim, around)
        if name == "scf.for":
            if operand < 3:
                return None
            argument = op.regions[0].blocks[0].args[operand - 2]
            return [(argument, dim), (op.results[operand - 3], dim)]
        if name.startswith(_ELEMENTWISE_DIALECTS) or name in _ELEMENTWISE:
            return self._elementwise(op, operand, dim)
        return None

    def _elementwise(
        self, op: Operation, operand: int, dim: int
    ) -> Iterable[tuple[SSAValue, int]] | None:
        shape = type_facts(op.operands[operand].type).shape
        if any(type_facts(r.type).shape != shape for r in op.results):
            return None
        return [(r, dim) for r in op.results]

    def _yielded(
        self, op: Operation, operand: int, dim: int, around: Dimension
    ) -> Iterable[tuple[SSAValue, int]] | None:
        parent = op.parent_op()
        if parent is None or parent.name not in ("scf.for", "scf.if"):
            return None
        reached: list[tuple[SSAValue, int]] = [(parent.results[operand], dim)]
        if parent.name == "scf.for":
            if not all(self.invariant(e, parent) for e in (around.start, wrap_point(around))):
                return None  # it wraps elsewhere in the iteration that uses it
            reached.append((parent.regions[0].blocks[0].args[operand + 1], dim))
        return reached

    def _leaves_out(self, op: Operation, dim: int, around: Dimension) -> bool:
        """Tell whether a store touches nothing where a dimension has wrapped."""
        access, end = self.by_op.get(op), wrap_point(around)
        if access is None or dim >= len(access.region.upper):
            return False
        return any((end - u).interval[0] >= 0 for u in access.region.upper[dim])
