"""
What the WMMA instructions of AMD RDNA GPUs leave in registers.

Upstream: `AMDWmmaEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.interfaces import MmaEncoding
from xtriton.dialects.ttg.mma import LAST_VERSION_WITHOUT_HOPPER_OPERANDS
from xtriton.dialects.ttg.parameters import (
    Bases,
    Ints,
    Parameters,
    bases,
    bases_text,
    bool_text,
    flag,
    int_text,
    ints,
    parse_dictionary,
    points_of,
    take_bases,
    take_bool,
    take_int,
    take_ints,
    unsayable,
    values_of,
    version_of,
)
from xtriton.dialects.ttg.warp_grids import OfInstruction
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version, early_rules, release as rule_release

_WMMA_SHAPE = (16, 16, 16)

_WMMA_SHAPES = {
    1: (_WMMA_SHAPE,),
    2: (_WMMA_SHAPE, (16, 16, 32)),
    3: (
        (16, 16, 4),
        (16, 16, 32),
        (16, 16, 64),
        (16, 16, 128),
        (32, 16, 64),
        (32, 16, 128),
    ),
}

_LAST_VERSION_OF_WMMA_WARPS: Version = (3, 6)


@remembers_equals
@irdl_attr_definition
class AMDWmmaEncodingAttr(ParametrizedAttribute, MmaEncoding, OfInstruction):
    """
    The result of a WMMA instruction (AMD RDNA).

    Upstream `AMDWmmaEncodingAttr`. `version` 1 to 3: RDNA3, RDNA4, gfx1250. A linear map
    from (register, warp) to tiles says which warp has which; up to Triton 3.6 that was
    `warpsPerCTA` and `tilesPerWarp`, the last dimension being the fastest.

    ```mlir
    #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
    ```
    """

    name = "ttg.amd_wmma"
    ALIAS: ClassVar[str] = "mma"

    version: IntAttr
    register: Bases
    warp: Bases
    isTransposed: IntAttr
    cga: CGAEncodingAttr
    instrShape: Ints

    def __init__(
        self,
        version: int,
        register: Sequence[Sequence[int]],
        warp: Sequence[Sequence[int]],
        is_transposed: bool,
        cga: CGAEncodingAttr | None = None,
        instr_shape: Sequence[int] = _WMMA_SHAPE,
        rank: int = 2,
    ):
        super().__init__(
            IntAttr(version),
            bases(register),
            bases(warp),
            flag(is_transposed),
            cga or CGAEncodingAttr.single(rank),
            ints(instr_shape),
        )

    @property
    def rank(self) -> int:
        return self.cga.rank

    @property
    def register_bases(self) -> tuple[tuple[int, ...], ...]:
        """Which tiles the registers of a warp hold, in units of tiles."""
        return points_of(self.register)

    @property
    def warp_bases(self) -> tuple[tuple[int, ...], ...]:
        """Which tile warp 1, 2, 4, ... begins with, in units of tiles."""
        return points_of(self.warp)

    @property
    def is_transposed(self) -> bool:
        return bool(self.isTransposed.data)

    @property
    def num_warps(self) -> int:
        return 1 << len(self.warp)

    @property
    def num_threads_per_warp(self) -> int:
        return 32

    def verify(self) -> None:
        newest = 2 if early_rules() else 3
        if not 1 <= self.version.data <= newest:
            raise VerifyException(f"WMMA version must be in the [1, {newest}] range")
        if early_rules() and self.version.data == 1 and self.is_transposed:
            raise VerifyException("Transposed WMMA is supported only for version 2")
        shapes = _WMMA_SHAPES[self.version.data]
        if self.instr_shape not in shapes:
            raise VerifyException(f"invalid WMMA v{self.version.data} instruction shape")

    def verify_dot_operand(self, op_idx: int, k_width: int) -> None:
        """Check the parameters of a `#ttg.dot_op` of this parent."""
        if early_rules():
            self._verify_dot_operand_early(k_width)
            return
        match self.version.data:
            case 1 if k_width not in (8, 16):
                raise VerifyException(
                    "ttg.dot_op kWidth parameter must be 8/16 for WMMA v1 "
                    "(including packed cases for `scaled_dot`)"
                )
            case 2 if k_width not in (4, 8, 16):
                raise VerifyException(
                    "ttg.dot_op kWidth parameter must be 4/8/16 for WMMA v2 "
                    "(including packed cases for `scaled_dot`)"
                )
            case 3 if k_width == 0:
                raise VerifyException("ttg.dot_op kWidth parameter is mandatory for WMMA v3 ")
            case _:
                pass

    def _verify_dot_operand_early(self, k_width: int) -> None:
        also_16 = rule_release() > LAST_VERSION_WITHOUT_HOPPER_OPERANDS
        widths = (8, 16) if also_16 else (8,)
        if k_width not in ((16,) if self.version.data == 1 else widths):
            raise VerifyException(
                "ttg.dot_op kWidth parameter must be 16 for gfx11 and "
                f"{'/'.join(map(str, widths))} for gfx12"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        if "warpsPerCTA" in parameters:
            warps = values_of(take_ints(parser, parameters, "warpsPerCTA"))
            rank = len(warps)
            tiles = values_of(take_ints(parser, parameters, "tilesPerWarp", (1,) * rank))
            register, warp = map(bases, _bases_of_tiles(warps, tiles))
        else:
            rank = take_int(parser, parameters, "rank", 2).data
            register, warp = _parse_cta_layout(parser, parameters)
        return (
            take_int(parser, parameters, "version", 0),
            register,
            warp,
            take_bool(parser, parameters, "isTranspose", False),
            parse_cga(parser, parameters, rank),
            take_ints(parser, parameters, "instrShape", _WMMA_SHAPE),
        )

    def print_parameters(self, printer: Printer) -> None:
        release = version_of(printer)
        cga = cga_text(self.cga, printer)
        transposed = f", isTranspose = {bool_text(self.is_transposed)}"
        shape = f", instrShape = {int_text(self.instr_shape)}"
        if self.instr_shape == _WMMA_SHAPE:
            shape = ""
        if release > _LAST_VERSION_OF_WMMA_WARPS:
            layout = {"register": self.register_bases, "warp": self.warp_bases}
            keys = (f"{key} = {bases_text(value)}" for key, value in layout.items() if value)
            text = f"{transposed}, ctaLayout = {{{', '.join(keys)}}}{cga}{shape}"
        else:
            text = self._text_with_warps(release, cga, transposed, shape)
        printer.print_string(f"<{{version = {self.version.data}{text}}}>")

    def _text_with_warps(self, release: Version, cga: str, transposed: str, shape: str) -> str:
        tiles, warps = _tiles_of_bases(self.register_bases, self.warp_bases, self.rank, release)
        text = f", warpsPerCTA = {int_text(warps)}"
        if release == _LAST_VERSION_OF_WMMA_WARPS:
            if prod(tiles) != 1:
                text += f", tilesPerWarp = {int_text(tiles)}"
            return f"{transposed}{text}{cga}{shape}"
        if prod(tiles) != 1 or shape:
            raise unsayable("tilesPerWarp or instrShape of #ttg.amd_wmma", release)
        if release == (3, 1):
            if self.is_transposed:
                raise unsayable("isTranspose of #ttg.amd_wmma", release)
            return text + cga
        return f"{transposed}{text}{cga}"


_Points = list[tuple[int, ...]]


def _bases_of_tiles(warps: Sequence[int], tiles: Sequence[int]) -> tuple[_Points, _Points]:
    """Return the bases of registers and warps that `tilesPerWarp` and `warpsPerCTA` mean."""
    rank = len(warps)

    def points(counts: Sequence[int], starts: Sequence[int]) -> _Points:
        found: _Points = []
        for dim in reversed(range(rank)):
            step = starts[dim]
            while step < starts[dim] * counts[dim]:
                found.append(tuple(step if d == dim else 0 for d in range(rank)))
                step *= 2
        return found

    return points(tiles, (1,) * rank), points(warps, tiles)


def _tiles_of_bases(
    register: Sequence[tuple[int, ...]],
    warp: Sequence[tuple[int, ...]],
    rank: int,
    release: Version,
) -> tuple[list[int], list[int]]:
    """Return `tilesPerWarp` and `warpsPerCTA` of these bases; raise where there are none."""
    tiles, warps = ([1] * rank for _ in range(2))
    for counts, points in ((tiles, register), (warps, warp)):
        for point in points:
            for dim in range(rank):
                counts[dim] *= 2 if point[dim] else 1
    if _bases_of_tiles(warps, tiles) != (list(register), list(warp)):
        raise unsayable("ctaLayout of #ttg.amd_wmma", release)
    return tiles, warps


def _parse_cta_layout(parser: AttrParser, parameters: Parameters) -> tuple[Bases, Bases]:
    layout = parameters.get("ctaLayout")
    data = getattr(layout, "data", None)
    if layout is None or not hasattr(data, "get"):
        parser.raise_error("expected dictionary value for 'ctaLayout'")
    keys: Parameters = dict(data)  # pyright: ignore[reportArgumentType, reportAssignmentType, reportCallIssue]
    # Upstream leaves out empty bases when it prints, "warp" among them.
    register, warp = (
        take_bases(parser, keys, name) if name in keys else bases(())
        for name in ("register", "warp")
    )
    return register, warp
