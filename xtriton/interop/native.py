"""
Unmodified `@triton.jit` kernels on CPU arrays, also where another driver is Triton's own.

    launch = Launcher()
    launch(add_kernel, grid)(x, y, output, n, BLOCK_SIZE=1024)

This is `add_kernel[grid](x, y, ...)` with the CPU as Triton's driver for that one launch, with a
number of threads, and with somebody told of each stage. Triton specialises, compiles, caches and
launches as for every `kernel[grid](...)`.
"""

from collections.abc import Callable, Container, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.cpu.threads import limited_threads
from xtriton.interop.configurations import layers_of
from xtriton.interop.triton import Kernel, jit_function, other_driver, triton_module
from xtriton.ir.reading.parser import parse_module

PIPELINE = (
    (
        "structured",
        "xtriton-fold-clamps,xtriton-fold-picks,triton-to-structured{rows-by-element=128},"
        "canonicalize,cse",
    ),
    (
        "linalg",
        "triton-to-unstructured,triton-arith-to-linalg{fold-splats=true print-to-vector=false}",
    ),
    (
        "memref",
        "structured-to-memref{short-masks=true rows-by-element=128},unstructured-to-memref,"
        "canonicalize,cse",
    ),
)
"""The stages between TTIR and code generation, each with its passes."""

WITHOUT_DESCRIPTORS = "triton-rewrite-tensor-descriptor-to-pointer"
"""What runs before the pipeline where `by_pointers` says so."""

Grid = int | Sequence[int] | Callable[[Mapping[str, object]], int | Sequence[int]]
Observer = Callable[[str, str, ModuleOp | None], None]
"""Called for each stage with its name, its text, and the module if there is one."""

STAGES = ("ttir", *(name for name, _ in PIPELINE), "llir")
_TIMED = {"ttir": "triton", "llir": "emit", "cpuobj": "llvm"}
"""What stages are called in `Launcher.seconds`, if not by their name."""


@dataclass
class Launcher:
    """Runs kernels on CPU arrays; `observer` is told of each stage before a kernel first runs."""

    threads: int | None = None
    observer: Observer | None = None
    seconds: dict[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    """What each stage of compiling took, by the hash of the kernel; none if it was cached."""
    _observed: set[str] = field(default_factory=set[str])

    def __call__(self, kernel: Kernel, grid: Grid) -> Callable[..., Any]:
        """Return a function that takes what the kernel takes, runs it, and returns it compiled."""
        function = jit_function(kernel)
        configs, heuristics = layers_of(kernel)
        chosen = {name for layer in [*(c.kwargs for c in configs), *heuristics] for name in layer}
        sizes = (grid,) if isinstance(grid, int) else grid

        def run(*values: object, **named: object) -> Any:
            _check_all_given(function, len(values), {*named, *chosen})
            with self._on_the_cpu(), limited_threads(self.threads):
                if self.observer is not None:
                    self._observe(_run(kernel, values, named, grid=sizes, warmup=True))
                return _run(kernel, values, named, grid=sizes, warmup=False)

        return run

    @contextmanager
    def _on_the_cpu(self) -> Generator[None]:
        knobs = triton_module("knobs")
        driver = triton_module("backends").backends["cpu"].driver
        with other_driver(driver), knobs.compilation.scope(), knobs.language.scope():
            knobs.compilation.listener = self._note
            # What code for the CPU computes in any case; so those who look at TTIR see it too.
            knobs.language.fp32_default = knobs.language.fp32_default or "ieee"
            yield

    def _note(self, *, metadata: Any, times: Any, cache_hit: bool, **_: object) -> None:
        if cache_hit:
            return
        stages: list[tuple[str, int]] = times.lowering_stages
        seconds = {_TIMED.get(name, name): time / 1e6 for name, time in stages}
        seconds["triton"] += times.ir_initialization / 1e6
        self.seconds[metadata["hash"]] = seconds

    def _observe(self, compiled: Any) -> None:
        if self.observer is None or compiled.hash in self._observed:
            return
        self._observed.add(compiled.hash)
        for name in STAGES:
            text = compiled.asm[name]
            module = None
            if name != "llir":
                module = parse_module(text, universe.context(), file=f"<{name}>")
            self.observer("llvm" if name == "llir" else name, text, module)


def _check_all_given(function: Any, count: int, names: Container[str]) -> None:
    """Raise `TypeError` that says how to give what a launch leaves out; Triton names it only."""
    for parameter in function.params[count:]:
        if parameter.name in names or parameter.has_default:
            continue
        how = f"{parameter.name}=... in the call"
        if parameter.is_constexpr:
            how += f", or triton.Config({{'{parameter.name}': ...}}) in @triton.autotune"
        raise TypeError(
            f"kernel '{function.__name__}' is launched without '{parameter.name}': give {how}"
        )


def _run(kernel: Any, values: Sequence[object], named: Mapping[str, object], **how: object) -> Any:
    return kernel.run(*values, **named, **how)
