"""
Names of SSA values and blocks, as MLIR's printer gives them.

Names are handed out before anything is printed: first everything in a region, then the
regions nested in it, each going on counting where its parent stopped. So `%0` of a loop's
body comes after the last number outside, and two sibling regions use the same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import CallSiteLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Block, Operation, Region

from xtriton.ir.locations import fused_parts
from xtriton.ir.remembered_hash import once_per_attribute
from xtriton.ir.writing.asm_names import (
    ResultNames,
    entry_argument_names,
    name_groups,
    result_names_of,
)

_item: Any = getattr(tuple, "__getitem__")  # noqa: B009


@dataclass
class Names:
    """What `name_values` found; the keys are identities of values, ops and blocks."""

    values: dict[int, str] = field(default_factory=dict[int, str])
    """`%x`, or `%x#1` for one of several results under one name."""
    results: dict[int, str] = field(default_factory=dict[int, str])
    """`%x:3`, what stands before the `=` of an op with several results."""
    blocks: dict[int, str] = field(default_factory=dict[int, str])
    """`^bb0`."""
    order: dict[int, int] = field(default_factory=dict[int, int])
    """The position of a block in its region."""


@once_per_attribute
def location_name(location: Attribute) -> str | None:
    """Return the first name in a location, outermost first, None if it has none."""
    if isinstance(location, NameLoc):
        return location.desc.data
    if isinstance(location, CallSiteLoc):
        name = location_name(location.callee)
        return name if name is not None else location_name(location.caller)
    if isinstance(location, FusedLoc):
        for part in fused_parts(location):
            if (name := location_name(part)) is not None:
                return name
    return None


def sanitized(name: str) -> str:
    """Return `name` with what an identifier cannot hold replaced."""
    first = name[0]
    prefix = "_" if first.isdigit() or not (_is_valid(first) or first == " ") else ""
    if not prefix and all(map(_is_valid, name)):
        return name
    return prefix + "".join(
        chr(byte) if _is_valid(chr(byte)) else "_" if byte == 0x20 else f"{byte:X}"
        for byte in name.encode()
    )


def _is_valid(character: str) -> bool:
    return (character.isalnum() and character.isascii()) or character in "$._-"


def name_values(root: Operation, *, from_locations: bool, generic: bool) -> Names:
    """
    Name everything in `root`.

    `from_locations` takes names from name locations, as Triton prints; `generic` names
    as MLIR does for its generic form: numbers that no other region uses, no suggestions.
    """
    return _Namer(from_locations, generic).run(root)


_Context = tuple[Region, int, int, int, int]
"""A region to do, with the counters for values, arguments, conflicts, and the open scopes."""


class _Namer:
    """The state of one `name_values`."""

    def __init__(self, from_locations: bool, generic: bool):
        self.names = Names()
        self.from_locations = from_locations
        self.generic = generic
        self.next_value = 0
        self.next_argument = 0
        self.next_conflict = 0
        self.used: set[str] = set()
        self.scopes: list[list[str]] = [[]]
        self.rules: dict[type[Operation], ResultNames | None] = {}
        self.location_names: dict[int, str | None] = {}
        self.sanitized: dict[str, str] = {}

    def run(self, root: Operation) -> Names:
        pending: list[_Context] = [(region, 0, 0, 0, 1) for region in root.regions]
        self.name_results(root, None if self.generic else result_names_of(type(root)))
        while pending:
            region, value, argument, conflict, scope = pending.pop()
            if not self.generic:
                self.next_value, self.next_argument = value, argument
                self.next_conflict = conflict
            self.close_scopes(scope)
            self.scopes.append([])
            nested = self.name_region(region)
            counters = (self.next_value, self.next_argument, self.next_conflict)
            depth = len(self.scopes)
            pending += [(inner, *counters, depth) for op in nested for inner in op.regions]
        return self.names

    def close_scopes(self, depth: int) -> None:
        while len(self.scopes) > depth:
            self.used.difference_update(self.scopes.pop())

    def name_region(self, region: Region) -> list[Operation]:
        """Name what is directly in `region`; return the ops with regions of their own."""
        nested: list[Operation] = []
        block = region.first_block
        if block is None:
            return nested
        self.name_entry_arguments(region, block)
        number = 0
        while block is not None:
            key = id(block)
            self.names.blocks[key] = f"^bb{number}"
            self.names.order[key] = number
            if number:
                self.name_arguments(block)
            self.name_ops(block, nested)
            block = block.next_block
            number += 1
        return nested

    def name_entry_arguments(self, region: Region, block: Block) -> None:
        suggested: Sequence[str] | None = None
        if not self.generic and region.parent is not None:
            suggested = entry_argument_names(region.parent, region)
        for index, argument in enumerate(block.args):
            name = suggested[index] if suggested is not None else f"arg{self.next_argument}"
            if suggested is None:
                self.next_argument += 1
            if self.from_locations:
                name = self.name_in(argument.location) or name
            self.names.values[id(argument)] = "%" + self.unique(name)

    def name_arguments(self, block: Block) -> None:
        for argument in block.args:
            name = self.name_in(argument.location) if self.from_locations else None
            self.names.values[id(argument)] = self.named_or_numbered(name)

    def name_ops(self, block: Block, nested: list[Operation]) -> None:
        rules, values = self.rules, self.names.values
        op = block.first_op
        while op is not None:
            if op.regions:
                nested.append(op)
            results = op.results
            if results:
                cls = op.__class__
                if cls in rules:
                    rule = rules[cls]
                else:
                    rule = rules[cls] = None if self.generic else result_names_of(cls)
                if rule is not None or len(results) > 1:
                    self.name_results(op, rule)
                elif self.from_locations and (name := self.name_in(op.location)):
                    values[id(_item(results, 0))] = "%" + self.unique(name)
                else:
                    values[id(_item(results, 0))] = f"%{self.next_value}"
                    self.next_value += 1
            op = op.next_op

    def name_results(self, op: Operation, rule: ResultNames | None) -> None:
        """Name the results of an op whose class suggests names, or that has several."""
        results, values = op.results, self.names.values
        if not results:
            return
        groups = name_groups(rule, op) if rule is not None else ()
        hint = self.name_in(op.location) if self.from_locations else None
        heads = {index: "%" + self.unique(hint or name) for index, name in groups}
        if 0 not in heads:
            heads[0] = self.named_or_numbered(hint)
        starts = sorted(heads)
        texts: list[str] = []
        for start, end in zip(starts, (*starts[1:], len(results)), strict=True):
            head, size = heads[start], end - start
            texts.append(head if size == 1 else f"{head}:{size}")
            for offset in range(size):
                key = id(_item(results, start + offset))
                values[key] = head if size == 1 else f"{head}#{offset}"
        if len(results) > 1:
            self.names.results[id(op)] = ", ".join(texts)

    def name_in(self, location: Attribute) -> str | None:
        key = id(location)
        if key in self.location_names:
            return self.location_names[key]
        name = self.location_names[key] = location_name(location)
        return name

    def named_or_numbered(self, name: str | None) -> str:
        if name:
            return "%" + self.unique(name)
        self.next_value += 1
        return f"%{self.next_value - 1}"

    def unique(self, name: str) -> str:
        clean = self.sanitized.get(name)
        if clean is None:
            clean = self.sanitized[name] = sanitized(name)
        used = self.used
        if clean in used:
            name = clean
            while clean in used:
                clean = f"{name}_{self.next_conflict}"
                self.next_conflict += 1
        used.add(clean)
        self.scopes[-1].append(clean)
        return clean
