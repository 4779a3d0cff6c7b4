"""
Kernels raised inside Triton, on a real GPU: are the numbers right, and how long does it take?

    python benchmarks/gpu.py [--json results.json]

Each kernel of `gpu_kernels.py` runs as it is, through block pointers (up to Triton 3.7),
through tensor descriptors (TMA), both ways also in two versions under a guard, and with our
passes in place of those that give layouts in Triton. A result has to be within rounding of
torch's, and the same bits as unraised where sums keep their order. Times are medians. Needs
Triton 3.6 or later, torch and a GPU of NVIDIA's; without one it says so and ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

VERSIONS = "xtriton-version-kernel{unit-strides=true unwrap=true},xtriton-version-loops,"
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
    import gpu_kernels as kernels
    import torch

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


def forms() -> Iterator[tuple[str, str, bool]]:
    """Yield name and passes of each form that this Triton has, and whether they give layouts."""
    from xtriton.interop.triton import release
    from xtriton.interop.triton_pipeline import LAYOUT_PIPELINE
    from xtriton.ir.versions import parse_version

    if parse_version(release()) <= LAST_WITH_BLOCK_POINTERS:
        yield "block pointers", "triton-raise-block-pointer", False
        yield "block pointers, versioned", VERSIONS + "triton-raise-block-pointer", False
    yield "descriptors", "triton-raise-tensor-descriptor", False
    yield "descriptors, versioned", VERSIONS + "triton-raise-tensor-descriptor", False
    yield "our layouts", LAYOUT_PIPELINE, True


def rows(case: Case) -> Iterator[Row]:
    """Run a kernel in all forms."""
    import torch
    from triton.testing import do_bench

    from xtriton.interop.triton_pipeline import fresh, inside_triton

    expected = case.reference().float()
    unraised: Any = None
    first = 1.0
    for form, passes, layouts in [("as it is", "", False), *forms()]:
        kernel = fresh(case.kernel)
        case.result.fill_(float("nan"))
        try:
            with inside_triton(passes, layouts=layouts) if passes else nullcontext():
                compiled = case.run(kernel)
                result = case.result.clone()
                time = float(do_bench(lambda k=kernel: case.run(k), return_mode="median"))
        except Exception as failure:  # whatever Triton raises, the other forms are measured
            yield Row(case.name, form, float("nan"), float("nan"), False, False, f"{failure!r:.60}")
            continue
        if unraised is None:
            unraised, first = result, time
        error = (result.float() - expected).abs().max() / expected.abs().max()
        same_bits = bool(torch.equal(result, unraised))
        note = _note(compiled)
        yield Row(case.name, form, time, time / first, bool(error < 0.01), same_bits, note)


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
