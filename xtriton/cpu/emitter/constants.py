"""Rules of constants: `arith.constant`, scalar and dense, and poison."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of
from xtriton.cpu.emitter.core import RULES, Emitter
from xtriton.cpu.emitter.values import Lazy, Storage, View, row_major_strides
from xtriton.cpu.types import Type, float_constant
from xtriton.ir.attributes import attribute


def constant_operand(value: float, type: Type) -> Operand:
    """Return a Python number as a constant of `type`."""
    if type.is_float:
        return float_constant(float(value), type)
    return int(value) & 1 if type.register == "i1" else int(value)


def _constant(e: Emitter, op: Operation) -> None:
    value: Any = attribute(op, "value")
    type = e.type(op.results[0].type)
    if isinstance(value, DenseIntOrFPElementsAttr):
        _dense_constant(e, op, value, type)
    elif isinstance(value, IntegerAttr | FloatAttr):
        e.bind(op.results[0], constant_operand(value.value.data, type))
    else:
        e.unsupported(op, f"a constant of type '{op.results[0].type}'")


def _dense_constant(e: Emitter, op: Operation, value: Any, type: Type) -> None:
    sizes = shape_of(op.results[0].type)
    data = value.data.data
    numbers: Sequence[float] = list(value.type.element_type.iter_unpack(data))
    operands = [constant_operand(number, type) for number in numbers]
    if len(set(operands)) == 1:
        only = operands[0]
        e.bind(op.results[0], Lazy(type, sizes, lambda _: only))
        return
    name = f"@constant{len(e.module.definitions)}"
    items = ", ".join(f"{type.memory} {operand}" for operand in operands)
    array = f"[{len(operands)} x {type.memory}]"
    e.module.definitions[name] = (
        f"{name} = internal unnamed_addr constant {array} [{items}], align 64"
    )
    storage = Storage(name, writable=False)
    e.bind(op.results[0], View(storage, type, 0, sizes, row_major_strides(sizes)))


RULES["arith.constant"] = _constant


def _poison(e: Emitter, op: Operation) -> None:
    type = e.type(op.results[0].type)
    zero = type.zero
    if is_shaped(op.results[0].type):
        e.bind(op.results[0], Lazy(type, shape_of(op.results[0].type), lambda _: zero))
    else:
        e.bind(op.results[0], zero)


RULES["ub.poison"] = _poison
RULES["llvm.mlir.poison"] = _poison
