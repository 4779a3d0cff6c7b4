"""
Compute with a wider float type where the machine has no arithmetic for the narrow one.

Before:

    %0 = arith.mulf %a, %b : tensor<64xbf16>

After:

    %1 = arith.extf %a fastmath<contract> : tensor<64xbf16> to tensor<64xf32>
    %2 = arith.extf %b fastmath<contract> : tensor<64xbf16> to tensor<64xf32>
    %3 = arith.mulf %1, %2 : tensor<64xf32>
    %0 = arith.truncf %3 fastmath<contract> : tensor<64xf32> to tensor<64xbf16>

Casts, bit casts and constants stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    ModuleOp,
    TensorType,
    VectorType,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream.arith import ExtFOp, FastMathFlagsAttr, TruncFOp
from xtriton.dialects.utils.tensors import is_tensor, is_vector
from xtriton.errors import PassFailure
from xtriton.ir.listings import nested_ops

_TYPES: dict[str, AnyFloat] = {
    "bf16": BFloat16Type(),
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
}

_KEPT = frozenset(("arith.bitcast", "arith.constant", "arith.extf", "arith.select", "arith.truncf"))

_CONTRACT = FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])


@dataclass(frozen=True)
class ArithEmulateUnsupportedFloatsPass(ModulePass):
    """Do arithmetic of `source-types` in `target-type`."""

    name = "arith-emulate-unsupported-floats"

    source_types: tuple[str, ...] = ()
    target_type: str = "f32"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sources = frozenset(map(_float_type, self.source_types))
        _Emulation(sources, _float_type(self.target_type)).run(op)


def _float_type(name: str) -> AnyFloat:
    found = _TYPES.get(name)
    if found is None:
        raise PassFailure(f"'{name}' is not one of the float types {', '.join(_TYPES)}")
    return found


@dataclass
class _Emulation:
    sources: frozenset[Attribute]
    target: AnyFloat
    wide: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Values that exist in the wider type."""

    def run(self, root: Operation) -> None:
        for op in nested_ops(root):
            if op.name.startswith("arith.") and op.name not in _KEPT and not op.regions:
                self.widen(op)

    def wider(self, type: Attribute) -> Attribute:
        """Return the type to compute with; `type` itself where that will do."""
        if _element_of(type) not in self.sources:
            return type
        if is_tensor(type):
            return TensorType(self.wider(type.element_type), type.shape, type.encoding)
        if is_vector(type):
            return VectorType(self.wider(type.element_type), type.shape, type.scalable_dims)
        return self.target

    def widen(self, op: Operation) -> None:
        """Compute an op in the wider type."""
        if not any(_element_of(v.type) in self.sources for v in (*op._operands, *op.results)):
            return
        types = [self.wider(result.type) for result in op.results]
        narrow = [o for o in op.operands if _element_of(o.type) in self.sources]
        operands = [self.extended(o) if o in narrow else o for o in op.operands]
        new = type(op).create(
            operands=operands,
            result_types=types,
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        new.location = op.location
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        results: list[SSAValue] = []
        for old, result in zip(op.results, new.results, strict=True):
            results.append(self.truncated(result, old.type, op))
        for old, result in zip(op.results, results, strict=True):
            old.replace_all_uses_with(result)
        op.detach()
        op.erase()

    def extended(self, value: SSAValue) -> SSAValue:
        """Return a value in the wider type, extended right after its definition."""
        found = self.wide.get(value)
        if found is None:
            op = ExtFOp.create(
                operands=[value],
                result_types=[self.wider(value.type)],
                properties={"fastmath": _CONTRACT},
            )
            _insert_after(op, value)
            found = self.wide[value] = op.results[0]
        return found

    def truncated(self, value: SSAValue, type: Attribute, near: Operation) -> SSAValue:
        """Return a value in its type of old."""
        if value.type == type:
            return value
        op = TruncFOp.create(
            operands=[value], result_types=[type], properties={"fastmath": _CONTRACT}
        )
        op.location = near.location
        assert near.parent is not None
        near.parent.insert_op_before(op, near)
        return op.results[0]


def _element_of(type: Attribute) -> Attribute:
    return type.element_type if is_tensor(type) or is_vector(type) else type


def _insert_after(op: Operation, value: SSAValue) -> None:
    if isinstance(value, OpResult):
        block: Block | None = value.op.parent
        assert block is not None
        op.location = value.op.location
        block.insert_op_after(op, value.op)
        return
    assert isinstance(value, BlockArgument)
    first = value.block.first_op
    assert first is not None
    value.block.insert_op_before(op, first)
