"""
What 2D block accesses of Intel's GPUs ask of the surface they access, as far as IR shows it.

The backend's rules (`block_io`) leave some of this to the lowering or to the caller; what
breaks a limit of the hardware is said here.
Source: verifiers of TritonGEN's 2D block ops, `BlockIOUtils` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.accesses import is_block_pointer
from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.utils.constants import constant_int
from xtriton.errors import UserError


@dataclass(frozen=True)
class Device:
    """A GPU: limits in bytes where nothing else is said."""

    name: str
    title: str
    subgroup_size: int
    shared_memory: int
    """Shared local memory that one work-group can have."""
    least_surface: int = 64
    largest_surface: int = 1 << 24
    """Of width and pitch; of height, in rows."""
    pitch_step: int = 16
    element_bits: tuple[int, ...] = (8, 16, 32, 64)

    def surface_problems(self, maker: MakeTensorPtrOp) -> list[str]:
        """Return which limits a block pointer's parent is known to break."""
        rank = len(maker.strides)
        dim = next((d for d, s in enumerate(maker.strides) if constant_int(s) == 1), None)
        bits = element_bits(maker.result.type)
        if bits not in self.element_bits:
            return [f"elements of {bits} bits"]
        if dim is None or rank < 2:
            return []
        other = rank - 2 if dim == rank - 1 else rank - 1
        size = bits // 8
        width = _bytes(maker.shape[dim], size)
        pitch = _bytes(maker.strides[other], size)
        height = constant_int(maker.shape[other])
        return [
            *self._outside("width", width, max(4, size)),
            *self._outside("pitch", pitch, self.pitch_step),
            *([f"height of {height} rows, more than {self.largest_surface}"]
              if height is not None and height > self.largest_surface else []),
            *([f"pitch of {pitch} bytes, less than the width of {width}"]
              if width is not None and pitch is not None and pitch < width else []),
        ]  # fmt: skip

    def _outside(self, what: str, value: int | None, step: int) -> list[str]:
        if value is None:
            return []
        if value < self.least_surface:
            return [f"{what} of {value} bytes, less than {self.least_surface}"]
        if value > self.largest_surface:
            return [f"{what} of {value} bytes, more than {self.largest_surface}"]
        return [f"{what} of {value} bytes, no multiple of {step}"] if value % step else []


def surface_problems(access: Operation, device: Device) -> list[str]:
    """Return which limits of a device the surface of a load or store is known to break."""
    maker = maker_of(access.operands[0]) if is_block_pointer(access.operands[0].type) else None
    return device.surface_problems(maker) if isinstance(maker, MakeTensorPtrOp) else []


def _bytes(value: SSAValue, size: int) -> int | None:
    number = constant_int(value)
    return None if number is None else number * size


PVC = Device("pvc", "Ponte Vecchio", subgroup_size=16, shared_memory=128 * 1024)
"""Data Center GPU Max."""

BMG = Device("bmg", "Battlemage", subgroup_size=16, shared_memory=128 * 1024)
"""Arc B-series."""

DEVICES = {device.name: device for device in (BMG, PVC)}


def device_called(name: str) -> Device:
    """Return a device by its name; raise `UserError` if there is none."""
    found = DEVICES.get(name)
    if found is None:
        raise UserError(f"there is no device '{name}'; there are {', '.join(sorted(DEVICES))}")
    return found
