"""
Runs all tools and passes on modules that are valid but hard, and on damaged ones.

    python scripts/fuzz_tools.py [--count 40000] [--seed 0] [--record build/fuzz/record.jsonl]
    python scripts/fuzz_tools.py --only 1234

Every second case is a damaged module. Valid ones come from `adversarial.py` and
`adversarial_random.py`, damaged ones from these, and from FileCheck tests and examples, by
`fuzz.py`. Each must end within 10 seconds and 1 GB, with exit code 0 or 1 and without a
traceback. Each runs in a process forked from one that has imported everything, so that a case
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
import resource
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import adversarial_random
from adversarial import KINDS
from fuzz import mutate
from rich.console import Console
from rich.progress import track

from xtriton import universe

ROOT = Path(__file__).parents[1]
MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
LARGEST = 300
ARGUMENTS = (*(f"--arg={n}=1" for n in "xynz"), "--arg=p=zeros(8)", "--arg=q=zeros(8)")
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


@dataclass(frozen=True)
class Case:
    """A module, and the tool that reads it."""

    number: int
    made: str
    """How the module was made."""
    text: str
    words: tuple[str, ...]
    """The tool and its options."""


@dataclass(frozen=True)
class Ended:
    """How a case ended."""

    number: int
    made: str
    tool: str
    seconds: float
    megabytes: float
    code: int
    problem: str = ""


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


def run(at: Case, folder: Path) -> Ended:
    """Run a case in a process of its own, and watch it."""
    file, told = folder / f"{at.number}.mlir", folder / f"{at.number}.txt"
    file.write_text(at.text, encoding="utf-8")
    start = time.monotonic()
    process = os.fork()
    if not process:
        _child(at, file, told)
    killed = False
    while (done := os.wait4(process, os.WNOHANG))[0] == 0:
        if not killed and time.monotonic() - start > 12 * MOST_SECONDS:
            os.kill(process, signal.SIGKILL)
            killed = True
        time.sleep(0.001 if time.monotonic() - start < 0.1 else 0.02)
    _, status, used = done
    errors = told.read_text(encoding="utf-8", errors="replace")
    # What the process shares with this one counts as if it were its own.
    shared = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, megabytes = used.ru_utime + used.ru_stime, (used.ru_maxrss + shared) / 1024
    code = os.waitstatus_to_exitcode(status)
    problem = _problem(code, errors, seconds, megabytes)
    if not problem:
        file.unlink()
        told.unlink()
    return Ended(
        at.number, at.made, shlex.join(at.words), round(seconds, 3), round(megabytes), code, problem
    )


def _problem(code: int, errors: str, seconds: float, megabytes: float) -> str:
    if code == -signal.SIGXCPU:
        return f"takes more than {2 * MOST_SECONDS:.0f} s"
    if code not in (0, 1) or "Traceback" in errors or "internal error" in errors:
        return f"exit code {code}: {errors[-400:]}"
    if "more memory than" in errors or megabytes * (1 << 20) > MOST_BYTES:
        return f"took {megabytes:.0f} MB"
    if seconds > MOST_SECONDS:
        return f"took {seconds:.1f} s"
    return f"says {len(errors)} characters" if len(errors) > (1 << 20) else ""


def _child(at: Case, file: Path, told: Path) -> None:
    """Run the tool; never returns."""
    code = 3
    try:
        most = int(2 * MOST_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (3 * MOST_BYTES, 3 * MOST_BYTES))
        with Path(os.devnull).open("w") as output, told.open("w", encoding="utf-8") as errors:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            code = _call(at, os.fspath(file))
            sys.stdout.flush()
            sys.stderr.flush()
    except BaseException as error:
        told.write_text(f"Traceback: {type(error).__name__}: {error}")
    os._exit(code)


def _call(at: Case, file: str) -> int:
    tool, *options = at.words
    if tool == "run":
        options += [*ARGUMENTS, "--arg=c=1"] if "random" in at.made else _few()
    files = [file, file] if tool == "check" else [file]
    main = import_module(f"xtriton.tools.xtriton_{tool}").main
    try:
        return main([*files, *options])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)


def _few() -> list[str]:
    return ["--arg=p=zeros(8)", "--arg=x=1", "--arg=y=1", "--arg=c=1"]


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
                _call(Case(number, "random", "", tuple(shlex.split(words))), os.fspath(file))
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


def recorded(record: Path) -> list[Ended]:
    """Return what the record holds; a line that was not finished is none."""
    if not record.exists():
        return []
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    return [Ended(**json.loads(line)) for line in lines if line.endswith("\n")]


def fuzz(seed: int, count: int, record: Path) -> list[Ended]:
    """Run the cases that are not in the record yet; return all of it."""
    prepare()
    folder = ROOT / "build" / "fuzz"
    left = list(cases_left(record, count))
    record.parent.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True)
    with record.open("a", encoding="utf-8") as file:
        for number in track(left, "running", console=console, transient=True):
            ended = run(case(seed, number), folder)
            file.write(json.dumps(asdict(ended)) + "\n")
            file.flush()
            if ended.problem:
                print(f"{number}: {ended.made}, {ended.tool}: {ended.problem}", flush=True)
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
