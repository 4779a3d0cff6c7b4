"""
Asks releases of Triton, each unpacked into a folder of its own, to read and print modules.

    pip install --no-deps --target FOLDER/3.4.0 triton==3.4.0

A `Wheel` runs this file with that release on the path, so that a crash there is an answer here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

VARIABLE = "XTRITON_WHEELS"
"""The environment variable that names the folder (several, separated as in PATH) of releases."""


@dataclass(frozen=True)
class Answer:
    """What a release made of one module: its print with locations, or why there is none."""

    text: str | None
    error: str = ""


@dataclass
class Wheel:
    """One release of Triton; `read` starts its process where none is running."""

    version: tuple[int, int]
    folder: Path | None
    """Where it is unpacked; None for the one that is installed."""
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def read(self, text: str) -> Answer:
        """Return what this release prints of `text`."""
        if self._process is None or self._process.poll() is not None:
            self._process = _start(self.folder)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            process.stdin.write(file.name + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        if not answer:
            return Answer(None, f"crash with code {process.wait()}")
        return Answer(**json.loads(answer))

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def wheel(folders: str, version: tuple[int, int]) -> Generator[Wheel | None]:
    """
    Give the release `version` of those in `folders`, None where it is not there.

    The release that is installed is there in any case.
    """
    name = f"{version[0]}.{version[1]}"
    roots = [Path(folder) for folder in folders.split(os.pathsep) if folder]
    found: list[Path | None] = [f for root in roots for f in sorted(root.glob(f"{name}*"))]
    if not found and _installed().startswith(name):
        found = [None]
    if not found:
        yield None
        return
    release = Wheel(version, found[-1])
    try:
        yield release
    finally:
        release.close()


def _installed() -> str:
    """Return the version of the Triton that is installed, "" if none is."""
    try:
        return metadata.version("triton")
    except metadata.PackageNotFoundError:
        return ""


def _start(folder: Path | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **({} if folder is None else {"PYTHONPATH": str(folder)})},
    )


def _serve() -> None:
    """Answer each path on standard input with a line of JSON."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryFile() as errors:
        os.dup2(errors.fileno(), 2)
        for line in sys.stdin:
            answer: dict[str, Any] = {"text": None}
            errors.seek(0)
            errors.truncate()
            try:
                answer["text"] = _print_of(line.strip())
            except Exception as error:
                errors.seek(0)
                said = errors.read().decode(errors="replace")
                answer["error"] = said or str(error)
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _print_of(path: str) -> str:
    library: Any = import_module("triton._C.libtriton")
    context = library.ir.context()
    library.ir.load_dialects(context)
    library.nvidia.load_dialects(context)
    return str(library.ir.parse_mlir_module(path, context))


if __name__ == "__main__":
    _serve()
