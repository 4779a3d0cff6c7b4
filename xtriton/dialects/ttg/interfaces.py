"""
What kinds of encodings there are, and what ops on tensors ask of them.

Upstream: `LayoutEncodingTrait`, `DistributedEncodingTrait`, `SharedEncodingTrait`,
`MmaEncodingTrait` of `TritonGPUAttrInterfaces.td` and `TritonGPUInferLayoutInterface` of
`Dialect.cpp`. Other dialects (`ttig`, `ttng`, `gluon`) have encodings of these kinds too.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.ttg.context import launch_context
from xtriton.ir.versions import early_rules


@irdl_attr_definition
class UnknownEncodingAttr(ParametrizedAttribute):
    """An encoding that only the linear form of a layout could tell; never in the IR."""

    name = "ttg.unknown_encoding"


UNKNOWN = UnknownEncodingAttr()


_checked: dict[tuple[int, int], tuple[object, object]] = {}
"""Blocks and tensor types that are known to fit, by identity (and kept alive by it)."""

_CHECKED_LIMIT = 4096


class LayoutEncoding(TensorLayout, Attribute, ABC):
    """Where the elements of a tensor or of a memory descriptor live."""

    @property
    @abstractmethod
    def rank(self) -> int:
        """How many dimensions a tensor of this layout has."""

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        """Return the encoding of the transpose of a tensor of `shape`."""
        return self if list(order) == list(range(len(order))) else UNKNOWN

    def infer_reduce(self, axis: int) -> Attribute:
        """Return the encoding that is left when dimension `axis` is reduced away."""
        return UNKNOWN

    def infer_expand_dims(self, axis: int) -> Attribute:
        """Return the encoding with a dimension of size 1 inserted at `axis`."""
        raise VerifyException("ExpandDimsOp operand encoding must be SliceEncodingAttr")

    def infer_reshape(
        self, source: Sequence[int], target: Sequence[int], allow_reorder: bool
    ) -> Attribute:
        """Return the encoding of a tensor of shape `source` seen as `target`."""
        return self if tuple(source) == tuple(target) else UNKNOWN

    def infer_join(self, shape: Sequence[int]) -> Attribute:
        """Return the default encoding of two joined tensors of `shape`."""
        return UNKNOWN

    def infer_split(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding of the halves of a tensor of `shape`."""
        return UNKNOWN

    def is_equivalent(
        self, other: Attribute, shape: Sequence[int], ignore_broadcast: bool = False
    ) -> bool:
        """
        Whether both may put the same elements of a tensor into the same registers.

        Encodings of different kinds or parameters can be the same map; their linear forms
        tell. What has none is accepted if the rank is right.
        """
        if self == other:
            return True
        if not isinstance(other, LayoutEncoding) or other.rank != self.rank:
            return False
        return linear_layouts().are_equivalent(self, other, tuple(shape), ignore_broadcast)

    @property
    def num_ctas(self) -> int | None:
        """How many CTAs share a tensor; None where the encoding does not say."""
        cga = getattr(self, "cga", None)
        return None if cga is None else cga.num_ctas

    def verify_tensor(self, type: TensorType, op: Operation) -> None:
        """Check that a tensor used by `op` can have this encoding."""
        if not isinstance(self, DistributedEncoding):
            if not early_rules():
                raise VerifyException("Non-distributed layout is not allowed in tensor type.")
            if isinstance(self, SharedEncoding):
                raise VerifyException("Shared layout is not allowed on tensor type.")
        rank = len(type.shape.data)
        # A rank of 0 is that of parameters which the text leaves out.
        if self.rank not in (0, rank):
            raise VerifyException(
                f"Layout has rank {self.rank}, but the tensor it's attached to has rank {rank}."
            )

    def verify_context(self, type: TensorType, op: Operation) -> None:
        """Check that the code around `op` has the warps, threads and CTAs of this encoding."""
        block = op.parent
        key = (id(block), id(type))
        known = _checked.get(key)
        if known is not None and known[0] is block and known[1] is type:
            return
        assert isinstance(self, DistributedEncoding)
        around = launch_context(op)
        for what, own, outer, where in (
            ("CTAs per CGA", self.num_ctas, around.num_ctas, "the context requires"),
            (
                "threads per warp",
                self.num_threads_per_warp,
                around.threads_per_warp,
                "the module specifies",
            ),
            ("warps per CTA", self.num_warps, around.num_warps, "the context requires"),
        ):
            if None not in (own, outer) and own != outer:
                total = "a total of " if early_rules() else ""
                raise VerifyException(
                    f"{self}.\nLayout has {total}{own} {what}, but {where} {outer} {what}."
                )
        if len(_checked) >= _CHECKED_LIMIT:
            _checked.clear()
        _checked[key] = (block, type)


