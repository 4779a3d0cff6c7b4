"""Native code for the CPU that this runs on, without a toolchain."""

from xtriton.cpu.kernel import Kernel as Kernel
from xtriton.cpu.kernel import compile_module as compile_module
