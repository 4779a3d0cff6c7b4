"""
Shared memory in partitions, each of another layout.

Upstream: `PartitionedSharedEncodingAttr` of `TritonGPUAttrDefs.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.parameters import (
    is_power_of_two,
    parse_dictionary,
    reject_unknown_keys,
    take_int,
)
from xtriton.ir.versions import Version


@irdl_attr_definition
class PartitionedSharedEncodingAttr(ParametrizedAttribute, SharedEncoding):
    """
    A tensor cut along one dimension, the pieces going round several buffers.

    Upstream `PartitionedSharedEncodingAttr`. The `num_partitions · num_groups` pieces have
    layout `partition_layout` each; piece `i` is in buffer `i mod num_partitions`.

    ```mlir
    #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #shared}>
    ```
    """

    name = "ttg.partitioned_shared"
    ALIAS: ClassVar[str] = "shared"
    SINCE: ClassVar[Version] = (3, 8)

    numPartitions: IntAttr
    numGroups: IntAttr
    partitionDim: IntAttr
    partitionLayout: Attribute

    @property
    def rank(self) -> int:
        layout = self.partitionLayout
        return layout.rank if isinstance(layout, SharedEncoding) else 0

    @property
    def num_ctas(self) -> int | None:
        layout = self.partitionLayout
        return layout.num_ctas if isinstance(layout, SharedEncoding) else None

    @property
    def num_partitions(self) -> int:
        return self.numPartitions.data

    @property
    def num_groups(self) -> int:
        return self.numGroups.data

    @property
    def partition_dim(self) -> int:
        return self.partitionDim.data

    def verify(self) -> None:
        if self.num_partitions < 2 or not is_power_of_two(self.num_partitions):
            raise VerifyException("numPartitions must be a power of 2 and at least 2")
        if not is_power_of_two(self.num_groups):
            raise VerifyException("numGroups must be a power of 2 and greater than 0")
        if not isinstance(self.partitionLayout, SharedEncoding):
            raise VerifyException("partitionLayout must be a SharedEncodingTrait")
        if self.partition_dim >= self.rank:
            raise VerifyException(
                f"partitionDim ({self.partition_dim}) must be less than the layout rank "
                f"({self.rank})"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        names = ("numPartitions", "numGroups", "partitionDim")
        reject_unknown_keys(parser, parameters, (*names, "partitionLayout"))
        if (layout := parameters.get("partitionLayout")) is None:
            parser.raise_error("missing partitionLayout")
        return (*(take_int(parser, parameters, name, 0) for name in names), layout)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(
            f"<{{numPartitions = {self.num_partitions}, numGroups = {self.num_groups}, "
            f"partitionDim = {self.partition_dim}, partitionLayout = "
        )
        printer.print_attribute(self.partitionLayout)
        printer.print_string("}>")
