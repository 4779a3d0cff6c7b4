"""
The pytest plugin of `cpu_gems`: FlagGems on a CPU, for which it has a folder but no vendor.

Its launchers give constants to compiled kernels up to Triton 3.5 only, which later ones take as
well; so they are told of that release.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from enum import Enum
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
import triton

from xtriton.cpu.threads import available_threads

VENDOR = "arm"
VENDORS = "flag_gems.runtime.commom_utils"


def _chosen(number: object) -> Any:
    """Return what `with torch.cuda.device(number)` is on a CPU."""
    return nullcontext()


def _properties(device: object = None) -> SimpleNamespace:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return SimpleNamespace(multi_processor_count=available_threads(), total_memory=memory)


class _Generator:
    """A seed and an offset, as generators of GPUs keep them and torch's for a CPU does not."""

    def __init__(self) -> None:
        self.state = torch.tensor([67280421310721, 0])

    def get_state(self) -> torch.Tensor:
        return self.state.clone().view(torch.uint8)

    def set_state(self, state: torch.Tensor) -> None:
        self.state = state.view(torch.int64)


def _vendors_with_one_more() -> ModuleType:
    """Return FlagGems' module of vendors, read without the package, which asks for one at once."""
    package = find_spec("flag_gems")
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).parent / "runtime" / "commom_utils.py"
    spec = spec_from_file_location(VENDORS, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    own: Any = module
    numbers = {vendor.name: vendor.value for vendor in own.vendors} | {VENDOR.upper(): 99}
    vendors: Any = Enum("vendors", numbers)
    vendors.get_all_vendors = classmethod(lambda cls: {v.name.lower(): v for v in vendors})
    own.vendors = vendors
    return module


os.environ["GEMS_VENDOR"] = VENDOR
triton.__version__ = "3.5.0"
_torch: Any = torch.cpu
_torch.device = _chosen
_torch.current_device = lambda: 0
_torch.get_device_properties = _properties
_torch.default_generators = [_Generator()]
_extra: Any = ModuleType("triton.language.extra.cpu")
_extra.libdevice = import_module("triton.language.extra.cuda.libdevice")
sys.modules[_extra.__name__] = _extra
sys.modules[f"{_extra.__name__}.libdevice"] = _extra.libdevice
sys.modules[VENDORS] = _vendors_with_one_more()
