"""
Runs all tools and passes on valid modules that are hard; see `adversarial.py`.

    python scripts/fuzz_tools.py [--count 1000] [--seed 0]

Each must end within 10 seconds and 1 GB, with exit code 0 or 1, and without a traceback. What
does not is told, and its module is written to `build/fuzz/`. Exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path

from adversarial import KINDS
from rich.console import Console
from rich.progress import track

from xtriton import universe

MOST_SECONDS = 10.0
MOST_BYTES = 1 << 30
SIZES = (1, 5, 13, 30, 59, 300)
TOOLS: tuple[tuple[str, ...], ...] = (
    ("opt", "--mlir-print-debuginfo"),
    ("explain",),
    ("explain", "--json"),
    ("effects",),
    ("effects", "--json", "--no-inline"),
    ("run", "--arg=p=zeros(8)", "--arg=x=1", "--arg=y=1", "--arg=c=1", "--quiet"),
)


def problem_of(command: list[str]) -> str | None:
    """Run a command; return what is wrong with how it ended, or None."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            _, errors = process.communicate(timeout=3 * MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"takes more than {3 * MOST_SECONDS:.0f} s"
    text = errors.decode(errors="replace")
    if process.returncode not in (0, 1) or "Traceback" in text:
        return f"exit code {process.returncode}: {text[-300:]}"
    seconds, kilobytes = map(float, text.rsplit("\n", 2)[-2].split())
    if seconds > MOST_SECONDS or kilobytes * 1024 > MOST_BYTES:
        return f"took {seconds:.1f} s and {kilobytes / 1024:.0f} MB"
    return None


RUN = (
    "import resource, sys; from importlib import import_module;"
    "code = import_module('xtriton.tools.xtriton_' + sys.argv[1]).main(sys.argv[2:]);"
    "used = resource.getrusage(resource.RUSAGE_SELF);"
    "print(f'\\n{used.ru_utime} {used.ru_maxrss}', file=sys.stderr); sys.exit(code)"
)


def main() -> int:
    """Run the fuzzer; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    commands = [*TOOLS, *(("opt", f"--{name}") for name in universe.pass_names())]
    folder = Path("build/fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    console = Console(stderr=True)
    for number in track(range(arguments.count), "running", console=console, transient=True):
        kind, size, tool = rng.choice(list(KINDS)), rng.choice(SIZES), rng.choice(commands)
        file = folder / f"adversarial{arguments.seed}-{number}.mlir"
        file.write_text(KINDS[kind](size))
        problem = problem_of([sys.executable, "-c", RUN, *tool, os.fspath(file)])
        if problem is None:
            file.unlink()
            continue
        failures += 1
        print(f"{kind} {size}, {' '.join(tool)}: {problem} {file}", flush=True)
    print(f"{arguments.count} modules, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
