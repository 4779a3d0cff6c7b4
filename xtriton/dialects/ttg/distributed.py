"""
Encodings that distribute a tensor over the threads of a CTA.

Upstream: `BlockedEncodingAttr`, `SliceEncodingAttr`, `DotOperandEncodingAttr`,
`LinearEncodingAttr`, `GenericLinearEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import IntAttr, TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import CGA_KEYS, CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.interfaces import DistributedEncoding, LayoutEncoding
from xtriton.dialects.ttg.parameters import (
    Ints,
    int_text,
    ints,
    is_power_of_two,
    parse_dictionary,
    reject_unknown_keys,
    take_int,
    take_ints,
    values_of,
    verify_order,
)
from xtriton.dialects.ttg.warp_grids import ThreadGrid
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import NEWEST, Version, early_rules

_LAST_VERSION_WITHOUT_HOPPER_K_WIDTH: Version = (3, 2)
_NOT_ASKED = -1
"""The kWidth of an operand in the text of a release that did not ask for one everywhere."""

_BLOCKED_KEYS = ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order")


@remembers_equals
@irdl_attr_definition
class BlockedEncodingAttr(ParametrizedAttribute, ThreadGrid):
    """
    Each thread owns a contiguous block, the threads of a warp a block of those, and so on.

    Upstream `BlockedEncodingAttr`. Along each dimension a CTA covers sizePerThread ·
    threadsPerWarp · warpsPerCTA elements; a larger tensor repeats the pattern, a smaller one
    is held in copies. `order` names the fastest dimension first.

    ```mlir
    #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
    ```
    """

    name = "ttg.blocked"
    ALIAS: ClassVar[str] = "blocked"

    sizePerThread: Ints
    threadsPerWarp: Ints
    warpsPerCTA: Ints
    orderOfDims: Ints
    cga: CGAEncodingAttr

    def __init__(
        self,
        size_per_thread: Sequence[int],
        threads_per_warp: Sequence[int],
        warps_per_cta: Sequence[int],
        order: Sequence[int],
        cga: CGAEncodingAttr | None = None,
    ):
        lists = (size_per_thread, threads_per_warp, warps_per_cta, order)
        super().__init__(*map(ints, lists), cga or CGAEncodingAttr.single(len(order)))

    @property
    def warps_per_cta(self) -> tuple[int, ...]:
        return values_of(self.warpsPerCTA)

    @property
    def num_warps(self) -> int:
        return prod(self.warps_per_cta)

    @property
    def num_threads_per_warp(self) -> int:
        return prod(self.threads_per_warp)

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        """Return the encoding whose threads hold the same elements after a transpose."""
        if len(order) != self.rank:
            raise VerifyException(
                f"rank of encoding does not match order: {self.rank} vs {len(order)}"
            )
        lists = (self.size_per_thread, self.threads_per_warp, self.warps_per_cta)
        size, threads, warps = ([values[dim] for dim in order] for values in lists)
        new_order = [order.index(dim) for dim in self.order]
        return BlockedEncodingAttr(size, threads, warps, new_order, self.cga.transposed(order))

    def verify_tensor(self, type: TensorType, op: Operation) -> None:
        """Check that a tensor used by `op` can have this encoding."""
        super().verify_tensor(type, op)
        # Releases up to 3.5 ask this of blocked layouts only, so that others go unchecked.
        self.verify_context(type, op)

    def infer_join(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding with two elements a thread along a new, fastest dimension."""
        return BlockedEncodingAttr(
            (*self.size_per_thread, 2),
            (*self.threads_per_warp, 1),
            (*self.warps_per_cta, 1),
            (self.rank, *self.order),
            CGAEncodingAttr([(*b, 0) for b in self.cga.block_bases], self.rank + 1),
        )

    def infer_split(self, shape: Sequence[int]) -> Attribute:
        """Return the encoding without its last dimension, of which a thread has all."""
        return self.halves() or super().infer_split(shape)

    def halves(self) -> "BlockedEncodingAttr | None":
        """Return the encoding without its last dimension, if that is just a pair a thread."""
        last = (self.size_per_thread[-1], self.threads_per_warp[-1], self.warps_per_cta[-1])
        if last != (2, 1, 1) or any(block[-1] for block in self.cga.block_bases):
            return None
        return BlockedEncodingAttr(
            self.size_per_thread[:-1],
            self.threads_per_warp[:-1],
            self.warps_per_cta[:-1],
            [dim for dim in self.order if dim != self.rank - 1],
            CGAEncodingAttr([b[:-1] for b in self.cga.block_bases], self.rank - 1),
        )

    def verify(self) -> None:
        lists = {
            "sizePerThread": self.size_per_thread,
            "threadsPerWarp": self.threads_per_warp,
            "warpsPerCTA": self.warps_per_cta,
        }
        if any(len(values) != self.rank for values in lists.values()):
            raise VerifyException(
                "sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank."
            )
        for key, values in lists.items():
            if not early_rules() and not all(map(is_power_of_two, values)):
                raise VerifyException(f"Every element in {key} must be a power of two.")
        if self.cga.rank != self.rank:
            raise VerifyException(
                "BlockedEncodingAttr and CGALayout's fields must have the same rank."
            )
        verify_order(self.order)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        reject_unknown_keys(parser, parameters, (*_BLOCKED_KEYS, *CGA_KEYS))
        lists = [take_ints(parser, parameters, key) for key in _BLOCKED_KEYS]
        return (*lists, parse_cga(parser, parameters, len(lists[0])))

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(
            f"<{{sizePerThread = {int_text(self.size_per_thread)}, "
            f"threadsPerWarp = {int_text(self.threads_per_warp)}, "
            f"warpsPerCTA = {int_text(self.warps_per_cta)}, "
            f"order = {int_text(self.order)}{cga_text(self.cga, printer)}}}>"
        )


