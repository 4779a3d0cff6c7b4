"""
Speed of native code beside triton-cpu's, from the same TTIR, on one thread.

    XTRITON_TRITON_CPU_OPT=triton-opt python benchmarks/triton_cpu.py [--json FILE] [--page]

triton-cpu has no package; its `triton-opt` is built from its sources. The passes are those of its
`third_party/cpu/backend/compiler.py`, in that order, as it chooses them for this machine; LLVM's
are `opt -O3` and `llc -O3` for the host with multiply-adds fused, elementary functions SLEEF's.
Programs run in a loop in C. Rows are measured in turns and the best of each is kept; what both
store is compared.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cpu
import cpu_cases
import machine
import report
import torch

from xtriton.cpu import activate
from xtriton.cpu.threads import limited_threads

VARIABLE = "XTRITON_TRITON_CPU_OPT"
TOOLS = ("mlir-translate-22", "opt-22", "llc-22", "clang-22")

TO_VECTORS = """
triton-cpu-scalarize{skip-gather-scatter=true}
triton-cpu-convert-memory-ops{use-gather-scatter=true} triton-cpu-convert-ptr-ops
triton-cpu-convert-elementwise-ops triton-cpu-convert-elem-manip-ops triton-cpu-convert-dot-op
triton-cpu-convert-histogram-op
triton-cpu-convert-reduction{use-reduction-op=true^use-multidim-reduction-op=false}
triton-cpu-convert-scan triton-cpu-convert-control-flow-op triton-cpu-convert-atomic-ops
triton-cpu-convert-debug-ops cse symbol-dce canonicalize
"""
TO_FMAS = """
triton-cpu-canonicalize triton-cpu-optimize-masks canonicalize {products}
triton-cpu-convert-dot-generic
triton-cpu-add-casts-for-unsupported-ops{{promote-bf16-to-fp32=true^convert-mixed-precision-matmul=true^promote-lib-math-to-fp32=true}}
triton-cpu-decompose-fp-conversions{{decompose-bf16-conversions=true^decompose-fp8-conversions=true}}
cse symbol-dce canonicalize
"""
TO_LLVM = """
tt.func(triton-cpu-lower-multi-reduction) expand-strided-metadata
convert-vector-to-scf{{full-unroll=true^target-rank=1^lower-tensors=false}} lower-affine
convert-scf-to-cf convert-index-to-llvm triton-cpu-func-op-to-llvm
triton-cpu-get-program-id-op-to-llvm triton-cpu-memory-op-to-llvm triton-cpu-atomic-ops-to-llvm
triton-cpu-debug-ops-to-llvm triton-cpu-math-to-vec-lib{{lib=sleef^cpu_features={features}}}
convert-math-to-llvm convert-math-to-libm
convert-vector-to-llvm{{reassociate-fp-reductions=true^enable-x86vector=true^vector-contract-lowering=outerproduct}}
finalize-memref-to-llvm reconcile-unrealized-casts convert-arith-to-llvm convert-func-to-llvm
convert-ub-to-llvm canonicalize cse symbol-dce
"""
"""Passes of each stage; `^` stands for the blank between options."""

TYPES = {"ptr": "void *", "i32": "int", "i64": "long", "float": "float", "double": "double"}
VALUES: dict[str, Callable[[Any], Any]] = {
    "ptr": lambda tensor: ctypes.c_void_p(tensor.data_ptr()),
    "i32": ctypes.c_int,
    "i64": ctypes.c_long,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
STORED = ("output_ptr", "c_ptr")
"""What the examples call the tensor that they store to."""

GRID = 6
"""Arguments behind the kernel's own: where a program is, and of how many it is one."""


def pipeline() -> str:
    """Return the passes that triton-cpu runs on a machine like this one."""
    flags = set(re.findall(r"\S+", Path("/proc/cpuinfo").read_text().partition("flags")[2]))
    products = "triton-cpu-convert-dot-to-fma" if "avx512f" in flags else ""
    features = ",".join(sorted(flags & {"sse", "sse2", "avx", "avx2", "avx512f"}))
    stages = TO_VECTORS, TO_FMAS.format(products=products), TO_LLVM.format(features=features)
    passes = ",".join(" ".join(stages).split()).replace("^", " ")
    return f"builtin.module({passes})"


def without_locations(text: str) -> str:
    """Return a module's text as every release reads it."""
    text = re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text)
    return re.sub(r"^#loc.*\n", "", text, flags=re.MULTILINE)


