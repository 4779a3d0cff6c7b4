"""
Ops that change a tensor's shape and move no data between elements.

Upstream: "Shape Manipulation Ops" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, NoneAttr, TensorType, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    TRUE,
    I32Array,
    I32Value,
    TT_Tensor,
    TT_Type,
    bool_attr,
    i32_attr,
)
from xtriton.dialects.tt.hooks import Canonicalizes, Folds
from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.tt.shape_inference import (
    expanded_type,
    reshaped_type,
    tensor_type,
    transposed_type,
    verify_reshape_encoding,
)
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    SameOperandsAndResultElementType,
    SameOperandsAndResultEncoding,
    SourceAndResultEncoding,
)
from xtriton.dialects.utils.constants import (
    constant_attribute,
    reshaped_constant,
    splat_constant,
)
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax, TypeRule
from xtriton.ir.versions import Version

_SYNTAX = "$src attr-dict `:` type($src) `->` type($result)"
_PATTERNS = "xtriton.transforms.cleanup.canonicalization.tt:"

LAST_VERSION_OF_TRANSPOSED_BUFFERS: Version = (3, 2)
"""Up to here `tt.trans` takes a buffer of shared memory as well."""


@irdl_op_definition
class SplatOp(IRDLOperation):
    """
    A tensor full of one scalar.

    Upstream `TT_SplatOp`.

    ```mlir
    %t = tt.splat %x : f32 -> tensor<8x4xf32>
    ```
    """

    name = "tt.splat"

    src = operand_def(TT_Type)
    result = result_def(TT_Tensor)

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultElementType(),
        SameOperandsAndResultEncoding(),
        Folds(),
    )
    SYNTAX: ClassVar = Syntax(_SYNTAX)

    def __init__(
        self,
        src: SSAValue | Operation,
        shape: Sequence[int],
        encoding: Attribute | None = None,
    ):
        src = SSAValue.get(src)
        encodings = () if encoding is None else (encoding,)
        super().__init__(operands=[src], result_types=[TensorType(src.type, shape, *encodings)])

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A splat of a constant is a constant."""
        return splat_constant(constant_attribute(self.src), self.result.type)


@irdl_op_definition
class UnsplatOp(IRDLOperation):
    """
    The only element of a tensor, as a scalar.

    Upstream `TT_UnsplatOp`, since Triton 3.5.

    ```mlir
    %x = tt.unsplat %t : tensor<1xf32>
    ```
    """

    name = "tt.unsplat"

    src = operand_def(TT_Tensor)
    result = result_def(TT_Type)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($src)", since=(3, 5))
    TYPES: ClassVar = (TypeRule("result", "src", lambda t: tensor_type(t).element_type),)

    def __init__(self, src: SSAValue | Operation):
        src = SSAValue.get(src)
        super().__init__(operands=[src], result_types=[tensor_type(src.type).element_type])

    def verify_(self) -> None:
        if any(dim != 1 for dim in tensor_type(self.src.type).get_shape()):
            raise VerifyException("source tensor must have exactly one element")


