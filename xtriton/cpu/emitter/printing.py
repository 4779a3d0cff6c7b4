"""`tl.device_print`: what a GPU prints, through C's `printf`."""

import math
from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of
from xtriton.cpu.emitter.casts import resize_integer
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.types import F64, Type, scalar_type


@rule("tt.print")
def _print(e: Emitter, op: Operation) -> None:
    """
    One line for each element: program, index and value.

    The format is that of Triton's GPU back ends (`PrintOpToLLVM.cpp`).
    """
    printed: Any = op
    prefix = printed.prefix.data.replace("%", "%%")
    if not op.operands:
        _line(e, f"pid (%u, %u, %u){prefix}", [])
    signs = printed.isSigned.get_values()
    for number, value in enumerate(op.operands):
        operand = f"(operand {number}) " if len(op.operands) > 1 else ""
        text = f"{prefix}{operand}{_format(e.type(value.type), printed.hex, signs[number])}"
        _print_value(e, value, text, signed=bool(signs[number]))
    # Nothing is lost or late where the process writes through another buffer too.
    e.builder.call("i32", "fflush", [("ptr", "null")])


def _print_value(e: Emitter, value: SSAValue, text: str, *, signed: bool) -> None:
    type = e.type(value.type)
    shape = shape_of(value.type) if is_shaped(value.type) else ()
    widths = [math.ceil(math.log10(extent)) if extent > 0 else 0 for extent in shape]
    places = ", ".join(f"%{width}u" for width in widths)
    tensor = e.tensor(value) if is_shaped(value.type) else None

    def element(indices: list[Operand]) -> None:
        scalar = e.scalar(value) if tensor is None else e.element(tensor, indices)
        index = [f"i32 {resize_index(e, at)}" for at in indices]
        line = f"pid (%u, %u, %u) idx ({places}){text}"
        _line(e, line, [*index, _promoted(e, type, scalar, signed=signed)])

    with e.builder.fresh_memory():
        e.nest(shape, element)


def resize_index(e: Emitter, index: Operand) -> Operand:
    return index if isinstance(index, int) else e.builder.value(f"trunc i64 {index} to i32")


def _format(type: Type, hex: bool, signed: int) -> str:
    if type.register == "ptr":
        return "%p"
    if type.is_float:
        return "%a" if hex else "%f"
    wide = "ll" if type.width > 32 else ""
    if hex:
        return f"0x%0{max(type.width // 4, 1)}{wide}x"
    return f"%{wide}{'i' if signed else 'u'}"


def _promoted(e: Emitter, type: Type, value: Operand, *, signed: bool) -> str:
    """Return a number as C passes it where any number of arguments may come."""
    if type.register == "ptr":
        return f"ptr {value}"
    if type.is_float:
        value = e.widen(type, value)
        if e.computing_type(type) != F64:
            value = e.builder.value(f"fpext float {value} to double")
        return f"double {value}"
    target = scalar_type("i64" if type.width > 32 else "i32")
    assert target is not None
    value = resize_integer(e, value, type, target, signed=signed and type.width > 1)
    return f"{target.register} {value}"


def _line(e: Emitter, text: str, arguments: Sequence[str]) -> None:
    name = f"@text{len(e.module.definitions)}"
    data = f"{text}\n\0".encode()
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    kind = f"[{len(data)} x i8]"
    e.module.definitions[name] = f'{name} = internal unnamed_addr constant {kind} c"{escaped}"'
    e.module.declare("i32", "printf", ["ptr", "..."])
    values = [f"i32 {program}" for program in e.program] + list(arguments)
    e.builder.emit(f"call i32 (ptr, ...) @printf(ptr {name}, {', '.join(values)})")
