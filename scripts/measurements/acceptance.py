"""
Does real Triton compile what xtriton writes, down to PTX, and does that mean the same?

Kernels raised to block pointers go to Triton 3.7.1, the last that has these, kernels raised to
tensor descriptors to 3.9.0, both also in two versions under a guard; TTGIR with our layouts goes
on from there. `XTRITON_WHEELS` names a folder with one folder for each release, such as
`3.7.1/triton`; a release that is not there is taken if it is the installed one, or left out.
What Triton does not compile as it was either is counted apart. The bars are on what is left.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Figure, kernels, percent, progress
from xtriton.api import run_passes
from xtriton.errors import UserError
from xtriton.interop.triton_batch import Job, Outcome, compile_all
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version
from xtriton.ir.writing.printer import print_module
from xtriton.judge.equivalence import Options, check_equivalent
from xtriton.passes.manager import PassCrash
from xtriton.universe import context

VERSIONS = "xtriton-version-kernel{unit-strides=true unwrap=true},xtriton-version-loops"
LAYOUTS = (
    "convert-triton-to-tritongpu{target=cuda:90 num-warps=4 threads-per-warp=32 num-ctas=1},"
    "tritongpu-coalesce,tritongpu-remove-layout-conversions"
)
LAST_WITH_BLOCK_POINTERS = (3, 7)
MORE = Options(budget=1_000_000, count=1)
"""For kernels that take more steps than are usual, such as loops of constant length."""


@dataclass(frozen=True)
class Target:
    """A form of kernels, the passes that bring them there, and the Triton that is asked."""

    name: str
    passes: str
    release: str
    job: dict[str, Any] = field(default_factory=dict[str, Any])
    checked: bool = True
    without: tuple[str, ...] = ()
    """What kernels must not hold to be asked about."""

    @property
    def before(self) -> str:
        """The passes that make a kernel one that the release can read."""
        if self.syntax <= LAST_WITH_BLOCK_POINTERS:
            return ""
        return "inline,triton-rewrite-tensor-pointer"

    @property
    def syntax(self) -> Version:
        """The release as our printer names it."""
        major, minor, *_ = self.release.split(".")
        return int(major), int(minor)


TARGETS = (
    Target("block pointers", "triton-raise-block-pointer", "3.7.1"),
    Target("block pointers, versioned", f"{VERSIONS},triton-raise-block-pointer", "3.7.1"),
    Target("descriptors", "triton-raise-tensor-descriptor", "3.9.0"),
    Target("descriptors, versioned", f"{VERSIONS},triton-raise-tensor-descriptor", "3.9.0"),
    Target(
        "our TTGIR, on behind coalescing",
        LAYOUTS,
        "3.9.0",
        {"first": "ttgir", "has_layouts": True},
        checked=False,
    ),
    # Products and descriptors need passes of Triton's stage ttgir first.
    Target(
        "our TTGIR to llir",
        LAYOUTS,
        "3.9.0",
        {"first": "llir"},
        checked=False,
        without=("tt.dot", "tt.make_tensor_descriptor"),
    ),
)


def measure(data: Path) -> Iterator[Figure]:
    """Yield how much of it is accepted and equivalent, for each target."""
    texts = dict(chain(_texts_of(data), _own_kernels()))
    for target in TARGETS:
        wheel = _wheel(target.release)
        if wheel is None:
            yield Figure(f"{target.name}: Triton {target.release} is not there", 0)
            continue
        yield from _figures(target, texts, wheel)


def _texts_of(data: Path) -> Iterator[tuple[str, str]]:
    for pattern in ("corpus/*/*.ttir", "xpu/*.ttir"):
        for path in kernels(data, pattern):
            yield str(path.relative_to(data)), path.read_text()


def _own_kernels() -> Iterator[tuple[str, str]]:
    """Yield the TTIR of the kernels in `tests/e2e/raising`, with and without alignment."""
    path = Path(__file__).parents[2] / "tests/e2e/raising/test_raised_kernels.py"
    spec = spec_from_file_location("raised_kernels", path)
    assert spec is not None
    assert spec.loader is not None
    tests: Any = module_from_spec(spec)
    spec.loader.exec_module(tests)
    for name, kernel in tests.kernels():
        for aligned in (False, True):
            suffix = ", aligned" if aligned else ""
            yield f"own/{name}{suffix}", tests.ttir_of(name, kernel, aligned=aligned)


def _wheel(release: str) -> Path | None:
    """Return where that release is, the empty path for the installed one, None for nowhere."""
    for named in filter(None, os.environ.get("XTRITON_WHEELS", "").split(os.pathsep)):
        if (folder := Path(named, release)).joinpath("triton").is_dir():
            return folder
    try:
        return Path() if version("triton") == release else None
    except PackageNotFoundError:
        return None


def _figures(target: Target, texts: dict[str, str], wheel: Path) -> Iterator[Figure]:
    jobs: list[Job] = []
    originals: dict[str, Job] = {}
    failures: dict[str, str] = {}
    differences: dict[str, str] = {}
    for name, text in progress(list(texts.items()), target.name):
        if any(op in text for op in target.without):
            continue
        try:
            before = _through(target.before, text)
            after = _through(f"{target.before},{target.passes}".strip(","), text)
            original, raised = (print_module(m, version=target.syntax) for m in (before, after))
        except (UserError, PassCrash) as error:
            failures[name] = str(error)
            continue
        if raised == original:
            continue
        jobs.append(Job(name, raised, **target.job))
        originals[name] = Job(name, original)
        if target.checked and (difference := _difference(before, after)):
            differences[name] = difference
    refused = {o.name: o.error for o in _compiled(jobs, wheel) if not o.accepted}
    unchanged = _compiled([originals[name] for name in refused], wheel)
    apart = {o.name for o in unchanged if not o.accepted}
    ours = {n: e for n, e in (refused | failures).items() if n not in apart}
    count = len(jobs) + len(failures) - len(apart)
    note = f"{count - len(ours)} of {count}; {len(apart)} more do not compile unchanged either"
    name = f"{target.name}: Triton {target.release} compiles"
    yield Figure(name, percent(count - len(ours), count), "%", 100, note=note + _first(ours))
    if target.checked:
        same = len(jobs) - len(differences)
        note = f"{same} of {len(jobs)}{_first(differences)}"
        yield Figure(f"{target.name}: same", percent(same, len(jobs)), "%", 100, note=note)


def _difference(before: ModuleOp, after: ModuleOp) -> str:
    """Return how kernels differ; nothing if they do not."""
    try:
        verdict = check_equivalent(before, after)
    except UserError:  # no launch was short enough
        verdict = check_equivalent(before, after, options=MORE)
    return "" if verdict else verdict.render()


def _through(passes: str, text: str) -> ModuleOp:
    """Return a kernel as passes leave it."""
    module = parse_module(text, context())
    return run_passes(module, passes) if passes else module


def _compiled(jobs: list[Job], wheel: Path) -> Iterator[Outcome]:
    outcomes = compile_all(jobs, wheel=wheel if wheel.parts else None)
    for _, outcome in zip(progress(jobs, "compiling"), outcomes, strict=True):
        yield outcome


def _first(failures: dict[str, str]) -> str:
    """Return the first failure as the end of a note."""
    return "".join(f"; {name}: {error:.200}" for name, error in list(failures.items())[:1])
