"""The index analysis of a function, with a rule for every op that has one."""

from xdsl.ir import Operation

from xtriton.analysis import control_flow, transfer
from xtriton.analysis.forward import IndexAnalysis, Rule

RULES: dict[str, Rule] = {**transfer.RULES, **control_flow.RULES}
"""What each op does to forms, by its name; any other op's results are symbols."""


def index_analysis(function: Operation) -> IndexAnalysis:
    """Return the forms of the values of a function."""
    return IndexAnalysis(function, RULES)
