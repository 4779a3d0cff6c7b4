"""
Executes modules of every level, and judges whether two kernels do the same.

    run(module, grid, args)           on real arrays
    check_equivalent(before, after)   on made-up memory, for any shapes
    shared(before)                    to compare one original with several
"""

from xtriton.interpreter.api import run
from xtriton.interpreter.arguments import Descriptor, Endless
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.draws import Draw
from xtriton.interpreter.equivalence import Equivalence, Options, check_equivalent, shared
from xtriton.interpreter.machine import Observer, Program

__all__ = [
    "Contents",
    "Descriptor",
    "Draw",
    "Endless",
    "Equivalence",
    "Observer",
    "Options",
    "Program",
    "check_equivalent",
    "run",
    "shared",
]
