"""Every `.mlir` file here is a test, run by `xtriton.tools.lit` inside pytest's process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from xtriton.tools.lit import run_test
from xtriton.tools.lit.runner import mlir_opt

NAMED_RUN_LINES = {
    # Custom text to generic text and back.
    "XTRITON_ROUNDTRIP": (
        "xtriton-opt %s --split-input-file --mlir-print-op-generic"
        " | xtriton-opt --split-input-file | filecheck %s"
    ),
    "XTRITON_GENERIC": (
        "xtriton-opt %s --split-input-file --mlir-print-op-generic"
        " | filecheck %s --check-prefix=GENERIC"
    ),
    "XTRITON_INVALID": "xtriton-opt %s --split-input-file --verify-diagnostics",
}


def available_features() -> set[str]:
    """Return what `REQUIRES:` can ask for on this machine."""
    features = {name for name in ("triton", "torch") if find_spec(name) is not None}
    return features | {"mlir-opt"} if mlir_opt() else features


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    if file_path.suffix == ".mlir" and "Inputs" not in file_path.parts:
        return LitFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]
    return None


class LitFailure(Exception):
    """A lit test failed; the argument says how."""


class LitFile(pytest.File):
    """A test file, which is one test."""

    def collect(self) -> Iterable[pytest.Item]:
        yield LitItem.from_parent(self, name=self.path.stem)  # pyright: ignore[reportUnknownMemberType]


class LitItem(pytest.Item):
    """All `RUN:` lines of one file."""

    def runtest(self) -> None:
        with tempfile.TemporaryDirectory(prefix="xtriton-lit-") as scratch:
            outcome = run_test(self.path, Path(scratch), available_features(), NAMED_RUN_LINES)
        if outcome.status == "skipped":
            pytest.skip(outcome.details)
        if outcome.status == "failed":
            raise LitFailure(outcome.details)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None):
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"lit: {self.path.name}"
