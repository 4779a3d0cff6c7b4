"""
Each of our passes for Intel beside the real backend's, on what the real one is given.

Takes the `*.ttir` below FOLDER through the real pipelines, as `real_backend` does and from the same
environment variables, and each of our passes over what the real pass got. Modules that the real
pass changes are counted. `XTRITON_EVERY=10` takes every tenth kernel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from compare_pass_pairs import canonically_equal

from measurements.figures import Bar, Figure, kernels, percent, progress
from measurements.real_backend import BINARIES, command, op_difference, pipeline_for
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.intel.releases import RELEASES
from xtriton.universe import context, pass_class

_DUMP = re.compile(r"^// -----// IR Dump After \S+ \((\S+)\).*//----- //$", re.MULTILINE)
_LEAST = 95
"""In percent of the modules that a pass changes."""

Stages = list[str]
"""A kernel, and what it is behind each pass of the pipeline."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield, for each release and pass, the share of modules with the same result."""
    sys.setrecursionlimit(10_000)
    named = {release: os.environ.get(name) for release, name in BINARIES.items()}
    if not any(named.values()):
        raise SystemExit(f"error: none of {', '.join(BINARIES.values())} names a triton-opt")
    files = kernels(data, "**/*.ttir")[:: int(os.environ.get("XTRITON_EVERY", "1"))]
    for release, binary in named.items():
        if binary is not None:
            yield from _of_release(files, release, binary)


def _of_release(files: list[Path], release: str, binary: str) -> Iterator[Figure]:
    equal: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    with ThreadPoolExecutor(1) as pool:
        stages = pool.map(partial(real_stages, binary, release), files)
        for file, found in zip(progress(files, "kernels"), stages, strict=True):
            for name, same in () if found is None else _compare(file, release, found):
                changed[name] += 1
                equal[name] += same
    for name in sorted(changed):
        share = percent(equal[name], changed[name])
        note = f"{equal[name]} of {changed[name]}"
        yield Figure(f"{release}: {name}", share, "%", _LEAST, Bar.AT_LEAST, note)


def real_stages(binary: str, release: str, file: Path) -> Stages | None:
    """Return what the real backend makes of a kernel; None where it refuses it."""
    options = [
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-module-scope",
        "--mlir-disable-threading",
    ]
    done = subprocess.run(
        [*command(binary, release, file), *options], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return None
    _, *dumps = _DUMP.split(done.stderr)
    named = zip(dumps[::2], dumps[1::2], strict=True)
    # Passes run others inside, which are dumped in front of them.
    return [
        file.read_text(),
        *(
            next(text for name, text in named if name == wanted)
            for wanted in pipeline_for(file, release).passes()
        ),
    ]


def _compare(file: Path, release: str, stages: Stages) -> Iterator[tuple[str, bool]]:
    made = pipeline_for(file, release)
    options, names = made.options(), made.passes()
    for place, name in enumerate(names):
        before, after = (parse_module(text, context()) for text in stages[place : place + 2])
        wanted = print_module(after)
        if print_module(before) == wanted:
            continue
        with rules_of(RELEASES[release].triton):
            pass_class(name)(**options.get(name, {})).apply(context(), before)
        same = print_module(before) == wanted or canonically_equal(before, after)
        if not same:
            print(f"{file.name}: {name} {op_difference(before, after)}", file=sys.stderr)
        yield name, same
