"""
Distributed layouts that are written as linear maps.

Upstream: `LinearEncodingAttr`, `GenericLinearEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.interfaces import DistributedEncoding
from xtriton.dialects.ttg.linear_shared import binary_rank
from xtriton.dialects.ttg.parameters import (
    Bases,
    bases,
    bases_text,
    is_permutation_of_units,
    parse_dictionary,
    points_of,
    take_bases,
)
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version, release

_LAST_RELEASE_OF_BIJECTIONS: Version = (3, 7)


@dataclass(frozen=True, init=False)
class _LinearEncoding(ParametrizedAttribute, DistributedEncoding):
    """Bases of registers, lanes, warps and blocks; what both linear encodings share."""

    register: Bases
    lane: Bases
    warp: Bases
    block: Bases

    @property
    def rank(self) -> int:
        return next((len(points[0]) for points in self.in_dims.values() if points), 0)

    @property
    def in_dims(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The bases of each input dimension: register, lane, warp, block."""
        return {
            "register": points_of(self.register),
            "lane": points_of(self.lane),
            "warp": points_of(self.warp),
            "block": points_of(self.block),
        }

    @property
    def num_warps(self) -> int:
        return 1 << len(self.in_dims["warp"])

    @property
    def num_threads_per_warp(self) -> int:
        return 1 << len(self.in_dims["lane"])

    @property
    def num_ctas(self) -> int:
        return 1 << len(self.in_dims["block"])

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        """Return the encoding whose bases have their components permuted."""
        permuted = ([[p[dim] for dim in order] for p in ps] for ps in self.in_dims.values())
        return type(self)(*permuted)

    def _verify_ranks(self) -> None:
        if self.rank == 0:
            raise VerifyException("Empty Layout not supported")
        if any(len(point) != self.rank for points in self.in_dims.values() for point in points):
            raise VerifyException("all bases of a linear layout must have the same rank")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        names = ("register", "lane", "warp", "block")
        return [take_bases(parser, parameters, name) for name in names]

    def print_parameters(self, printer: Printer) -> None:
        keys = (f"{name} = {bases_text(points)}" for name, points in self.in_dims.items())
        printer.print_string(f"<{{{', '.join(keys)}}}>")


@remembers_equals
@irdl_attr_definition
class LinearEncodingAttr(_LinearEncoding):
    """
    A linear map over GF(2) from (register, lane, warp, block) to the tensor's indices.

    Upstream `LinearEncodingAttr`. For each input dimension the images of 1, 2, 4, ... are
    given; a number is mapped to the exclusive or of the images of its bits.

    ```mlir
    #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [[2, 0]], block = []}>
    ```
    """

    name = "ttg.linear"
    ALIAS: ClassVar[str] = "linear"
    SINCE: ClassVar[Version] = (3, 3)

    def __init__(
        self,
        register: Sequence[Sequence[int]],
        lane: Sequence[Sequence[int]],
        warp: Sequence[Sequence[int]],
        block: Sequence[Sequence[int]] = (),
    ):
        super().__init__(*map(bases, (register, lane, warp, block)))

    def verify(self) -> None:
        self._verify_ranks()
        points = [point for in_dim in self.in_dims.values() for point in in_dim]
        if release() <= _LAST_RELEASE_OF_BIJECTIONS:
            _verify_bijection(points)
        elif not is_permutation_of_units(points):
            raise VerifyException(
                "LinearEncodingAttr requires a permutation matrix layout after removing "
                "broadcast bases"
            )


def _verify_bijection(points: Sequence[Sequence[int]]) -> None:
    """Check that no two bases meet, and that each leads along one dimension."""
    if any(sum(map(bool, point)) > 1 for point in points):
        raise VerifyException(
            "In a distributed layout, each base must move in at most one dimension."
        )
    moving = [point for point in points if any(point)]
    bits = sum(max(values).bit_length() for values in zip(*points, strict=True))
    if not len(moving) == bits == binary_rank(moving):
        raise VerifyException("After removing the zero bases the layout must be bijective")


@remembers_equals
@irdl_attr_definition
class GenericLinearEncodingAttr(_LinearEncoding):
    """
    A linear map as of `#ttg.linear` whose warp bases may move in several dimensions.

    Upstream `GenericLinearEncodingAttr`.

    ```mlir
    #ttg.generic_linear<{register = [[0, 1]], lane = [[1, 0]], warp = [[2, 3]], block = []}>
    ```
    """

    name = "ttg.generic_linear"
    ALIAS: ClassVar[str] = "generic_linear"
    SINCE: ClassVar[Version] = (3, 8)

    def __init__(
        self,
        register: Sequence[Sequence[int]],
        lane: Sequence[Sequence[int]],
        warp: Sequence[Sequence[int]],
        block: Sequence[Sequence[int]] = (),
    ):
        super().__init__(*map(bases, (register, lane, warp, block)))

    def verify(self) -> None:
        self._verify_ranks()
        for name, points in self.in_dims.items():
            if name != "warp" and any(sum(map(bool, point)) > 1 for point in points):
                raise VerifyException(
                    "In a generic linear layout, register, lane, and block bases must move in "
                    f"at most one dimension. Swizzled bases found in '{name}'."
                )
