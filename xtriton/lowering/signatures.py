"""The types that functions take and return."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Operation

from xtriton.ir.noted_edits import set_property


def set_signature(
    function: Operation, inputs: Sequence[Attribute], outputs: Sequence[Attribute] | None = None
) -> None:
    """Let a function take `inputs` and return `outputs`, or what it returned before."""
    kind: Any = function.properties["function_type"]
    before, after = kind.inputs.data, kind.outputs.data
    results = after if outputs is None else tuple(outputs)
    if before != tuple(inputs) or after != results:
        set_property(function, "function_type", FunctionType.from_lists(inputs, results))
