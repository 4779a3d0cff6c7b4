"""
What the tensor cores of NVIDIA GPUs leave in registers.

Upstream: `NvidiaMmaEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr, f32
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.enums import InputPrecision
from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.parameters import (
    Ints,
    int_text,
    ints,
    parse_dictionary,
    take_int,
    take_ints,
)
from xtriton.dialects.ttg.warp_grids import MmaOfWarpGrid, OfInstruction
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version, release as rule_release


@remembers_equals
@irdl_attr_definition
class NvidiaMmaEncodingAttr(ParametrizedAttribute, MmaOfWarpGrid, OfInstruction):
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
    def version_major(self) -> int:
        return self.versionMajor.data

    @property
    def version_minor(self) -> int:
        return self.versionMinor.data

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
        ampere_only = rule_release() <= LAST_VERSION_WITHOUT_HOPPER_OPERANDS
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


_LAST_VERSION_OF_ANY_PRECISION: Version = (3, 6)
LAST_VERSION_WITHOUT_HOPPER_OPERANDS: Version = (3, 2)
