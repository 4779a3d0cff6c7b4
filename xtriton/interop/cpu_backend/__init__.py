"""
xtriton as a backend of stock Triton: `kernel[grid](...)` on the CPU.

An entry point of the group `triton.backends` names this package; Triton imports `compiler` and
`driver` from it when Triton itself is imported, so both are light, and import the compiler when
the first kernel is compiled.
"""

from importlib import import_module

from xtriton.errors import UserError
from xtriton.interop.triton import NEEDS_TRITON

# Triton first: what is below asks it for base classes, and it asks for what is below.
try:
    import_module("triton")
except ModuleNotFoundError as error:
    raise UserError(NEEDS_TRITON) from error
