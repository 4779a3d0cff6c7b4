"""
Reading and writing: the corpus in the syntax of every release, upstream's tests, mutations.

Releases of Triton are asked where XTRITON_WHEELS names a folder with one folder for each
(`pip install --no-deps --target FOLDER/3.4.0 triton==3.4.0`). Upstream's tests are judged
where XTRITON_CHECKOUTS names a folder with checkouts whose names begin with the release
whose rules hold (`3.7-intel-backend`). What is absent is left out, with a note.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import conformance
import fuzz
from triton_wheels import VARIABLE, Answer, Wheel, wheel
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Figure, kernels, percent, progress
from xtriton.errors import UserError
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, parse_version, version_text
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

MUTATIONS = 20_000
CHECKOUTS = "XTRITON_CHECKOUTS"

OLD: tuple[Version, ...] = ((3, 1), (3, 2), (3, 3), (3, 4), (3, 5))
"""Releases that lack ops of the corpus; what they have they must read."""
SAME: tuple[Version, ...] = ((3, 6), (3, 7))
"""Releases that read the corpus as it is: what we write must be what they write."""
NEW: tuple[Version, ...] = ((3, 8), (3, 9))
"""Releases that refuse most of the corpus as it is."""
BACK: Version = (3, 6)
"""The release whose syntax the texts of the newer ones are taken back to."""

_LOCATION_LINE = re.compile(r"^#loc.*\n?", re.MULTILINE)
_LOCATION = re.compile(r" ?loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_NAME = re.compile(r"%[\w$.-]+")
_WHOLE_MODULE = re.compile(r"^module\b", re.MULTILINE)
"""Dumps of single functions call others that they do not hold."""
_MODULE_AROUND = re.compile(r"^module \{\n((?:  .*\n)*)\}$", re.MULTILINE)
"""What we put around the function of such a dump."""
_DUMP = re.compile(r"^// -----// .*\n", re.MULTILINE)


def measure(data: Path) -> Iterator[Figure]:
    """Yield all figures, those of Triton's releases and of upstream's tests where they are."""
    yield from _corpus(kernels(data, "corpus/*/*.tt*ir"))
    yield from _xpu(kernels(data, "xpu/**/*.ttgir") + kernels(data, "xpu/**/*.mlir"))
    yield from _upstream()
    texts = fuzz.texts_of([data / "corpus", data / "xpu"])
    failures = sum(fuzz.run(texts, MUTATIONS).values())
    yield _all_of("mutated files with a result or a placed error", MUTATIONS - failures, MUTATIONS)


def _all_of(name: str, part: int, whole: int, note: str = "") -> Figure:
    return Figure(name, percent(part, whole), "%", 100.0, note=note or f"{part:,} of {whole:,}")


# --- the corpus -------------------------------------------------------------------------


@dataclass
class _Release:
    """A release of Triton and what it said so far."""

    wheel: Wheel
    counts: Counter[str] = field(default_factory=Counter[str])

    @property
    def name(self) -> str:
        return f"Triton {version_text(self.wheel.version)}"

    def read(self, module: ModuleOp) -> tuple[str, Answer] | None:
        """Return our text and what the release makes of it; None if it cannot be said."""
        try:
            text = print_module(module, version=self.wheel.version, debug_info=True)
        except UserError:
            self.counts["unsayable"] += 1
            return None
        answer = self.wheel.read(text)
        self.counts["sayable"] += 1
        self.counts["read"] += answer.text is not None
        return text, answer


def _corpus(files: list[Path]) -> Iterator[Figure]:
    shared, fixed = context(), 0
    with ExitStack() as stack:
        releases = _releases(stack)
        for path in progress(files, "corpus"):
            original = path.read_text()
            module = parse_module(original, shared, file=str(path))
            verify(module)
            fixed += _is_fixed_point(module, shared)
            reference = releases[BACK].wheel.read(original).text if BACK in releases else None
            for version in OLD:
                if version in releases:
                    releases[version].read(module)
            for version in SAME:
                if version in releases:
                    _compare(releases[version], module, original)
            for version in NEW:
                if version in releases and BACK in releases:
                    _there_and_back(releases[version], releases[BACK], module, reference, shared)
    yield _all_of("corpus: parse, verify, write as a fixed point", fixed, len(files))
    for release in releases.values():
        yield from _figures_of(release, len(files))
    absent = [version_text(v) for v in (*OLD, *SAME, *NEW) if v not in releases]
    if absent:
        yield Figure("releases not asked", len(absent), note=f"{', '.join(absent)}: {VARIABLE}")


def _releases(stack: ExitStack) -> dict[Version, _Release]:
    folders = os.environ.get(VARIABLE, "")
    found = {v: stack.enter_context(wheel(folders, v)) for v in (*OLD, *SAME, *NEW)}
    return {v: _Release(release) for v, release in found.items() if release is not None}


def _is_fixed_point(module: ModuleOp, shared: Context) -> bool:
    text = print_module(module, debug_info=True)
    return print_module(parse_module(text, shared), debug_info=True) == text


def _compare(release: _Release, module: ModuleOp, original: str) -> None:
    """Count where a release prints our text as it prints the original, and as we do."""
    wanted = release.wheel.read(original).text
    said = release.read(module)
    if said is not None and wanted is not None:
        release.counts["same"] += said[1].text == wanted
        release.counts["ours"] += said[0].strip() == wanted.strip()


def _there_and_back(
    release: _Release, back: _Release, module: ModuleOp, reference: str | None, shared: Context
) -> None:
    """Count where a newer release's print, taken back by us, is the original."""
    said = release.read(module)
    if said is None or said[1].text is None or reference is None:
        return
    again = print_module(parse_module(said[1].text, shared), version=BACK, debug_info=True)
    release.counts["back"] += back.wheel.read(again).text == reference