class TheirKernel:
    """A kernel as triton-cpu compiles it."""

    def __init__(self, opt: str, ttir: str, folder: Path) -> None:
        self.folder = folder
        source, module, code = folder / "k.ttir", folder / "k.mlir", folder / "k.ll"
        source.write_text(without_locations(ttir))
        start = time.perf_counter()
        _run(opt, source, f"--pass-pipeline={pipeline()}", "-o", module)
        self.passes = time.perf_counter() - start
        """Seconds."""
        start = time.perf_counter()
        _run("mlir-translate-22", "--mlir-to-llvmir", module, "-o", code)
        text = re.sub(r"= (fmul|fadd|fsub) (?!contract)", r"= \1 contract ", code.read_text())
        code.write_text(text)
        best = folder / "k.opt.ll"
        _run("opt-22", "-O3", "-mcpu=native", "-S", code, "-o", best)
        native = ("-mcpu=native", "-relocation-model=pic", "-filetype=obj")
        _run("llc-22", "-O3", *native, best, "-o", folder / "k.o")
        self.llvm = time.perf_counter() - start
        head = re.search(r"^define .*?@(\w+)\((.*?)\)[^()]*\{", text, re.MULTILINE)
        assert head is not None
        self.name = head[1]
        self.types = [parameter.split()[0] for parameter in head[2].split(",")]

    def launch(self, grid: tuple[int, ...], arguments: dict[str, Any]) -> cpu_cases.Work:
        """Return what runs all programs of a grid."""
        own = self.types[:-GRID]
        parameters = "".join(f"{TYPES[kind]} a{i}, " for i, kind in enumerate(own))
        passed = "".join(f"a{i}, " for i in range(len(own)))
        source, library = self.folder / "launch.c", self.folder / "launch.so"
        source.write_text(
            f"extern void {self.name}({', '.join(TYPES[kind] for kind in self.types)});\n"
            f"void launch({parameters}int x, int y, int z) {{\n"
            "  for (int k = 0; k < z; k++) for (int j = 0; j < y; j++)\n"
            f"    for (int i = 0; i < x; i++) {self.name}({passed}i, j, k, x, y, z);\n}}\n"
        )
        libraries = ("-lsleef", "-lm")
        _run(
            "clang-22",
            "-O2",
            "-shared",
            "-fPIC",
            source,
            self.folder / "k.o",
            *libraries,
            "-o",
            library,
        )
        function = ctypes.CDLL(str(library)).launch
        given = [VALUES[kind](value) for kind, value in zip(own, arguments.values(), strict=True)]
        sizes = [ctypes.c_int(size) for size in grid]
        return lambda: function(*given, *sizes)


def _run(*words: str | Path) -> None:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{words[0]}: {done.stderr[:2000]}")


def compare(case: cpu_cases.Case, opt: str, found: report.Report, folder: Path) -> None:
    """Time a kernel of both and add their row."""
    prepared = case.prepared
    theirs = TheirKernel(opt, prepared.compiled.asm["ttir"], folder)
    passed = _passed(prepared.compiled.asm["ttir"], prepared.arguments)
    work = {
        "xtriton": prepared.again(),
        "triton-cpu": theirs.launch(prepared.grid, passed),
        "torch": case.peers["torch"],
    }
    stored = next(value for name, value in passed.items() if name in STORED)
    _check_same(work["xtriton"], work["triton-cpu"], stored)
    times = {name: float("inf") for name in work}
    for _ in range(cpu.ROUNDS):
        times = {n: min(times[n], cpu.best(each)) for n, each in work.items()}
    stages: dict[str, float] = dict(*prepared.launcher.seconds.values())
    compiled = sum(seconds for stage, seconds in stages.items() if stage != "triton")
    ratio = times["triton-cpu"] / times["xtriton"]
    cells = (
        case.name,
        *(f"{times[name] * 1e6:.0f} µs" for name in work),
        f"{ratio:.2f}x",
        f"{compiled:.2f} s" if stages else "known",
        f"{theirs.passes:.2f} + {theirs.llvm:.2f} s",
    )
    raw = {"compiling": compiled, "their passes": theirs.passes, "their LLVM": theirs.llvm}
    found.add(cells, None, seconds=times, **raw)


def _passed(ttir: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that a kernel still has when it is specialised."""
    head = next(line for line in ttir.splitlines() if "tt.func public" in line)
    return {name: arguments[name] for name in re.findall(r"%(\w+):", head)}


def _check_same(ours: cpu_cases.Work, theirs: cpu_cases.Work, stored: torch.Tensor) -> None:
    """Raise if the kernels do not store the same where both store."""
    ours()
    expected = stored.clone()
    stored.fill_(float("nan"))
    theirs()
    torch.testing.assert_close(stored, expected, rtol=1e-4, atol=1e-4)


def main() -> int:
    """Print the table; return the exit code."""
    chosen = report.options(__doc__)
    opt = os.environ.get(VARIABLE)
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if opt is None or lacking:
        print(f"skipped: {VARIABLE} is not set" if opt is None else f"skipped: no {lacking[0]}")
        return 0
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, limited_threads(1):
        os.environ["TRITON_CACHE_DIR"] = f"{folder}/cache"
        activate()
        headings = ("kernel", "xtriton", "triton-cpu", "torch", "as quick", "compiling", "theirs")
        found = report.Report("triton-cpu", f"{machine.name()}, one thread", headings)
        makers: list[tuple[Callable[..., cpu_cases.Case], tuple[Any, ...]]] = [
            (cpu_cases.addition, (1 << 14,)),
            (cpu_cases.addition, (1 << 20,)),
            (cpu_cases.softmax, (512, 1024)),
            (cpu_cases.softmax, (4096, 1000)),
            (cpu_cases.product, ((256, 256, 256), (32, 32, 32))),
            (cpu_cases.product, ((512, 512, 512), (64, 64, 32))),
            (cpu_cases.product, ((1024, 1024, 1024), (64, 64, 64))),
        ]
        for place, (make, sizes) in enumerate(makers):
            inner = Path(folder) / str(place)
            inner.mkdir()
            compare(make(*sizes), opt, found, inner)
    return report.finish(found, chosen)


if __name__ == "__main__":
    sys.exit(main())
