"""Fixtures of the end-to-end tests: the example kernels, and a cache of their own."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True, scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """
    No test reads or leaves anything in the user's caches, ours or Triton's.

    Triton's names an entry by the text of a kernel and not by its file, so an entry of another
    checkout would put that one's path into messages.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XTRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("triton")))
        yield


@pytest.fixture
def on_the_cpu(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The CPU's driver, and a cache that tests of it share."""
    cpu: Any = import_module("xtriton.interop.cpu_backend.driver")
    folder = tmp_path_factory.getbasetemp() / "triton_cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder))
    config: Any = import_module("triton.runtime.driver").driver
    kept = config._active
    cpu.activate()
    yield
    config._active = kept


@pytest.fixture(scope="session")
def examples() -> Iterator[dict[str, ModuleType]]:
    """The example kernels' modules by name."""
    pytest.importorskip("triton")
    pytest.importorskip("torch")
    from importlib import import_module

    sys.path.insert(0, str(EXAMPLES))
    yield {path.stem: import_module(path.stem) for path in sorted(EXAMPLES.glob("*.py"))}
    sys.path.remove(str(EXAMPLES))
