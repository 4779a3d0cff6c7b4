"""
Why a number fits into fewer bits than it is computed in.

A pass that writes `arith.trunci`, or computes in 32 bits what the program computes in 64, asks
here first. What has no proof is not narrowed: an offset goes onto the base pointer, in 64 bits.
`narrowing_report` tells what is narrowed.
"""

from collections.abc import Callable
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Expr, Kind
from xtriton.analysis.values import Sort, type_facts


class Narrowings:
    """The proofs of one function; `dominates` tells whether a value is there before an op."""

    def __init__(self, analysis: IndexAnalysis, dominates: Callable[[SSAValue, Operation], bool]):
        self.analysis = analysis
        self.dominates = dominates
        self.space = analysis.space

    def proof(self, e: Expr, width: int, op: Operation) -> str | None:
        """
        Return why `e` fits into `width` bits, with its sign, whenever `op` runs; None if it may not.

        Besides bounds that follow from loops, branches and types it may be that the program
        itself computes `e` in so many bits, for all places of a tensor or for one: address
        arithmetic does not overflow.
        """
        half = 1 << (width - 1)
        low, high = e.interval
        if not (-half <= low and high < half):
            with self.space.assuming(self.analysis.facts_at(op)):
                low, high = e.interval
                if not (-half <= low and high < half):
                    low, high = self.space.expanded(e).interval
        if -half <= low and high < half:
            return f"it is between {low} and {high}"
        for form in dict.fromkeys((e, self.space.expanded(e))):
            for value in self._computed.get(form, ()):
                facts = type_facts(value.type)
                if facts.width <= width and self.dominates(value, op):
                    name = self.analysis.name_of(value)
                    return f"the program computes %{name} in {facts.width} bits"
        return None

    @cached_property
    def _computed(self) -> dict[Expr, list[SSAValue]]:
        """What the program computes in fewer than 64 bits: forms of scalars, and of first lanes."""
        table: dict[Expr, list[SSAValue]] = {}
        space = self.space
        for value, form in list(self.analysis.values.items()):
            facts = type_facts(value.type)
            if facts.sort is not Sort.INTEGER or facts.width > 32 or not isinstance(form, Expr):
                continue
            form = self.analysis.resolved(form)
            positions = [u for u in form.leaves if space.atoms[u].kind is Kind.POSITION]
            if positions:
                form = space.substitute(form, dict.fromkeys(positions, space.zero))
            for written in dict.fromkeys((form, space.expanded(form))):
                table.setdefault(written, []).append(value)
        return table
