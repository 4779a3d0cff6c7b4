"""
Mutates files and reads them: every text must give a result or an error with a place.

    python scripts/fuzz.py FILE_OR_FOLDER... [--count 20000] [--seed 0]

Mutations: a token deleted, doubled or swapped with another, text cut off, a region nested
500 deep, bytes flipped, a number replaced by one at an edge. What is read must also verify or
give an error, and print. A traceback, an error without a place, or more than two seconds is a
failure; the first failing texts are written to `build/fuzz/`. Exit code 1 if there is one.
"""

import argparse
import random
import re
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track

from xtriton import universe
from xtriton.errors import ParseFailure, UserError
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module

LIMIT_SECONDS = 2.0
_NUMBER = re.compile(r"(?<![\w%@#^.-])-?\d+(?![\w.])")
_EDGES = (0, 1, -1, 2, 3, 31, 1 << 20, (1 << 31) - 1, 1 << 31, -(1 << 31), (1 << 63) - 1, 1 << 64)
_TOKEN = re.compile(r'"[^"\n]*"|[#!%@^]?[\w$.-]+|[^\s\w]')


def mutate(text: str, rng: random.Random) -> str:
    """Return `text` with one mutation, if there is anything in it."""
    if not text.strip():
        return text
    kind = rng.randrange(7)
    if kind == 6:
        return _renumbered(text, rng)
    if kind == 3:
        return text[: rng.randrange(len(text))]
    if kind == 4:
        return _nested(text, rng)
    if kind == 5:
        return _flipped(text, rng)
    tokens = list(_TOKEN.finditer(text))
    first = rng.choice(tokens)
    if kind == 0:
        return text[: first.start()] + text[first.end() :]
    if kind == 1:
        return text[: first.end()] + " " + first[0] + text[first.end() :]
    second = rng.choice(tokens)
    first, second = sorted((first, second), key=lambda match: match.start())
    if first.end() > second.start():
        return text
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _renumbered(text: str, rng: random.Random) -> str:
    """Put a number at an edge where another one is."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text
    place = rng.choice(numbers)
    return f"{text[: place.start()]}{rng.choice(_EDGES)}{text[place.end() :]}"


def _nested(text: str, rng: random.Random) -> str:
    """Put many regions, brackets or parentheses around or into the text."""
    opening, closing = rng.choice(
        (
            ("module {\n", "}\n"),
            ('"a.b"() ({\n', "}) : () -> ()\n"),
            ("scf.if %c {\n", "}\n"),
            ("tensor<2x", ">"),
            ("[", "]"),
            ("{a = ", "}"),
            ("loc(callsite(", "))"),
            ("(", ")"),
        )
    )
    position = rng.randrange(len(text))
    inside = opening * 500 + (closing * 500 if rng.random() < 0.5 else "")
    return text[:position] + inside + text[position:]


def _flipped(text: str, rng: random.Random) -> str:
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 8)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", errors="replace")


def check(text: str) -> str | None:
    """Read, verify and print a text; return what is wrong with how that ended, or None."""
    context = universe.context()
    started = time.process_time()
    problem: str | None = None
    try:
        module = parse_module(text, context, file="fuzz")
        verify(module)
        print_module(module)
    except ParseFailure as error:
        if error.position is None:
            problem = f"no place: {error.message}"
    except UserError:
        pass
    except BaseException:
        problem = traceback.format_exc()
    seconds = time.process_time() - started
    if problem is None and seconds > LIMIT_SECONDS:
        problem = f"took {seconds:.1f} s"
    return problem


def main() -> int:
    """Run the fuzzer; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    texts = texts_of(arguments.paths)
    if not texts:
        print("error: no files to mutate", file=sys.stderr)
        return 1
    found = run(texts, arguments.count, arguments.seed)
    print(f"{arguments.count} mutated texts, {sum(found.values())} failures")
    for problem, times in found.most_common(20):
        print(f"{times} x {problem}")
    return 1 if found else 0


def run(texts: list[str], count: int, seed: int = 0) -> Counter[str]:
    """Check `count` mutations of `texts`; return the failures with how often each was seen."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    console = Console(stderr=True)
    for number in track(range(count), "mutating", console=console, transient=True):
        text = mutate(rng.choice(texts), rng)
        problem = check(text)
        if problem is not None:
            _keep(problem, text, number, found)
    return found


def texts_of(paths: list[Path]) -> list[str]:
    """Return the texts of files and folders that are not too long to mutate often."""
    files = [
        file
        for path in paths
        for file in (sorted(path.rglob("*.*ir")) if path.is_dir() else [path])
    ]
    return [text for file in files if len(text := file.read_text()) < 60_000]


def _keep(problem: str, text: str, number: int, found: Counter[str]) -> None:
    folder = Path("build/fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    lines = problem.strip().splitlines()
    places = [line.strip() for line in lines if "xtriton/" in line]
    name = f"{lines[-1][:150]} ({places[-1] if places else ''})"
    if name not in found:
        (folder / f"{number}.mlir").write_text(text)
        (folder / f"{number}.txt").write_text(problem)
        name_of_file = f" build/fuzz/{number}.mlir"
        print(f"new failure: {name}{name_of_file}", file=sys.stderr)
    found[name] += 1


if __name__ == "__main__":
    sys.exit(main())
