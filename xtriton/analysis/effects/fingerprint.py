"""A hash of IR in memory, much cheaper than printing it."""

from hashlib import sha256

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    NameLoc,
)
from xdsl.ir import Attribute, IRNode, Operation, Region, SSAValue

from xtriton.analysis.effects.record import location_text
from xtriton.analysis.effects.texts import type_text
from xtriton.ir.locations import UNKNOWN


def fingerprint(op: Operation) -> str:
    """
    Return a hash of everything about `op` that a record may show.

    Equal for equal IR, also in another process; names of values and source lines count.
    """
    writer = _Writer()
    writer.operation(op)
    return sha256("\0".join(writer.parts).encode()).hexdigest()


def attribute_text(attribute: Attribute) -> str:
    """Return a text that no other attribute has; the frequent ones quickly."""
    if isinstance(attribute, IntegerAttr):
        return f"{attribute.value.data}:{type_text(attribute.type)}"  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    if isinstance(attribute, (DenseArrayBase, DenseIntOrFPElementsAttr)):
        type, data = attribute.parameters
        assert isinstance(data, BytesAttr)
        return f"{type_text(type)}:{data.data!r}"
    return type_text(attribute)


class _Writer:
    """
    Collects what the hash is taken of; values and blocks are numbered as they come.

    Written for speed: an analysis takes only twice as long.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.numbers: dict[IRNode | SSAValue, int] = {}

    def operation(self, op: Operation) -> None:
        add, numbers = self.parts.append, self.numbers
        add(op.name)
        for operand in op._operands:
            number = numbers.get(operand)
            if number is None:  # defined further below, which only graphs do
                number = numbers[operand] = len(numbers)
            add(str(number))
        for attributes in (op.properties, op.attributes):
            if attributes:
                for name in sorted(attributes) if len(attributes) > 1 else attributes:
                    add(name)
                    add(attribute_text(attributes[name]))
        for result in op.results:
            numbers.setdefault(result, len(numbers))
            add(type_text(result.type))
            add(result.name_hint or "")
        location = op.location
        if location is not UNKNOWN:
            add(location_text(location))
        for successor in op.successors:
            add(str(numbers.setdefault(successor, len(numbers))))
        for region in op.regions:
            self.region(region)

    def region(self, region: Region) -> None:
        add, numbers = self.parts.append, self.numbers
        add("{")
        for block in region.blocks:
            add("^" + str(numbers.setdefault(block, len(numbers))))
            for argument in block.args:
                numbers.setdefault(argument, len(numbers))
                add(type_text(argument.type))
                add(argument.name_hint or "")
                if isinstance(argument.location, NameLoc):
                    add(argument.location.desc.data)
            for op in block.ops:
                self.operation(op)
        add("}")
