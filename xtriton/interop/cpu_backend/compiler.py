"""What Triton asks of a backend: options, stages and the names of library functions."""

import hashlib
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from triton.backends.compiler import BaseBackend, GPUTarget

from xtriton.passes.sources import package_digest

BACKEND = "cpu"
BINARY = "cpuobj"
"""The last stage, and so the suffix of its files: machine code with what launching it takes."""
RECORD = "xtriton"
"""Where a kernel's metadata says what the launcher has to know of the code."""

PRECISIONS = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
FLOAT8 = ("fp8e4b15", "fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16")


def target() -> GPUTarget:
    """Return this machine as Triton names targets; a program is one thread of one lane."""
    return GPUTarget(BACKEND, platform.machine(), 1)


@dataclass(frozen=True)
class CpuOptions:
    """
    The options of a launch.

    What only a GPU understands, such as `num_warps`, is accepted, visible in the kernel's
    metadata, and without effect on the code.
    """

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 1
    maxnreg: int | None = None
    ptx_version: int | None = None
    ptx_options: str | None = None
    waves_per_eu: int = 0
    matrix_instr_nonkdim: int = 0
    kpack: int = 1
    schedule_hint: str = "none"
    grf_mode: str = "default"
    cluster_dims: tuple[int, ...] = (1, 1, 1)
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    clc: bool = False
    sched4reg: bool = False
    enable_reflect_ftz: bool = True
    min_shared_mem: int | None = None
    allow_flush_denorm: bool = False
    llvm_fn_attrs: str | tuple[tuple[str, str], ...] = ""
    wgp_cu_mode: str = "wgp"
    ir_override: str | None = None
    enable_fp_fusion: bool = True
    supported_fp8_dtypes: tuple[str, ...] = FLOAT8
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = PRECISIONS
    max_num_imprecise_acc_default: int = 0
    extern_libs: tuple[tuple[str, str], ...] = ()
    debug: bool = False
    sanitize_overflow: bool = True
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    xtriton_bands: int = 1
    """In how many programs each one is split; a launch has to have as many times more, along x."""
    backend_name: str = BACKEND
    arch: str = platform.machine()

    def __post_init__(self) -> None:
        if self.num_warps <= 0 or self.num_warps & (self.num_warps - 1):
            # The error that Triton's own backends raise.
            raise AssertionError(f"num_warps must be a power of 2, not {self.num_warps}")

    def hash(self) -> str:
        """Return what tells code of these options from code of others."""
        texts = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self)]
        return hashlib.sha256("\0".join([*texts, *settings()]).encode()).hexdigest()


def settings() -> list[str]:
    """Return the environment's settings of code generation."""
    return [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("XTRITON_CPU_")]


_NAMES = frozenset(field.name for field in fields(CpuOptions))


class CpuBackend(BaseBackend):
    """Compiles TTIR to machine code of this CPU, by way of `triton-to-structured`."""

    binary_ext = BINARY

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == BACKEND

    def hash(self) -> str:
        """Return what tells this compiler on this machine from others."""
        return f"{_sources()}-{import_module('xtriton.cpu.jit').machine()}"

    def parse_options(self, options: Mapping[str, Any]) -> CpuOptions:
        """Return what of a launch's keywords are options; Triton refuses what is left over."""
        given = {k: v for k, v in options.items() if k in _NAMES and v is not None}
        if import_module("xtriton.cpu.records").checks_are_wanted():
            # The front end then asserts that sums and products in 32 bits do not overflow.
            given["debug"] = True
        libraries = given.get("extern_libs", ())
        if isinstance(libraries, Mapping):
            given["extern_libs"] = tuple(sorted(cast("Mapping[str, str]", libraries).items()))
        knobs = import_module("triton.knobs").cache
        if knobs.manager_class is None:
            # Files of other backends it treats as Triton's own class does.
            cache = import_module("xtriton.interop.cpu_backend.cache")
            knobs.manager_class = cache.CheckedCache
        return CpuOptions(**given)

    def pack_metadata(self, metadata: Any) -> tuple[int, int, int]:
        return metadata.num_warps, metadata.num_ctas, metadata.shared

    def get_codegen_implementation(self, options: CpuOptions) -> dict[str, Callable[..., Any]]:
        """Return what the front end leaves to a backend: blocks of a product may have any size."""
        return {
            "convert_custom_types": import_module("xtriton.interop.cpu_backend.float8").convert,
            "min_dot_size": _any_dot_size,
        }

    def get_module_map(self) -> dict[str, ModuleType]:
        """Return whose names `tl.extra.libdevice` has: NVIDIA's, which become our own functions."""
        name = "triton.language.extra.libdevice"
        return {name: import_module("triton.language.extra.cuda.libdevice")}

    def load_dialects(self, context: Any) -> None:
        pass

    def add_stages(self, stages: dict[str, Any], options: Any, language: Any = None) -> None:
        """Add the stages from TTIR to machine code; each leaves its text in `kernel.asm`."""
        if getattr(language, "name", "TRITON") != "TRITON":
            raise ValueError("Gluon kernels say which GPU they are for; there is no CPU under them")
        import_module("xtriton.interop.cpu_backend.stages").add_stages(stages, options)
        hook = import_module("triton.knobs").runtime.add_stages_inspection_hook
        if hook is not None:
            hook(self, stages, options, language, self.target.arch)


def _any_dot_size(*_: object) -> tuple[int, int, int]:
    return (1, 1, 1)


def _sources() -> str:
    """Return the hash of the sources of the compiler."""
    root = Path(import_module("xtriton").__file__ or "").parent
    return package_digest(root, "interpreter", "judge", "tools")
