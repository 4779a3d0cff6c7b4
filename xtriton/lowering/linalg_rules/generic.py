"""Building `linalg.generic`: identity maps, splats folded into the body."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerType,
    TensorType,
)
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineMap

from xtriton.dialects import tt
from xtriton.dialects.upstream import linalg, tensor
from xtriton.lowering.attributes import array_attr
from xtriton.lowering.builder import Builder, constant_scalar

Body = Callable[[Builder, Sequence[SSAValue]], Sequence[SSAValue] | None]
"""Makes the results of one element; None if it cannot."""


def is_tensor(value: SSAValue) -> bool:
    """Return whether a value is a ranked tensor."""
    # TensorType has no subclasses; isinstance would go through its abstract base.
    return type(value._type) is TensorType


def element_type(kind: Any) -> Any:
    """Return the element type of a tensor, a scalar type itself."""
    return kind.element_type if type(kind) is TensorType else kind


def holds_pointers(kind: Any) -> bool:
    """Return whether a type is a tensor of pointers."""
    return type(kind) is TensorType and type(kind.element_type) is tt.PtrType


def splat_scalar(value: SSAValue, builder: Builder) -> SSAValue | None:
    """Return the scalar that `value` repeats, None if it is no splat."""
    if not is_tensor(value):
        return value
    owner = value.owner
    if isinstance(owner, tt.SplatOp):
        return owner.operands[0]
    attribute = constant_scalar(value)
    return builder.constant(attribute) if attribute is not None else None


@cache
def identity_map(rank: int) -> AffineMapAttr:
    return AffineMapAttr(AffineMap.identity(rank))


@cache
def iterators(*kinds: str) -> ArrayAttr:
    """Return `["parallel", ...]`; each of `kinds` is "parallel" or "reduction"."""
    return ArrayAttr([linalg.IteratorTypeAttr(linalg.IteratorType(kind)) for kind in kinds])


@cache
def segments(*sizes: int) -> DenseArrayBase:
    return DenseArrayBase.from_list(IntegerType(32), list(sizes))


def generic(
    builder: Builder,
    inputs: Sequence[SSAValue],
    maps: Sequence[AffineMapAttr],
    outs: Sequence[SSAValue],
    kinds: Sequence[str],
    body: Body,
) -> Sequence[SSAValue] | None:
    """
    Insert a `linalg.generic` and return its results.

    `maps` belong to inputs and outs in this order; `body` gets the elements of the inputs,
    then those of the outs. Nothing is inserted, and None returned, if `body` cannot.
    """
    operands = (*inputs, *outs)
    block = Block(arg_types=[element_type(value._type) for value in operands])
    inner = builder.inside(block)
    results = body(inner, block._args)
    if results is None:
        return None
    inner.make(linalg.YieldOp, results)
    op = builder.make(
        linalg.GenericOp,
        operands,
        [value._type for value in outs],
        {
            "indexing_maps": array_attr(tuple(maps)),
            "iterator_types": iterators(*kinds),
            "operandSegmentSizes": segments(len(inputs), len(outs)),
        },
        [Region(block)],
    )
    return op.results


def elementwise(
    builder: Builder, operands: Sequence[SSAValue], result_types: Sequence[Any], body: Body
) -> Sequence[SSAValue] | None:
    """
    Insert a `linalg.generic` that applies `body` to every element.

    Splats among the operands become scalars inside the body, if the builder folds them;
    scalars are left as they are. The result goes where the first operand of its type is, if
    there is one, so that no memory is needed that the operand does not have already.
    """
    fold = builder.shared is None or builder.shared.fold_splats
    inputs: list[SSAValue] = []
    elements: list[SSAValue | int] = []
    """For each operand the scalar that it is, or its place among the inputs."""
    for value in operands:
        scalar = splat_scalar(value, builder) if fold or not is_tensor(value) else None
        if scalar is None and value not in inputs:
            inputs.append(value)
        elements.append(inputs.index(value) if scalar is None else scalar)
    rank = len(result_types[0].shape)
    outs = [
        next((value for value in inputs if value._type == kind), None) or builder.empty(kind)
        for kind in result_types
    ]

    def element(inner: Builder, arguments: Sequence[SSAValue]) -> Sequence[SSAValue] | None:
        return body(inner, [arguments[e] if isinstance(e, int) else e for e in elements])

    maps = [identity_map(rank)] * (len(inputs) + len(outs))
    found = generic(builder, inputs, maps, outs, ["parallel"] * rank, element)
    if found is None:
        _drop(outs)
    return found


def _drop(outs: Sequence[SSAValue]) -> None:
    """Erase empty tensors that were made for nothing."""
    for value in outs:
        owner = value.owner
        if isinstance(owner, tensor.EmptyOp) and value.first_use is None:
            owner.detach()
            owner.erase()