def linear_layouts() -> Any:
    """Return the module of linear layouts; verifying most files does not need to load it."""
    return import_module("xtriton.dialects.encodings.linear_layouts")


def inference() -> Any:
    """Return the module of what encodings become when shapes change."""
    return import_module("xtriton.dialects.encodings.inference")


def buffer_layouts() -> Any:
    """Return the module that checks parts and views of buffers."""
    return import_module("xtriton.dialects.encodings.buffers")


class DistributedEncoding(LayoutEncoding, ABC):
    """Elements live in registers of the threads of a CTA."""

    SAME_K_WIDTH: ClassVar[bool] = True
    """Whether both operands of a product of this encoding have one `kWidth`."""

    SLICE: ClassVar[type[Any]]
    """Makes the encoding of what is left along a dimension; set where slices are defined."""

    @property
    def num_warps(self) -> int | None:
        """How many warps share a tensor; None where the encoding does not say."""
        return None

    @property
    def num_threads_per_warp(self) -> int | None:
        """How many threads a warp has; None where the encoding does not say."""
        return None

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        """Return the encoding whose threads hold the same elements after a transpose."""
        return self._inferred("transposed", tuple(shape), tuple(order))

    def infer_reshape(
        self, source: Sequence[int], target: Sequence[int], allow_reorder: bool
    ) -> Attribute:
        """Return the encoding whose threads hold the same elements after a reshape."""
        return self._inferred("reshaped", tuple(source), tuple(target))

    def infer_join(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding with both elements of a pair in each thread."""
        return self._inferred("joined", tuple(shape))

    def infer_split(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding without the last dimension, of which a thread has both elements."""
        return self._inferred("split", tuple(shape))

    def _inferred(self, rule: str, *arguments: tuple[int, ...]) -> Attribute:
        """Return what the linear layout tells; releases up to 3.4 are not asked."""
        if early_rules():
            return UNKNOWN
        return inference().inferred_or(UNKNOWN, rule, self, *arguments)

    def is_cheap_view(self, source: Sequence[int], other: Attribute, target: Sequence[int]) -> bool:
        """Whether a reshape that may reorder elements only renames registers."""
        return linear_layouts().is_cheap_view(self, tuple(source), other, tuple(target))

    def verify_dot_operands(self, a: Attribute, b: Attribute, op: Operation) -> None:
        """Check the encodings of the operands of a `tt.dot` that returns this one."""
        widths = [getattr(encoding, "k_width", None) for encoding in (a, b)]
        if None not in widths and widths[0] != widths[1] and self.SAME_K_WIDTH:
            raise VerifyException("mismatching kWidth between A and B operands")
        self.verify_dot(op)

    def verify_dot(self, op: Operation) -> None:
        """Check what else a `tt.dot` that returns this encoding must be like."""

    def infer_reduce(self, axis: int) -> Attribute:
        """Return the slice of this encoding along `axis`."""
        return self.SLICE(axis, self)


class MmaEncoding(DistributedEncoding, ABC):
    """What a matrix instruction leaves in registers."""


class SharedEncoding(LayoutEncoding, ABC):
    """Elements live in shared memory."""
