"""
Kernels raised inside Triton, on a real GPU: are the numbers right, and how long does it take?

    python benchmarks/gpu.py [--json results.json]

Each kernel of `gpu_kernels.py` runs as it is, through block pointers (up to Triton 3.7),
through tensor descriptors (TMA), and with our passes in place of those that give layouts in
Triton. A result has to be within rounding of torch's. All forms are timed in turns; the ratio is
the median of each turn's. Needs Triton 3.6 or later, torch and a GPU of NVIDIA's; without one it
says so and ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

ROUNDS = 7
LAST_WITH_BLOCK_POINTERS = (3, 7)


@dataclass(frozen=True)
class Case:
    """A kernel with its arguments; `reference` returns what `result` has to hold."""

    name: str
    kernel: Any
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    result: Any
    reference: Callable[[], Any]

    def run(self, kernel: Any) -> Any:
        """Launch a kernel, this one or a copy of it; return what Triton compiled."""
        return kernel[self.grid](*self.arguments, **self.options)


@dataclass(frozen=True)
class Form:
    """What becomes of a kernel: `passes` run inside Triton; they may give layouts."""

    name: str
    passes: str = ""
    layouts: bool = False

    def passes_in_place(self) -> AbstractContextManager[None]:
        """Return a context in which Triton runs the passes."""
        from xtriton.interop.triton_pipeline import inside_triton

        return inside_triton(self.passes, layouts=self.layouts) if self.passes else nullcontext()


@dataclass(frozen=True)
class Row:
    """A kernel in one form: `milliseconds`, `ratio` to its time unraised, and what it computed."""

    kernel: str
    form: str
    milliseconds: float
    ratio: float
    right: bool
    same_bits: bool
    note: str


def cases() -> Iterator[Case]:
    """Yield the kernels, each with memory of its own."""
    import torch

    # Kernels are Triton's language, which types do not describe.
    kernels: Any = import_module("gpu_kernels")

    def random(*shape: int) -> Any:
        return torch.randn(*shape, dtype=torch.float16, device="cuda")

    def empty(*shape: int) -> Any:
        return torch.full(shape, float("nan"), dtype=torch.float16, device="cuda")

    for size in (1024, 4096, 8192):
        a, b, c = random(size, size), random(size, size), empty(size, size)
        yield Case(
            f"gemm {size}",
            kernels.gemm,
            ((size // 128) * (size // 256),),
            (a, b, c, size, size, size, size, 1, size, 1, size),
            {"BM": 128, "BN": 256, "BK": 64, "G": 8, "num_warps": 8, "num_stages": 3},
            c,
            lambda a=a, b=b: a @ b,
        )
    m, n, k = 4000, 3000, 2032
    a, b, c = random(m, k), random(k, n), empty(m, n)
    yield Case(
        f"gemm {m}x{n}x{k}",
        kernels.gemm,
        ((m + 127) // 128 * ((n + 127) // 128),),
        (a, b, c, m, n, k, k, 1, n, 1, n),
        {"BM": 128, "BN": 128, "BK": 64, "G": 8, "num_warps": 4, "num_stages": 4},
        c,
        lambda a=a, b=b: a @ b,
    )
    x, out = random(8192, 4096), empty(8192, 4096)
    yield Case(
        "softmax 8192x4096",
        kernels.softmax,
        (8192,),
        (x, out, 4096, 4096),
        {"B": 4096, "num_warps": 8},
        out,
        lambda x=x: torch.softmax(x, 1),
    )
    x, y, out = random(1 << 26), random(1 << 26), empty(1 << 26)
    yield Case(
        "add 64M",
        kernels.add,
        ((1 << 26) // 1024,),
        (x, y, out, 1 << 26),
        {"B": 1024},
        out,
        lambda x=x, y=y: x + y,
    )
    x, w, b, out = random(8192, 8192), random(8192), random(8192), empty(8192, 8192)
    yield Case(
        "layer norm 8192x8192",
        kernels.layer_norm,
        (8192,),
        (x, w, b, out, 8192, 8192, 1e-5),
        {"B": 2048, "num_warps": 8},
        out,
        lambda x=x, w=w, b=b: torch.nn.functional.layer_norm(x, (8192,), w, b),
    )
    x, out = random(8192, 8192), empty(8192, 8192)
    yield Case(
        "transpose 8192x8192",
        kernels.transpose,
        (128, 128),
        (x, out, 8192, 8192),
        {"B": 64, "C": 64},
        out,
        lambda x=x: x.T,
    )
    heads, n, d = 32, 4096, 64
    q, k_, v, out = (random(heads, n, d) for _ in range(4))
    yield Case(
        "attention 32x4096x64",
        kernels.attention,
        (n // 128, heads),
        (q, k_, v, out, n * d, d, n, 1.44269504 / d**0.5),
        {"BM": 128, "BN": 64, "D": d, "num_warps": 4, "num_stages": 3},
        out,
        lambda q=q, k_=k_, v=v: torch.nn.functional.scaled_dot_product_attention(q, k_, v),
    )
    side, channels, filters = 128, 256, 256
    image, w = random(side, side, channels), random(3, 3, channels, filters)
    out = empty(side, side, filters)
    yield Case(
        "convolution 128x128x256",
        kernels.convolution,
        (side, 1, 2),
        (image, w, out, side, side, channels, filters),
        {"BW": 128, "BO": 128, "BC": 64, "R": 3, "num_warps": 8, "num_stages": 3},
        out,
        lambda image=image, w=w: torch.nn.functional.conv2d(
            image.permute(2, 0, 1)[None], w.permute(3, 2, 0, 1), padding=1
        )[0].permute(1, 2, 0),
    )


def forms() -> Iterator[Form]:
    """Yield the forms that this Triton has."""
    from xtriton.interop.triton import release
    from xtriton.interop.triton_pipeline import LAYOUT_PIPELINE
    from xtriton.ir.versions import parse_version

    yield Form("as it is")
    if parse_version(release()) <= LAST_WITH_BLOCK_POINTERS:
        yield Form("block pointers", "triton-raise-block-pointer")
    yield Form("descriptors", "triton-raise-tensor-descriptor")
    yield Form("descriptors of operands", "triton-raise-tensor-descriptor{operands-only=true}")
    yield Form("our layouts", LAYOUT_PIPELINE, layouts=True)


@dataclass
class Prepared:
    """A kernel in one form, compiled and run once; `times` are milliseconds."""

    form: Form
    kernel: Any
    compiled: Any
    result: Any
    times: list[float] = field(default_factory=list[float])

    def measure(self, case: Case) -> None:
        """Take a time."""
        testing: Any = import_module("triton.testing")
        with self.form.passes_in_place():
            launch = partial(case.run, self.kernel)
            time = testing.do_bench(launch, warmup=5, rep=30, return_mode="median")
        self.times.append(float(time))


def prepare(case: Case, form: Form) -> Prepared:
    """Compile a kernel in a form and run it."""
    from xtriton.interop.triton_pipeline import fresh

    kernel = fresh(case.kernel)
    case.result.fill_(float("nan"))
    with form.passes_in_place():
        compiled = case.run(kernel)
    return Prepared(form, kernel, compiled, case.result.clone())


def rows(case: Case) -> Iterator[Row]:
    """Run a kernel in all forms, in turns: so other load and the clock's changes hit all."""
    import torch

    expected = case.reference().float()
    prepared = [prepare(case, form) for form in forms()]
    for _ in range(ROUNDS):
        for one in prepared:
            one.measure(case)
    unraised = prepared[0]
    for one in prepared:
        error = (one.result.float() - expected).abs().max() / expected.abs().max()
        ratios = [a / b for a, b in zip(one.times, unraised.times, strict=True)]
        yield Row(
            case.name,
            one.form.name,
            median(one.times),
            median(ratios),
            bool(error < 0.01),
            bool(torch.equal(one.result, unraised.result)),
            _note(one.compiled),
        )


