"""
What matrix instructions of NVIDIA and AMD GPUs leave in registers.

Upstream: `NvidiaMmaEncodingAttr`, `AMDMfmaEncodingAttr`, `AMDWmmaEncodingAttr` of
`TritonGPUAttrDefs.td`. The AMD encodings changed their text in nearly every release.
"""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr, f32, f64
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.enums import InputPrecision
from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.interfaces import MmaEncoding
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
from xtriton.ir.remembered_hash import remembers_hash
from xtriton.ir.versions import Version, early_rules
from xtriton.ir.versions import release as rule_release


@remembers_hash
@irdl_attr_definition
class NvidiaMmaEncodingAttr(ParametrizedAttribute, MmaEncoding):
    """
    The result of a tensor core instruction (`mma.sync`, `wgmma`).

    Upstream `NvidiaMmaEncodingAttr`. `version_major` 1: Volta, 2: Turing and Ampere, 3:
    Hopper, 5: Blackwell. `instr_shape` is the instruction's M, N (and K for version 3).

    ```mlir
    #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
    ```
    """

    name = "ttg.nvidia_mma"
    ALIAS: ClassVar[str] = "mma"

    versionMajor: IntAttr
    versionMinor: IntAttr
    warpsPerCTA: Ints
    cga: CGAEncodingAttr
    instrShape: Ints

    def __init__(
        self,
        version_major: int,
        version_minor: int,
        warps_per_cta: Sequence[int],
        instr_shape: Sequence[int],
        cga: CGAEncodingAttr | None = None,
    ):
        super().__init__(
            IntAttr(version_major),
            IntAttr(version_minor),
            ints(warps_per_cta),
            cga or CGAEncodingAttr.single(len(warps_per_cta)),
            ints(instr_shape),
        )

    @property
    def rank(self) -> int:
        return len(self.warpsPerCTA)

    @property
    def version_major(self) -> int:
        return self.versionMajor.data

    @property
    def version_minor(self) -> int:
        return self.versionMinor.data

    @property
    def warps_per_cta(self) -> tuple[int, ...]:
        return values_of(self.warpsPerCTA)

    @property
    def instr_shape(self) -> tuple[int, ...]:
        return values_of(self.instrShape)

    @property
    def num_warps(self) -> int:
        return prod(self.warps_per_cta)

    @property
    def num_threads_per_warp(self) -> int:
        return 32

    def verify_dot(self, op: Operation) -> None:
        """Check that there are instructions for 32-bit floats: only as TF32."""
        elements = [getattr(operand.type, "element_type", None) for operand in op.operands[:2]]
        precision = op.properties.get("inputPrecision")
        if (
            rule_release() > _LAST_VERSION_OF_ANY_PRECISION
            and elements == [f32, f32]
            and getattr(getattr(precision, "value", None), "data", 0) != InputPrecision.tf32
        ):
            raise VerifyException("unsupported MMA version")

    def verify_dot_operand(self, op_idx: int, k_width: int) -> None:
        """Check the parameters of a `#ttg.dot_op` of this parent."""
        ampere_only = rule_release() <= _LAST_VERSION_WITHOUT_HOPPER_OPERANDS
        in_registers = self.version_major in ((2,) if ampere_only else (2, 3))
        parents = "Ampere" if ampere_only else "Ampere or Hopper"
        if k_width != 0 and not in_registers:
            raise VerifyException(
                f"ttg.dot_op kWidth parameter can only be non-zero for {parents} MMA parent"
            )
        if k_width == 0 and in_registers:
            raise VerifyException(
                f"ttg.dot_op kWidth parameter is mandatory for {parents} MMA parent"
            )
        if op_idx != 0 and self.version_major == 3 and not ampere_only:
            raise VerifyException(
                "ttg.dot_op opIdx parameter must be 0 for Hopper MMA parent, since Hopper WGMMA "
                "only allows first operand to be in registers"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        warps = take_ints(parser, parameters, "warpsPerCTA", ())
        return (
            take_int(parser, parameters, "versionMajor", 0),
            take_int(parser, parameters, "versionMinor", 0),
            warps,
            parse_cga(parser, parameters, len(warps)),
            take_ints(parser, parameters, "instrShape", ()),
        )

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(
            f"<{{versionMajor = {self.version_major}, versionMinor = {self.version_minor}, "
            f"warpsPerCTA = {int_text(self.warps_per_cta)}{cga_text(self.cga, printer)}, "
            f"instrShape = {int_text(self.instr_shape)}}}>"
        )


_MFMA_SHAPES = ((32, 32), (16, 16), (64, 4), (4, 64))
_LAST_VERSION_OF_ANY_PRECISION: Version = (3, 6)
_LAST_VERSION_WITHOUT_HOPPER_OPERANDS: Version = (3, 2)
_LAST_VERSION_OF_MFMA_MINOR: Version = (3, 4)
_LAST_VERSION_OF_MFMA_ELEMENT_TYPE: Version = (3, 5)


@remembers_hash
@irdl_attr_definition
class AMDMfmaEncodingAttr(ParametrizedAttribute, MmaEncoding):
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
    def rank(self) -> int:
        return len(self.warpsPerCTA)

    @property
    def warps_per_cta(self) -> tuple[int, ...]:
        return values_of(self.warpsPerCTA)

    @property
    def instr_shape(self) -> tuple[int, ...]:
        return values_of(self.instrShape)

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
    def num_warps(self) -> int:
        return prod(self.warps_per_cta)

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


@remembers_hash
@irdl_attr_definition
class AMDWmmaEncodingAttr(ParametrizedAttribute, MmaEncoding):
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
    def instr_shape(self) -> tuple[int, ...]:
        return values_of(self.instrShape)

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
        also_16 = rule_release() > _LAST_VERSION_WITHOUT_HOPPER_OPERANDS
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
    keys: Parameters = dict(data)  # pyright: ignore
    # Upstream leaves out empty bases when it prints, "warp" among them.
    register, warp = (
        take_bases(parser, keys, name) if name in keys else bases(())
        for name in ("register", "warp")
    )
    return register, warp
