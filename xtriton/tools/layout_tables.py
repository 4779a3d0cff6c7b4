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
from xtriton.tools import drawing as draw

_SHOWN_COPIES = 4
_WIDEST, _HIGHEST, _LOWEST = 72, 22, 5
"""The most units a cell is wide, the most and the least it is high."""

_ROOM = 560
"""Units down the page that a layout should not exceed."""

_LEGIBLE = 12
_LONGEST_NAME = 5
_SQUEEZE = 'lengthAdjust="spacingAndGlyphs"'
_NARROWEST = 0.7
"""What a name may be squeezed to where its cell is narrow."""
_MOST_WARPS = 10


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
    return f"hsl({360 * index // max(count, 1)} 65% 78%)"


def _runs(owners: Owners, row: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Return a row of elements in runs that one thread owns, or each alone in shared memory."""
    runs: list[list[tuple[int, ...]]] = []
    before: object = None
    for element in row:
        points = owners.of.get(element, [])
        owner = [owners.thread(point) for point in points] or None
        if owners.is_shared or owner != before or not runs:
            runs.append([])
        runs[-1].append(element)
        before = owner
    return runs


def _cell(
    owners: Owners, elements: Sequence[tuple[int, ...]], x: float, y: float, w: float, h: float
) -> str:
    """Return the cell of one element, or of neighbours that one thread owns."""
    points = owners.of.get(elements[0], [])
    first = points[0] if points else {}
    group = first.get("offset" if owners.is_shared else WARP, 0)
    groups = owners.layout.in_size("offset" if owners.is_shared else WARP)
    names = [owners.names(element) for element in elements]
    index = ", ".join(map(str, elements[0]))
    title = escape(f"[{index}]: {', '.join(names)}")
    full = "|".join(owners.name(p) for p in points[:_SHOWN_COPIES])
    short = "" if owners.is_shared or not points else f"T{owners.thread(first)}"
    fits = (label for label in (full if len(elements) == 1 else short, short) if label)
    room = (w - 4) / draw.CHARACTER if h >= _LEGIBLE else 0
    squeezed = room / _NARROWEST
    label = next((text for text in fits if len(text) <= (room if text == full else squeezed)), "")
    narrow = "" if len(label) <= room else f' textLength="{w - 4:.1f}" {_SQUEEZE}'
    words = f'<text x="{x + 2:.1f}" y="{y + h / 2 + 4:.1f}"{narrow}>{label}</text>' if label else ""
    return (
        f'<g class="c"><title>{title}</title><rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" '
        f'height="{h:.1f}" fill="{_color(group, groups)}"/>{words}</g>'
    )


def _panel(title: str, owners: Owners, top: float) -> tuple[list[str], float]:
    """Return a drawing of one layout over the whole width, and where the next one goes."""
    parts, top = draw.lines(20, top, title, draw.WIDTH - 40, "head")
    rows = owners.rows()
    columns = owners.shape[-1]
    wide = min(_WIDEST, (draw.WIDTH - 40) / columns)
    high = min(_HIGHEST, max(_LOWEST, _ROOM / len(rows)))
    # One thread's neighbours share a cell where a cell of each would have no room for its name.
    merged = wide < _LONGEST_NAME * draw.CHARACTER
    for y, (_, row) in enumerate(rows):
        x = 20.0
        for run in _runs(owners, row) if merged else [[element] for element in row]:
            parts.append(_cell(owners, run, x, top + y * high, wide * len(run), high))
            x += wide * len(run)
    return parts, top + len(rows) * high + 34


def picture(titles: Sequence[str], sides: Sequence[Owners]) -> str:
    """Draw layouts one below the other, as SVG; warps have colors."""
    top, parts = 24.0, ["<style>.c rect { stroke: #0006; } .p .c text { fill: #111; }</style>"]
    for title, owners in zip(titles, sides, strict=True):
        drawn, top = _panel(title, owners, top)
        parts += drawn
    registers = [side for side in sides if not side.is_shared]
    warps = max((side.layout.in_size(WARP) for side in registers), default=0)
    for warp in range(min(warps, _MOST_WARPS)):
        parts.append(draw.box(20 + 90 * warp, top - 10, 22, 12, fill=_color(warp, warps)))
        parts.append(draw.text(47 + 90 * warp, top, f"warp {warp}"))
    if registers:
        note = "T5:1 is register 1 of thread 5; a cell that says T5 holds several registers of it"
        parts.append(draw.text(20, top + 20, note, "dim"))
    return draw.svg(parts, top + 34)


def page(titles: Sequence[str], sides: Sequence[Owners], bits: int = 32) -> str:
    """Return the picture as a page; cells tell all their owners under the pointer."""
    report = ""
    style = (
        "<style>body { color-scheme: light dark; background: light-dark(#fff, #14191f); "
        "color: light-dark(#1c2733, #e4eaf0); max-width: 1000px; margin: 0 auto; }</style>"
    )
    if len(sides) == 2:
        said = conversion_report(sides[0].layout, sides[1].layout, bits)
        report = f"<pre>{escape(said)}</pre>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Layout</title>'
        f"{style}</head><body>\n{picture(titles, sides)}{report}</body></html>\n"
    )
