"""
xtriton as a backend of stock Triton: `kernel[grid](...)` on the CPU.

An entry point of the group `triton.backends` names this package; Triton imports `compiler` and
`driver` from it when Triton itself is imported, so both are light, and import the compiler when
the first kernel is compiled.
"""

# Triton first: what is below asks it for base classes, and it asks for what is below.
import triton as triton
