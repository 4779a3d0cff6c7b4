"""The pytest plugin of `cpu_liger`: what the tests ask of a device, and know of GPUs only."""

from __future__ import annotations

import os
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import torch

_own: Any = import_module("test.utils")  # Liger-Kernel's
_own.supports_bfloat16 = lambda: True


def _properties(device: object = None) -> SimpleNamespace:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return SimpleNamespace(total_memory=memory)


torch.cpu.get_device_properties = _properties  # pyright: ignore[reportAttributeAccessIssue]
