"""The pytest plugin of `cpu_helion`: the device of Helion's tests, which know GPUs only."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

_own: Any = import_module("helion._testing")
_own.DEVICE = torch.device("cpu")
