"""The addresses that one program touches, as an SVG picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xtriton.analysis.accesses import Access, Accesses
from xtriton.analysis.indexing import Atom, Evaluator, Kind, Space
from xtriton.analysis.report import kernels, one_line
from xtriton.errors import UserError

CELL = 6
"""Pixels that an element takes."""

MOST_COLUMNS = 160
MOST_ROWS = 120
MARGIN = 14
COLORS = {"load": "#3b6fb6", "store": "#c2562d", "atomic": "#7b4fa3"}
MASKED = "#d9d9d9"


def picture(module: ModuleOp, numbers: Mapping[str, int]) -> str:
    """
    Return an SVG with a panel for each access to a tensor.

    Memory runs along the rows; a row is as long as the widest stride, where that fits. Lanes
    that the mask switches off are grey. Scalars without a number in `numbers` are 64, ids of
    programs and iterations 0. Raise `UserError` for a number that no formula asks for.
    """
    panels: list[str] = []
    asked: set[str] = set()
    top = MARGIN
    width = 400
    for function in kernels(module):
        accesses = Accesses(function)
        for access in accesses.all:
            if not access.shape or not access.form.offset.dims:
                continue
            space = accesses.analysis.space
            asked |= {space.atoms[u].name for u in _leaves(space, access)}
            panel, w, h = _panel(space, access, numbers, top)
            panels.append(panel)
            top += h + 2 * MARGIN
            width = max(width, w + 2 * MARGIN)
    if unknown := sorted(numbers.keys() - asked):
        raise UserError(
            f"no formula has a '{unknown[0]}'", notes=[f"they have: {', '.join(sorted(asked))}"]
        )
    body = "\n".join(panels)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" '
        f'font-family="monospace" font-size="11">\n{body}\n</svg>\n'
    )


def _panel(
    space: Space, access: Access, numbers: Mapping[str, int], top: int
) -> tuple[str, int, int]:
    """Return the panel of one access, with its width and height."""
    values = {u: _value(space.atoms[u], numbers) for u in _leaves(space, access)}
    evaluate = Evaluator(values, access.shape)
    offsets = np.broadcast_to(evaluate.expr(access.form.offset), access.shape)
    live = np.broadcast_to(evaluate.cond(access.mask), access.shape)
    low = int(offsets.min())
    columns = _columns(offsets)
    places = (offsets - low).reshape(-1)
    x, y = places % columns, places // columns
    rows = min(int(y.max()) + 1, MOST_ROWS)
    color = COLORS[access.kind]
    cells = {
        (int(a), int(b)): on
        for a, b, on in sorted(zip(x, y, live.reshape(-1), strict=True), key=lambda c: bool(c[2]))
        if b < rows
    }
    drawn = "".join(
        f'<rect x="{MARGIN + a * CELL}" y="{top + 6 + b * CELL}" width="{CELL - 1}" '
        f'height="{CELL - 1}" fill="{color if on else MASKED}"/>'
        for (a, b), on in cells.items()
    )
    title = escape(f"{access.op.name}: {one_line(access)}")
    text = f'<text x="{MARGIN}" y="{top}">{title}</text>'
    return text + drawn, max(columns * CELL, 7 * len(title)), 6 + rows * CELL


def _columns(offsets: np.ndarray[Any, Any]) -> int:
    """Return how many elements a row of the picture has: the widest step, if it fits."""
    widest = 1
    for d in range(offsets.ndim):
        steps = np.abs(np.diff(offsets, axis=d))
        if steps.size:
            widest = max(widest, int(np.median(steps)))
    return widest if 8 <= widest <= MOST_COLUMNS else min(MOST_COLUMNS, 64)


def _leaves(space: Space, access: Access) -> set[int]:
    """Return what the address and mask of an access are made of, positions left out."""
    leaves = access.form.offset.leaves | access.mask.leaves
    return {u for u in leaves if space.atoms[u].kind is not Kind.POSITION}


def _value(leaf: Atom, numbers: Mapping[str, int]) -> Any:
    if leaf.name in numbers:
        number = numbers[leaf.name]
    else:
        grid = leaf.parts[:1] == ("program_id",)
        number = 0 if grid or leaf.kind is Kind.ITERATION else 64
    if leaf.kind is Kind.TENSOR:
        # loaded indices: scattered, and the same in every picture
        return lambda *positions: sum(p * 37 for p in positions) % 101  # pyright: ignore
    return number
