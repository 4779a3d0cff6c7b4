"""Folding elementwise ops of constants, by the same semantics that the interpreter uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from xtriton.ir import dense
from xtriton.semantics import scalars
from xtriton.transforms.cleanup.constants import (
    Constant,
    carried,
    element_of,
    from_carried,
    is_tensor,
    type_of,
    uniform_constant,
)

if TYPE_CHECKING:
    from xtriton.semantics import Element

MAX_ELEMENTS = 1 << 16
"""Constants with more different elements than this are not computed at compile time."""

_ARITH = (
    "addi subi muli andi ori xori shli shrsi shrui divsi divui remsi remui ceildivsi"
    " ceildivui floordivsi minsi minui maxsi maxui cmpi select extsi extui trunci index_cast"
    " index_castui addf subf mulf divf remf negf cmpf maximumf maxnumf minimumf minnumf extf"
    " truncf sitofp uitofp fptosi fptoui bitcast"
)
FOLDED = frozenset(
    {f"arith.{name}" for name in _ARITH.split()}
    | {"math.absf", "math.absi", "math.ceil", "math.floor", "math.sqrt", "math.fma"}
)
"""Ops that are computed at compile time where all operands are constants."""

_DIVISIONS = frozenset(
    f"arith.{name}"
    for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)
_SHIFTS = frozenset(("arith.shli", "arith.shrsi", "arith.shrui"))
_FLOAT_TO_INTEGER = frozenset(("arith.fptosi", "arith.fptoui"))


def fold_constants(op: Operation, constants: Sequence[Constant | None]) -> Constant | None:
    """Return the result of `op` on constants; None where it has none or may be undefined."""
    if op.name not in FOLDED or len(op.results) != 1 or None in constants:
        return None
    attributes = {
        name: attribute.value.data
        for name, attribute in op.properties.items()
        if isinstance(attribute, IntegerAttr)
    }
    known = [constant for constant in constants if constant is not None]
    return compute(op.name, known, op.results[0].type, attributes)


def compute(
    name: str,
    constants: Sequence[Constant],
    result_type: Attribute,
    attributes: Mapping[str, int] | None = None,
) -> Constant | None:
    """Return what the op `name` of type `result_type` gives for constants, if it is defined."""
    found = _of_integers(name, constants, result_type, attributes or {})
    if found is not None:
        return found
    import numpy as np  # takes a while, and most constants are single integers

    from xtriton.semantics import function

    arrays: list[Any] = []
    operands: list[Element] = []
    result = element_of(result_type)
    for constant in constants:
        of, array = element_of(type_of(constant)), carried(constant)
        if of is None or array is None or array.size > MAX_ELEMENTS:
            return None
        operands.append(of)
        arrays.append(array)
    if result is None or _may_be_undefined(name, arrays, operands, result):
        return None
    with np.errstate(all="ignore"):
        value = function(name, operands, result, attributes)(*arrays)
    return from_carried(result_type, value)


def _of_integers(
    name: str, constants: Sequence[Constant], result_type: Attribute, attributes: Mapping[str, int]
) -> Constant | None:
    """Return what `compute` does, where each constant is one integer and the op is defined."""
    width = _integer_width(result_type)
    values: list[int] = []
    widths: list[int] = []
    for constant in constants:
        widths.append(_integer_width(type_of(constant)))
        if isinstance(constant, IntegerAttr):
            value: int = constant.value.data
        elif isinstance(constant, DenseIntOrFPElementsAttr) and constant.data.data:
            if not widths[-1] or not dense.is_splat(constant):
                return None
            value = int(dense.splat_value(constant))
        else:
            return None
        values.append(scalars.wrapped(value, widths[-1]) if widths[-1] else 0)
    if not width or not all(widths):
        return None
    predicate = attributes.get("predicate", 0)
    found = scalars.integer(name.removeprefix("arith."), values, widths, width, predicate)
    return None if found is None else uniform_constant(result_type, found)


def _integer_width(type: Any) -> int:
    """Return the bits of the integers of a type; 0 where they are none that are computed."""
    element = type.element_type if is_tensor(type) else type
    if isinstance(element, IndexType):
        return scalars.WIDEST
    width = element.bitwidth if isinstance(element, IntegerType) else 0
    return width if width <= scalars.WIDEST else 0


def _may_be_undefined(
    name: str, arrays: Sequence[Any], operands: Sequence[Element], result: Element
) -> bool:
    """Return whether some element is one on which the op is undefined or poison."""
    import numpy as np

    if name in _DIVISIONS:
        lowest = -(1 << (result.width - 1))
        overflows = (arrays[0] == lowest) & (arrays[1] == -1) & (not name.endswith("ui"))
        return bool(np.any(arrays[1] == 0) or np.any(overflows))
    if name in _SHIFTS:
        return bool(np.any(arrays[1] < 0) or np.any(arrays[1] >= operands[1].width))
    if name in _FLOAT_TO_INTEGER:
        signed = name == "arith.fptosi"
        low = -(2.0 ** (result.width - 1)) - 1 if signed else -1.0
        high = 2.0 ** (result.width - 1 if signed else result.width)
        return not bool(np.all((arrays[0] > low) & (arrays[0] < high)))
    return False
