"""A result as one HTML page without scripts: counts, distributions, and what to look at first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from xtriton.corpus.columns import COLUMNS, Row
from xtriton.corpus.compare import BAD, GOOD, Comparison
from xtriton.corpus.findings import explanation, finding, number

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --line: #d5dbe3; --soft: #f3f5f8;
  --bar: #3b76c4; --bad: #b3261e; --good: #1b7f4b; }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe6ee; --paper: #14181d; --line: #38424e;
  --soft: #1d242c; --bar: #7fb0ef; --bad: #ff8a80; --good: #6fd3a0; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100%; font-size: .88rem }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.plots { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0; width: 20rem }
figcaption { font-size: .85rem } svg { width: 100%; height: auto } svg text { fill: var(--ink) }
rect { fill: var(--bar) } .bad { color: var(--bad) } .good { color: var(--good) }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0;
  padding: .4rem .8rem }
pre { background: var(--soft); overflow-x: auto; max-height: 30rem; padding: .6rem;
  font-size: .78rem; line-height: 1.35 }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem }
@media (max-width: 50rem) { .sides { grid-template-columns: 1fr } }
"""

_PLOTS: Sequence[tuple[str, Callable[[Row], float | None]]] = (
    ("CPU seconds of the pipeline", lambda row: _known(row, "seconds")),
    ("operations written for one read", lambda row: _ratio(row, "ops", "ops_before")),
    ("lines written", lambda row: _known(row, "lines")),
    ("shared memory, bytes", lambda row: _known(row, "shared_bytes")),
    ("peak memory, MiB", lambda row: _known(row, "peak_mib")),
)


@dataclass(frozen=True)
class Shown:
    """A row to look at, with the kernel's text and what the pipeline makes of it."""

    row: Row
    before: str
    after: str


def result_page(rows: Iterable[Row], shown: Sequence[Shown]) -> str:
    """Return the page of a result; `shown` are the rows to look at first."""
    rows = list(rows)
    pipelines = list(dict.fromkeys(str(row["pipeline"]) for row in rows))
    parts = [f"<p>{len({row['kernel'] for row in rows})} kernels.</p>", _summary(rows, pipelines)]
    for pipeline in pipelines:
        of = [row for row in rows if row["pipeline"] == pipeline]
        parts.append(f"<h2><code>{escape(pipeline or 'no passes')}</code></h2>")
        parts.append(_plots(of))
    parts.append("<h2>Look at these first</h2>")
    parts += [_details(one) for one in shown] or ["<p>Nothing was found.</p>"]
    parts.append(_meanings())
    return _document("What the pipelines do to the kernels", "\n".join(parts))


def comparison_page(comparison: Comparison, most: int = 200) -> str:
    """Return the page of two results side by side, with at most so many rows of a sort."""
    parts = [
        f"<p>{comparison.compared} rows compared; {comparison.only_before} only before,"
        f" {comparison.only_after} only after.</p>"
    ]
    for sort in (*BAD, *GOOD):
        changes = comparison.of(sort)
        if not changes:
            continue
        side = "bad" if sort in BAD else "good"
        parts.append(f'<h2 class="{side}">{sort}: {len(changes)}</h2>')
        body = [
            [c.kernel, c.pipeline, c.column, _text(c.before), _text(c.after), c.why]
            for c in changes[:most]
        ]
        parts.append(_table(["kernel", "pipeline", "column", "before", "after", "why"], body, 3, 4))
        if len(changes) > most:
            parts.append(f"<p>{len(changes) - most} more are not shown.</p>")
    return _document("What the change did", "\n".join(parts))


def summary_rows(rows: Sequence[Row], pipelines: Sequence[str]) -> list[list[str]]:
    """Return a line for each pipeline: what it is called, and its `SUMMARY` columns."""
    lines: list[list[str]] = []
    for pipeline in pipelines:
        of = [row for row in rows if row["pipeline"] == pipeline]
        found = Counter(finding(row) or "fine" for row in of)
        times = sorted(number(row, "seconds") for row in of)
        same = sum(row.get("verdict") == "same" for row in of)
        bad = found["crashed"] + found["failed"] + found["time"] + found["memory"]
        lines.append(
            [
                pipeline or "(no passes)",
                str(len(of)),
                str(bad + found["unreadable"]),
                str(found["wrong"]),
                str(same),
                f"{1000 * times[len(times) // 2]:.1f}" if times else "",
                f"{times[-1]:.2f}" if times else "",
                str(int(sum(number(row, "lines") for row in of))),
            ]
        )
    return lines


SUMMARY = ("pipeline", "kernels", "failed", "wrong", "same", "median ms", "slowest s", "lines")


def _summary(rows: Sequence[Row], pipelines: Sequence[str]) -> str:
    numbers = range(1, len(SUMMARY))
    return _table(SUMMARY, summary_rows(rows, pipelines), *numbers)


def _plots(rows: Sequence[Row]) -> str:
    figures = [
        _histogram(title, values)
        for title, of in _PLOTS
        if len(values := [v for row in rows if (v := of(row)) is not None]) > 1
    ]
    return f'<div class="plots">{"".join(figures)}</div>'


def _histogram(title: str, values: Sequence[float], bins: int = 24) -> str:
    """Return a picture of how values are distributed, on a logarithmic scale if they spread far."""
    low, high = min(values), max(values)
    logarithmic = low > 0 and high > 30 * low
    scale = math.log if logarithmic else float
    start, width = scale(low), (scale(high) - scale(low)) / bins or 1.0
    counts = Counter(min(int((scale(v) - start) / width), bins - 1) for v in values)
    top = max(counts.values())
    bars = "".join(
        f'<rect x="{10 + 12 * b}" y="{100 - 90 * n / top:.1f}" width="11"'
        f' height="{90 * n / top:.1f}"><title>{n}</title></rect>'
        for b, n in sorted(counts.items())
    )
    kind = ", logarithmic" if logarithmic else ""
    middle = sorted(values)[len(values) // 2]
    return (
        f'<figure><svg viewBox="0 0 310 120" role="img" aria-label="{escape(title)}">{bars}'
        f'<text x="10" y="115" font-size="10">{_text(low)}</text>'
        f'<text x="298" y="115" font-size="10" text-anchor="end">{_text(high)}</text></svg>'
        f"<figcaption>{escape(title)}{kind}; median {_text(middle)}, {len(values)} kernels"
        "</figcaption></figure>"
    )


def _details(shown: Shown) -> str:
    row = shown.row
    found = finding(row) or "the slowest"
    head = (
        f"<b>{found}</b> {escape(str(row['kernel']))} · <code>{escape(str(row['pipeline']))}</code>"
    )
    said = escape(explanation(row)) or f"{number(row, 'seconds'):.3f} s"
    return (
        f"<details><summary>{head}<br>{said}</summary>"
        f'<div class="sides"><div>before<pre>{escape(shown.before)}</pre></div>'
        f"<div>after<pre>{escape(shown.after)}</pre></div></div></details>"
    )


def _meanings() -> str:
    rows = [[column.name, column.meaning] for column in COLUMNS]
    return f"<details><summary>Columns</summary>{_table(['column', 'meaning'], rows)}</details>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *numbers: int) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=n' if i in numbers else ''}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )

    body = "\n".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return f"<table><tr>{line(head, 'th')}</tr>\n{body}</table>"


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _known(row: Row, column: str) -> float | None:
    return None if row.get(column) is None else number(row, column)


def _ratio(row: Row, part: str, whole: str) -> float | None:
    below = number(row, whole)
    return number(row, part) / below if below and row.get(part) is not None else None


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:.4g}"
    return str(value)
