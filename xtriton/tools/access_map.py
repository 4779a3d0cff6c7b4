"""Which program of a launch touches which element, step by step, as a page without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import product
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.effects.analyze import function_name
from xtriton.analysis.indexing import Kind
from xtriton.analysis.indexing.evaluation import Evaluator
from xtriton.analysis.report import access_report, kernels, one_line
from xtriton.errors import UserError
from xtriton.tools import drawing as draw
from xtriton.tools.access_picture import HIGH, LEFT, ROOM, Panel, check_asked

Grid = tuple[int, int, int]
Mask = Any
"""An array of truths with rows along the second drawn dimension, one row if there is none."""

MOST_STEPS = 64
MOST_ITERATIONS = 8
MOST_ELEMENTS = (1 << 16, 2048)
"""How far memory of one dimension and of two is drawn; what lies beyond is told."""

STYLE = """
body { font: 15px system-ui, sans-serif; max-width: 1000px; margin: 1em auto; padding: 0 .5em;
  color-scheme: light dark; background: light-dark(#fff, #14191f);
  color: light-dark(#1c2733, #e4eaf0); }
input[name=step] { position: absolute; opacity: 0; }
nav { position: sticky; top: 0; padding: .5em 0; background: light-dark(#fff, #14191f); }
nav label { display: inline-block; font: 12px ui-monospace, monospace; padding: .2em .5em;
  margin: 1px; border: 1px solid light-dark(#90a0b0, #62748a); border-radius: 4px;
  cursor: pointer; }
.p .all { opacity: .22; } .p .now { visibility: hidden; }
.p .over { fill: none; stroke: #d33682; stroke-width: 2; }
.p .off { fill: url(#hatch); stroke: var(--cut); stroke-dasharray: 2 2; }
@media (prefers-reduced-motion: no-preference) {
  #play:checked ~ main .now { animation: show calc(var(--steps) * .9s) step-end infinite;
    animation-delay: calc(var(--step) * .9s); visibility: hidden; } }
"""


def page(module: ModuleOp, numbers: Mapping[str, int], grid: Grid) -> str:
    """
    Return a page with a step for each program of a launch of `grid`.

    Each access to a tensor has its memory drawn, faintly with the elements that any program
    touches, and framed where several do. A step shows those of one program, in all of its first
    iterations: what the mask cuts off is hatched, a tile that wraps around lies in pieces. Scalars
    without a number are as in `access_picture.picture`. Raise `UserError` for a grid of more
    than `MOST_STEPS` programs.
    """
    programs = [(x, y, z) for z, y, x in product(*(range(n) for n in reversed(grid)))]
    if len(programs) > MOST_STEPS:
        raise UserError(f"a map has at most {MOST_STEPS} programs; --grid has {len(programs)}")
    parts: list[str] = []
    asked: set[str] = set()
    top = 24.0
    for function in kernels(module):
        accesses = Accesses(function)
        for access in accesses.all:
            if access.shape:
                panel = Panel(
                    accesses.analysis.space, access, access_report(accesses, access), numbers
                )
                asked |= {leaf.name for leaf in panel.leaves.values()}
                drawn, top = _panel(panel, function_name(function), programs, top)
                parts += drawn
    check_asked(numbers, asked)
    legend, top = _legend(top)
    return _html(draw.svg([*parts, *legend], top), programs, grid)


def _html(picture: str, programs: Sequence[Grid], grid: Grid) -> str:
    count = len(programs)
    shown = [k for k in range(3) if grid[k] > 1] or [0]
    names = [", ".join(f"pid_{'xyz'[k]} {program[k]}" for k in shown) for program in programs]
    rules = [
        f"#s{k}:checked ~ main .s{k} {{ visibility: visible; }} "
        f"#s{k}:checked ~ nav label[for=s{k}] {{ background: #2f6db5; color: #fff; }} "
        f"#s{k}:focus-visible ~ nav label[for=s{k}] {{ outline: 2px solid #d33682; }}"
        for k in range(count)
    ]
    end = f"{100 / count:.3f}% {{ visibility: hidden; }} " if count > 1 else ""
    show = f"@keyframes show {{ 0% {{ visibility: visible; }} {end}}}"
    inputs = [
        f'<input type="radio" name="step" id="s{k}"{" checked" if k == 0 else ""}>'
        for k in range(count)
    ]
    labels = [f'<label for="s{k}">{escape(name)}</label>' for k, name in enumerate(names)]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Access map</title>'
        f"<style>{STYLE}\n{show}\n" + "\n".join(rules) + f"</style></head>"
        f'<body style="--steps: {count}"><h1>Access map</h1>\n'
        '<input type="checkbox" id="play"> <label for="play">play the programs in turn</label>\n'
        + "".join(inputs)
        + f"\n<nav>program {''.join(labels)}</nav>\n<main>{picture}</main></body></html>\n"
    )


def _panel(
    panel: Panel, kernel: str, programs: Sequence[Grid], top: float
) -> tuple[list[str], float]:
    """Return the drawing of one access, and where the next one goes."""
    access = panel.access
    shape = "×".join(map(str, access.shape))
    place = str(panel.report["location"] or "").partition(":")[2]
    parts = [
        draw.text(20, top, f"{access.kind} {shape} — {access.tier.value}", "head"),
        draw.text(980, top, f"{kernel}, line {place}" if place else kernel, "dim", "end"),
    ]
    drawn, top = draw.lines(20, top + 20, one_line(access), 960, "dim")
    parts += drawn
    if not panel.axes:
        reason = panel.report.get("reason", "its address has no closed form")
        drawn, top = draw.lines(20, top, f"not drawn: {reason}", 960)
        return [*parts, *drawn], top + 22
    touched = [Touched(panel, program) for program in programs]
    memory = Memory(panel, touched, top + 22)
    parts.append(memory.outline())
    parts += memory.everybody()
    for step, one in enumerate(touched):
        inside = "".join(memory.program(one))
        parts.append(f'<g class="now s{step}" style="--step: {step}">{inside}</g>')
    facts = memory.facts()
    y = top + 30
    for fact in facts:
        drawn, y = draw.lines(LEFT + ROOM + 50, y, fact, 980 - LEFT - ROOM - 50)
        parts += drawn
    return parts, max(y, memory.bottom + 34) + 30


class Touched:
    """The indices that one program has along the drawn dimensions, and its masks."""

    def __init__(self, panel: Panel, program: Grid):
        self.tiles: list[tuple[list[Any], Mask]] = []
        ids = {f"pid_{'xyz'[k]}": program[k] for k in range(3)}
        loops = [a.name for a in panel.leaves.values() if a.kind is Kind.ITERATION]
        seen: set[tuple[int, ...]] = set()
        for turns in product(range(MOST_ITERATIONS), repeat=min(len(loops), 1)):
            changed = {**ids, **dict(zip(loops, turns, strict=False))}
            tile = panel.tile(**changed)
            if tile.start in seen:
                break
            seen.add(tile.start)
            if (live := _live(panel, changed)).any():
                self.tiles.append((list(_indices(panel, tile.start)), live))

    def ends(self, axis: int) -> int:
        """Return the index behind the last one along an axis, of tiles that are not masked off."""
        return max((int(indices[axis].max()) + 1 for indices, _ in self.tiles), default=0)


def _indices(panel: Panel, starts: Sequence[int]) -> Iterator[Any]:
    """Yield where the elements of a tile lie along each drawn dimension, wrapped around."""
    for d, start in zip(panel.axes, starts, strict=True):
        found = start + np.arange(panel.dims[d].size)
        if (modulus := panel.dims[d].modulus) is not None:
            found = found % max(panel.number(modulus, panel.values()), 1)
        yield found


def _live(panel: Panel, changed: Mapping[str, int]) -> Mask:
    """Return which elements of a tile the mask leaves on, in some position of what is not drawn."""
    shape = panel.access.shape
    live = np.broadcast_to(Evaluator(panel.values(**changed), shape).cond(panel.access.mask), shape)
    others = tuple(k for k in range(len(shape)) if k not in panel.axes)
    flat = live.any(axis=others)
    if len(panel.axes) == 1:
        return flat.reshape(1, -1)
    return flat if panel.axes[0] > panel.axes[1] else flat.T


class Memory:
    """The part of a tensor that is drawn."""

    def __init__(self, panel: Panel, touched: Sequence[Touched], top: float):
        self.panel, self.touched = panel, touched
        self.known = [panel.extent(axis) for axis in range(len(panel.axes))]
        self.size = [self._size(axis) for axis in range(len(panel.axes))]
        if len(self.size) == 1:
            self.size.append(1)
        width, height = self.size
        self.sx = ROOM / width
        self.sy = 46.0 if len(panel.axes) == 1 else min(HIGH / height, max(self.sx, 60 / height))
        self.top = top
        self.bottom = top + height * self.sy
        self.count = np.zeros((height, width), int)
        for one in touched:
            self.count += self.of(one)

    def _size(self, axis: int) -> int:
        known = self.known[axis]
        reached = max(one.ends(axis) for one in self.touched)
        size = self.panel.dims[self.panel.axes[axis]].size
        most = max(reached, known[0] if known is not None else size, 1)
        return min(most, MOST_ELEMENTS[len(self.panel.axes) > 1])

    def of(self, one: Touched, cut: bool = False) -> Mask:
        """Return which elements a program touches, or those that its masks cut off."""
        width, height = self.size
        found = np.zeros((height, width), bool)
        for indices, live in one.tiles:
            xs = indices[0]
            ys = indices[1] if len(indices) > 1 else np.zeros(1, int)
            inside = np.outer((ys >= 0) & (ys < height), (xs >= 0) & (xs < width))
            rows, columns = np.nonzero((~live if cut else live) & inside)
            found[ys[rows], xs[columns]] = True
        return found

    def outline(self) -> str:
        """Return the rectangle of the tensor with its extents."""
        extents = [k[0] if k else size for k, size in zip(self.known, self.size, strict=False)]
        long = [min(n, size) for n, size in zip([*extents, 1], self.size, strict=False)]
        parts = [self._box((0, 0, long[0], long[1]), "memory")]
        names = ["no extent known" if k is None else k[1] for k in self.known]
        numbers = [f" = {k[0]}" if k and not k[1].isdigit() else "" for k in self.known]
        parts.append(draw.text(LEFT, self.bottom + 16, f"→ {names[0]}{numbers[0]}"))
        if len(self.known) > 1:
            parts.append(draw.text(LEFT, self.top - 6, f"↓ {names[1]}{numbers[1]}"))
        return "".join(parts)

    def everybody(self) -> Iterator[str]:
        """Yield what all programs touch, faintly, with frames where several do."""
        fill = f"var(--{self.panel.access.kind})"
        for box in boxes(self.count > 0):
            yield self._box(box, "all", fill)
        for box in boxes(self.count > 1):
            yield self._box(box, "over", title="several programs touch these elements")

    def program(self, one: Touched) -> Iterator[str]:
        """Yield what one program touches, and what its masks cut off."""
        for box in boxes(self.of(one, cut=True)):
            yield self._box(box, "off", title="the mask is off")
        for box in boxes(self.of(one)):
            yield self._box(box, "", f"var(--{self.panel.access.kind})")

    def _box(
        self, box: tuple[int, int, int, int], css: str, fill: str = "", title: str = ""
    ) -> str:
        x, y, w, h = box
        left, top = LEFT + x * self.sx, self.top + y * self.sy
        return draw.box(left, top, w * self.sx, h * self.sy, css, fill, title)

    def facts(self) -> list[str]:
        """Return what the counts say."""
        facts = [f"{int((self.count > 0).sum())} elements touched"]
        if several := int((self.count > 1).sum()):
            facts.append(f"{several} of them by several programs, at most {int(self.count.max())}")
        else:
            facts.append("none by several programs")
        if any(self.panel.dims[d].modulus is not None for d in self.panel.axes):
            facts.append("tiles wrap around")
        beyond = sum(
            any(one.ends(axis) > self.size[axis] for axis in range(len(self.panel.axes)))
            for one in self.touched
        )
        if beyond:
            facts.append(f"{beyond} programs go on beyond what is drawn")
        idle = sum(not self.of(one).any() for one in self.touched)
        if idle and not beyond:
            facts.append(f"{idle} programs touch nothing")
        return facts


def boxes(mask: Mask) -> Iterator[tuple[int, int, int, int]]:
    """Yield (x, y, width, height) of boxes that cover a mask: equal rows share theirs."""
    height = len(mask)
    y = 0
    while y < height:
        end = y + 1
        while end < height and np.array_equal(mask[end], mask[y]):
            end += 1
        edges = np.flatnonzero(np.diff(np.concatenate(([0], mask[y].astype(np.int8), [0]))))
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            yield int(left), y, int(right - left), end - y
        y = end


def _legend(top: float) -> tuple[list[str], float]:
    entries = (
        ("load", "", "loaded"), ("store", "", "stored"), ("atomic", "", "atomic"),
        ("", "off", "mask is off"), ("", "over", "touched by several programs"),
        ("", "memory", "the tensor in memory"),
    )  # fmt: skip
    parts: list[str] = []
    x = 20.0
    for fill, css, label in entries:
        parts.append(draw.box(x, top, 22, 12, css, f"var(--{fill})" if fill else ""))
        parts.append(draw.text(x + 28, top + 11, label))
        x += 46 + draw.CHARACTER * len(label)
    note = f"Faint: what any program touches. Up to {MOST_ITERATIONS} iterations of a loop."
    parts.append(draw.text(20, top + 32, note, "dim"))
    return parts, top + 46
