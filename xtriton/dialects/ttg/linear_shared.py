"""
Encodings of shared memory that are made of a linear layout.

Upstream: `PaddedSharedEncodingAttr`, `SharedLinearEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import CGA_KEYS, CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.parameters import (
    Bases,
    Ints,
    bases,
    bases_text,
    int_text,
    ints,
    is_permutation_of_units,
    is_power_of_two,
    parse_braces,
    points_of,
    take_bases,
    take_ints,
    unsayable,
    values_of,
    verify_order,
    version_of,
)
from xtriton.ir.versions import Version

_LAST_VERSION_OF_PADDED_ORDER: Version = (3, 5)


@irdl_attr_definition
class PaddedSharedEncodingAttr(ParametrizedAttribute, SharedEncoding):
    """
    Elements in the order of a linear map, with gaps after every so many of them.

    Upstream `PaddedSharedEncodingAttr`. `[i:+p]` leaves `p` elements free after every `i`.
    The map goes from offset (and block) to the tensor's indices; the plain one is written by
    its order and shape. Triton 3.5 had the order only, which `order` then holds.

    ```mlir
    #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
    #ttg.padded_shared<[512:+16, 64:+2] {offset = [[0, 1], [1, 0]], block = []}>
    ```
    """

    name = "ttg.padded_shared"
    ALIAS: ClassVar[str] = "shared"
    SINCE: ClassVar[Version] = (3, 5)

    intervalSizes: Ints
    paddingSizes: Ints
    offset: Bases
    block: Bases
    orderWithoutShape: Ints
    cga: CGAEncodingAttr

    def __init__(
        self,
        intervals: Sequence[int],
        paddings: Sequence[int],
        offset: Sequence[Sequence[int]],
        block: Sequence[Sequence[int]] = (),
        order_without_shape: Sequence[int] = (),
        cga: CGAEncodingAttr | None = None,
    ):
        rank = len(order_without_shape) or len(next(iter((*offset, *block)), ()))
        super().__init__(
            ints(intervals),
            ints(paddings),
            bases(offset),
            bases(block),
            ints(order_without_shape),
            cga or CGAEncodingAttr.single(rank),
        )

    @property
    def rank(self) -> int:
        return self.cga.rank

    @property
    def intervals(self) -> tuple[int, ...]:
        """After how many elements there is a gap."""
        return values_of(self.intervalSizes)

    @property
    def paddings(self) -> tuple[int, ...]:
        """How many elements wide the gaps are."""
        return values_of(self.paddingSizes)

    @property
    def offset_bases(self) -> tuple[tuple[int, ...], ...]:
        """The elements at offset 1, 2, 4, ..."""
        return points_of(self.offset)

    @property
    def block_bases(self) -> tuple[tuple[int, ...], ...]:
        """The first element of CTA 1, 2, 4, ..."""
        return points_of(self.block)

    @property
    def num_ctas(self) -> int:
        return self.cga.num_ctas if self.shape is None else 1 << len(self.block_bases)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the tensor; None for the text of Triton 3.5, which lacks it."""
        if len(self.orderWithoutShape):
            return None
        size = [1] * self.rank
        for point in (*self.offset_bases, *self.block_bases):
            size = [max(s, 2 * value) for s, value in zip(size, point, strict=True)]
        return tuple(size)

    @property
    def order(self) -> tuple[int, ...]:
        """The dimensions in the order in which offsets first move along them."""
        if len(self.orderWithoutShape):
            return values_of(self.orderWithoutShape)
        found: list[int] = []
        for point in self.offset_bases:
            found += [dim for dim, value in enumerate(point) if value and dim not in found]
        return (*found, *(dim for dim in reversed(range(self.rank)) if dim not in found))

    def verify(self) -> None:
        intervals, paddings = self.intervals, self.paddings
        if len(intervals) != len(paddings):
            raise VerifyException(
                f"intervals size ({len(intervals)}) must match paddings size ({len(paddings)})"
            )
        if not intervals:
            raise VerifyException("must have at least one interval-padding pair")
        if not all(map(is_power_of_two, intervals)):
            raise VerifyException("interval values must all be power of two")
        if not all(map(is_power_of_two, paddings)):
            raise VerifyException("padding values must all be power of two")
        if len(set(intervals)) != len(intervals):
            raise VerifyException("interval values cannot have duplicates")
        self._verify_map()

    def _verify_map(self) -> None:
        points = (*self.offset_bases, *self.block_bases)
        if any(len(point) != self.rank for point in points):
            raise VerifyException("all bases of a linear layout must have the same rank")
        if any(sum(map(bool, point)) > 1 for point in points):
            raise VerifyException("Each offset basis must move in at most one dimension.")
        if not all(value == 0 or is_power_of_two(value) for point in points for value in point):
            raise VerifyException("Each offset basis must be 0 or a power of two.")
        if not all(map(any, self.offset_bases)) or not is_permutation_of_units(self.offset_bases):
            raise VerifyException("Broadcasting in offset dimension is not supported.")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            pairs = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: _parse_interval(parser)
            )
            keys = parse_braces(parser)
        intervals = ints(interval for interval, _ in pairs)
        paddings = ints(padding for _, padding in pairs)
        if "offset" in keys or "block" in keys:
            for key in keys:
                if key not in ("offset", "block"):
                    raise VerifyException(f'Unexpected attribute "{key}" found')
            offset, block = (take_bases(parser, keys, key) for key in ("offset", "block"))
            points = (*points_of(offset), *points_of(block))
            if not points:
                raise VerifyException("Empty Layout not supported")
            cga = CGAEncodingAttr.single(len(points[0]))
            return (intervals, paddings, offset, block, ints(()), cga)
        for key in keys:
            if key not in ("order", "shape", *CGA_KEYS):
                raise VerifyException(f'Unexpected attribute "{key}" found')
        order = take_ints(parser, keys, "order", ())
        cga = parse_cga(parser, keys, len(order))
        verify_order(values_of(order))
        if "shape" not in keys and len(order):
            return (intervals, paddings, bases(()), bases(()), order, cga)
        shape = values_of(take_ints(parser, keys, "shape", ()))
        if len(order) != len(shape):
            raise VerifyException("Mismatch of shape and order ranks in padded layout")
        offset = bases(_identity(shape, values_of(order)))
        return (intervals, paddings, offset, bases(()), ints(()), cga)

    def print_parameters(self, printer: Printer) -> None:
        release = version_of(printer)
        pairs = zip(self.intervals, self.paddings, strict=True)
        gaps = ", ".join(f"{interval}:+{padding}" for interval, padding in pairs)
        printer.print_string(f"<[{gaps}] {{{self._map_text(printer, release)}}}>")

    def _map_text(self, printer: Printer, release: Version) -> str:
        shape = self.shape
        plain = (
            shape is not None
            and not len(self.block)
            and _identity(shape, self.order) == list(self.offset_bases)
        )
        if release <= _LAST_VERSION_OF_PADDED_ORDER:
            if shape is not None and not plain:
                raise unsayable("the linear component of #ttg.padded_shared", release)
            return f"order = {int_text(self.order)}{cga_text(self.cga, printer)}"
        if shape is None:
            raise unsayable("#ttg.padded_shared without a shape", release)
        if plain:
            return f"order = {int_text(self.order)}, shape = {int_text(shape)}"
        return f"offset = {bases_text(self.offset_bases)}, block = {bases_text(self.block_bases)}"


