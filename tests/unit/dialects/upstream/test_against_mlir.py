"""The FileCheck files of the upstream dialects against `mlir-opt` itself, where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

FILES = Path(__file__).parents[3] / "filecheck" / "dialects" / "upstream"
VERSION_OF_MLIR_22 = (3, 7)
AGAINST_MLIR = sorted(
    path for path in FILES.rglob("*.mlir") if "as MLIR 22 does" in path.read_text(encoding="utf-8")
)


def mlir_opt(path: Path, *options: str) -> str:
    """Return what MLIR 22 prints for a file; skip where it is not installed."""
    program = shutil.which("mlir-opt-22")
    if program is None:
        pytest.skip("mlir-opt-22 is not installed")
    arguments = [program, "-allow-unregistered-dialect", *options, str(path)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def printed(path: Path, *, generic: bool) -> str:
    """Return what we print for a file."""
    module = parse_module(path.read_text(encoding="utf-8"), context(), file=str(path))
    return print_module(module, version=VERSION_OF_MLIR_22, generic=generic).strip()


@pytest.mark.parametrize("path", AGAINST_MLIR, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_prints_as_mlir(path: Path):
    assert printed(path, generic=False) == mlir_opt(path)
    if "GENERIC" in path.read_text(encoding="utf-8"):
        assert printed(path, generic=True) == mlir_opt(path, "-mlir-print-op-generic")


def test_there_are_files():
    assert len({path.parent for path in AGAINST_MLIR}) == 18
