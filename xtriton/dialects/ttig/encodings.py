"""
Layouts of Intel GPUs: results of DPAS, of 2D block accesses, and of single warps.

Upstream: `TritonIntelGPUAttrDefs.td`, `Dialect.cpp` of the Intel XPU backend.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntAttr, TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import bit_width
from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_text, parse_cga
from xtriton.dialects.ttg.parameters import (
    Ints,
    int_text,
    ints,
    parse_dictionary,
    reject_unknown_keys,
    take_int,
    take_ints,
    unsayable,
    values_of,
    version_of,
)
from xtriton.dialects.ttg.warp_grids import MmaOfWarpGrid, OfInstruction, ThreadGrid
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version, early_rules

_NO_FP4 = 0
_FIRST_VERSION_OF_FP4: Version = (3, 6)


@remembers_equals
@irdl_attr_definition
class DpasEncodingAttr(ParametrizedAttribute, MmaOfWarpGrid):
    """
    The result of DPAS, the systolic matrix instruction of Intel GPUs.

    Upstream `DpasEncodingAttr`. One instruction multiplies `repeat_count` rows by
    `systolic_depth · ops_per_channel` (the depth) by `execution_size` columns;
    `ops_per_channel` elements share 32 bits. A warp has `rep_cluster` instructions next to
    each other. The shapes `A`, `B`, `C` of one such cluster are derived; they are written,
    and ignored when read, as are unknown keys.

    ```mlir
    #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
    ```
    """

    name = "ttig.dpas"
    ALIAS: ClassVar[str] = "mma"
    SAME_K_WIDTH: ClassVar[bool] = False

    repeatCount: IntAttr
    systolicDepth: IntAttr
    executionSize: IntAttr
    opsPerChannel: IntAttr
    warpsPerCTA: Ints
    repCluster: Ints
    threadsPerWarp: IntAttr
    fp4KPack: IntAttr

    def __init__(
        self,
        repeat_count: int,
        systolic_depth: int,
        execution_size: int,
        ops_per_channel: int,
        warps_per_cta: Sequence[int],
        rep_cluster: Sequence[int],
        threads_per_warp: int,
        fp4_k_pack: int | None = None,
    ):
        super().__init__(
            *map(IntAttr, (repeat_count, systolic_depth, execution_size, ops_per_channel)),
            ints(warps_per_cta),
            ints(rep_cluster),
            IntAttr(threads_per_warp),
            IntAttr(fp4_k_pack or _NO_FP4),
        )

    @property
    def repeat_count(self) -> int:
        """Rows of the result of one instruction."""
        return self.repeatCount.data

    @property
    def systolic_depth(self) -> int:
        """Stages of the systolic array, always 8."""
        return self.systolicDepth.data

    @property
    def execution_size(self) -> int:
        """Columns of the result of one instruction."""
        return self.executionSize.data

    @property
    def ops_per_channel(self) -> int:
        """Elements of an operand in 32 bits: 1, 2 or 4."""
        return self.opsPerChannel.data

    @property
    def rep_cluster(self) -> tuple[int, ...]:
        """Instructions next to each other, along M and N."""
        return values_of(self.repCluster)

    @property
    def threads_per_warp(self) -> int:
        return self.threadsPerWarp.data

    @property
    def fp4_k_pack(self) -> int | None:
        """How many 4-bit floats are in a byte along k, where operands are such."""
        return self.fp4KPack.data or None

    @property
    def num_threads_per_warp(self) -> int:
        return self.threads_per_warp

    def _cluster(self, rows: int, columns: int) -> tuple[int, ...]:
        return (*(1,) * (len(self.repCluster) - 2), rows, columns)

    @property
    def inst_shape_a(self) -> tuple[int, int]:
        """Shape of the left operand of one instruction."""
        return self.repeat_count, self.systolic_depth * self.ops_per_channel

    @property
    def inst_shape_b(self) -> tuple[int, int]:
        """Shape of the right operand of one instruction."""
        return self.systolic_depth * self.ops_per_channel, self.execution_size

    @property
    def inst_shape_c(self) -> tuple[int, int]:
        """Shape of the result of one instruction."""
        return self.repeat_count, self.execution_size

    @property
    def shape_a(self) -> tuple[int, ...]:
        """Shape of the left operand of one cluster."""
        rows, depth = self.inst_shape_a
        return self._cluster(rows * self.rep_cluster[-2], depth)

    @property
    def shape_b(self) -> tuple[int, ...]:
        """Shape of the right operand of one cluster."""
        depth, columns = self.inst_shape_b
        return self._cluster(depth, columns * self.rep_cluster[-1])

    @property
    def shape_c(self) -> tuple[int, ...]:
        """Shape of the result of one cluster."""
        rows, columns = self.inst_shape_c
        return self._cluster(rows * self.rep_cluster[-2], columns * self.rep_cluster[-1])

    def verify(self) -> None:
        if not 1 <= self.repeat_count <= 8:
            raise VerifyException(
                f"repeatCount must be in the range [1, 8], but was:{self.repeat_count}"
            )
        if self.ops_per_channel not in (1, 2, 4):
            raise VerifyException(
                f"opsPerChannel must be 1, 2 or 4, but was:{self.ops_per_channel}"
            )
        if self.systolic_depth != 8:
            raise VerifyException(f"systolicDepth must be 8, but was:{self.systolic_depth}")
        if len(self.repCluster) not in (2, 3):
            raise VerifyException(
                f"expected rank 2 or 3 of repCluster, but the rank is:{len(self.repCluster)}"
            )
        if self.threads_per_warp < self.execution_size:
            raise VerifyException(
                "threadsPerWarp could not be smaller than the execution size. got subGroupSize:"
                f"{self.threads_per_warp}, executionSize:{self.execution_size}"
            )
        if self.fp4_k_pack is None:
            return
        if self.fp4_k_pack != 2:
            raise VerifyException(f"fp4KPack must be 2 but was:{self.fp4_k_pack}")
        if self.ops_per_channel != 4:
            raise VerifyException(
                f"opsPerChannel must be 4 for fp4 type, but was:{self.ops_per_channel}"
            )

    def verify_tensor(self, type: TensorType, op: Operation) -> None:
        """Check a tensor used by `op`, and the operands of a product that this one is of."""
        super().verify_tensor(type, op)
        if op.name != "tt.dot" or early_rules():
            return
        for operand in op.operands[:2]:
            element: Any = getattr(operand.type, "element_type", None)
            if bit_width(element) * self.ops_per_channel != 32:
                raise VerifyException(
                    f"{self}.\nLayout has opsPerChannel = {self.ops_per_channel} but tensor "
                    f"element type is '{element}'. Expected {32 // self.ops_per_channel} bit type."
                )

    def verify_dot_operand(self, op_idx: int, k_width: int) -> None:
        """Check the parameters of a `#ttg.dot_op` of this parent."""
        packed = self.ops_per_channel
        # Releases up to 3.1 asked the same of both operands.
        left = {packed, max(packed // 2, 1)}
        if k_width not in (left if op_idx == 0 else {packed}):
            raise VerifyException(
                "ttg.dot_op kWidth parameter must match the parent's opsPerChannel"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_dictionary(parser)
        names = ("repeatCount", "systolicDepth", "executionSize", "opsPerChan")
        return (
            *(take_int(parser, keys, name, 0) for name in names),
            take_ints(parser, keys, "warpsPerCTA", ()),
            take_ints(parser, keys, "repCluster", ()),
            take_int(parser, keys, "threadsPerWarp", 0),
            take_int(parser, keys, "fp4KPack", _NO_FP4),
        )

    def print_parameters(self, printer: Printer) -> None:
        pack = ""
        if self.fp4_k_pack is not None:
            if version_of(printer) < _FIRST_VERSION_OF_FP4:
                raise unsayable("fp4KPack of #ttig.dpas", version_of(printer))
            pack = f"fp4KPack = {self.fp4_k_pack}, "
        printer.print_string(
            f"<{{repeatCount = {self.repeat_count}, systolicDepth = {self.systolic_depth}, "
            f"executionSize = {self.execution_size}, opsPerChan = {self.ops_per_channel}, "
            f"{pack}threadsPerWarp = {self.threads_per_warp}, "
            f"warpsPerCTA = {int_text(self.warps_per_cta)}, "
            f"repCluster = {int_text(self.rep_cluster)}, A = {int_text(self.shape_a)}, "
            f"B = {int_text(self.shape_b)}, C = {int_text(self.shape_c)}}}>"
        )


@irdl_attr_definition
class Subgroup2DBlockEncodingAttr(ParametrizedAttribute, MmaOfWarpGrid, OfInstruction):
    """
    The result of a 2D block load of a sub-group (16 threads).

    Upstream `Subgroup2DBlockEncodingAttr`. An instruction loads `num_blocks` blocks of shape
    `instr_shape` side by side, `k_width` elements of a row packed into 32 bits.

    ```mlir
    #ttig.subgroup_2d_block<{warpsPerCTA = [4, 2], instrShape = [32, 16], numBlocks=1, order=[1, 0], kWidth=2, threadsPerWarp=16}>
    ```
    """

    name = "ttig.subgroup_2d_block"
    ALIAS: ClassVar[str] = "mma"
    SINCE: ClassVar[Version] = (3, 5)

    warpsPerCTA: Ints
    cga: CGAEncodingAttr
    instrShape: Ints
    numBlocks: IntAttr
    orderOfDims: Ints
    kWidth: IntAttr
    threadsPerWarp: IntAttr

    @property
    def num_blocks(self) -> int:
        return self.numBlocks.data

    @property
    def order(self) -> tuple[int, ...]:
        return values_of(self.orderOfDims)

    @property
    def k_width(self) -> int:
        return self.kWidth.data

    @property
    def threads_per_warp(self) -> int:
        return self.threadsPerWarp.data

    @property
    def num_threads_per_warp(self) -> int:
        return self.threads_per_warp

    def verify(self) -> None:
        for name, values in (
            ("instrShape", self.instr_shape),
            ("order", self.order),
            ("warpsPerCTA", self.warps_per_cta),
        ):
            if len(values) != 2:
                raise VerifyException(f"{name} must be rank 2 but was {len(values)}")
        if self.k_width not in (1, 2, 4):
            raise VerifyException(f"kWidth must be 1, 2 or 4, but was: {self.k_width}")
        if self.threads_per_warp != 16:
            raise VerifyException(f"threadsPerWarp must be 16, but was: {self.threads_per_warp}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_dictionary(parser)
        warps = take_ints(parser, keys, "warpsPerCTA", ())
        return (
            warps,
            parse_cga(parser, keys, len(warps)),
            take_ints(parser, keys, "instrShape", ()),
            take_int(parser, keys, "numBlocks", 0),
            take_ints(parser, keys, "order", ()),
            take_int(parser, keys, "kWidth", 0),
            take_int(parser, keys, "threadsPerWarp", 0),
        )

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(
            f"<{{warpsPerCTA = {int_text(self.warps_per_cta)}{cga_text(self.cga, printer)}, "
            f"instrShape = {int_text(self.instr_shape)}, numBlocks={self.num_blocks}, "
            f"order={int_text(self.order)}, kWidth={self.k_width}, "
            f"threadsPerWarp={self.threads_per_warp}}}>"
        )


@irdl_attr_definition
class WarpEncodingAttr(ParametrizedAttribute, ThreadGrid):
    """
    A tensor that a single warp holds. Upstream `WarpEncodingAttr`.

    ```mlir
    #ttig.warp<{sizePerThread = [16, 64], threadsPerWarp = [1, 1], order = [1, 0]}>
    ```
    """

    name = "ttig.warp"
    ALIAS: ClassVar[str] = "warp"

    sizePerThread: Ints
    threadsPerWarp: Ints
    orderOfDims: Ints

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_dictionary(parser)
        names = ("sizePerThread", "threadsPerWarp", "order")
        reject_unknown_keys(parser, keys, names)
        return [take_ints(parser, keys, name, ()) for name in names]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(
            f"<{{sizePerThread = {int_text(self.size_per_thread)}, "
            f"threadsPerWarp = {int_text(self.threads_per_warp)}, "
            f"order = {int_text(self.order)}}}>"
        )
