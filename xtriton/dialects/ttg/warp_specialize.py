"""
Different code for different groups of warps.

Upstream: `TritonGPUOps.td`, `Ops.cpp`. The partitions must be isolated from above while the
default region is not; so they are regions of an op inside the second region, and captures
are operands of that op, which the text of the outer op hides.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, FunctionType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    RecursivelySpeculatable,
    RecursiveMemoryEffect,
    ReturnLike,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Array
from xtriton.dialects.tt.hooks import Canonicalizes
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.parameters import is_power_of_two
from xtriton.ir.checking.blame import OtherOpIsWrong
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules


@irdl_op_definition
class WarpSpecializeOp(IRDLOperation):
    """
    Run a region on the warps that are here and others on further warps, all at once.

    The default region sees outer values; its `ttg.warp_yield` gives the results. Partition
    `i` runs on `partitionNumWarps[i]` warps and sees only the captures, as arguments. The
    last two lists are the registers a thread of each partition asks for and gets.
    Upstream `TTG_WarpSpecializeOp`.

    ```mlir
    %0 = ttg.warp_specialize(%a)
    default {
      ttg.warp_yield %a : i32
    }
    partition0(%arg0: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> i32
    ```
    """

    name = "ttg.warp_specialize"
    SINCE: ClassVar[Version] = (3, 3)

    partitionNumWarps = prop_def(I32Array)
    warpGroupStartIds = opt_prop_def(I32Array)
    requestedRegisters = opt_prop_def(I32Array)
    actualRegisters = opt_prop_def(I32Array)
    defaultPassthrough = var_result_def(AnyAttr())
    defaultRegion = region_def()
    partitionOpHolder = region_def("single_block")

    traits = traits_def(
        *GPU_TRAITS,
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
        Canonicalizes("xtriton.transforms.cleanup.canonicalization.warp_groups:RESULT_PATTERNS"),
    )

    def __init__(
        self,
        captures: Sequence[SSAValue | Operation],
        default_region: Region,
        partitions: Sequence[Region],
        num_warps: Sequence[int],
        result_types: Sequence[Attribute] = (),
    ):
        holder = Region(Block([WarpSpecializePartitionsOp(captures, partitions)]))
        super().__init__(
            result_types=[result_types],
            properties={"partitionNumWarps": DenseArrayBase.from_list(i32, num_warps)},
            regions=[default_region, holder],
        )

    @property
    def partition_op(self) -> "WarpSpecializePartitionsOp":
        """The op that holds the partitions; raises `VerifyException` where it is missing."""
        blocks = self.partitionOpHolder.blocks
        first = blocks[0].first_op if blocks else None
        if not isinstance(first, WarpSpecializePartitionsOp):
            raise VerifyException(
                "expected to find only a `ttg.warp_specialize.partitions` op inside its second "
                "region"
            )
        return first

    @property
    def num_warps(self) -> tuple[int, ...]:
        """The number of warps of each partition."""
        return tuple(self.partitionNumWarps.iter_values())

    def verify_(self) -> None:
        partitions, num_warps = self.partition_op.partitionRegions, self.num_warps
        if len(partitions) != len(num_warps):
            raise VerifyException(
                f"has {len(partitions)} partitions but `partitionNumWarps` has "
                f"{len(num_warps)} elements"
            )
        for i, count in enumerate(num_warps):
            if not is_power_of_two(count):
                raise VerifyException(
                    f"partition #{i} number of warps ({count}) must be a power of 2"
                )
        starts = self.warpGroupStartIds
        if starts is not None and len(starts) != len(num_warps):
            raise VerifyException(
                f"has {len(starts)} warp group start IDs but expected {len(num_warps)}"
            )
        parent = self.parent_op()
        while parent is not None:
            if isinstance(parent, WarpSpecializeOp):
                raise VerifyException("cannot be nested inside another `ttg.warp_specialize` op")
            parent = parent.parent_op()

    @classmethod
    def parse(cls, parser: Parser) -> "WarpSpecializeOp":
        captures = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_keyword("default")
        default_region = parser.parse_region()
        start = parser.pos
        partitions: list[Region] = []
        num_warps: list[int] = []
        while parser.parse_optional_keyword(f"partition{len(partitions)}") is not None:
            arguments = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=True)
            )
            parser.parse_keyword("num_warps")
            parser.parse_punctuation("(")
            num_warps.append(parser.parse_integer(allow_boolean=False))
            parser.parse_punctuation(")")
            partitions.append(parser.parse_region(arguments))
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_function_type()
        operands = parser.resolve_operands(captures, types.inputs.data, position)
        op = cls(operands, default_region, partitions, num_warps, types.outputs.data)
        extra: dict[str, Attribute] = dict(attributes.data) if attributes else {}
        for name, value in extra.items():
            kind = op.properties if name in _REGISTER_LISTS else op.attributes
            kind[name] = value
        if (note_offset := getattr(parser, "note_offset", None)) is not None:
            note_offset(op.partition_op, start)
        return op

    def print(self, printer: Printer) -> None:
        partitions = self.partition_op
        printer.print_string("(")
        printer.print_list(partitions.operands, printer.print_operand)
        printer.print_string(")")
        printer.print_op_attributes(
            self.properties | self.attributes,
            reserved_attr_names=("partitionNumWarps",),
            print_keyword=True,
        )
        _print_line(printer, "default ")
        printer.print_region(self.defaultRegion, print_entry_block_args=False)
        for i, region in enumerate(partitions.partitionRegions):
            _print_line(printer, f"partition{i}(")
            printer.print_list(region.blocks[0].args, printer.print_block_argument)
            printer.print_string(f") num_warps({self.num_warps[i]}) ")
            printer.print_region(region, print_entry_block_args=False)
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists([o.type for o in partitions.operands], self.result_types)
        )


_REGISTER_LISTS = ("warpGroupStartIds", "requestedRegisters", "actualRegisters")


def _print_line(printer: Printer, text: str) -> None:
    printer._print_new_line()
    printer.print_string(text)


@irdl_op_definition
class WarpSpecializePartitionsOp(IRDLOperation):
    """
    The partitions of the `ttg.warp_specialize` around it and what they capture.

    Upstream `TTG_WarpSpecializePartitionsOp`; printed as part of its parent.

    ```mlir
    "ttg.warp_specialize.partitions"(%a) ({
    ^bb0(%arg0: i32):
      ttg.warp_return
    }) : (i32) -> ()
    ```
    """

    name = "ttg.warp_specialize.partitions"

    explicitCaptures = var_operand_def(AnyAttr())
    partitionRegions = var_region_def()

    traits = traits_def(
        *GPU_TRAITS,
        IsolatedFromAbove(),
        RecursiveMemoryEffect(),
        RecursivelySpeculatable(),
        IsTerminator(),
        HasParent(WarpSpecializeOp),
        Canonicalizes("xtriton.transforms.cleanup.canonicalization.warp_groups:CAPTURE_PATTERNS"),
    )

    def __init__(self, captures: Sequence[SSAValue | Operation], regions: Sequence[Region]):
        super().__init__(operands=[captures], regions=[regions])

    def verify_(self) -> None:
        for i, region in enumerate(self.partitionRegions):
            if not region.blocks:
                raise VerifyException(
                    f"region #{i} ('partitionRegions') failed to verify constraint: "
                    "region with at least 1 blocks"
                )
            arguments = region.blocks[0].args
            parent = self.parent_op()
            blamed = parent if parent is not None and early_rules() else self
            if len(arguments) != len(self.operands):
                raise OtherOpIsWrong(
                    blamed,
                    f"partition region #{i} has {len(arguments)} arguments but expected "
                    f"{len(self.operands)}",
                )
            for j, (argument, capture) in enumerate(zip(arguments, self.operands, strict=True)):
                if argument.type != capture.type:
                    raise OtherOpIsWrong(
                        blamed,
                        f"partition region #{i} argument #{j} has type '{argument.type}' but "
                        f"corresponding capture has type '{capture.type}'",
                    )


@irdl_op_definition
class WarpYieldOp(IRDLOperation):
    """
    End the default region of `ttg.warp_specialize` with its results.

    Upstream `TTG_WarpYieldOp`.

    ```mlir
    ttg.warp_yield %a, %b : i32, tensor<32xbf16, #blocked>
    ```
    """

    name = "ttg.warp_yield"

    values = var_operand_def(AnyAttr())

    traits = traits_def(
        *GPU_TRAITS, Pure(), IsTerminator(), ReturnLike(), HasParent(WarpSpecializeOp)
    )

    SYNTAX: ClassVar = Syntax("($values^)? attr-dict (`:` type($values)^)?", since=(3, 3))

    def verify_(self) -> None:
        parent = self.parent_op()
        assert parent is not None
        if len(self.operands) != len(parent.results):
            raise VerifyException(
                f"has {len(self.operands)} operands but parent op expected {len(parent.results)}"
            )
        for i, (value, result) in enumerate(zip(self.operands, parent.results, strict=True)):
            if value.type != result.type:
                raise VerifyException(
                    f"operand #{i} has type '{value.type}' but parent op expected '{result.type}'"
                )


@irdl_op_definition
class WarpReturnOp(IRDLOperation):
    """
    End a partition of `ttg.warp_specialize`. Upstream `TTG_WarpReturnOp`.

    ```mlir
    ttg.warp_return
    ```
    """

    name = "ttg.warp_return"

    traits = traits_def(
        *GPU_TRAITS, Pure(), IsTerminator(), ReturnLike(), HasParent(WarpSpecializePartitionsOp)
    )

    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 3))
