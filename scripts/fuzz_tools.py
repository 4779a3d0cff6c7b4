"""
Runs all tools and passes on modules that are valid but hard, and on damaged ones.

    python scripts/fuzz_tools.py [--count 40000] [--seed 0] [--record build/fuzz/record.jsonl]
    python scripts/fuzz_tools.py --only 1234

Every second case is a damaged module. Valid ones come from `adversarial.py` and
`adversarial_random.py`, damaged ones from these, and from FileCheck tests and examples, by
`fuzz.py`. Each must end within 10 seconds and 1 GB, with exit code 0 or 1 and without a
traceback. They run in processes forked from one that has imported everything, so that a case
costs what its work costs. What fails is told and kept in `build/fuzz/`; a run that was ended goes
on where it was. Exit code 1 if there is a failure.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import random
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from importlib import import_module
from pathlib import Path

import adversarial_random
from adversarial import KINDS
from fuzz import mutate
from fuzz_processes import Case, Ended, call, recorded, run, run_batch
from rich.console import Console
from rich.progress import track

from xtriton import universe

ROOT = Path(__file__).parents[1]
LARGEST = 300
BATCH = 50
"""Cases that one process runs."""
TO_GPU = "--convert-triton-to-tritongpu=target=xpu num-warps=4 threads-per-warp=16"
TOOLS = (
    "opt",
    "opt --mlir-print-debuginfo",
    "opt --mlir-print-op-generic",
    "opt --triton-version=3.1",
    "opt --split-input-file --verify-diagnostics",
    "explain",
    "explain --json",
    "explain --num-warps=4",
    "effects",
    "effects --json --no-inline",
    "run --quiet --budget=20000 --grid=3",
    "run --quiet --budget=20000 --sanitize",
    "check --budget=20000",
    "report -o /dev/null",
    "layout",
)


def case(seed: int, number: int) -> Case:
    """Return the case of that number, always the same one."""
    rng = random.Random(f"{seed} {number}")
    made, text = _module(rng)
    if number % 2:
        made, text = _damaged(rng, made, text)
    return Case(number, made, text, _words(rng, number // 2))


def _module(rng: random.Random) -> tuple[str, str]:
    size = int(LARGEST ** rng.random())
    if rng.random() < 0.5:
        kind = rng.choice(list(KINDS))
        return f"{kind} {size}", KINDS[kind](size)
    seed = rng.randrange(1 << 32)
    return f"random {seed} {size}", adversarial_random.module(random.Random(seed), size)


def _damaged(rng: random.Random, made: str, text: str) -> tuple[str, str]:
    if rng.random() < 0.5:
        made, text = rng.choice(_texts())
    for _ in range(rng.choice((1, 1, 2))):
        text = mutate(text, rng) or "module"
    return f"damaged {made}", text


@cache
def _texts() -> list[tuple[str, str]]:
    """Return the names and texts of the modules that tests and examples have."""
    files = [*sorted(ROOT.glob("tests/filecheck/**/*.*ir")), *sorted(ROOT.glob("examples/*.*ir"))]
    return [
        (f"{file.relative_to(ROOT)} {number}", part)
        for file in files
        for number, part in enumerate(file.read_text(encoding="utf-8").split("// -----"))
        if part.strip()
    ]


def _words(rng: random.Random, number: int) -> tuple[str, ...]:
    """Return a tool, or a pass of those that take turns, alone or with others."""
    if number % 3 == 0:
        return tuple(shlex.split(TOOLS[number // 3 % len(TOOLS)]))
    names = universe.pass_names()
    name = names[(number - number // 3) % len(names)]
    first = [TO_GPU] if "gpu" in name or "alloc" in name or rng.random() < 0.1 else []
    if name.startswith("convert-"):
        return ("opt", TO_GPU)
    if rng.random() < 0.2:
        first.append(f"--{rng.choice(('inline', 'canonicalize', 'cse'))}")
    return ("opt", *first, f"--{name}")


def prepare() -> None:
    """Import what tools and passes are made of, so that no case has to."""
    for name in universe.DIALECTS:
        universe.dialect(name)
    for name in universe.pass_names():
        universe.pass_class(name)
    for words in TOOLS:
        import_module(f"xtriton.tools.xtriton_{words.split()[0]}")
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "first.mlir"
    file.write_text(adversarial_random.module(random.Random(0), 40))
    with contextlib.redirect_stdout(Path(os.devnull).open("w")):
        for number, words in enumerate(TOOLS):
            with contextlib.redirect_stderr(Path(os.devnull).open("w")):
                call(Case(number, "random", "", tuple(shlex.split(words))), os.fspath(file))
    gc.collect()
    gc.freeze()


def forget_failures(record: Path) -> None:
    """Let the cases of the record that failed run again."""
    good = [json.dumps(asdict(ended)) + "\n" for ended in recorded(record) if not ended.problem]
    record.write_text("".join(good), encoding="utf-8")


def cases_left(record: Path, count: int) -> Iterator[int]:
    """Yield the numbers of the cases that are not in the record."""
    known = {ended.number for ended in recorded(record)}
    return (number for number in range(count) if number not in known)


def fuzz(seed: int, count: int, record: Path) -> list[Ended]:
    """Run the cases that are not in the record yet; return all of it."""
    prepare()
    folder = ROOT / "build" / "fuzz"
    left = list(cases_left(record, count))
    record.parent.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    with record.open("a", encoding="utf-8") as file:
        batches = [left[i : i + BATCH] for i in range(0, len(left), BATCH)]
        for batch in track(batches, "running", console=console, transient=True):
            for ended in run_batch([case(seed, number) for number in batch], folder):
                file.write(json.dumps(asdict(ended)) + "\n")
                file.flush()
                if ended.problem:
                    told = f"{ended.number}: {ended.made}, {ended.tool}: {ended.problem}"
                    print(told, flush=True)
    return [ended for ended in recorded(record) if ended.number < count]


def main() -> int:
    """Run the fuzzer; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--count", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", type=Path, default=ROOT / "build" / "fuzz" / "record.jsonl")
    parser.add_argument("--again", action="store_true", help="run those again that failed")
    parser.add_argument("--only", type=int, help="run one case again")
    arguments = parser.parse_args()
    if arguments.only is not None:
        prepare()
        ended = run(case(arguments.seed, arguments.only), ROOT / "build" / "fuzz")
        print(ended)
        return int(bool(ended.problem))
    if arguments.again:
        forget_failures(arguments.record)
    found = fuzz(arguments.seed, arguments.count, arguments.record)
    failures = [ended for ended in found if ended.problem]
    print(f"{len(found)} cases, {len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
