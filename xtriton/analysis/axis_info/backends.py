"""Which axis analysis a backend uses."""

from xdsl.dialects.builtin import ModuleOp

from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.axis_info.intel import IntelAxisAnalysis
from xtriton.analysis.axis_info.rules import RULES


def axis_analysis(module: ModuleOp, backend: str = "") -> AxisAnalysis:
    """Return the axis information of a module, by Triton's rules or those of `intel`."""
    if backend == "intel":
        return IntelAxisAnalysis.of(module)
    return AxisAnalysis(RULES).run(module)
