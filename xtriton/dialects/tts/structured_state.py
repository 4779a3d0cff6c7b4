"""
The structured form of a pointer or an offset, while it is not known yet.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    IndexType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    is_int,
)
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.pointers import TTS_StateInput
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import same_type


def _state_names(op: Operation) -> Sequence[tuple[int, str]]:
    """Return where each group of results begins and what it is called."""
    assert isinstance(op, GetStructuredStateOp)
    groups = [(0, "structured")]
    if op.offsets:
        groups.append((1, "offsets"))
    if op.strides:
        groups.append((1 + len(op.offsets), "strides"))
    return groups


@irdl_op_definition
class GetStructuredStateOp(IRDLOperation):
    """
    The offsets and strides that pointer analysis will find for a value.

    A placeholder, so that loops carry offsets and strides before they are known.
    Upstream `TTS_GetStructuredStateOp`.

    ```mlir
    %q, %o, %s = "tts.get_structured_state"(%p) <{resultSegmentSizes = array<i32: 1, 1, 1>}>
        : (tensor<64x!tt.ptr<f32>>) -> (tensor<64x!tt.ptr<f32>>, index, index)
    ```

    Shapes: an offset and a stride for each dimension; one offset for a scalar pointer.
    """

    name = "tts.get_structured_state"

    input = operand_def(TTS_StateInput)
    structured = result_def(TTS_StateInput)
    offsets = var_result_def(IndexType())
    strides = var_result_def(IndexType())

    irdl_options = (AttrSizedResultSegments(as_property=True),)
    traits = traits_def(Pure())
    TYPES: ClassVar = same_type("input", "structured")
    RESULT_NAMES: ClassVar = staticmethod(_state_names)

    def __init__(self, input: SSAValue | Operation):
        input = SSAValue.get(input)
        offsets, strides = structured_state_sizes(input.type)
        super().__init__(
            operands=[input],
            result_types=[
                input.type,
                [IndexType()] * offsets,
                [IndexType()] * strides,
            ],
        )

    def verify_(self) -> None:
        expected = structured_state_sizes(self.input.type)
        if (len(self.offsets), len(self.strides)) != expected:
            raise VerifyException(
                f"'{self.input.type}' has {expected[0]} offsets and {expected[1]} strides, "
                f"but the results are {len(self.offsets)} and {len(self.strides)}"
            )


def structured_state_sizes(type: Attribute) -> tuple[int, int]:
    """Return how many offsets and strides describe a value of `type`."""
    if isinstance(type, PtrType):
        if is_tensor(type.pointee_type):
            rank = type.pointee_type.get_num_dims()
            return rank, rank
        return 1, 0
    if is_tensor(type) and (
        isinstance(type.element_type, (PtrType, IndexType)) or is_int(type.element_type)
    ):
        return type.get_num_dims(), type.get_num_dims()
    raise VerifyException(f"'{type}' has no structured state")
