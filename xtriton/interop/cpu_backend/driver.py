"""What Triton asks of a driver: whether it is the one, the device, and a launcher."""

import contextlib
import os
import time
from collections.abc import Callable, Generator
from importlib import import_module
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from xtriton.interop.cpu_backend.compiler import BACKEND, target

SELECTION = "TRITON_DEFAULT_BACKEND"


class CpuDriver(DriverBase):
    """The CPU as a device: one, number 0, with one stream that is always in step."""

    def __init__(self) -> None:
        super().__init__()
        self.utils = CpuUtils()
        self.launcher_cls = _launcher
        import_module("xtriton.interop.cpu_backend.arrays").accept_arrays()

    @classmethod
    def is_active(cls) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return whether this is the driver: it was asked for, or there is no other."""
        if os.environ.get(SELECTION) == BACKEND and _selectable():
            return True
        backends = import_module("triton.backends").backends
        others = (own.driver for name, own in backends.items() if name != BACKEND)
        return not any(driver.is_active() for driver in others)

    def map_python_to_cpp_type(self, ty: str) -> str:
        """Return the C type of a Triton type, for callers that generate C of their own."""
        if ty.startswith("*"):
            return "void*"
        return {"fp16": "uint16_t", "bf16": "uint16_t", "fp32": "float", "fp64": "double"}.get(
            ty, f"{'uint' if ty[0] == 'u' else 'int'}{max(8, int(ty[1:]))}_t"
        )

    def get_current_target(self) -> GPUTarget:  # pyright: ignore[reportIncompatibleMethodOverride]
        return target()

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        """There is one device only."""

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return 0, 0

    def get_active_torch_device(self) -> Any:
        return import_module("torch").device("cpu")

    def get_device_interface(self) -> "type[DeviceInterface]":
        return DeviceInterface

    def get_benchmarker(self) -> Callable[..., Any]:
        return import_module("xtriton.interop.cpu_backend.benchmark").benchmark

    def get_empty_cache_for_benchmark(self) -> Any:
        # What a kernel reads is in the caches here as it is in a program's own run, and
        # clearing caches of this size would take longer than most kernels.
        return import_module("torch").empty(0, dtype=import_module("torch").int32)

    def clear_cache(self, cache: Any) -> None:
        cache.zero_()


def _selectable() -> bool:
    """Return whether this Triton can choose among several active drivers: since 3.7."""
    version: str = import_module("triton").__version__
    return tuple(int(part) for part in version.split(".")[:2]) >= (3, 7)


def _launcher(source: Any, metadata: Any) -> Callable[..., None]:
    launcher = import_module("xtriton.interop.cpu_backend.launcher")
    return launcher.make_launcher(source, metadata)


class CpuUtils:
    """Loads machine code and knows the machine."""

    def load_binary(
        self, name: str, kernel: bytes, shared: int, device: int
    ) -> tuple[Any, Any, int, int, int]:
        """Return module, function, registers, spills and the most threads of a program."""
        function = import_module("xtriton.interop.cpu_backend.loading").load(name, kernel)
        # Programs divide by the number of registers to find out how many run at a time.
        return function.library, function, 1, 0, 1 << 30

    def unload_module(self, module: Any) -> None:
        """Code goes when nothing refers to it any more."""

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Return what tuning code asks about a device; there is no shared memory to run out of."""
        return {
            "max_shared_mem": 1 << 30,
            "max_num_regs": 1 << 16,
            "multiprocessor_count": import_module("xtriton.cpu.threads").available_threads(),
            "warpSize": 1,
            "sm_clock_rate": 0,
            "mem_clock_rate": 0,
            "mem_bus_width": 0,
        }


class Event:
    """A point in time, by the host's clock: launches end before they return."""

    def __init__(self, enable_timing: bool = True, **_: object) -> None:
        self.seconds = 0.0

    def record(self, stream: object = None) -> None:
        self.seconds = time.perf_counter()

    def elapsed_time(self, end: "Event") -> float:
        """Return the milliseconds from here to `end`; never 0, since callers divide by it."""
        return max((end.seconds - self.seconds) * 1e3, 1e-6)

    def synchronize(self) -> None:
        """All that was launched has ended."""

    wait = synchronize

    def query(self) -> bool:
        return True


class DeviceInterface:
    """The part of `torch.cuda` that Triton and its users ask for."""

    Event = Event

    @staticmethod
    def synchronize(device: object = None) -> None:
        """All that was launched has ended."""

    @staticmethod
    def current_device() -> int:
        return 0

    @staticmethod
    def device_count() -> int:
        return 1

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    def set_device(device: object) -> None:
        """There is one device only."""

    @staticmethod
    @contextlib.contextmanager
    def device(device: object) -> Generator[None]:
        yield

    @staticmethod
    @contextlib.contextmanager
    def stream(stream: object) -> Generator[None]:
        yield

    @staticmethod
    def current_stream(device: object = None) -> int:
        return 0

    @staticmethod
    def get_device_capability(device: object = None) -> tuple[int, int]:
        return 0, 0


def activate() -> None:
    """Let every `kernel[grid](...)` of this process run on the CPU from here on."""
    import_module("triton.runtime.driver").driver.set_active(CpuDriver())


# Triton imports this file when it is imported itself: the place to read its environment.
if os.environ.get("XTRITON_PASSES"):
    import_module("xtriton.interop.triton_pipeline").install_from_environment()