def _note(compiled: Any) -> str:
    """Say what the code of a kernel uses."""
    text = compiled.asm["ptx"]
    found = {
        "TMA": text.count("cp.async.bulk.tensor"),
        "wgmma": text.count("wgmma.mma_async"),
        "cp.async": text.count("cp.async.c"),
    }
    used = [f"{count} {name}" for name, count in found.items() if count]
    return ", ".join([*used, f"{compiled.metadata.shared // 1024} KB shared"])


def main() -> int:
    """Print the table; return 1 if a number is wrong."""
    parser = argparse.ArgumentParser(description="Time raised kernels on a GPU.")
    parser.add_argument("--json", type=Path, help="write the rows there as well")
    arguments = parser.parse_args()
    if reason := _why_not():
        print(f"nothing to measure: {reason}")
        return 0
    import torch
    import triton

    def allocate(size: int, alignment: int, stream: object) -> Any:
        return torch.empty(size, dtype=torch.int8, device="cuda")

    triton.set_allocator(allocate)
    table = Table(
        title=f"{torch.cuda.get_device_name()}, Triton {triton.__version__}",
        box=box.SIMPLE_HEAD,
        title_justify="left",
    )
    for column in ("kernel", "form", "ms", "to unraised", "right", "same bits", ""):
        table.add_column(column, justify="right" if column in ("ms", "to unraised") else "left")
    found: list[Row] = []
    for case in cases():
        for row in rows(case):
            found.append(row)
            table.add_row(
                row.kernel if row.form == "as it is" else "",
                row.form,
                f"{row.milliseconds:.3f}",
                f"{row.ratio:.2f}",
                "yes" if row.right else "NO",
                "yes" if row.same_bits else "no",
                row.note,
            )
        table.add_section()
    Console(width=120).print(table)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n")
    return int(not all(row.right for row in found))


def _why_not() -> str:
    for name in ("triton", "torch"):
        if find_spec(name) is None:
            return f"{name} is not installed"
    import torch

    return "" if torch.cuda.is_available() else "there is no GPU of NVIDIA's"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main())
