"""
What a kernel reads and writes: sound, with the reason for every answer that is not exact.

`values` has the addresses that a value may be, `memory` the addresses that memory may hold,
`walker` the walk over a kernel that finds them, `rules` what each op does in it (those of
`accessing`, `opaque` and `regions`), `summaries` and `contracts` what ops and external
functions touch, `record` the parts of the answer, `trees` and `footprint` its byte offsets on
numbers, `kernel` the answer with its queries.
"""

from xtriton.analysis.effects.analyze import analyze_function, analyze_module
from xtriton.analysis.effects.kernel import KernelEffects
from xtriton.analysis.effects.record import (
    AccessEffect,
    ArgumentEffects,
    AtomicEffect,
    Reason,
    SideEffect,
)
from xtriton.analysis.effects.union import Union, union

__all__ = [
    "AccessEffect",
    "ArgumentEffects",
    "AtomicEffect",
    "KernelEffects",
    "Reason",
    "SideEffect",
    "Union",
    "analyze_function",
    "analyze_module",
    "union",
]