@irdl_op_definition
class ExpandDimsOp(IRDLOperation):
    """
    Insert a dimension of size 1 at `axis`.

    Upstream `TT_ExpandDimsOp`.

    ```mlir
    %r = tt.expand_dims %t {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    ```
    """

    name = "tt.expand_dims"

    src = operand_def(TT_Tensor)
    axis = prop_def(I32Value)
    result = result_def(TT_Tensor)

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultElementType(),
        Folds(),
        Canonicalizes(_PATTERNS + "EXPAND_DIMS_PATTERNS"),
    )
    SYNTAX: ClassVar = Syntax(_SYNTAX)

    def __init__(self, src: SSAValue | Operation, axis: int):
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[expanded_type(src.type, axis)],
            properties={"axis": i32_attr(axis)},
        )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The expansion of a constant is a constant."""
        return reshaped_constant(constant_attribute(self.src), self.result.type)

    def verify_(self) -> None:
        inferred = expanded_type(self.src.type, self.axis.value.data)
        if inferred.get_shape() != tensor_type(self.result.type).get_shape():
            raise VerifyException(
                f"inferred type(s) '{inferred}' are incompatible with return type(s) of "
                f"operation '{self.result.type}'"
            )
        if inferred.encoding != tensor_type(self.result.type).encoding:
            check_inferred_encoding(self.result.type, inferred)


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    See a tensor in another shape of as many elements.

    With `allow_reorder` the order of the elements may change; `efficient_layout` asks to
    keep the layout of the result. Upstream `TT_ReshapeOp`.

    ```mlir
    %r = tt.reshape %t allow_reorder : tensor<8x4xf32> -> tensor<32xf32>
    ```
    """

    name = "tt.reshape"

    src = operand_def(TT_Tensor)
    allow_reorder = opt_prop_def(UnitAttr)
    efficient_layout = opt_prop_def(UnitAttr)
    result = result_def(TT_Tensor)

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultElementType(),
        Folds(),
        Canonicalizes(_PATTERNS + "RESHAPE_PATTERNS"),
    )
    SYNTAX: ClassVar = Syntax(
        "$src (`allow_reorder` $allow_reorder^)? "
        "(`efficient_layout` $efficient_layout^)? "
        "attr-dict `:` type($src) `->` type($result)",
        older=(((3, 1), _SYNTAX),),
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        shape: Sequence[int],
        *,
        allow_reorder: bool = False,
        efficient_layout: bool = False,
    ):
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[reshaped_type(src.type, shape, allow_reorder)],
            properties={
                "allow_reorder": UnitAttr() if allow_reorder else None,
                "efficient_layout": UnitAttr() if efficient_layout else None,
            },
        )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A reshape to the same type is its operand, one of a constant a constant."""
        if self.src.type == self.result.type and self.allow_reorder is None:
            return (self.src,)
        return reshaped_constant(constant_attribute(self.src), self.result.type)

    def encode_attributes(self, version: tuple[int, int]) -> dict[str, Attribute]:
        """Return the attributes as `version` writes them: 3.1 has `allow_reorder` as a bool."""
        encoded = self.properties | self.attributes
        if version <= (3, 1):
            encoded["allow_reorder"] = bool_attr(self.allow_reorder is not None)
        return encoded

    @classmethod
    def decode_attributes(cls, attributes: dict[str, Attribute]) -> dict[str, Attribute]:
        """Return attributes of any release as we keep them."""
        reorder = attributes.get("allow_reorder")
        if reorder is None or isinstance(reorder, UnitAttr):
            return attributes
        decoded = {k: v for k, v in attributes.items() if k != "allow_reorder"}
        if reorder == TRUE:
            decoded["allow_reorder"] = UnitAttr()
        return decoded

    def verify_(self) -> None:
        source, target = tensor_type(self.src.type), tensor_type(self.result.type)
        if source.element_count() != target.element_count():
            raise VerifyException("number of src and dst elements of reshape must be the same")
        verify_reshape_encoding(source, target, self.allow_reorder is not None)


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """
    Repeat a tensor along its dimensions of size 1.

    Upstream `TT_BroadcastOp`.

    ```mlir
    %r = tt.broadcast %t : tensor<8x1xf32> -> tensor<8x4xf32>
    ```
    """

    name = "tt.broadcast"

    src = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultElementType(),
        SourceAndResultEncoding(),
        Folds(),
        Canonicalizes(_PATTERNS + "BROADCAST_PATTERNS"),
    )
    SYNTAX: ClassVar = Syntax(_SYNTAX)

    def __init__(self, src: SSAValue | Operation, shape: Sequence[int]):
        src = SSAValue.get(src)
        source = tensor_type(src.type)
        super().__init__(
            operands=[src],
            result_types=[TensorType(source.element_type, shape, source.encoding)],
        )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A broadcast to the same type is its operand, one of a splat a splat."""
        if self.src.type == self.result.type:
            return (self.src,)
        return splat_constant(constant_attribute(self.src), self.result.type)

    def verify_(self) -> None:
        source = tensor_type(self.src.type).get_shape()
        target = tensor_type(self.result.type).get_shape()
        if len(source) != len(target):
            raise VerifyException("rank of source must be same as rank of result")
        for i, (old, new) in enumerate(zip(source, target, strict=True)):
            if old not in (1, new):
                raise VerifyException(
                    f"Different dimensions at index {i} between source and result.  "
                    "Broadcast requires the source dimension to be 1."
                )


@irdl_op_definition
class TransOp(IRDLOperation):
    """
    Permute the dimensions: dimension `i` of the result is `order[i]` of the operand.

    The layout of the result is such that no data moves between threads.
    Upstream `TT_TransOp`.

    ```mlir
    %r = tt.trans %t {order = array<i32: 1, 0>} : tensor<8x4xf32> -> tensor<4x8xf32>
    ```
    """

    name = "tt.trans"

    # Up to Triton 3.1 also of `!ttg.memdesc`.
    src = operand_def()
    order = prop_def(I32Array)
    result = result_def()

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultElementType(),
        Folds(),
        Canonicalizes(_PATTERNS + "TRANS_PATTERNS"),
    )
    SYNTAX: ClassVar = Syntax(_SYNTAX)

    def __init__(self, src: SSAValue | Operation, order: Sequence[int]):
        src = SSAValue.get(src)
        super().__init__(
            operands=[src],
            result_types=[transposed_type(src.type, order)],
            properties={"order": DenseArrayBase.from_list(i32, order)},
        )

    def text_name(self, version: Version) -> str:
        """Return the name in `version`; that of a buffer's transpose is another since 3.3."""
        old = is_tensor(self.src.type) or version <= LAST_VERSION_OF_TRANSPOSED_BUFFERS
        return self.name if old else "ttg.memdesc_trans"

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The identity is its operand, the transpose of a splat a splat."""
        order = self.order.get_values()
        if list(order) == sorted(order) and self.src.type == self.result.type:
            return (self.src,)
        return splat_constant(constant_attribute(self.src), self.result.type)

    def verify_(self) -> None:
        source, target = self.src.type, self.result.type
        if not is_tensor(source) or not is_tensor(target):
            return
        order = self.order.get_values()
        if len(order) != source.get_num_dims():
            raise VerifyException("order must have the same size as the source tensor")
        if sorted(order) != list(range(len(order))):
            raise VerifyException("order must be a permutation of 0..n-1")
        shape = source.get_shape()
        if tuple(shape[dim] for dim in order) != target.get_shape():
            raise VerifyException("result shape must match the permutation of the source shape")
        check_inferred_encoding(target, transposed_type(source, order))


def check_inferred_encoding(
    actual: Attribute, inferred: TensorType, ignore_broadcast: bool = False
) -> None:
    """Check that a result has the encoding inferred for it, or an equivalent one."""
    given, expected = tensor_type(actual).encoding, inferred.encoding
    if given == expected:
        return
    if isinstance(given, NoneAttr) == isinstance(expected, NoneAttr):
        if not isinstance(expected, TensorLayout):
            return
        if expected.is_equivalent(given, inferred.get_shape(), ignore_broadcast):
            return
    raise VerifyException(
        f"inferred type(s) '{inferred}' are incompatible with return type(s) of "
        f"operation '{actual}'"
    )
