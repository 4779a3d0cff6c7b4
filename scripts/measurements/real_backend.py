"""
Our way to Intel's TTGIR beside that of the real backend, on any kernels there are.

Takes all `*.ttir` below FOLDER through the passes of the pipeline, ours and those of a
`triton-opt` of the backend, and compares: January's, which XTRITON_INTEL_TRITON_OPT names, and
August's, which XTRITON_INTEL_TRITON_OPT_2026_08 names. A name such as `gemm.w16.ttir` says for how
many warps; else it is 4. What differs is listed on the error stream.

August's is compared up to the order of independent ops: which folds it has depends on its MLIR.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from compare_pass_pairs import canonically_equal
from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Bar, Figure, kernels, percent, progress
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

BINARIES = {
    "2026-01": "XTRITON_INTEL_TRITON_OPT",
    "2026-08": "XTRITON_INTEL_TRITON_OPT_2026_08",
}
BARS = {"2026-01": 99, "2026-08": 97}
"""In percent of kernels."""


@dataclass(frozen=True)
class Outcome:
    """How a kernel came out: `bytes`, `equal`, `different` or `failed`, and what it took."""

    kind: str
    seconds: float
    words: str = ""


def measure(data: Path) -> Iterator[Figure]:
    """Yield the share of equal kernels, and the time ours takes."""
    sys.setrecursionlimit(10_000)
    named = {release: os.environ.get(name) for release, name in BINARIES.items()}
    if not any(named.values()):
        raise SystemExit(f"error: none of {', '.join(BINARIES.values())} names a triton-opt")
    for release, binary in named.items():
        if binary is not None:
            yield from measure_release(data, release, binary)


def measure_release(data: Path, release: str, binary: str) -> Iterator[Figure]:
    """Yield what `measure` does, of one release."""
    found: Counter[str] = Counter()
    milliseconds: list[float] = []
    files = kernels(data, "**/*.ttir")
    with ThreadPoolExecutor(1) as pool:
        # The real one works on the next kernels meanwhile.
        expected = pool.map(partial(real_ttgir, binary, release), files)
        for file, text in zip(progress(files, "kernels"), expected, strict=True):
            if text is None:
                found["refused"] += 1
                continue
            outcome = compare(file, text, release)
            found[outcome.kind] += 1
            milliseconds.append(1000 * outcome.seconds)
            if outcome.kind in ("different", "failed"):
                print(f"{outcome.kind}: {file.name} {outcome.words}", file=sys.stderr)
    whole = found.total() - found["refused"]
    equal = found["bytes"] + found["equal"]
    note = f"{equal} of {whole}, {found['bytes']} byte for byte"
    share = percent(equal, whole)
    yield Figure(f"{release}: equal TTGIR", share, "%", BARS[release], Bar.AT_LEAST, note)
    yield Figure(f"{release}: failed", found["failed"], "", 0, Bar.AT_MOST)
    yield Figure(f"{release}: refused by the backend", found["refused"])
    if milliseconds:
        yield Figure(f"{release}: median", median(milliseconds), "ms", 20, Bar.AT_MOST)
        yield Figure(f"{release}: slowest kernel", max(milliseconds), "ms", 500, Bar.AT_MOST)


def compare(file: Path, expected: str, release: str) -> Outcome:
    """Run our passes and hold the result against the backend's."""
    module = parse_module(file.read_text(), context())
    started = time.process_time()
    try:
        pipeline_for(file, release).apply(context(), module)
    except Exception as error:  # whatever it is counts as a failure
        return Outcome("failed", time.process_time() - started, repr(error))
    seconds = time.process_time() - started
    real = parse_module(expected, context())
    if print_module(module) == print_module(real):
        return Outcome("bytes", seconds)
    kind = "equal" if canonically_equal(module, real) else "different"
    return Outcome(kind, seconds, op_difference(module, real))


def op_difference(ours: ModuleOp, real: ModuleOp) -> str:
    """Return which ops one has more of."""
    a, b = (Counter(op.name for op in module.walk()) for module in (ours, real))
    return f"ours more {dict(a - b)}, fewer {dict(b - a)}"


def pipeline_for(file: Path, release: str) -> IntelTTGIRPipelinePass:
    """Return the pipeline with which a kernel is compiled."""
    return IntelTTGIRPipelinePass(num_warps=warps_of(file), release=release)


def real_ttgir(binary: str, release: str, file: Path) -> str | None:
    """Return what the real backend's passes make of a kernel; None where they refuse it."""
    done = subprocess.run(
        command(binary, release, file), capture_output=True, text=True, check=False
    )
    return None if done.returncode else done.stdout


def command(binary: str, release: str, file: Path) -> list[str]:
    """Return the command line by which the real backend runs the passes of our pipeline."""
    made = pipeline_for(file, release)
    options = made.options()
    spelled = ",".join(_spelled(name, options.get(name, {})) for name in made.passes())
    return [binary, f"--pass-pipeline=builtin.module({spelled})", str(file)]


_OF_FUNCTIONS = frozenset(("triton-intel-prepare-if-combining",))
"""Passes that the backend runs on functions."""

_OURS = frozenset(("as_backend", "takes_surfaces_of"))
"""Options that the real passes do not have."""


def _spelled(name: str, options: Mapping[str, object]) -> str:
    pairs = [
        f"{key.replace('_', '-')}={_value(value)}"
        for key, value in options.items()
        if key not in _OURS
    ]
    text = f"{name}{{{' '.join(pairs)}}}" if pairs else name
    return f"tt.func({text})" if name in _OF_FUNCTIONS else text


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return str(value).lower() if isinstance(value, bool) else str(value)


def warps_of(file: Path) -> int:
    """Return the warps that a kernel is compiled for, which its file name may say."""
    found = re.search(r"\.w(\d+)\.", file.name)
    return int(found[1]) if found else 4
