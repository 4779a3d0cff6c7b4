"""How the programs of a kernel walk through memory, as an SVG picture."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.analysis.accesses import Access, Accesses, extents_of
from xtriton.analysis.classify import Dimension, Tier
from xtriton.analysis.effects.analyze import function_name
from xtriton.analysis.indexing import Atom, Expr, Kind, Space
from xtriton.analysis.indexing.evaluation import Evaluator
from xtriton.analysis.report import access_report, kernels, one_line, order_of
from xtriton.analysis.values import Pointer, TensorBlock, byte_width
from xtriton.errors import UserError
from xtriton.tools import drawing as draw

LEFT, ROOM, HIGH = 90, 560, 230
"""Where memory is drawn: its left edge, its width, and the most height."""

FACTS = LEFT + ROOM + 40
CACHE_LINE = 64
"""Bytes; the lines are those of a CPU or of an Intel GPU, half of NVIDIA's."""

MOST_LINES = 40
"""Cache lines that are drawn in a row of a tile."""


def picture(
    module: ModuleOp, numbers: Mapping[str, int], only: Container[Operation] | None = None
) -> str:
    """
    Return an SVG with a panel for each access to a tensor, or for some ops only.

    A panel shows the tensor in memory with its extents by name, the tile of one program in it,
    where the next iteration and the neighbouring programs go, what the mask cuts off and where
    the tile wraps around. It is drawn with `numbers`; a scalar without one gets a number that
    makes room for two tiles and a half. Program ids and iterations are 0 unless given. Raise
    `UserError` for a number that no formula asks for.
    """
    parts: list[str] = []
    asked: set[str] = set()
    top = 24.0
    for function in kernels(module):
        accesses = Accesses(function)
        for access in accesses.all:
            if not access.shape or (only is not None and access.op not in only):
                continue
            space = accesses.analysis.space
            asked |= {space.atoms[u].name for u in _leaves(space, access)}
            panel = Panel(space, access, access_report(accesses, access), numbers)
            drawn, top = panel.draw(function_name(function), top)
            parts += drawn
    check_asked(numbers, asked)
    legend, top = _legend(top)
    return draw.svg([*parts, *legend], top)


def check_asked(numbers: Mapping[str, int], asked: set[str]) -> None:
    """Raise `UserError` for a number whose name is not `asked` for by any formula."""
    if unknown := sorted(numbers.keys() - asked):
        raise UserError(
            f"no formula has a '{unknown[0]}'", notes=[f"they have: {', '.join(sorted(asked))}"]
        )


@dataclass(frozen=True)
class Tile:
    """The box of elements that a program touches: first index and size of each drawn dimension."""

    start: tuple[int, ...]
    size: tuple[int, ...]
    live: tuple[tuple[int, int], ...] | None
    """For each dimension, which positions the mask leaves on; None where it leaves none."""


