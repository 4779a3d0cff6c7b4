"""
Arithmetic and conversions that round down, up or toward zero.

Each becomes a function of the module that sets how the processor rounds, computes, and sets it
back. LLVM moves nothing else into it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.libdevice.rules import Rule, families
from xtriton.cpu.types import suffix

_MODES = {"rz": 0, "rn": 1, "ru": 2, "rd": 3}
_FLOATS = {"f": "float", "d": "double", "float": "float", "double": "double"}
_INTEGERS = {"int": "i32", "ll": "i64"}
_DYNAMIC = 'metadata !"round.dynamic", metadata !"fpexcept.ignore"'
_ATTRIBUTES = "noinline nounwind strictfp"


def _arithmetic(match: re.Match[str]) -> Rule:
    type, name, mode = _FLOATS[match[1]], match[2], match[3]
    if name == "rcp":
        return _rounded("fdiv", type, [type], mode, lambda xs: ["1.0", *xs])
    count = 1 if name == "sqrt" else 2
    return _rounded(name if name == "sqrt" else f"f{name}", type, [type] * count, mode)


def _fused(match: re.Match[str]) -> Rule:
    type = "float" if match[1] else "double"
    return _rounded("fma", type, [type] * 3, match[2])


def _narrowed(match: re.Match[str]) -> Rule:
    return _rounded("fptrunc", "float", ["double"], match[1])


def _of_integer(match: re.Match[str]) -> Rule:
    sign = "u" if match[1] else "s"
    return _rounded(f"{sign}itofp", _FLOATS[match[3]], [_INTEGERS[match[2]]], match[4])


def _rounded(
    name: str,
    result: str,
    types: Sequence[str],
    mode: str,
    arguments: Callable[[list[str]], list[str]] = list,
) -> Rule:
    """Return a call of LLVM's `name` in one of the modes, `arguments` being what it is given."""

    def rule(b: IRBuilder, type: str, _: str, xs: Sequence[Operand]) -> Operand:
        full_name = f"xt.{name}{len(types)}.{mode}.{types[0]}.{result}"
        if full_name not in b.module.definitions:
            _define(b, full_name, name, result, types, mode, arguments)
        return b.call_defined(result, full_name, list(zip(types, xs, strict=True)))

    return rule


def _define(
    b: IRBuilder,
    full_name: str,
    name: str,
    result: str,
    types: Sequence[str],
    mode: str,
    arguments: Callable[[list[str]], list[str]],
) -> None:
    parameters = [f"%x{i}" for i in range(len(types))]
    given = arguments(parameters)
    kind = f"{suffix(result)}.{suffix(types[0])}"
    if types[0] == result:
        kind = suffix(result)
    intrinsic = f"llvm.experimental.constrained.{name}.{kind}"
    b.module.declare("void", "llvm.set.rounding", ["i32"])
    b.module.declare(result, intrinsic, [types[0]] * len(given) + ["metadata", "metadata"])
    operands = ", ".join(f"{types[0]} {x}" for x in given)
    signature = ", ".join(f"{t} {x}" for t, x in zip(types, parameters, strict=True))
    b.module.definitions[
        full_name
    ] = f"""define internal {result} @{full_name}({signature}) {_ATTRIBUTES} {{
  call void @llvm.set.rounding(i32 {_MODES[mode]}) strictfp
  %found = call {result} @{intrinsic}({operands}, {_DYNAMIC}) strictfp
  call void @llvm.set.rounding(i32 {_MODES["rn"]}) strictfp
  ret {result} %found
}}"""


FAMILIES = families(
    (r"([fd])(add|sub|mul|div|sqrt|rcp)_(rd|ru|rz)", _arithmetic),
    (r"fma(f?)_(rd|ru|rz)", _fused),
    (r"double2float_(rn|rd|ru|rz)", _narrowed),
    (r"(u?)(int|ll)2(float|double)_(rd|ru|rz)", _of_integer),
)
