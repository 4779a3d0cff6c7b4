"""
Slips in what passes make of accesses: blocks, descriptors, views of memory and of tensors.

Layouts are not among them: they do not change values, and one that does not fit its uses is
found by the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation

from measurements.mutation.editing import Edit, build, constant, operand, width

FORMS = ("", "triton-to-structured", "convert-triton-to-tritongpu{target=cuda:90 num-warps=4}")
"""Pipelines whose results slips are made in; the first is what the front end writes."""

AFTER = " after "
"""Stands between the name of a kernel and its form."""

PLACES = frozenset(
    ("tt.make_tensor_ptr", "tt.advance", "tt.make_tensor_descriptor", "tt.descriptor_load",
     "tt.descriptor_store", "tts.make_tptr", "tts.make_gather_scatter_tptr", "tts.load",
     "tts.store", "memref.reinterpret_cast", "memref.subview", "tensor.extract_slice",
     "tensor.insert_slice", "ttg.memdesc_index", "ttg.memdesc_subslice")
)  # fmt: skip
"""Ops that take sizes, strides and offsets one by one."""

_DYNAMIC = -(1 << 63)
"""Stands in a list for a number that is an operand."""


def places(op: Operation) -> Iterator[Edit]:
    """Swap two neighbouring numbers of a place or a shape, or take one that is off by one."""
    if op.name not in PLACES:
        return
    numbers = [k for k, value in enumerate(op.operands) if width(value.type) > 8]
    for i, j in pairwise(numbers):
        a, b = op.operands[i], op.operands[j]
        if j == i + 1 and a is not b and a.type == b.type:
            yield Edit(
                "place swapped", f"{op.name}, operands {i} and {j}", partial(_swap, op, i, j)
            )
    for k in numbers:
        yield Edit("place off by one", f"{op.name}, operand {k}", partial(_more, op, k))
    for name, listed in op.properties.items():
        if not isinstance(listed, DenseArrayBase) or "egment" in name or name == "boundaryCheck":
            continue
        values = [int(v) for v in listed.get_values()]
        for k, value in enumerate(values):
            if value != _DYNAMIC and name != "order":
                changed = [*values[:k], value + 1, *values[k + 1 :]]
                edit = partial(_set_list, op, name, changed)
                yield Edit("place off by one", f"{op.name}, {name} {k}", edit)
        if len(set(values)) > 1:
            edit = partial(_set_list, op, name, values[::-1])
            yield Edit("place swapped", f"{op.name}, {name}", edit)


def _swap(op: Operation, i: int, j: int) -> None:
    op.operands[i], op.operands[j] = op.operands[j], op.operands[i]


def _more(op: Operation, k: int) -> None:
    value = op.operands[k]
    one = constant(value.type, 1)
    operand(op, k, one, build("arith.addi", [value, one.results[0]], value.type))


def _set_list(op: Operation, name: str, values: list[int]) -> None:
    listed: Any = op.properties[name]
    op.properties[name] = DenseArrayBase.from_list(listed.elt_type, values)


SLIPS = (places,)
