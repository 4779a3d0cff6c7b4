"""
Real MLIR as a judge: parse and verify text with an `mlir-opt` that is installed.

Debian has it in `mlir-22-tools`. Where there is none, `find` returns None and tests skip.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xtriton.errors import UserError

NAMES = ("mlir-opt-22", "mlir-opt")
VARIABLE = "XTRITON_MLIR_OPT"
"""Names the binary to use instead."""
SECONDS = 60


@dataclass(frozen=True)
class MlirOpt:
    """An `mlir-opt` binary."""

    path: Path

    @property
    def version(self) -> tuple[int, int, int]:
        """The version of its LLVM; raises `UserError` if it does not tell."""
        return _version(self.path)

    def run(self, text: str, arguments: Sequence[str] = ()) -> str:
        """
        Return what `mlir-opt` makes of `text`, which it has parsed and verified.

        Raises `UserError` with its diagnostics if it refuses.
        """
        command = [str(self.path), *arguments]
        try:
            result = subprocess.run(
                command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired as e:
            raise UserError(f"{self.path.name} takes longer than {SECONDS} s") from e
        if result.returncode != 0:
            lines = result.stderr.strip().splitlines() or ["it ended without a word"]
            raise UserError(f"{self.path.name} refuses the module", notes=lines)
        return result.stdout

    def verify(self, text: str) -> None:
        """Raise `UserError` unless `text` is a valid module."""
        self.run(text, ["-o", os.devnull])

    def canonical(self, text: str) -> str:
        """Return `text` as MLIR itself writes it."""
        return self.run(text)


@cache
def find(name: str | None = None) -> MlirOpt | None:
    """Return the `mlir-opt` called `name`, or the newest known one, if it is installed."""
    wanted = [name] if name is not None else [os.environ.get(VARIABLE), *NAMES]
    for candidate in wanted:
        if candidate and (path := shutil.which(candidate)):
            return MlirOpt(Path(path))
    return None


@cache
def _version(path: Path) -> tuple[int, int, int]:
    result = subprocess.run(
        [path, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    match = re.search(r"version (\d+)\.(\d+)\.(\d+)", result.stdout)
    if match is None:
        raise UserError(f"'{path}' does not tell its version")
    return int(match[1]), int(match[2]), int(match[3])
