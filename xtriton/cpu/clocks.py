"""Clocks that machine code reads without asking the system."""

from xtriton.cpu.module import Module
from xtriton.cpu.target import Target

_CLOCKS = {
    "x86": ("llvm.readcyclecounter", 1 << 22),
    "i386": ("llvm.readcyclecounter", 1 << 22),
    "i686": ("llvm.readcyclecounter", 1 << 22),
    "aarch64": ("llvm.readsteadycounter", 1 << 17),
    "arm64": ("llvm.readsteadycounter", 1 << 17),
}
"""
The clock of a processor, and what a chunk of programs should take: 1 ms at 4 GHz, 5 ms at 24 MHz.
Others have none that a program may read: there a launch ends when it does.
"""


def clock_of(module: Module, target: Target) -> tuple[str, int]:
    """
    Return what reads the target's clock, and the ticks of a chunk of programs.

    Where a program may read none, what is read stands still.
    """
    clock, ticks = _CLOCKS.get(target.triple.split("-")[0].replace("x86_64", "x86"), ("", 1))
    if not clock:
        return "add i64 0, 0", ticks
    module.declare("i64", clock, [])
    return f"call i64 @{clock}()", ticks
