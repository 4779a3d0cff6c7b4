"""
Executes modules of every level.

    run(module, grid, args)           on real arrays
"""

from xtriton.interpreter.api import run
from xtriton.interpreter.arguments import Descriptor, Endless
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.machine import Observer, Program

__all__ = ["Contents", "Descriptor", "Endless", "Observer", "Program", "run"]
