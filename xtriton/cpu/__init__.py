"""
Native code for the CPU that this runs on, without a toolchain.

What compiles is imported when it is first used: a launch whose code is in a cache needs none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from xtriton.cpu.faults import KernelFault as KernelFault, checks as checks

if TYPE_CHECKING:
    from xtriton.cpu.kernel import Kernel as Kernel, compile_module as compile_module

BACKEND = "xtriton.interop.cpu_backend.driver"
"""Two floors up, where Triton is known; imported when it is asked for."""


def activate() -> None:
    """
    Let every `kernel[grid](...)` of this process run on the CPU, also where there is a GPU.

    Without a GPU nothing needs to be done; `TRITON_DEFAULT_BACKEND=cpu` does the same from
    outside. Raises `UserError` if Triton is not installed.
    """
    import_module(BACKEND).activate()


def __getattr__(name: str) -> object:
    if name in ("Kernel", "compile_module"):
        return getattr(import_module("xtriton.cpu.kernel"), name)
    raise AttributeError(f"module 'xtriton.cpu' has no attribute '{name}'")
