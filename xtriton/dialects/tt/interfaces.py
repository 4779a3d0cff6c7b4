"""
What ops of the `tt` dialect ask of the layouts on their tensors.

Shape-changing ops say which layout the result must have; the layouts live in other
dialects (`ttg`, `ttig`), so the question goes through this interface. A layout that does
not implement it is not checked. Upstream: `DialectInferLayoutInterface`.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation


class TensorLayout:
    """
    Mixin of attributes that are encodings of tensors.

    Each `infer_...` method returns the encoding on the other side of a shape change that
    moves no data between threads, and raises `VerifyException` where there is none.
    """

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        """Return the encoding of the transpose of a tensor of `shape`."""
        raise NotImplementedError

    def infer_reduce(self, axis: int) -> Attribute:
        """Return the encoding that is left when dimension `axis` is reduced away."""
        raise NotImplementedError

    def infer_expand_dims(self, axis: int) -> Attribute:
        """Return the encoding with a dimension of size 1 inserted at `axis`."""
        raise NotImplementedError

    def infer_reshape(
        self, source: Sequence[int], target: Sequence[int], allow_reorder: bool
    ) -> Attribute:
        """Return the encoding of a tensor of shape `source` seen as `target`."""
        raise NotImplementedError

    def infer_join(self, shape: Sequence[int]) -> Attribute:
        """Return the default encoding of two joined tensors of `shape`."""
        raise NotImplementedError

    def infer_split(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding of the halves of a tensor of `shape`."""
        raise NotImplementedError

    def is_equivalent(
        self, other: Attribute, shape: Sequence[int], ignore_broadcast: bool = False
    ) -> bool:
        """
        Whether both put the same elements of a tensor of `shape` into the same registers.

        With `ignore_broadcast`, copies of an element within a thread do not count.
        """
        return other == self  # pyright: ignore[reportUnnecessaryComparison]

    def is_cheap_view(self, source: Sequence[int], other: Attribute, target: Sequence[int]) -> bool:
        """
        Whether a tensor of shape `source` may be seen as `target` with encoding `other`.

        Elements may be reordered, but no thread gets others.
        """
        return True

    def verify_dot_operands(self, a: Attribute, b: Attribute, op: Operation) -> None:
        """Check the encodings of the operands of a `tt.dot` that returns this one."""

    def verify_tensor(self, type: TensorType, op: Operation) -> None:
        """Check that a tensor used by `op` can have this encoding."""
