"""
Which packed instructions there are for `ttng.packed_arith`.

Upstream: `PackedArithOp` in `TritonNvidiaGPU/IR/Ops.cpp`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.interfaces import (
    DistributedEncoding,
    LayoutEncoding,
    inference,
    linear_layouts,
)
from xtriton.dialects.utils.tensors import is_tensor


@dataclass(frozen=True)
class _Element:
    """An element type: its name in instructions, how many are packed, and a letter for it."""

    suffix: str
    lanes: int
    letter: str


_FP4 = _Element("e2m1x4", 4, "2")
_ELEMENTS = {
    "f32": _Element("f32x2", 2, "f"),
    "f16": _Element("f16x2", 2, "h"),
    "bf16": _Element("bf16x2", 2, "b"),
    "f8E5M2": _Element("e5m2x4", 4, "5"),
    "f8E4M3FN": _Element("e4m3x4", 4, "4"),
    "i8": _FP4,
    "f8E8M0FNU": _Element("ue8m0x4", 4, "u"),
}

_SIGNATURES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("add sub mul", "fhb", ("=", "=")),
    ("fma", "fhb", ("=", "=", "=")),
    ("min max", "hb", ("=", "=")),
    ("add sub", "f", ("hb", "f")),
    ("add sub mul", "hb", ("f", "f")),
    ("mul", "hb", ("=", "!")),
    ("fma", "f", ("hb", "f", "f")),
    ("add sub", "54", ("542u", "=")),
    ("mul", "54", ("542u", "542u")),
    ("fma", "54", ("542u", "542u", "=")),
)
"""Operations, result and operands; = is the result's type, ! the other 16-bit one."""


def verify_packed(kind: str, operands: Sequence[Attribute], result: Attribute) -> None:
    """Check the types of `ttng.packed_arith`."""
    if _element(result) in (None, _FP4):
        raise VerifyException(
            "result #0 must be ranked tensor of packed arithmetic result element values, "
            f"but got '{result}'"
        )
    for index, operand in enumerate(operands):
        if _element(operand) is None:
            raise VerifyException(
                f"operand #{index} must be variadic of ranked tensor of packed arithmetic "
                f"operand element values, but got '{operand}'"
            )
    assert is_tensor(result)
    if not isinstance(result.encoding, DistributedEncoding):
        raise VerifyException("requires a distributed tensor layout")
    _verify_signature(kind, operands, result)
    axis = _fp4_axis(operands, result)
    elements = [_element(operand) for operand in operands]
    if axis is None and _FP4 in elements:
        raise VerifyException(
            "requires every fp4 operand to have the result shape with the same single "
            "dimension halved"
        )
    _verify_lanes(result)
    for index, (operand, element) in enumerate(zip(operands, elements, strict=True)):
        _verify_operand(index, operand, element is _FP4, result, axis)


def _element(type: Any) -> _Element | None:
    return _ELEMENTS.get(str(type.element_type)) if is_tensor(type) else None


def _verify_signature(kind: str, operands: Sequence[Attribute], result: Attribute) -> None:
    target = _element(result)
    found = [_element(operand) for operand in operands]
    assert target is not None

    def fits(letters: str, element: _Element | None) -> bool:
        assert element is not None
        if letters == "=":
            return element == target
        if letters == "!":
            return element != target and element.letter in "hb"
        return element.letter in letters

    for operations, results, wanted in _SIGNATURES:
        if kind not in operations.split() or target.letter not in results:
            continue
        if len(wanted) == len(found) and all(map(fits, wanted, found)):
            return
    listed = ", ".join(element.suffix for element in found if element is not None)
    raise VerifyException(f"unsupported {kind} signature {target.suffix} <- ({listed})")


def _fp4_axis(operands: Sequence[Attribute], result: TensorType[Any]) -> int | None:
    """Return the dimension that packed operands have half of, if they agree."""
    shape = result.get_shape()
    axes: set[int | None] = set()
    for operand in operands:
        assert is_tensor(operand)
        if operand.element_type != IntegerType(8):
            continue
        own = operand.get_shape()
        differing = [d for d, (a, b) in enumerate(zip(own, shape, strict=False)) if a != b]
        single = len(own) == len(shape) and len(differing) == 1
        halved = single and 2 * own[differing[0]] == shape[differing[0]]
        axes.add(differing[0] if halved else None)
    return axes.pop() if len(axes) == 1 else None


def _verify_lanes(result: TensorType[Any]) -> None:
    element = _element(result)
    assert element is not None
    count = linear_layouts().unique_elements_per_thread(result)
    if count is not None and (count < element.lanes or count % element.lanes):
        raise VerifyException(
            f"result layout must provide a multiple of {element.lanes} unique elements per thread"
        )


def _verify_operand(
    index: int, operand: Any, packed: bool, result: TensorType[Any], axis: int | None
) -> None:
    if packed:
        assert axis is not None
        wanted = inference().packed_encoding(result.encoding, result.get_shape(), axis)
        if not _is_equivalent(wanted, operand.encoding, operand.get_shape()):
            raise VerifyException(
                f"fp4 operand {index} must have a layout compatible with the result"
            )
        return
    if operand.get_shape() != result.get_shape():
        shapes = [", ".join(map(str, t.get_shape())) for t in (result, operand)]
        raise VerifyException(
            f"operand {index} must have the result shape {shapes[0]}, but got {shapes[1]}"
        )
    if not _is_equivalent(result.encoding, operand.encoding, result.get_shape()):
        raise VerifyException(f"operand {index} must have a layout equivalent to the result")


def _is_equivalent(wanted: Attribute | None, given: Attribute, shape: tuple[int, ...]) -> bool:
    return isinstance(wanted, LayoutEncoding) and wanted.is_equivalent(given, shape)
