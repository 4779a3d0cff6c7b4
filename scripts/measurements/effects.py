"""
The effects analysis: what it says beside what happens and beside PyTorch, and how long it takes.

PyTorch's figures need torch and Triton. PyTorch's own tests are run where `XTRITON_PYTORCH_TESTS`
names its test/inductor/test_triton_kernels.py, with the releases 3.8 and 3.3 of Triton in the
folders of `XTRITON_WHEELS` (see triton_wheels.py).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import triton_wheels

from measurements import ROOT
from measurements.figures import Bar, Figure, kernels, progress
from xtriton import effects
from xtriton.effects import KernelEffects
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

PYTORCH_TESTS = "XTRITON_PYTORCH_TESTS"
RANDOM = 400
"""How many random kernels are run, of each kind."""

EVERY = 8
"""One of so many real kernels is inlined, renamed, reordered and made canonical."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield truth on our own kernels, agreement with PyTorch, then times."""
    files = kernels(data)
    yield from _own_kernels()
    yield from _random_kernels()
    yield from _invariance(files)
    yield from _times(files)
    if find_spec("torch") is None or find_spec("triton") is None:
        return
    yield from _beside_pytorch(files)
    yield from _graphs()
    yield from _pytorch_tests()


# --- what happens ---------------------------------------------------------------------


def _own_kernels() -> Iterator[Figure]:
    """Run the kernels of the tests, one construct each, and hold the records against the runs."""
    from tests.unit.effects import test_kernels
    from tests.unit.effects.kernels import KERNELS
    from tests.unit.effects.observe import check

    said = test_kernels.said
    ran = missed = extra = 0
    for kernel in progress(KERNELS, "own kernels"):
        record = effects.analyze(kernel.text)
        extra += (said(record, "read"), said(record, "write")) != (kernel.read, kernel.write)
        if not kernel.runs:
            continue
        module = parse_module(kernel.text, test_kernels.CONTEXT)
        for inline in (True, False):
            times, wrong = check(module, effects.analyze(module, inline=inline))
            missed += bool(wrong) or not times
        ran += 1
    yield Figure("own kernels run", ran, "", 80)
    yield _none("... whose runs contradict the record", missed)
    yield _none(f"own kernels ({len(KERNELS)}) with another answer than the true one", extra)
    seed = effects.analyze(next(k.text for k in KERNELS if k.name == "tensormap_by_helper"))
    exact = (seed.read(), seed.mutated()) == (["a", "ws"], ["b", "ws"])
    yield Figure("descriptors through a helper, slot recomputed: exact", exact, "", 1)


def _random_kernels() -> Iterator[Figure]:
    """Run random kernels that move pointers about, and such over tensors of them."""
    from tests.unit.effects import test_random, test_random_tensors
    from tests.unit.effects.observe import check

    contradictions = launches = 0
    for seed in progress(range(RANDOM), "random kernels"):
        times, wrong = test_random_tensors.contradictions(seed)
        module = parse_module(test_random.Program(seed).text(), test_random.CONTEXT)
        more, others = check(module, effects.analyze(module), given=test_random.LAUNCHES)
        launches += times + more
        contradictions += bool(wrong) + bool(others)
    yield Figure("random kernels run", 2 * RANDOM, note=f"{launches:,} launches")
    yield _none("... whose runs contradict the record", contradictions)


def _invariance(files: list[Path]) -> Iterator[Figure]:
    """Inline, rename, reorder arguments and make canonical."""
    from tests.unit.effects import test_invariance

    texts = [*test_invariance.TEXTS.values(), *(f.read_text() for f in files[::EVERY])]
    wrong = sum(bool(test_invariance.check(t)) for t in progress(texts, "the same kernel"))
    yield _none("kernels that say less inlined, renamed, reordered or canonical", wrong)
    yield Figure("... of", len(texts))


def _none(name: str, count: int) -> Figure:
    return Figure(name, count, "", 0, Bar.AT_MOST)


# --- time -----------------------------------------------------------------------------


def _times(files: list[Path]) -> Iterator[Figure]:
    shared = context()
    alone, parsed, cached, hashed = list[float](), list[float](), list[float](), list[float]()
    effects.analyze(parse_module(files[0].read_text(), shared))
    effects.clear_cache()
    incomplete = 0
    for path in progress(files, "time"):
        text = path.read_text()
        module = parse_module(text, shared)
        incomplete += not effects.analyze(module).complete
        alone.append(_best(lambda module=module: effects.analyze(module)))
        parsed.append(_best(lambda text=text: effects.analyze(parse_module(text, shared))))
        effects.analyze(text)
        cached.append(_best(lambda text=text: effects.analyze(text)))
        hashed.append(_best(lambda module=module: effects.fingerprint(module)))
    yield _none("real kernels given up", incomplete)
    for name, times, bar in (
        ("analysis", alone, 1.0),
        ("parsing and analysis", parsed, 6.0),
        ("cached", cached, 0.1),
        ("hash of a module", hashed, None),
    ):
        yield Figure(f"{name}, median", 1000 * median(times), "ms", bar, Bar.AT_MOST)


