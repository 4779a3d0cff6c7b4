"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xtriton.ir.looks import check_noted_edits

check_noted_edits()


@pytest.fixture(scope="session")
def shared_corpus() -> Path:
    """The folder of real kernels that `XTRITON_SHARED` names; skips where it is not set."""
    folder = os.environ.get("XTRITON_SHARED")
    if folder is None:
        pytest.skip("XTRITON_SHARED names no folder with the corpus of real kernels")
    return Path(folder)
