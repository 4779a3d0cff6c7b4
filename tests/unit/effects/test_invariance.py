"""Inlining, renaming, reordering arguments and canonicalising change no answer for the worse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.unit.effects import kernels_adversarial, kernels_control, kernels_memory
from tests.unit.effects.kernels import KERNELS
from tests.unit.effects.test_random import Program
from tests.unit.effects.test_random_tensors import Writer
from xtriton import effects, universe
from xtriton.effects import KernelEffects
from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.cleanup.canonicalize import canonicalize

__all__ = ["kernels_adversarial", "kernels_control", "kernels_memory"]

CONTEXT = universe.context(allow_unregistered=True)
RANK = {"none": 0, "must": 1, "may": 2}
GRID, SCALARS = (3, 2), dict.fromkeys(range(20), 3)

TEXTS = {
    **{k.name: k.text for k in KERNELS},
    **{f"pointers {seed}": Program(seed).text() for seed in range(20)},
    **{f"tensors {seed}": Writer(seed).text() for seed in range(20)},
}


def worse(
    before: KernelEffects, after: KernelEffects, places: dict[int, int] | None = None
) -> Iterator[str]:
    """Yield every answer of `after` that says less; `places` are the new positions."""
    scalars = {
        places[k] if places else k: v for k, v in SCALARS.items() if not places or k in places
    }
    bytes_before, bytes_after = before.at(GRID, SCALARS), after.at(GRID, scalars)
    for a in before.arguments:
        index = places[a.index] if places else a.index
        b = next((x for x in after.arguments if (x.index, x.kind) == (index, a.kind)), None)
        if b is None:
            continue
        for what in ("read", "write", "reads_initial"):
            if RANK[getattr(b, what)] > RANK[getattr(a, what)]:
                yield f"{a.path}: {what} {getattr(a, what)} became {getattr(b, what)}"
        if a.covers and not b.covers and b.write != "none":
            yield f"{a.path}: no longer overwrites all it writes"
        if b.escapes and not a.escapes:
            yield f"{a.path}: escapes"
        x, y = bytes_before[a.path], bytes_after[b.path]
        for old, new in ((x.reads, y.reads), (x.writes, y.writes)):
            if old is not None and (new is None or not _within(new, old)):
                yield f"{a.path}: bytes {old} became {new}"
        if x.exact and not y.exact:
            yield f"{a.path}: bytes no longer exact"
    known = {a.index for a in before.arguments}
    back = {v: k for k, v in places.items()} if places else None
    for b in after.arguments:
        if (back[b.index] if back else b.index) not in known and "may" in (b.read, b.write):
            yield f"{b.path}: new"
    if len(after.indirect) > len(before.indirect):
        yield f"more memory that is not known: {[a.path for a in after.indirect]}"
    for what in ("must_keep", "unknown_read", "unknown_write"):
        if getattr(after, what) not in (getattr(before, what), False, "none", "must"):
            yield f"{what} became {getattr(after, what)}"
    for what in ("pure", "deterministic", "complete"):
        if getattr(before, what) and not getattr(after, what):
            yield f"no longer {what}"
    if before.disjoint_over_programs() is True and after.disjoint_over_programs() is not True:
        yield "programs are no longer apart"


def _within(inner: tuple[tuple[int, int], ...], outer: tuple[tuple[int, int], ...]) -> bool:
    return all(any(low <= a and b <= high for low, high in outer) for a, b in inner)


# --- what is done to a kernel ---------------------------------------------------------


def without_names(text: str) -> ModuleOp:
    module = parse_module(text, CONTEXT)
    for op in module.walk():
        for result in op.results:
            result.name_hint = None
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    argument.name_hint = None
    return module


_HEAD = re.compile(
    r"(tt\.func public @[\w.$-]+\()(.*?)(\)(?: attributes \{[^{}]*\})? \{| *\) *(?:loc|attr))"
)


def reordered(text: str) -> tuple[str, dict[int, int]]:
    """Return a kernel with its arguments in the opposite order, and their new positions."""
    head = _HEAD.search(text)
    assert head is not None, text[:500]
    arguments = re.split(r", (?=%)", head[2]) if head[2] else []
    places = {k: len(arguments) - 1 - k for k in range(len(arguments))}
    return text[: head.start(2)] + ", ".join(arguments[::-1]) + text[head.end(2) :], places


def canonical(text: str) -> ModuleOp:
    module = parse_module(text, CONTEXT)
    canonicalize(module)
    return module


def check(text: str) -> list[str]:
    """Return what becomes worse by what."""
    before = effects.analyze(text)
    found = [f"inlining: {w}" for w in worse(effects.analyze(text, inline=False), before)]
    found += [f"renaming: {w}" for w in worse(before, effects.analyze(without_names(text)))]
    other, places = reordered(text)
    found += [f"reordering: {w}" for w in worse(before, effects.analyze(other), places)]
    found += [f"canonicalising: {w}" for w in worse(before, effects.analyze(canonical(text)))]
    return found


@pytest.mark.parametrize("name", list(TEXTS))
def test_nothing_becomes_worse(name: str):
    assert check(TEXTS[name]) == []


def test_nothing_becomes_worse_on_real_kernels(shared_corpus: Path):
    files = sorted(shared_corpus.rglob("corpus/**/*.ttir"))[::80]
    assert len(files) >= 10
    wrong = {path.name: found for path in files if (found := check(path.read_text()))}
    assert wrong == {}


def test_what_is_worse_is_noticed():
    copy, masked, both = (
        effects.analyze(TEXTS[name]) for name in ("copy", "masked_copy", "select_pointers")
    )
    assert list(worse(copy, copy)) == []
    found = list(worse(copy, masked))
    assert {"x: read must became may", "out: write must became may"} <= set(found)
    assert any("bytes" in w for w in worse(both, copy)), found
    assert "no longer pure" in list(worse(effects.analyze(TEXTS["nothing"]), copy))