def _best(run: Callable[[], object]) -> float:
    """Return the least of three times in seconds: others work on this machine as well."""
    times: list[float] = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


# --- PyTorch --------------------------------------------------------------------------


def _beside_pytorch(files: list[Path]) -> Iterator[Figure]:
    """Compare read and write sets with PyTorch's on every real kernel."""
    writes = reads = atomics = failed = 0
    for path, theirs in zip(files, _pytorch_answers(files), strict=True):
        if theirs["writes"] is None:
            failed += 1
            continue
        ours = effects.analyze(path.read_text())
        writes += _positions(ours, "write") != set(theirs["writes"])
        if _positions(ours, "read") != set(theirs["reads"]):
            atomics += _plain_reads(ours) == set(theirs["reads"])
            reads += _plain_reads(ours) != set(theirs["reads"])
    yield Figure("real kernels that PyTorch answers for", len(files) - failed, "", len(files))
    yield _none("write sets that are not PyTorch's", writes)
    yield _none("read sets that differ by more than atomics", reads)
    yield Figure("read sets that differ by atomics", atomics)


def _pytorch_answers(files: list[Path]) -> Iterable[dict[str, Any]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "measurements.peers.pytorch_accesses"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT / "scripts",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for path in progress(files, "PyTorch"):
        process.stdin.write(f"{path.resolve()}\n")
        process.stdin.flush()
        line = process.stdout.readline()
        yield json.loads(line) if line else {"reads": None, "writes": None}
    process.stdin.close()
    process.wait()


def _positions(record: KernelEffects, what: str) -> set[int]:
    return {a.index for a in record.arguments if getattr(a, what) != "none"}


def _plain_reads(record: KernelEffects) -> set[int]:
    return {
        a.index for a in record.arguments if any(x.reads and x.kind != "atomic" for x in a.accesses)
    }


def _graphs() -> Iterator[Figure]:
    """Trace `torch.compile` up to the AOT graph where PyTorch alone drops launches or clones."""
    script = ROOT / "tests" / "e2e" / "effects" / "mutation_kernels.py"
    done = subprocess.run(
        [sys.executable, str(script), "graphs"], capture_output=True, text=True, check=False
    )
    from tests.e2e.effects.graphs import EXPECTED

    graphs: dict[str, dict[str, Any]] = {}
    if done.returncode == 0:
        graphs = json.loads(done.stdout.splitlines()[-1])
    right, alone = (
        sum(name in graphs and graphs[name][whose] == want for name, want in EXPECTED.items())
        for whose in ("ours", "its")
    )
    note = f"PyTorch alone: {alone}"
    yield Figure(
        "AOT graphs with the launch and the right clones", right, "", len(EXPECTED), note=note
    )


def _pytorch_tests() -> Iterator[Figure]:
    """Run PyTorch's own tests on two releases of Triton: one test needs the older one."""
    file = os.environ.get(PYTORCH_TESTS)
    if file is None:
        return
    passed, unexpected = set[str](), set[str]()
    tests = set[str]()
    for release in ((3, 8), (3, 3)):
        for name, (end, _) in _ends(file, release).items():
            tests.add(name)
            if end == "passed":
                passed.add(name)
            elif end == "failed":
                unexpected.add(name)
    from pytorch_mutation_tests import DOCUMENTED

    yield Figure("PyTorch's MutationTests that pass", len(passed), "", len(tests) - len(DOCUMENTED))
    yield _none("... that fail and are not documented", len(unexpected - set(DOCUMENTED)))


def _ends(file: str, release: tuple[int, int]) -> dict[str, tuple[str, str]]:
    """Return how each test ends with one release of Triton."""
    with triton_wheels.wheel(os.environ.get(triton_wheels.VARIABLE, ""), release) as wheel:
        if wheel is None:
            raise SystemExit(
                f"error: {triton_wheels.VARIABLE} has no Triton {release[0]}.{release[1]}"
            )
        environment = {**os.environ, **({"PYTHONPATH": str(wheel.folder)} if wheel.folder else {})}
    script = str(ROOT / "scripts" / "pytorch_mutation_tests.py")
    done = subprocess.run(
        [sys.executable, script, file, "--unskip", "--json"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    return json.loads(done.stdout.splitlines()[-1])