class _OfParent(ParametrizedAttribute, DistributedEncoding):
    """An encoding that has the threads of another one."""

    if TYPE_CHECKING:
        parent: Attribute

    @property
    def num_warps(self) -> int | None:
        return _distributed(self.parent).num_warps

    @property
    def num_threads_per_warp(self) -> int | None:
        return _distributed(self.parent).num_threads_per_warp

    @property
    def num_ctas(self) -> int | None:
        return _distributed(self.parent).num_ctas


@remembers_equals
@irdl_attr_definition
class SliceEncodingAttr(_OfParent):
    """
    What is left of a layout when one dimension of its tensor is reduced away.

    Upstream `SliceEncodingAttr`. A tensor of rank `n - 1`; element `i` is where the parent
    has the elements with index `i` and any index along `dim`.

    ```mlir
    #ttg.slice<{dim = 1, parent = #blocked}>
    ```
    """

    name = "ttg.slice"

    dimension: IntAttr
    parent: Attribute

    def __init__(self, dim: int, parent: Attribute):
        super().__init__(IntAttr(dim), parent)

    @property
    def dim(self) -> int:
        """The dimension of the parent's tensor that is gone."""
        return self.dimension.data

    @property
    def rank(self) -> int:
        return _rank(self.parent) - 1

    def infer_expand_dims(self, axis: int) -> Attribute:
        """Return the parent, where it is `axis` that was sliced away."""
        if axis != self.dim:
            raise VerifyException("Incompatible slice dimension for ExpandDimsOp operand")
        return self.parent

    def verify(self) -> None:
        if not isinstance(self.parent, DistributedEncoding):
            raise VerifyException("expected a distributed encoding trait")
        if self.parent.rank <= 1:
            raise VerifyException("parent layout must have at least rank >= 2")
        if self.dim >= self.parent.rank:
            raise VerifyException(
                f"slice dim={self.dim} must be less than the parent rank={self.parent.rank}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        dim = take_int(parser, parameters, "dim")
        if (parent := parameters.get("parent")) is None:
            parser.raise_error("expected a distributed encoding trait")
        return (dim, parent)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{{dim = {self.dim}, parent = ")
        printer.print_attribute(self.parent)
        printer.print_string("}>")


DistributedEncoding.SLICE = SliceEncodingAttr


@remembers_equals
@irdl_attr_definition
class DotOperandEncodingAttr(_OfParent):
    """
    The layout that operand `op_idx` of a `tt.dot` whose result has layout `parent` needs.

    Upstream `DotOperandEncodingAttr`. `k_width` consecutive elements along k are in one
    thread; 0 (not written) where the parent has no use for it.

    ```mlir
    #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
    ```
    """

    name = "ttg.dot_op"

    opIdx: IntAttr
    parent: Attribute
    kWidth: IntAttr

    def __init__(self, op_idx: int, parent: Attribute, k_width: int = 0):
        super().__init__(IntAttr(op_idx), parent, IntAttr(k_width))

    @property
    def op_idx(self) -> int:
        """0 for the left operand, 1 for the right one."""
        return self.opIdx.data

    @property
    def k_width(self) -> int:
        return max(self.kWidth.data, 0)

    @property
    def rank(self) -> int:
        return _rank(self.parent)

    def verify(self) -> None:
        if self.op_idx not in (0, 1):
            raise VerifyException(f"ttg.dot_op opIdx parameter can be 0 or 1, got: {self.op_idx}")
        if not isinstance(self.parent, DistributedEncoding):
            raise VerifyException(f"ttg.dot_op unexpected parent layout: {self.parent}")
        if isinstance(self.parent, BlockedEncodingAttr) and self.k_width != 0:
            raise VerifyException(
                "ttg.dot_op kWidth parameter is not supported when the parent is a blocked layout"
            )
        check = getattr(self.parent, "verify_dot_operand", None)
        if check is not None and self.kWidth.data != _NOT_ASKED:
            check(self.op_idx, self.k_width)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        reject_unknown_keys(parser, parameters, ("opIdx", "parent", "kWidth"))
        if (parent := parameters.get("parent")) is None:
            parser.raise_error("expected 'parent' of #ttg.dot_op")
        old = getattr(parser, "newest", NEWEST) <= _LAST_VERSION_WITHOUT_HOPPER_K_WIDTH
        width = take_int(parser, parameters, "kWidth", 0)
        if old and width.data == 0:
            width = IntAttr(_NOT_ASKED)
        return (take_int(parser, parameters, "opIdx"), parent, width)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{{opIdx = {self.op_idx}, parent = ")
        printer.print_attribute(self.parent)
        printer.print_string(f", kWidth = {self.k_width}}}>" if self.k_width else "}>")


def _distributed(encoding: Attribute) -> DistributedEncoding:
    assert isinstance(encoding, DistributedEncoding)
    return encoding


def _rank(encoding: Attribute) -> int:
    return encoding.rank if isinstance(encoding, LayoutEncoding) else 0