def _figures_of(release: _Release, files: int) -> Iterator[Figure]:
    counts, version = release.counts, release.wheel.version
    unsayable = f", {counts['unsayable']} cannot be said" if counts["unsayable"] else ""
    note = f"{counts['read']:,} of {counts['sayable']:,}{unsayable}"
    yield _all_of(f"{release.name} reads our text", counts["read"], counts["sayable"], note)
    if version in SAME:
        yield _all_of(f"{release.name}: its print of our text", counts["same"], files)
        yield _all_of(f"{release.name}: our text, byte for byte", counts["ours"], files)
    if version in NEW:
        yield _all_of(f"{release.name}: and back, for 3.6", counts["back"], files)


# --- what only the XPU backend reads ----------------------------------------------------


def _xpu(files: list[Path]) -> Iterator[Figure]:
    shared, texts, same, fixed = context(), 0, 0, 0
    for path in progress(files, "xpu"):
        for text in filter(str.strip, _DUMP.split(path.read_text())):
            texts += 1
            module = parse_module(text, shared, file=str(path))
            ours = print_module(module)
            if _WHOLE_MODULE.search(text):
                verify(module)
            else:
                ours = _MODULE_AROUND.sub(lambda m: textwrap.dedent(m[1]), ours)
            fixed += _is_fixed_point(module, shared)
            same += _bare(ours) == _bare(text)
    yield _all_of("XPU backend: a fixed point", fixed, texts)
    yield _all_of("XPU backend: the given text but for names", same, texts)


def _bare(text: str) -> str:
    """Return `text` without locations and comments, values numbered in order."""
    text = _LOCATION.sub("", _LOCATION_LINE.sub("", re.sub(r"^//.*\n", "", text, flags=re.M)))
    numbers: dict[str, str] = {}
    return _NAME.sub(lambda m: numbers.setdefault(m[0], f"%{len(numbers)}"), text).strip()


# --- upstream's tests -------------------------------------------------------------------


def _upstream() -> Iterator[Figure]:
    folder = os.environ.get(CHECKOUTS)
    if folder is None:
        yield Figure("upstream's checkouts", 0, note=f"not judged: {CHECKOUTS} is not set")
        return
    for root in sorted(Path(folder).iterdir()):
        release = re.match(r"\d+\.\d+", root.name)
        if release is not None:
            yield _conformance(root, parse_version(release[0]))


def _conformance(root: Path, version: Version) -> Figure:
    counts, _ = conformance.judge(root, version)
    total = sum(counts.values(), Counter[str]())
    judged, good = conformance.judged_and_good(total)
    note = f"{good:,} of {judged:,} chunks"
    return Figure(f"upstream's tests: {root.name}", percent(good, judged), "%", 98.0, note=note)