@dataclass
class Panel:
    """The picture of one access."""

    space: Space
    access: Access
    report: Mapping[str, Any]
    numbers: Mapping[str, int]
    dims: tuple[Dimension, ...] = field(init=False)
    axes: list[int] = field(init=False)
    """Dimensions drawn: the contiguous one along x, another along y."""

    def __post_init__(self) -> None:
        form = self.access.form
        self.dims = () if form.is_reshaped else form.dims
        self.axes = order_of(self.dims)[:2] if self.dims else []
        self.extents = dict(extents_of(self.access))
        self.leaves = {u: self.space.atoms[u] for u in _leaves(self.space, self.access)}

    # --- numbers ----------------------------------------------------------------------

    def values(self, **changed: int) -> dict[int, Any]:
        """Return a number for each leaf, with some of them, by name, increased."""
        roomy = {
            u: self.dims[d].size * 5 // 2
            for d, extent in self.extents.items()
            for u in extent.leaves
            if d < len(self.dims)
        }
        return {
            u: _value(atom, self.numbers, roomy.get(u, 64), changed.get(atom.name, 0))
            for u, atom in self.leaves.items()
        }

    def number(self, expr: Expr, values: Mapping[int, Any]) -> int:
        return int(np.max(Evaluator(values, self.access.shape).expr(expr)))

    def tile(self, **changed: int) -> Tile:
        """Return where a program is, some ids or iterations further on than the one drawn."""
        values = self.values(**changed)
        dims = [self.dims[d] for d in self.axes]
        live = np.broadcast_to(
            Evaluator(values, self.access.shape).cond(self.access.mask), self.access.shape
        )
        spans: list[tuple[int, int]] | None = []
        for d in self.axes:
            others = tuple(k for k in range(live.ndim) if k != d)
            on = np.flatnonzero(live.any(axis=others))
            if on.size == 0:
                spans = None
                break
            spans.append((int(on[0]), int(on[-1]) + 1))
        return Tile(
            tuple(self.number(dim.start, values) for dim in dims),
            tuple(dim.size for dim in dims),
            None if spans is None else tuple(spans),
        )

    def extent(self, axis: int) -> tuple[int, str] | None:
        """Return how long the tensor is along a drawn axis, and its name; None if nobody says."""
        d = self.axes[axis]
        expr = self.extents.get(d) or self.dims[d].modulus
        return None if expr is None else (self.number(expr, self.values()), str(expr))

    def steps(self) -> Iterator[tuple[str, str, Tile]]:
        """Yield (kind, label, tile) of the next iteration and of neighbouring programs."""
        here = self.tile()
        for atom in self.leaves.values():
            if atom.kind is Kind.ITERATION:
                for ahead in (1, 2):
                    following = self.tile(**{atom.name: ahead})
                    if following.start != here.start:
                        yield "next", f"{atom.name} + {ahead}", following
            elif _is_program(atom):
                for ahead in (1, 2):
                    neighbour = self.tile(**{atom.name: ahead})
                    if neighbour.start != here.start:
                        yield "other", f"{atom.name} + {ahead}", neighbour

    # --- drawing ----------------------------------------------------------------------

    def draw(self, kernel: str, top: float) -> tuple[list[str], float]:
        """Return the panel, drawn below `top`, and where the next one goes."""
        access = self.access
        place = str(self.report["location"] or "").partition(":")[2]
        shape = "×".join(map(str, access.shape))
        where = f", line {place}" if place else ""
        parts = [
            draw.text(20, top, f"{access.kind} {shape} — {access.tier.value}", "head"),
            draw.text(980, top, f"{kernel}{where}", "dim", "end"),
        ]
        drawn, y = draw.lines(20, top + 20, one_line(access), 960, "dim")
        parts += drawn
        if not self.axes:
            reason = self.report.get("reason", "its address has no closed form")
            drawn, y = draw.lines(20, y, f"in the way: {reason}", 960)
            return [*parts, *drawn], y + 22
        tiles, bottom = self._memory(y + 16)
        facts, below = self._facts(y + 26)
        return [*parts, *tiles, *facts], max(bottom, below) + 34

    def _memory(self, top: float) -> tuple[list[str], float]:
        here, steps = self.tile(), list(self.steps())
        flat = len(self.axes) == 1
        spans = [
            self._span(axis, [here, *(t for _, _, t in steps)]) for axis in range(len(self.axes))
        ]
        sx = ROOM / spans[0]
        sy = 1.0 if flat else min(HIGH / spans[1], max(sx, 60 / spans[1]))
        height = 46.0 if flat else spans[1] * sy
        grid = Grid(LEFT, top + 18, sx, sy, flat)
        sizes = [self._long(axis, spans[axis]) for axis in range(len(self.axes))]
        parts = [grid.rectangle((0, *([0] if not flat else [])), sizes, "memory")]
        parts += self._tile(grid, here, self.access.kind, "")
        for kind, label, tile in steps:
            parts += self._tile(grid, tile, kind, label)
        parts += self._labels(grid, spans, height)
        return parts, top + height + 44

    def _span(self, axis: int, tiles: list[Tile]) -> int:
        """Return how many elements are drawn along an axis: all tiles, and the tensor's extent."""
        known = self.extent(axis)
        size = self.dims[self.axes[axis]].size
        ends = [t.start[axis] + t.size[axis] for t in tiles]
        near = [end for end in ends if 0 < end <= 8 * size] or [2 * size]
        if self.dims[self.axes[axis]].modulus is not None and known is not None:
            return known[0]
        return max(*near, known[0] if known is not None and known[0] <= 12 * size else 0, size)

    def _long(self, axis: int, span: int) -> int:
        known = self.extent(axis)
        return span if known is None else min(known[0], span)

    def _tile(self, grid: Grid, tile: Tile, kind: str, label: str) -> list[str]:
        """Return the pieces of a tile, in more than one where it wraps around."""
        parts: list[str] = []
        for piece, (start, size, part) in enumerate(self._pieces(tile)):
            if piece and label:
                label = label.removesuffix(", around") + ", around"
            if kind in ("next", "other"):
                parts.append(grid.rectangle(start, size, kind, title=label))
                parts += _hatched(grid, start, size, part)
                parts.append(grid.label(start, size, label))
            else:
                parts.append(grid.rectangle(start, size, "", fill=f"var(--{kind})"))
                parts += self._cache_lines(grid, start, size)
                parts += _hatched(grid, start, size, part)
        return parts

    def _pieces(
        self, tile: Tile
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...] | None]]:
        """Yield start, size and live positions of the boxes that a tile consists of in memory."""
        cuts: list[list[tuple[int, int, int]]] = []
        for axis, d in enumerate(self.axes):
            modulus, size = self.dims[d].modulus, tile.size[axis]
            start = tile.start[axis]
            if modulus is None:
                cuts.append([(start, 0, size)])
                continue
            around = max(self.number(modulus, self.values()), 1)
            pieces: list[tuple[int, int, int]] = []
            done = 0
            while done < size and len(pieces) < 4:
                at = (start + done) % around
                step = min(size - done, around - at)
                pieces.append((at, done, step))
                done += step
            cuts.append(pieces)
        for combination in _product(cuts):
            start = tuple(at for at, _, _ in combination)
            size = tuple(n for _, _, n in combination)
            live: tuple[tuple[int, int], ...] | None = None
            if tile.live is not None:
                live = tuple(
                    (max(low - done, 0), min(high - done, n))
                    for (low, high), (_, done, n) in zip(tile.live, combination, strict=True)
                )
            yield start, size, live

    def _cache_lines(self, grid: Grid, start: tuple[int, ...], size: tuple[int, ...]) -> list[str]:
        dim = self.dims[self.axes[0]]
        each = CACHE_LINE // max(self._bytes(), 1)
        if dim.stride.constant != 1 or not each or size[0] // each > MOST_LINES:
            return []
        first = -(-start[0] // each) * each
        return [grid.tick(x, start, size) for x in range(first, start[0] + size[0], each)]

    def _labels(self, grid: Grid, spans: list[int], height: float) -> list[str]:
        parts: list[str] = []
        bottom = grid.y + height
        for axis in range(len(self.axes)):
            known = self.extent(axis)
            stride = str(self.dims[self.axes[axis]].stride)
            step = "contiguous" if stride == "1" else f"stride {stride}"
            if known is None:
                extent = "no extent known"
            else:
                given = "" if known[1].isdigit() else f" = {known[0]}"
                extent = f"{known[1]}{given}"
            if axis == 0:
                end = grid.x + self._long(0, spans[0]) * grid.sx
                parts.append(
                    draw.arrow(grid.x, bottom + 12, end, bottom + 12, both=known is not None)
                )
                parts.append(draw.text(grid.x, bottom + 29, f"{extent} ({step})"))
            else:
                end = grid.y + self._long(1, spans[1]) * grid.sy
                parts.append(
                    draw.arrow(grid.x - 12, grid.y, grid.x - 12, end, both=known is not None)
                )
                parts.append(draw.text(grid.x, grid.y - 7, f"↓ {extent} ({step})"))
        return parts

    def _bytes(self) -> int:
        pointer = self.access.pointer
        return byte_width(pointer.pointee) if isinstance(pointer, Pointer | TensorBlock) else 0

    def _facts(self, top: float) -> tuple[list[str], float]:
        facts = [f"base {self.report.get('base', '?')}, {self._bytes()} bytes an element"]
        if len(self.dims) > 2:
            facts.append(f"{len(self.dims)} dimensions, two of them drawn")
        if "alignment" in self.report:
            facts.append(f"first element: at a multiple of {self.report['alignment']} bytes")
        first = self.dims[self.axes[0]]
        if first.stride.constant == 1:
            facts.append(
                f"rows of {first.size} elements = {first.size * self._bytes()} bytes in one piece"
            )
        for d in self.axes:
            if self.dims[d].modulus is not None:
                facts.append(f"wraps around at {self.dims[d].modulus}")
        if "mask" in self.report:
            facts.append(f"mask: {self.report['mask']['condition']}")
        if self.access.tier not in (Tier.BLOCK, Tier.WRAPPED_BLOCK) and "reason" in self.report:
            facts.append(f"in the way: {self.report['reason']}")
        parts: list[str] = []
        for fact in facts:
            drawn, top = draw.lines(FACTS, top, fact, 980 - FACTS)
            parts += drawn
            top += 4
        return parts, top


@dataclass(frozen=True)
class Grid:
    """From elements to units of the picture."""

    x: float
    y: float
    sx: float
    sy: float
    flat: bool

    def place(self, start: tuple[int, ...], size: Any) -> tuple[float, float, float, float]:
        """Return left, top, width and height of a box, kept inside of what is drawn."""
        left, right = (min(max(n * self.sx, 0), ROOM + 40) for n in (start[0], start[0] + size[0]))
        if self.flat:
            return self.x + left, self.y, right - left, 46
        low, high = (min(max(n * self.sy, 0), HIGH + 30) for n in (start[1], start[1] + size[1]))
        return self.x + left, self.y + low, right - left, high - low

    def rectangle(
        self, start: tuple[int, ...], size: Any, css: str, fill: str = "", title: str = ""
    ) -> str:
        return draw.box(*self.place(start, size), css, fill, title)

    def label(self, start: tuple[int, ...], size: Any, label: str) -> str:
        x, y, width, height = self.place(start, size)
        if width < draw.CHARACTER * len(label) or height < 15:
            return ""
        return draw.text(x + 4, y + min(height - 4, 14), label, "tag")

    def tick(self, x: int, start: tuple[int, ...], size: Any) -> str:
        _, y, _, height = self.place(start, size)
        at = self.x + x * self.sx
        return f'<path class="tick" d="M{at:.1f} {y:.1f}v{height:.1f}"/>'


def _hatched(
    grid: Grid,
    start: tuple[int, ...],
    size: tuple[int, ...],
    live: tuple[tuple[int, int], ...] | None,
) -> list[str]:
    """Return what the mask switches off of a box, as far as that is whole rows and columns."""
    if live is None or any(low >= high for low, high in live):
        return [grid.rectangle(start, size, "cut", title="the mask is off")]
    parts: list[str] = []
    for axis, (low, high) in enumerate(live):
        for a, b in ((0, low), (high, size[axis])):
            if a < b:
                at, part = list(start), list(size)
                at[axis], part[axis] = start[axis] + a, b - a
                parts.append(grid.rectangle(tuple(at), part, "cut", title="the mask is off"))
    return parts


def _product(cuts: list[list[tuple[int, int, int]]]) -> Iterator[tuple[tuple[int, int, int], ...]]:
    if len(cuts) == 1:
        yield from ((one,) for one in cuts[0])
        return
    yield from ((a, b) for a in cuts[0] for b in cuts[1])


def _legend(top: float) -> tuple[list[str], float]:
    entries = (
        ("load", "", "loaded by this program"),
        ("store", "", "stored"),
        ("atomic", "", "atomic"),
        ("", "next", "next iteration"),
        ("", "other", "next programs"),
        ("", "cut", "mask is off"),
        ("", "memory", "the tensor in memory"),
    )
    parts: list[str] = []
    x = 20.0
    for fill, css, label in entries:
        parts.append(draw.box(x, top, 22, 12, css, f"var(--{fill})" if fill else ""))
        parts.append(draw.text(x + 28, top + 11, label))
        x += 42 + draw.CHARACTER * len(label)
    note = (
        f"Thin lines across a tile: cache lines of {CACHE_LINE} bytes. "
        "The two axes may differ in scale; tiles far away are not drawn."
    )
    parts.append(draw.text(20, top + 32, note, "dim"))
    return parts, top + 46


def _leaves(space: Space, access: Access) -> set[int]:
    """Return what the address and mask of an access are made of, positions left out."""
    found = access.form.offset.leaves | access.mask.leaves
    for _, extent in extents_of(access):
        found |= extent.leaves
    for dim in access.form.dims:
        # Where strides are 0, these are not in the offset.
        found |= dim.start.leaves
    return {u for u in found if space.atoms[u].kind is not Kind.POSITION}


def _is_program(leaf: Atom) -> bool:
    return leaf.parts[:1] == ("program_id",)


def _value(leaf: Atom, numbers: Mapping[str, int], otherwise: int, more: int) -> Any:
    if leaf.kind is Kind.TENSOR:
        # loaded indices: scattered, and the same in every picture
        return lambda *positions: sum(p * 37 for p in positions) % 101  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType, reportUnknownVariableType]
    if leaf.name in numbers:
        return numbers[leaf.name] + more
    return more if _is_program(leaf) or leaf.kind is Kind.ITERATION else otherwise
