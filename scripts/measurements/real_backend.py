"""
Our way to Intel's TTGIR beside that of the real backend, on any kernels there are.

Takes all `*.ttir` below FOLDER through the passes of the pipeline, ours and those of the
`triton-opt` that XTRITON_INTEL_TRITON_OPT names, and compares. A name such as `gemm.w16.ttir`
says for how many warps; else it is 4. What differs is listed on the error stream.
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
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

TRITON_OPT = "XTRITON_INTEL_TRITON_OPT"


@dataclass(frozen=True)
class Outcome:
    """How a kernel came out: `bytes`, `equal`, `different` or `failed`, and what it took."""

    kind: str
    seconds: float
    words: str = ""


def measure(data: Path) -> Iterator[Figure]:
    """Yield the share of equal kernels, and the time ours takes."""
    sys.setrecursionlimit(10_000)
    binary = os.environ.get(TRITON_OPT)
    if binary is None:
        raise SystemExit(f"error: {TRITON_OPT} names no triton-opt of Intel's backend")
    pipeline = IntelTTGIRPipelinePass
    found: Counter[str] = Counter()
    milliseconds: list[float] = []
    files = kernels(data, "**/*.ttir")
    with ThreadPoolExecutor(1) as pool:
        # The real one works on the next kernels meanwhile.
        expected = pool.map(partial(real_ttgir, binary, pipeline), files)
        for file, text in zip(progress(files, "kernels"), expected, strict=True):
            if text is None:
                found["refused"] += 1
                continue
            outcome = compare(file, text, pipeline)
            found[outcome.kind] += 1
            milliseconds.append(1000 * outcome.seconds)
            if outcome.kind in ("different", "failed"):
                print(f"{outcome.kind}: {file.name} {outcome.words}", file=sys.stderr)
    whole = found.total() - found["refused"]
    equal = found["bytes"] + found["equal"]
    note = f"{equal} of {whole}, {found['bytes']} byte for byte"
    yield Figure("equal TTGIR", percent(equal, whole), "%", 99, Bar.AT_LEAST, note)
    yield Figure("failed", found["failed"], "", 0, Bar.AT_MOST)
    yield Figure("refused by the backend", found["refused"])
    yield Figure("pipeline, median", median(milliseconds), "ms", 20, Bar.AT_MOST)
    yield Figure("pipeline, slowest kernel", max(milliseconds), "ms", 500, Bar.AT_MOST)


def compare(file: Path, expected: str, pipeline: type[IntelTTGIRPipelinePass]) -> Outcome:
    """Run our passes and hold the result against the backend's."""
    module = parse_module(file.read_text(), context())
    started = time.process_time()
    try:
        pipeline(num_warps=warps_of(file)).apply(context(), module)
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


def real_ttgir(binary: str, pipeline: type[IntelTTGIRPipelinePass], file: Path) -> str | None:
    """Return what the real backend's passes make of a kernel; None where they refuse it."""
    made = pipeline(num_warps=warps_of(file))
    options = made.options()
    passes = ",".join(_spelled(name, options.get(name, {})) for name in made.passes())
    command = [binary, f"--pass-pipeline=builtin.module({passes})", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout


_OURS = frozenset(("takes_surfaces_of",))
"""Options that the real passes do not have."""


def _spelled(name: str, options: Mapping[str, object]) -> str:
    pairs = [
        f"{key.replace('_', '-')}={_value(value)}"
        for key, value in options.items()
        if key not in _OURS
    ]
    return f"{name}{{{' '.join(pairs)}}}" if pairs else name


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return str(value).lower() if isinstance(value, bool) else str(value)


def warps_of(file: Path) -> int:
    """Return the warps that a kernel is compiled for, which its file name may say."""
    found = re.search(r"\.w(\d+)\.", file.name)
    return int(found[1]) if found else 4
