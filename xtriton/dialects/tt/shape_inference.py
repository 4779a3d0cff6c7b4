"""
Result types of ops that change shapes, encodings included.

An encoding that does not implement `TensorLayout` is dropped: nothing is known about it.
Each function raises `VerifyException` where the operand's type does not fit.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.versions import Version, release

_LAST_RELEASE_OF_ANY_VIEW: Version = (3, 7)
"""Up to here a reshape that may reorder may give threads other elements."""

_LAST_RELEASE_OF_COUNTED_COPIES: Version = (3, 8)


def tensor_type(type: Attribute) -> TensorType[Attribute]:
    """Return `type`, which must be a ranked tensor."""
    if not is_tensor(type):
        raise VerifyException(f"expected a ranked tensor, got '{type}'")
    return type


def expanded_type(source: Attribute, axis: int) -> TensorType[Attribute]:
    """Return the type with a dimension of size 1 inserted at `axis`."""
    type = tensor_type(source)
    shape = list(type.get_shape())
    if not 0 <= axis <= len(shape):
        raise VerifyException(f"axis {axis} is out of bounds for rank {len(shape)}")
    shape.insert(axis, 1)
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_expand_dims(axis)
    return TensorType(type.element_type, shape, encoding)


def reduced_type(source: Attribute, axis: int) -> Attribute:
    """Return the type with dimension `axis` reduced away; a scalar where none is left."""
    type = tensor_type(source)
    shape = list(type.get_shape())
    if not 0 <= axis < len(shape):
        raise VerifyException(f"axis out of bounds for operand rank {len(shape)}")
    del shape[axis]
    if not shape:
        return type.element_type
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_reduce(axis)
    return TensorType(type.element_type, shape, encoding)


def reshaped_type(
    source: Attribute, shape: Sequence[int], allow_reorder: bool
) -> TensorType[Attribute]:
    """Return the type of the reshape of a tensor to `shape`."""
    type = tensor_type(source)
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_reshape(type.get_shape(), shape, allow_reorder)
    return TensorType(type.element_type, shape, encoding)


def transposed_type(source: Attribute, order: Sequence[int]) -> TensorType[Attribute]:
    """Return the type of the transpose: dimension `i` is `order[i]` of the source."""
    type = tensor_type(source)
    shape = type.get_shape()
    if sorted(order) != list(range(len(shape))):
        raise VerifyException("order must be a permutation of 0..n-1")
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_trans(shape, order)
    return TensorType(type.element_type, [shape[dim] for dim in order], encoding)


def joined_type(source: Attribute) -> TensorType[Attribute]:
    """Return the type of two tensors joined along a new, last dimension."""
    type = tensor_type(source)
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_join(type.get_shape())
    return TensorType(type.element_type, [*type.get_shape(), 2], encoding)


def split_type(source: Attribute) -> TensorType[Attribute]:
    """Return the type of the halves of a tensor whose last dimension has size 2."""
    type = tensor_type(source)
    shape = type.get_shape()
    if not shape or shape[-1] != 2:
        raise VerifyException("last dimension of input tensor must be 2")
    encoding = type.encoding
    if isinstance(encoding, TensorLayout):
        encoding = encoding.infer_split(shape)
    return TensorType(type.element_type, shape[:-1], encoding)


def verify_reshape_encoding(source: TensorType, target: TensorType, allow_reorder: bool) -> None:
    """Check the encodings on both sides of a `tt.reshape`."""
    given, wanted = source.encoding, target.encoding
    if isinstance(given, NoneAttr) != isinstance(wanted, NoneAttr):
        raise VerifyException(
            "Op requires that either (a) src and dst both have encodings, or (b) neither does."
        )
    if not isinstance(given, TensorLayout):
        return
    shape = target.get_shape()
    if allow_reorder and (
        release() <= _LAST_RELEASE_OF_ANY_VIEW
        or given.is_cheap_view(source.get_shape(), wanted, shape)
    ):
        return
    inferred = given.infer_reshape(source.get_shape(), shape, allow_reorder)
    if not isinstance(inferred, TensorLayout) or inferred.is_equivalent(wanted, shape):
        return
    raise VerifyException(f"Expected result encoding {inferred} but was {wanted}")


def copies_do_not_count() -> bool:
    """Return whether joins and splits may leave out, or add, registers that hold copies."""
    return release() > _LAST_RELEASE_OF_COUNTED_COPIES


def verify_join_encoding(source: TensorType, target: TensorType) -> None:
    """
    Check the encodings of a `tt.join`.

    Several encodings of the result fit one of the operands, but each encoding of the result
    fits only one of the operands, so the check goes backwards.
    """
    if isinstance(target.encoding, NoneAttr):
        if not isinstance(source.encoding, NoneAttr):
            raise VerifyException("result encoding must be specified")
        return
    if not isinstance(target.encoding, TensorLayout):
        return
    inferred = target.encoding.infer_split(target.get_shape())
    if not isinstance(inferred, TensorLayout):
        return
    shape = source.get_shape()
    if not inferred.is_equivalent(source.encoding, shape, copies_do_not_count()):
        raise VerifyException("incompatible join layout")
