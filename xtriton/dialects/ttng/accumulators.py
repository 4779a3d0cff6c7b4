"""
What the fifth-generation matrix instructions multiply, and what they can accumulate in.

Upstream: `verifyMMADType` in `TritonNvidiaGPU/IR/Ops.cpp`.
"""

from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

_ACCUMULATORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "f32": ("tf32", ("f32",)),
    "f16": ("f16", ("f16", "f32")),
    "bf16": ("f16", ("f32",)),
    "i8": ("i8", ("i32",)),
}
"""The kind of instruction for an element type, and the types it can accumulate in."""


def _accumulators(type: Attribute | str) -> tuple[str, tuple[str, ...]] | None:
    if str(type).startswith(("f4", "f6", "f8")):
        return ("f8f6f4", ("f16", "f32"))
    return _ACCUMULATORS.get(str(type))


def verify_element_types(a: Attribute | str, b: Attribute | str, d: Attribute) -> None:
    """Check the element types, or their names, of `d = a · b + d`."""
    of_a, of_b = map(_accumulators, (a, b))
    if of_a is None:
        raise VerifyException(f"unsupported LHS operand dtype: '{a}'")
    if of_b is None:
        raise VerifyException(f"unsupported RHS operand dtype: '{b}'")
    if of_a[0] != of_b[0]:
        raise VerifyException(
            f"LHS and RHS operand dtypes kinds don't match: LHS kind is {of_a[0]} but RHS kind "
            f"is {of_b[0]}"
        )
    if str(d) not in of_a[1] or str(d) not in of_b[1]:
        allowed = ", ".join(f"'{type}'" for type in of_a[1])
        raise VerifyException(
            f"unsupported accumulator dtype for operand types '{a}' and '{b}', accumulator "
            f"dtype is '{d}' but must be one of [{allowed}]"
        )
