"""What the GPUs' backends take as options of a launch, the CPU's takes, too."""

from dataclasses import fields
from importlib import import_module

import pytest

pytest.importorskip("triton")
from xtriton.interop.cpu_backend.compiler import CpuOptions


@pytest.mark.parametrize(
    ("module", "name"), [("nvidia", "CUDAOptions"), ("amd", "HIPOptions")], ids=lambda it: it
)
def test_options_of_gpus_are_accepted(module: str, name: str) -> None:
    options = getattr(import_module(f"triton.backends.{module}.compiler"), name)
    known = {field.name for field in fields(CpuOptions)}
    assert {field.name for field in fields(options)} <= known
