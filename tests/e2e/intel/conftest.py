"""What tests of Intel's pipeline share."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

COMPARE = "compare_pass_pairs"


@pytest.fixture(scope="session")
def compare() -> ModuleType:
    """Return the script that holds modules against the backend's."""
    path = Path(__file__).parents[3] / "scripts" / f"{COMPARE}.py"
    spec = importlib.util.spec_from_file_location(COMPARE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[COMPARE] = module
    spec.loader.exec_module(module)
    return module
