"""Running something for each element of tensors, for its effect."""

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.generic import generic, identity_map


def for_each_element(builder: Builder, operands: Sequence[SSAValue], body: Any) -> None:
    """Insert a `linalg.generic` without results over tensors of one shape, in order."""
    kind: Any = operands[0].type
    rank = len(kind.get_shape())
    maps = [identity_map(rank)] * len(operands)
    generic(builder, operands, maps, (), ["parallel"] * rank, body)
