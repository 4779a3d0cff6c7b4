"""Native code for the CPU that this runs on, without a toolchain."""

from importlib import import_module

from xtriton.cpu.faults import KernelFault as KernelFault
from xtriton.cpu.faults import checks as checks
from xtriton.cpu.kernel import Kernel as Kernel
from xtriton.cpu.kernel import compile_module as compile_module

BACKEND = "xtriton.interop.cpu_backend.driver"
"""Two floors up, where Triton is known; imported when it is asked for."""


def activate() -> None:
    """
    Let every `kernel[grid](...)` of this process run on the CPU, also where there is a GPU.

    Without a GPU nothing needs to be done; `TRITON_DEFAULT_BACKEND=cpu` does the same from
    outside. Raises `UserError` if Triton is not installed.
    """
    import_module(BACKEND).activate()
