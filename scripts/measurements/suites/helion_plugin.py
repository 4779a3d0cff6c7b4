"""The pytest plugin of `cpu_helion`: the device of Helion's tests, which know GPUs only."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

from xtriton.cpu.threads import available_threads

_own: Any = import_module("helion._testing")
_own.DEVICE = torch.device("cpu")


def _processors(device: object, *, reserved_sms: int = 0) -> int:
    """Return how many programs run at a time, which Helion refuses to ask about a CPU."""
    return max(1, available_threads() - reserved_sms)


_runtime: Any = import_module("helion.runtime")
_runtime.get_num_sm = _processors