def _parse_interval(parser: AttrParser) -> tuple[int, int]:
    interval = parser.parse_integer(allow_negative=False, allow_boolean=False)
    parser.parse_punctuation(":")
    parser.parse_punctuation("+")
    return interval, parser.parse_integer(allow_negative=False, allow_boolean=False)


def _identity(shape: Sequence[int], order: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the bases of a tensor stored densely, dimension `order[0]` being the fastest."""
    points: list[tuple[int, ...]] = []
    for dim in order:
        step = 1
        while step < shape[dim]:
            points.append(tuple(step if d == dim else 0 for d in range(len(shape))))
            step *= 2
    return points


@irdl_attr_definition
class SharedLinearEncodingAttr(ParametrizedAttribute, SharedEncoding):
    """
    A linear map from the offset in shared memory (and the CTA) to the tensor's indices.

    Upstream `SharedLinearEncodingAttr`. `alignment` is that of the buffer, in bytes.

    ```mlir
    #ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 16>
    ```
    """

    name = "ttg.shared_linear"
    ALIAS: ClassVar[str] = "shared"
    SINCE: ClassVar[Version] = (3, 6)

    offset: Bases
    block: Bases
    layoutAlignment: IntAttr

    def __init__(
        self,
        offset: Sequence[Sequence[int]],
        block: Sequence[Sequence[int]] = (),
        alignment: int = 16,
    ):
        super().__init__(bases(offset), bases(block), IntAttr(alignment))

    @property
    def rank(self) -> int:
        return len(next(iter((*self.offset_bases, *self.block_bases)), ()))

    @property
    def offset_bases(self) -> tuple[tuple[int, ...], ...]:
        """The elements at offset 1, 2, 4, ..."""
        return points_of(self.offset)

    @property
    def block_bases(self) -> tuple[tuple[int, ...], ...]:
        """The first element of CTA 1, 2, 4, ..."""
        return points_of(self.block)

    @property
    def num_ctas(self) -> int:
        return 1 << len(self.block_bases)

    @property
    def alignment(self) -> int:
        return self.layoutAlignment.data

    def verify(self) -> None:
        if not is_power_of_two(self.alignment):
            raise VerifyException("alignment must be a positive power of two")
        points = (*self.offset_bases, *self.block_bases)
        if self.rank == 0:
            raise VerifyException("Empty Layout not supported")
        if any(len(point) != self.rank for point in points):
            raise VerifyException("all bases of a linear layout must have the same rank")
        nonzero = [point for point in points if any(point)]
        if binary_rank(nonzero) != len(nonzero):
            raise VerifyException("After removing the zero bases the layout must be bijective")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            keys = parse_braces(parser)
            if "alignment" in keys:
                parser.raise_error(
                    "alignment must be specified outside of the linear layout braces"
                )
            parser.parse_punctuation(",")
            parser.parse_keyword("alignment")
            parser.parse_punctuation("=")
            alignment = parser.parse_integer(allow_negative=False, allow_boolean=False)
        offset = take_bases(parser, keys, "offset")
        block = take_bases(parser, keys, "block") if "block" in keys else bases(())
        if not set(keys) <= {"offset", "block"}:
            parser.raise_error(
                "SharedLinearEncodingAttr must have exactly two attributes: offset and block"
            )
        return (offset, block, IntAttr(alignment))

    def print_parameters(self, printer: Printer) -> None:
        block = f", block = {bases_text(self.block_bases)}" if len(self.block) else ""
        offset = bases_text(self.offset_bases)
        printer.print_string(f"<{{offset = {offset}{block}}}, alignment = {self.alignment}>")


def binary_rank(points: Sequence[Sequence[int]]) -> int:
    """Return how many of the points are independent under bitwise exclusive or."""
    pivots: list[int] = []
    for point in points:
        vector = sum(value << (32 * dim) for dim, value in enumerate(point))
        for pivot in pivots:
            vector = min(vector, vector ^ pivot)
        if vector:
            pivots.append(vector)
            pivots.sort(reverse=True)
    return len(pivots)
