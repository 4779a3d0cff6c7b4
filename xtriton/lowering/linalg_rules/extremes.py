"""Comparisons of integers that select the smaller or larger of the two."""

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from xtriton.dialects.upstream import arith
from xtriton.ir.attributes import integer
from xtriton.ir.walking import ops_in
from xtriton.passes.rewriting import replace


def select_extremes(function: Operation) -> None:
    """
    Rewrite `select(a < b, a, b)` of integers as a minimum, and so on.

    Not of floats: where one is NaN the comparison is false, and the select takes `b`.
    """
    for op in ops_in(function, ("arith.select",)):
        compare = op.operands[0].owner
        if not isinstance(compare, arith.CmpiOp):
            continue
        predicate = integer(compare, "predicate")
        name = arith.CmpIPredicate(predicate).name
        chosen, compared = tuple(op.operands[1:]), tuple(compare.operands)
        if chosen == compared:
            cls = _EXTREMES.get(name)
        elif chosen == compared[::-1]:
            cls = _EXTREMES.get(name.translate(_OPPOSITE))
        else:
            continue
        if cls is None:
            continue
        new = cls.create(operands=compared, result_types=[op.results[0].type], location=op.location)
        Rewriter.insert_op(new, InsertPoint.before(op))
        replace(op, new.results)
        if compare.results[0].first_use is None:
            Rewriter.erase_op(compare)


_EXTREMES: dict[str, type[Operation]] = {
    "sgt": arith.MaxSIOp, "sge": arith.MaxSIOp, "slt": arith.MinSIOp, "sle": arith.MinSIOp,
    "ugt": arith.MaxUIOp, "uge": arith.MaxUIOp, "ult": arith.MinUIOp, "ule": arith.MinUIOp,
}  # fmt: skip
_OPPOSITE = str.maketrans("gl", "lg")
