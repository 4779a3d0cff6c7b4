"""The layout conversions of a module: where, what, how far, through how much shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.analysis.axis_facts import element_bits
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of_type
from xtriton.ir.locations import file_position
from xtriton.ir.versions import copied
from xtriton.layouts.conversion import movement, needs_shared_memory, scratch_bytes
from xtriton.universe import context, pass_class

REMOVERS = ("tritongpu-remove-layout-conversions", "xtriton-propagate-layouts-back")
"""Passes that may make a conversion needless, in the order in which they are tried."""


@dataclass(frozen=True)
class Conversion:
    """One `ttg.convert_layout`: bytes of its tensor, and bytes of shared memory."""

    place: str
    shape: tuple[int, ...]
    source: str
    target: str
    moves: str
    """Between what elements move: "registers", "lanes", "warps", or nothing."""

    bytes: int
    shared: int
    remover: str
    """The first pass behind which the kernel has fewer conversions at this place, or ""."""

    def render(self) -> str:
        """Return two lines and, where something would avoid it, a third."""
        shape = "x".join(map(str, self.shape))
        shared = f", {self.shared} bytes of shared memory" if self.shared else ""
        lines = [
            f"{self.place}: {shape}, {self.bytes} bytes, {self.moves}{shared}",
            f"  from {self.source}",
            f"  to   {self.target}",
        ]
        return "\n".join([*lines, *([f"  {self.remover} avoids it"] if self.remover else [])])


def conversions(module: ModuleOp) -> list[Conversion]:
    """Return the layout conversions of a module, in its order."""
    found = list(_converting(module))
    avoided = _avoided(module, [_place(op) for op in found]) if found else {}
    return [_describe(op, avoided.get(_place(op), "")) for op in found]


def _converting(module: Operation) -> Iterator[Any]:
    return (op for op in module.walk() if op.name == "ttg.convert_layout")


def _place(op: Operation) -> str:
    position = file_position(op.location)
    return "no source line" if position is None else "{}:{}:{}".format(*position)


def _describe(op: Any, remover: str) -> Conversion:
    source, target = op.operands[0].type, op.results[0].type
    shape = tuple(target.get_shape())
    bits = element_bits(target)
    moves, shared = "not known how far", 0
    try:
        a, b = layout_of_type(source), layout_of_type(target)
        kind = movement(a, b).value
        moves = "nothing moves" if kind == "nothing" else f"between {kind}"
        shared = scratch_bytes(a, b, bits) if needs_shared_memory(a, b) else 0
    except NoLinearLayout:
        pass
    total = prod(shape) * bits // 8
    return Conversion(
        _place(op), shape, str(source.encoding), str(target.encoding), moves, total, shared, remover
    )


def _avoided(module: ModuleOp, places: list[str]) -> dict[str, str]:
    """Return by place the first pass behind which there are fewer conversions at it."""
    found: dict[str, str] = {}
    for name in REMOVERS:
        copy = copied(module)
        try:
            pass_class(name)().apply(context(), copy)
        except Exception:  # a guess for people; a pass that refuses the module avoids nothing
            continue
        left = [_place(op) for op in _converting(copy)]
        for place in set(places):
            if left.count(place) < places.count(place):
                found.setdefault(place, name)
    return found
