"""How long the effects analysis takes: alone, with parsing, and from its cache."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measurements.figures import Bar, Figure, kernels, progress
from xtriton import effects
from xtriton.ir.parser import parse_module
from xtriton.universe import context


def measure(data: Path) -> Iterator[Figure]:
    """Yield the medians over the corpus."""
    texts = [path.read_text() for path in kernels(data)]
    shared = context()
    effects.analyze(parse_module(texts[0], shared))
    alone, parsed, cached = list[float](), list[float](), list[float]()
    for text in progress(texts, "effects"):
        start = time.perf_counter()
        module = parse_module(text, shared)
        middle = time.perf_counter()
        effects.analyze(module)
        end = time.perf_counter()
        effects.analyze(text)
        again = time.perf_counter()
        effects.analyze(text)
        alone.append(end - middle)
        parsed.append(end - start)
        cached.append(time.perf_counter() - again)
    for name, times, bar in (
        ("analysis", alone, 1.0),
        ("parsing and analysis", parsed, 6.0),
        ("cached", cached, 0.1),
    ):
        yield Figure(f"{name}, median", 1000 * median(times), "ms", bar, Bar.AT_MOST)
