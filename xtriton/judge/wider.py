"""
A kernel in wider floats: f64 wherever it has f32, or f16 and bf16 too.

Two kernels that add up the same numbers in different orders, or that round the operands of
a product differently, differ by what rounding makes of that: little beside the summands, but
as much as one likes beside a sum that cancels, such as a variance near zero. In wider floats
the same kernels differ by nothing that a tolerance of f32 would see, and kernels that do
compute something else differ as before. So this decides what a tolerance cannot.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from xtriton.ir import dense
from xtriton.ir.versions import copied

OpT = TypeVar("OpT", bound=Operation)

NARROW = (f16, bf16, f32)
BITCASTS = frozenset(("arith.bitcast", "tt.bitcast"))
CONVERSIONS = frozenset(("arith.extf", "arith.truncf", "tt.fp_to_fp"))


def in_wider_floats(module: OpT, narrow: Collection[Attribute] = NARROW) -> OpT | None:
    """Return a copy of `module` with f64 for `narrow` ones; None if it looks at bits of one."""
    widening = _Widening(narrow)
    if any(op.name in BITCASTS and widening.looks_at_bits(op) for op in module.walk()):
        return None
    copy = copied(module)
    for op in list(copy.walk()):
        widening.widen(op)
        if op.name in CONVERSIONS and op.operands[0].type == op.results[0].type:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.detach()
            op.erase()
    return copy


@dataclass(frozen=True)
class _Widening:
    """Puts f64 in the place of some types of floats."""

    narrow: Collection[Attribute]

    def looks_at_bits(self, op: Operation) -> bool:
        before, after = op.operands[0].type, op.results[0].type
        return self.wider(before) != before or self.wider(after) != after

    def widen(self, op: Operation) -> None:
        values: list[Any] = list(op.results)
        for region in op.regions:
            for block in region.blocks:
                values += block.args
        for value in values:
            value._type = self.wider(value.type)
        for attributes in (op.properties, op.attributes):
            for name, attribute in attributes.items():
                attributes[name] = self.wider(attribute)

    def wider(self, attribute: Any) -> Any:
        """Return a type or attribute with f64 for the narrower floats."""
        if attribute in self.narrow:
            return f64
        kind: Any = type(attribute)  # pyright: ignore[reportUnknownVariableType]
        if kind is FloatAttr:
            is_narrow = attribute.type in self.narrow
            return FloatAttr(attribute.value.data, f64) if is_narrow else attribute
        if kind is DenseIntOrFPElementsAttr:
            tensor = self.wider(attribute.type)
            if tensor == attribute.type:
                return attribute
            if dense.is_splat(attribute):
                return dense.splat(tensor, dense.splat_value(attribute))
            return dense.dense(tensor, dense.values(attribute))
        if isinstance(attribute, ArrayAttr):
            return ArrayAttr([self.wider(one) for one in attribute.data])  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(attribute, DictionaryAttr):
            return DictionaryAttr({name: self.wider(one) for name, one in attribute.data.items()})
        if isinstance(attribute, ParametrizedAttribute):
            return self._rebuilt(attribute)
        return attribute

    def _rebuilt(self, attribute: ParametrizedAttribute) -> Attribute:
        parameters = attribute.parameters
        new = [self.wider(parameter) for parameter in parameters]
        if all(a is b or a == b for a, b in zip(new, parameters, strict=True)):
            return attribute
        return type(attribute).new(new)
