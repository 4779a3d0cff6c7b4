"""What integers and pointers are surely multiples of."""

from math import gcd
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Atom, Expr, Kind


class Divisibility:
    """Greatest known divisors, from `tt.divisibility` on arguments and from arithmetic."""

    def __init__(self, analysis: IndexAnalysis):
        self.analysis = analysis

    def of(self, e: Expr) -> int:
        """Return a number that divides `e`; 0 for 0 itself."""
        atoms = self.analysis.space.atoms
        total = 0
        for mono, c in e.terms.items():
            for u in mono:
                c *= self.of_atom(atoms[u])
            total = gcd(total, c)
        return total

    def of_atom(self, atom: Atom) -> int:
        match atom.kind:
            case Kind.NAMED:
                return self.of(atom.args[0])
            case Kind.MIN | Kind.MAX:
                return gcd(*(self.of(a) for a in atom.args))
            case Kind.SELECT:
                return gcd(self.of(atom.args[1]), self.of(atom.args[2]))
            case Kind.SCALAR:
                value = self.analysis.leaf_values.get(atom.uid)
                return 1 if value is None else of_argument(value)
            case _:
                return 1


def of_argument(value: SSAValue) -> int:
    """Return the `tt.divisibility` of a function's argument: of a number, or of bytes."""
    if not isinstance(value, BlockArgument):
        return 1
    function = value.owner.parent_op()
    attributes = function.properties.get("arg_attrs") if function is not None else None
    if not isinstance(function, Operation) or not isinstance(attributes, ArrayAttr):
        return 1
    if value.owner is not function.regions[0].blocks.first:
        return 1
    own = cast("ArrayAttr[Attribute]", attributes).data[value.index]
    found = own.data.get("tt.divisibility") if isinstance(own, DictionaryAttr) else None
    return found.value.data if isinstance(found, IntegerAttr) else 1
