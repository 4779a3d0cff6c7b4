"""Which axis analysis a backend uses."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from xtriton.analysis.axis_info import rules_3_9
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.axis_info.intel import IntelAxisAnalysis
from xtriton.analysis.axis_info.intel_3_9 import IntelAxisAnalysisOf39
from xtriton.analysis.axis_info.rules import RULES
from xtriton.analysis.axis_info.rules_3_9 import AxisAnalysisOf39
from xtriton.analysis.intel.rules import rules_for
from xtriton.ir.versions import Version, release

_FIRST_RELEASE_OF_NORMAL_DIVISORS: Version = (3, 9)


def axis_analysis(
    module: ModuleOp, backend: str = "", wanted: Sequence[SSAValue] | None = None
) -> AxisAnalysis:
    """
    Return the axis information of a module, by Triton's rules or those of `intel`.

    If only some values are `wanted`, nothing is said of what these do not depend on.
    """
    if backend == "intel":
        has_descriptors = rules_for(module).has_descriptors
        return (IntelAxisAnalysisOf39 if has_descriptors else IntelAxisAnalysis).of(module, wanted)
    if release() >= _FIRST_RELEASE_OF_NORMAL_DIVISORS:
        return AxisAnalysisOf39(rules_3_9.RULES).run(module, wanted)
    return AxisAnalysis(RULES).run(module, wanted)
