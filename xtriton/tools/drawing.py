"""SVG that fits a page, in light and dark; what all pictures of the tools are made with."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from textwrap import wrap

WIDTH = 1000
"""Units across a picture; a page scales it to what it has."""

LINE = 17
CHARACTER = 7.3
"""Width of a character of the font, in units."""

STYLE = """
.p { background: #fff; color-scheme: light dark; --ink: #1c2733; --dim: #5b6b7a; --paper: #fff;
  --memory: #eef2f6; --edge: #90a0b0; --load: #2f6db5; --store: #bf4f24; --atomic: #7b4fa3;
  --next: #2c8a57; --cut: #b9c2cb; }
@media (prefers-color-scheme: dark) { .p { background: #14191f; --ink: #e4eaf0; --dim: #9fb0c0;
  --paper: #14191f; --memory: #222b35; --edge: #62748a; --load: #6ea8ea; --store: #f08a5d;
  --atomic: #bd94e6; --next: #63c793; --cut: #55606c; } }
.p { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.p text { fill: var(--ink); } .p .dim { fill: var(--dim); }
.p .tag { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.p .head { font-weight: 700; font-size: 14px; }
.p .memory { fill: var(--memory); stroke: var(--edge); }
.p .cut { fill: url(#hatch); } .p .line { stroke: var(--edge); fill: none; }
.p .next { stroke: var(--next); fill: none; stroke-dasharray: 5 3; stroke-width: 1.5; }
.p .other { stroke: var(--dim); fill: none; stroke-width: 1.2; }
.p .tick { stroke: var(--paper); stroke-width: 1; opacity: .7; }
"""

HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--paper)" opacity=".55"/>'
    '<path d="M0 0V6" stroke="var(--cut)" stroke-width="3"/></pattern>'
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="var(--dim)"/></marker></defs>'
)


def svg(body: Iterable[str], height: float, width: float = WIDTH) -> str:
    """Return a picture `width` units wide, which a page scales to the room that it has."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="p" viewBox="0 0 {width:g} {height:g}" '
        f'width="100%" style="max-width:{width:g}px" role="img"><style>{STYLE}</style>{HATCH}\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def text(x: float, y: float, content: str, css: str = "", anchor: str = "start") -> str:
    """Return a line of text; it ends at `x` where `anchor` is "end"."""
    classes = f' class="{css}"' if css else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{classes}{where}>{escape(content)}</text>'


def lines(x: float, y: float, content: str, room: float, css: str = "") -> tuple[list[str], float]:
    """Return lines of text that fit `room` units, and where the next line goes."""
    parts = wrap(content, max(int(room / CHARACTER), 12), subsequent_indent="  ")
    drawn = [text(x, y + LINE * k, part, css) for k, part in enumerate(parts)]
    return drawn, y + LINE * len(parts)


def box(
    x: float, y: float, width: float, height: float, css: str = "", fill: str = "", title: str = ""
) -> str:
    """Return a rectangle at least a unit wide; `title` shows under the pointer."""
    style = f' style="fill:{fill}"' if fill else ""
    classes = f' class="{css}"' if css else ""
    head = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{max(height, 1):.1f}"'
    )
    if not title:
        return f"{head}{classes}{style}/>"
    return f"{head}{classes}{style}><title>{escape(title)}</title></rect>"


def arrow(x1: float, y1: float, x2: float, y2: float, both: bool = False) -> str:
    """Return an arrow, with two heads for an extent."""
    start = ' marker-start="url(#arrow)"' if both else ""
    return (
        f'<path class="line" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" '
        f'marker-end="url(#arrow)"{start}/>'
    )
