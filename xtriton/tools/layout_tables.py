"""Tables and pictures of who owns which element."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import product

from xtriton.layouts.conversion import (
    Movement,
    minimal_conversion,
    movement,
    needs_shared_memory,
    scratch_bytes,
)
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import BLOCK, LANE, REGISTER, WARP
from xtriton.layouts.swizzling import access_conflicts, bank_conflicts, optimal_swizzle

_CELL = (64, 22)
_MARGIN = 10
_TITLE = 18
_SHOWN_COPIES = 4


class Owners:
    """The owners of each element of a tensor."""

    def __init__(self, layout: LinearLayout):
        self.layout = layout
        self.shape = layout.out_shape
        self.is_shared = is_shared(layout)
        self.of: dict[tuple[int, ...], list[dict[str, int]]] = {}
        names = layout.in_names
        for place in product(*(range(layout.in_size(name)) for name in reversed(names))):
            point = dict(zip(reversed(names), place, strict=True))
            element = layout.apply(point)
            key = tuple(element[f"dim{i}"] for i in range(len(self.shape)))
            self.of.setdefault(key, []).append(point)

    def thread(self, point: dict[str, int]) -> int:
        """Return the number of a thread within its CTA."""
        return point.get(WARP, 0) * self.layout.in_size(LANE) + point.get(LANE, 0)

    def name(self, point: dict[str, int]) -> str:
        """Return `T5:1` for register 1 of thread 5, the offset in shared memory."""
        block = f"B{point[BLOCK]}." if self.layout.in_size(BLOCK) > 1 else ""
        if self.is_shared:
            return f"{block}{point['offset']}"
        return f"{block}T{self.thread(point)}:{point[REGISTER]}"

    def names(self, element: tuple[int, ...]) -> str:
        """Return all owners of an element."""
        return "|".join(self.name(point) for point in self.of.get(element, ()))

    def rows(self) -> list[tuple[tuple[int, ...], list[tuple[int, ...]]]]:
        """Return the elements in rows along the last dimension, each with its other indices."""
        *outer, width = self.shape
        return [
            (lead, [(*lead, i) for i in range(width)])
            for lead in product(*(range(size) for size in outer))
        ]

    def table(self) -> str:
        """Return a line of owners for each row of the tensor."""
        cells = [[self.names(element) for element in row] for _, row in self.rows()]
        width = max(len(cell) for row in cells for cell in row)
        return "\n".join(", ".join(cell.rjust(width) for cell in row) for row in cells)


def is_shared(layout: LinearLayout) -> bool:
    """Return whether a layout is one of shared memory."""
    return REGISTER not in layout.bases_of


def conversion_report(source: LinearLayout, target: LinearLayout, bits: int) -> str:
    """Return what a conversion has to move, and what that costs."""
    if is_shared(source) != is_shared(target):
        registers, memory = (target, source) if is_shared(source) else (source, target)
        conflicts = access_conflicts(registers, memory, bits)
        return f"bank conflicts: {conflicts} an access of a warp"
    kind = movement(source, target)
    if kind is Movement.NOTHING:
        return "conversion: nothing moves"
    lines = [f"conversion: between {kind.value}"]
    moved = minimal_conversion(source, target)
    lines.append(f"where each place finds its element:\n{moved}")
    if needs_shared_memory(source, target):
        a, b = (layout.remove_zero_bases(REGISTER) for layout in (source, target))
        swizzle = optimal_swizzle(a, b, bits)
        stores, loads = bank_conflicts(a, b, swizzle, bits)
        lines.append(
            f"through shared memory: {scratch_bytes(source, target, bits)} bytes in "
            f"{swizzle.rounds} round(s), in vectors of {1 << len(swizzle.vector)}"
        )
        lines.append(f"bank conflicts: {stores} a store, {loads} a load")
    else:
        lines.append("without shared memory")
    return "\n".join(lines)


def _color(index: int, count: int) -> str:
    return f"hsl({360 * index // max(count, 1)} 70% 80%)"


def _panel(title: str, owners: Owners, left: int, top: int) -> tuple[str, int, int]:
    """Return a drawing of one layout, with its width and height."""
    width, height = _CELL
    parts = [f'<text x="{left}" y="{top + 12}" font-weight="bold">{escape(title)}</text>']
    layout = owners.layout
    groups = layout.in_size(WARP) if not owners.is_shared else layout.in_size("offset")
    rows = owners.rows()
    for y, (_, row) in enumerate(rows):
        for x, element in enumerate(row):
            points = owners.of.get(element, [])
            first = points[0] if points else {}
            group = first.get("offset" if owners.is_shared else WARP, 0)
            at = (left + x * width, top + _TITLE + y * height)
            label = "|".join(owners.name(p) for p in points[:_SHOWN_COPIES])
            index = ", ".join(map(str, element))
            parts.append(
                f"<g><title>[{index}]: {escape(owners.names(element))}</title>"
                f'<rect x="{at[0]}" y="{at[1]}" width="{width}" height="{height}" '
                f'fill="{_color(group, groups)}" stroke="#888"/>'
                f'<text x="{at[0] + 3}" y="{at[1] + 15}">{escape(label)}</text></g>'
            )
    return "\n".join(parts), owners.shape[-1] * width, _TITLE + len(rows) * height


def picture(titles: Sequence[str], sides: Sequence[Owners]) -> str:
    """Draw layouts side by side, as SVG; warps have colors."""
    left, bottom, parts = _MARGIN, 0, list[str]()
    for title, owners in zip(titles, sides, strict=True):
        drawn, width, height = _panel(title, owners, left, _MARGIN)
        parts.append(drawn)
        left += max(width, 7 * len(title)) + 3 * _MARGIN
        bottom = max(bottom, height + 2 * _MARGIN)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{bottom}" '
        f'font-family="monospace" font-size="11">\n{body}\n</svg>\n'
    )


def page(titles: Sequence[str], sides: Sequence[Owners]) -> str:
    """Return the picture as a page; cells tell all their owners under the pointer."""
    report = ""
    if len(sides) == 2:
        report = f"<pre>{escape(conversion_report(sides[0].layout, sides[1].layout, 32))}</pre>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Layout</title>'
        f"</head><body>\n{picture(titles, sides)}{report}</body></html>\n"
    )
