"""
Unmodified `@triton.jit` kernels on CPU arrays: from Python source to native code.

    launch = Launcher()
    launch(add_kernel, grid)(x, y, output, n, BLOCK_SIZE=1024)

A kernel is compiled once for each specialisation, as Triton does it.
"""

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.cpu import Kernel as NativeCode
from xtriton.cpu import compile_module
from xtriton.interop.triton import Kernel, Specialization, jit_function, specialize, ttir_of
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.lowering.descriptors import by_pointers
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

PIPELINE = (
    ("structured", "triton-to-structured,canonicalize,cse"),
    (
        "linalg",
        "triton-to-unstructured,triton-arith-to-linalg{fold-splats=true print-to-vector=false}",
    ),
    (
        "memref",
        "structured-to-memref{short-masks=true},unstructured-to-memref,canonicalize,cse",
    ),
)
"""The stages between TTIR and code generation, each with its passes."""

WITHOUT_DESCRIPTORS = "triton-rewrite-tensor-descriptor-to-pointer"
"""What runs before the pipeline where `by_pointers` says so."""

T = TypeVar("T")
CPU_OPTIONS: Mapping[str, object] = {"default_dot_input_precision": "ieee"}
"""Triton's options for kernels that run here: f32 products are products of f32, not of tf32."""

Grid = int | Sequence[int] | Callable[[Mapping[str, object]], int | Sequence[int]]
Observer = Callable[[str, str, ModuleOp | None], None]
"""Called after each stage with its name, its text, and the module if there is one."""


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel, what it was specialised for, its native code, and what each stage took."""

    name: str
    specialization: Specialization
    code: NativeCode
    seconds: Mapping[str, float]

    def run(
        self,
        grid: int | Sequence[int],
        arguments: Mapping[str, object],
        *,
        threads: int | None = None,
    ) -> None:
        """Run over `grid` with arguments by name; constants among them are passed over."""
        values = [arguments[name] for name in self.specialization.signature]
        self.code(grid, values, threads=threads)


def compile_kernel(
    kernel: Kernel,
    specialization: Specialization,
    *,
    observer: Observer | None = None,
    options: Mapping[str, object] | None = None,
) -> CompiledKernel:
    """
    Compile `kernel` to native code.

    Raises `UserError` for a kernel that Triton or a pass refuses, `UnsupportedOp` with its
    location for an op that cannot be run.
    """
    seconds: dict[str, float] = {}

    def timed(name: str, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = work()
        seconds[name] = time.perf_counter() - start
        return result

    def tell(name: str, text: Callable[[], str], module: ModuleOp | None) -> None:
        if observer is not None:
            observer(name, text(), module)

    context = universe.context()
    text = timed(
        "triton", lambda: ttir_of(kernel, specialization, {**CPU_OPTIONS, **(options or {})})
    )
    module = timed("parse", lambda: parse_module(text, context, file="<ttir>"))
    tell("ttir", lambda: text, module)
    first = [("pointers", WITHOUT_DESCRIPTORS)] if by_pointers(module) else []
    for name, passes in (*first, *PIPELINE):
        steps = make_steps(parse_pipeline(passes))
        timed(name, lambda steps=steps: PassManager(context, steps, False).run(module))
        tell(name, lambda: print_module(module), module)
    code = compile_module(module)
    seconds["emit"], seconds["llvm"] = code.seconds.emit, code.seconds.llvm
    tell("llvm", lambda: code.code.text, None)
    return CompiledKernel(jit_function(kernel).__name__, specialization, code, seconds)


@dataclass
class Launcher:
    """Runs kernels on CPU arrays, compiling each specialisation when it is first met."""

    threads: int | None = None
    observer: Observer | None = None
    compiled: dict[tuple[int, object], CompiledKernel] = field(
        default_factory=dict[tuple[int, object], CompiledKernel]
    )
    _kernels: dict[int, object] = field(default_factory=dict[int, object])
    """By their identity, which would be given to another if they were gone."""

    def __call__(self, kernel: Kernel, grid: Grid) -> Callable[..., CompiledKernel]:
        """Return a function that takes what the kernel takes, runs it, and returns it compiled."""
        function = jit_function(kernel)

        def run(*values: object, **named: object) -> CompiledKernel:
            arguments = _by_name(function, values, named)
            compiled = self.get(kernel, arguments)
            sizes = grid(arguments) if callable(grid) else grid
            compiled.run(sizes, arguments, threads=self.threads)
            return compiled

        return run

    def get(self, kernel: Kernel, arguments: Mapping[str, object]) -> CompiledKernel:
        """Return `kernel` compiled for `arguments`."""
        specialization = specialize(kernel, arguments)
        function = jit_function(kernel)
        self._kernels[id(function)] = function
        key = (id(function), _key(specialization))
        if key not in self.compiled:
            self.compiled[key] = compile_kernel(kernel, specialization, observer=self.observer)
        return self.compiled[key]


def _key(specialization: Specialization) -> object:
    return (
        tuple(specialization.signature.items()),
        tuple((name, repr(value)) for name, value in specialization.constexprs.items()),
        specialization.divisible,
    )


def _by_name(
    function: Any, values: Sequence[object], named: Mapping[str, object]
) -> dict[str, object]:
    """Return positional and keyword arguments of a kernel by name, defaults included."""
    signature = cast(inspect.Signature, function.signature)
    bound = signature.bind(*values, **named)
    bound.apply_defaults()
    return dict(bound.arguments)
