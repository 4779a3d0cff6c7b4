"""
What the MFMA instructions of AMD CDNA GPUs leave in registers.

Upstream: `AMDMfmaEncodingAttr` of `TritonGPUAttrDefs.td`, whose text changed with nearly every
release.
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr, f64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.parameters import (
    Ints,
    bool_text,
    flag,
    int_text,
    ints,
    parse_dictionary,
    take_bool,
    take_int,
    take_ints,
    unsayable,
    values_of,
    version_of,
)
from xtriton.dialects.ttg.warp_grids import MmaOfWarpGrid, OfInstruction
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version, early_rules

_MFMA_SHAPES = ((32, 32), (16, 16), (64, 4), (4, 64))

_LAST_VERSION_OF_MFMA_MINOR: Version = (3, 4)

_LAST_VERSION_OF_MFMA_ELEMENT_TYPE: Version = (3, 5)


@remembers_equals
@irdl_attr_definition
class AMDMfmaEncodingAttr(ParametrizedAttribute, MmaOfWarpGrid, OfInstruction):
    """
    The result of an MFMA instruction (AMD CDNA).

    Upstream `AMDMfmaEncodingAttr`. `version` 1 to 4: gfx908, gfx90a, gfx942, gfx950.
    `instr_shape` is M, N and, since Triton 3.6, K. A warp has `tiles_per_warp` adjacent
    tiles. `element_bit_width` is that of the result, 32 or 64.

    ```mlir
    #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>
    ```
    """

    name = "ttg.amd_mfma"
    ALIAS: ClassVar[str] = "mma"

    version: IntAttr
    warpsPerCTA: Ints
    instrShape: Ints
    isTransposed: IntAttr
    cga: CGAEncodingAttr
    tilesPerWarp: Ints
    elementBitWidth: IntAttr

    def __init__(
        self,
        version: int,
        warps_per_cta: Sequence[int],
        instr_shape: Sequence[int],
        is_transposed: bool,
        cga: CGAEncodingAttr | None = None,
        tiles_per_warp: Sequence[int] = (),
        element_bit_width: int = 32,
    ):
        rank = len(warps_per_cta)
        super().__init__(
            IntAttr(version),
            ints(warps_per_cta),
            ints(instr_shape),
            flag(is_transposed),
            cga or CGAEncodingAttr.single(rank),
            ints(tiles_per_warp or (1,) * rank),
            IntAttr(element_bit_width),
        )

    @property
    def is_transposed(self) -> bool:
        return bool(self.isTransposed.data)

    @property
    def tiles_per_warp(self) -> tuple[int, ...]:
        return values_of(self.tilesPerWarp)

    @property
    def element_bit_width(self) -> int:
        return self.elementBitWidth.data

    @property
    def num_threads_per_warp(self) -> int:
        return 64

    def verify(self) -> None:
        if not 0 <= self.version.data <= 4:
            major = "major " if early_rules() else ""
            raise VerifyException(f"{major}version must be in the [0, 4] range")
        shape = self.instr_shape
        if early_rules() and shape[:2] not in ((32, 32), (16, 16)):
            raise VerifyException("(M, N) cases other than (32, 32) or (16, 16) unimplemented")
        if len(shape) < 2 or shape[:2] not in _MFMA_SHAPES:
            raise VerifyException(
                f"invalid (mDim, nDim) combination: ({', '.join(map(str, shape[:2]))})"
            )
        if self.element_bit_width not in (32, 64):
            raise VerifyException("elementBitWidth must be 32 or 64")

    def verify_dot_operand(self, op_idx: int, k_width: int) -> None:
        """Check the parameters of a `#ttg.dot_op` of this parent."""
        if k_width == 0:
            raise VerifyException("ttg.dot_op kWidth parameter is mandatory for MFMA parent")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        version_key = "versionMajor" if "versionMajor" in parameters else "version"
        warps = take_ints(parser, parameters, "warpsPerCTA", ())
        rank = len(warps)
        width = 64 if parameters.get("elementType") == f64 else 32
        return (
            take_int(parser, parameters, version_key, 0),
            warps,
            take_ints(parser, parameters, "instrShape", ()),
            take_bool(parser, parameters, "isTransposed", False),
            parse_cga(parser, parameters, rank),
            take_ints(parser, parameters, "tilesPerWarp", (1,) * rank),
            take_int(parser, parameters, "elementBitWidth", width),
        )

    def print_parameters(self, printer: Printer) -> None:
        release = version_of(printer)
        cga = cga_text(self.cga, printer)
        if release <= _LAST_VERSION_OF_MFMA_MINOR:
            text = self._text_with_minor_version(cga, release)
        elif release <= _LAST_VERSION_OF_MFMA_ELEMENT_TYPE:
            text = self._text_with_element_type(cga)
        else:
            text = self._text(cga)
        printer.print_string(f"<{{{text}}}>")

    def _text(self, cga: str) -> str:
        tiles = f", tilesPerWarp = {int_text(self.tiles_per_warp)}" if self._has_tiles else ""
        width = "" if self.element_bit_width == 32 else ", elementBitWidth = 64"
        return (
            f"version = {self.version.data}, warpsPerCTA = {int_text(self.warps_per_cta)}, "
            f"instrShape = {int_text(self.instr_shape)}, "
            f"isTransposed = {bool_text(self.is_transposed)}{cga}{tiles}{width}"
        )

    def _text_with_element_type(self, cga: str) -> str:
        tiles = f", tilesPerWarp = {int_text(self.tiles_per_warp)}" if self._has_tiles else ""
        element = "" if self.element_bit_width == 32 else ", elementType = f64"
        return (
            f"version = {self.version.data}, warpsPerCTA = {int_text(self.warps_per_cta)}{tiles}, "
            f"instrShape = {int_text(self.instr_shape[:2])}, "
            f"isTransposed = {bool_text(self.is_transposed)}{cga}{element}"
        )

    def _text_with_minor_version(self, cga: str, release: Version) -> str:
        if self._has_tiles or self.element_bit_width != 32:
            raise unsayable("tilesPerWarp or elementBitWidth of #ttg.amd_mfma", release)
        if self.version.data > 3 and release <= (3, 2):
            raise unsayable("#ttg.amd_mfma of version 4", release)
        return (
            f"versionMajor = {self.version.data}, versionMinor = 0, "
            f"warpsPerCTA = {int_text(self.warps_per_cta)}, "
            f"instrShape = {int_text(self.instr_shape[:2])}, "
            f"isTransposed = {bool_text(self.is_transposed)}{cga}"
        )

    @property
    def _has_tiles(self) -> bool:
        return prod(self.tiles_per_warp) != 1
