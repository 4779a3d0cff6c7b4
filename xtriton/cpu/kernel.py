"""Kernels as callables: compiled once, run over a grid on all cores."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from xtriton.cpu import claims, jit
from xtriton.cpu.code import KernelCode
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.launch import Launch
from xtriton.cpu.target import Target, host
from xtriton.cpu.threads import prototype
from xtriton.showing import Shown


@dataclass(frozen=True)
class Seconds:
    """What compiling took."""

    emit: float
    llvm: float
    """0 when the object came from the cache."""
    load: float


@dataclass(frozen=True, repr=False)
class Kernel(Shown):
    """
    A compiled kernel.

    Call it with the grid and the user's arguments: NumPy or torch arrays on the CPU, or
    addresses, for pointers; numbers for scalars.
    """

    code: KernelCode
    seconds: Seconds
    from_cache: bool
    launch: Launch
    _library: jit.Library
    _entry: Any

    def __repr__(self) -> str:
        return f"<native kernel {self.code.name}>"

    def __call__(
        self, grid: int | Sequence[int], arguments: Sequence[object], *, threads: int | None = None
    ) -> None:
        """Run every program of `grid`; see `Launch`."""
        self.launch(self._entry, grid, arguments, threads=threads)


def compile_module(
    module: ModuleOp,
    *,
    name: str | None = None,
    optimization: int = 3,
    target: Target | None = None,
) -> Kernel:
    """
    Compile kernel `name`, or the only public function, of a lowered module.

    The module holds upstream dialects only: what `triton-to-structured`,
    `triton-arith-to-linalg` and `structured-to-memref` leave. Raises `UnsupportedOp`.
    """
    target = target or host()
    start = time.perf_counter()
    code = emit_kernel(module, target, name)
    emitted = time.perf_counter()
    library = jit.load(
        code.text, [code.entry], optimization=optimization, target=target, symbols=claims.symbols()
    )
    loaded = time.perf_counter()
    entry = prototype(library.addresses[code.entry])
    seconds = Seconds(emitted - start, library.seconds, loaded - emitted - library.seconds)
    return Kernel(code, seconds, library.from_cache, Launch.of_code(code), library, entry)
