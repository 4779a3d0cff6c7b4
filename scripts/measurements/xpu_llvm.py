"""
Dense kernels through the real Intel backend to LLVM: plain, raised, with descriptors by hand.

Each kernel of `xpu_kernels.dense` is compiled by stock Triton to TTIR, by our pipeline to TTGIR
with and without `raise-pointers`, and by the backend's `triton-opt`, which
XTRITON_INTEL_TRITON_OPT names, to the LLVM dialect, where 2D block operations and memory
operations are counted. Kernels of FOLDER (`corpus/*/*.ttir`, every N-th as XTRITON_XPU_EVERY
says, by default the tenth) follow, plain and raised; what raising leaves as it is, is the same
module for the backend too, and does not go there twice.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measurements.figures import Bar, Figure, kernels, progress
from xtriton.dialects.tt.cache_policy import LAST_VERSION_OF_BLOCK_POINTERS
from xtriton.interop.triton import Specialization, ttir_of
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

TRITON_OPT = "XTRITON_INTEL_TRITON_OPT"
EVERY = "XTRITON_XPU_EVERY"

_TO_LLVM = (
    "convert-scf-to-cf",
    "gluon-inline",
    "convert-index-to-llvm",
    "intel-allocate-shared-memory",
    "tritongpu-global-scratch-memory-allocation",
    "convert-triton-intel-gpu-to-llvm",
    "convert-tritongen-to-llvm",
    "canonicalize",
    "tritonintelgpu-rewrite-stack-ptr",
    "cse",
    "convert-arith-to-llvm",
    "canonicalize",
    "cse",
    "symbol-dce",
)
"""The backend's stage from TTGIR to the LLVM dialect, January 2026."""

_VERSION = LAST_VERSION_OF_BLOCK_POINTERS
"""That of the syntax which the backend reads."""

_BLOCKS = re.compile(
    r"llvm\.call \w*\s*@\S*(?:2DBlock(?:Load|Prefetch|Store)|2d_block_(?:read|prefetch|write))"
    r"|triton_gen\.2Dblock(?:load|prefetch|store)"
)
_MEMORY = re.compile(r"\bllvm\.(?:load|store)\b")
_SHARED = re.compile(r"\bttg\.shared = (\d+)")


@dataclass(frozen=True)
class Dense:
    """A kernel: types of pointers, kinds of scalars, constants; scalars are multiples of 16."""

    name: str
    pointers: str
    scalars: str
    constants: Mapping[str, int]
    warps: int = 8
    floats: tuple[str, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    """Types of pointers that point to no f16."""


GEMM = {"BM": 128, "BN": 128, "BK": 32}
DENSE = (
    Dense("linear_attention_scores", "k beta out", "T", {"H": 4, "D": 64, "B": 64}, 4,
          others={"beta": "*fp32", "out": "*fp32"}),
    Dense("linear_attention_output", "q k v h out", "T", {"H": 4, "D": 128, "B": 64, "BD": 64},
          floats=("scale",)),
    Dense("attention_forward", "q k v out", "T", {"H": 4, "D": 64, "BM": 128, "BN": 64},
          floats=("scale",)),
    Dense("attention_backward", "q k v do lse delta dk dv", "T", {"D": 64, "BM": 64, "BN": 128},
          floats=("scale",), others={"lse": "*fp32", "delta": "*fp32"}),
    Dense("paged_attention", "q k v pages out lengths", "width", {"P": 32, "D": 128, "BM": 16}, 4,
          floats=("scale",), others={"pages": "*i32", "lengths": "*i32"}),
    Dense("grouped_gemm", "a b c starts experts", "N K", GEMM, 16,
          others={"starts": "*i32", "experts": "*i32"}),
    Dense("batched_gemm", "a b c", "M N K", GEMM, 16),
    Dense("convolution", "x w y", "W WO",
          {"C": 64, "F": 128, "S": 3, "BM": 64, "BN": 128, "BC": 32}),
    Dense("int4_gemm", "a b scales c", "M N K", GEMM, 16, others={"b": "*i8"}),
    Dense("fp8_gemm", "a b scales c", "M N K", GEMM, 16, others={"a": "*fp8e5", "b": "*fp8e5"}),
    Dense("layer_norm", "x w b y", "M N", {"R": 16, "C": 256}, floats=("eps",)),
    Dense("softmax", "x y", "M N", {"R": 16, "C": 256}),
    Dense("cross_entropy", "x labels losses", "M N", {"R": 16, "C": 256},
          others={"labels": "*i32", "losses": "*fp32"}),
)  # fmt: skip


@dataclass(frozen=True)
class Counts:
    """What a kernel has in the LLVM dialect."""

    blocks: int
    memory: int
    shared: int

    def __str__(self) -> str:
        return f"{self.blocks} / {self.memory} / {self.shared}"


def measure(data: Path) -> Iterator[Figure]:
    """Yield the counts of each kernel, and the sums."""
    sys.setrecursionlimit(10_000)
    binary = os.environ.get(TRITON_OPT)
    if binary is None:
        raise SystemExit(f"error: {TRITON_OPT} names no triton-opt of Intel's backend")
    total: dict[str, list[Counts]] = {"plain": [], "raised": [], "by hand": []}
    for kernel in progress(DENSE, "dense kernels"):
        text = dense_ttir(kernel, by_hand=False)
        ways = {
            "plain": counts(binary, text, kernel.warps, raising=False),
            "raised": counts(binary, text, kernel.warps, raising=True),
            "by hand": counts(
                binary, dense_ttir(kernel, by_hand=True), kernel.warps, raising=False
            ),
        }
        for way, found in ways.items():
            total[way].append(found)
        note = ", ".join(f"{way} {found}" for way, found in ways.items())
        yield Figure(kernel.name, ways["raised"].blocks, "2D operations", note=note)
    yield from _sums(total)
    yield from _of_corpus(binary, data)


def _sums(total: Mapping[str, list[Counts]]) -> Iterator[Figure]:
    """Yield what raising gains over all dense kernels."""
    plain, raised = total["plain"], total["raised"]
    blocks = [sum(c.blocks for c in found) for found in (plain, raised)]
    memory = [sum(c.memory for c in found) for found in (plain, raised)]
    times = blocks[1] / max(1, blocks[0])
    yield Figure("2D operations, raised over plain", times, "times", 3, note=f"{blocks}")
    fall = 100 * (1 - memory[1] / memory[0])
    yield Figure("memory operations fewer", fall, "%", 25, note=f"{memory}")
    yield _worse(zip(plain, raised, strict=True), "dense kernels")


def _of_corpus(binary: str, data: Path) -> Iterator[Figure]:
    files = kernels(data)[:: int(os.environ.get(EVERY, "10"))]
    pairs: list[tuple[Counts, Counts]] = []
    same = failed = 0
    for file in progress(files, "kernels"):
        text, warps = file.read_text(), 4
        plain_ttgir, raised_ttgir = (ttgir(text, warps, raising=way) for way in (False, True))
        if plain_ttgir == raised_ttgir:
            same += 1
            continue
        plain = _counted(binary, plain_ttgir)
        if plain is None:
            continue
        raised = _counted(binary, raised_ttgir)
        if raised is None:
            failed += 1
            print(f"{file.name}: fails when raised", file=sys.stderr)
        else:
            pairs.append((plain, raised))
            if _is_worse(plain, raised):
                print(f"{file.name}: plain {plain}, raised {raised}", file=sys.stderr)
    yield Figure("kernels of the folder that fail when raised", failed, "", 0, Bar.AT_MOST)
    yield _worse(pairs, "kernels of the folder")
    better = sum(r.blocks > p.blocks or r.memory < p.memory for p, r in pairs)
    note = f"of {len(files)}, {same} are left as they are"
    yield Figure("better kernels of the folder", better, note=note)


def _is_worse(plain: Counts, raised: Counts) -> bool:
    return raised.blocks < plain.blocks or raised.memory > plain.memory


def _worse(pairs: Any, what: str) -> Figure:
    worse = sum(_is_worse(plain, raised) for plain, raised in pairs)
    return Figure(f"{what} that raising makes worse", worse, "", 0, Bar.AT_MOST)


def dense_ttir(kernel: Dense, *, by_hand: bool) -> str:
    """Return a dense kernel as stock Triton gives it."""
    from measurements.xpu_kernels import dense

    pointers = kernel.pointers.split()
    signature = {p: kernel.others.get(p, "*fp16") for p in pointers}
    signature |= dict.fromkeys(kernel.scalars.split(), "i32")
    signature |= dict.fromkeys(kernel.floats, "fp32")
    divisible = (*pointers, *kernel.scalars.split())
    constants: dict[str, object] = {**kernel.constants, "BP": int(by_hand)}
    order = list(getattr(dense, kernel.name).arg_names)
    signature = {n: signature[n] for n in order if n in signature}
    return ttir_of(getattr(dense, kernel.name), Specialization(signature, constants, divisible))


def _counted(binary: str, text: str) -> Counts | None:
    try:
        return _lowered(binary, text)
    except subprocess.CalledProcessError:
        return None


def counts(binary: str, text: str, warps: int, *, raising: bool) -> Counts:
    """Take a kernel to the LLVM dialect and count; raises `CalledProcessError` where it fails."""
    return _lowered(binary, ttgir(text, warps, raising=raising))


def ttgir(text: str, warps: int, *, raising: bool) -> str:
    """Return the TTGIR that our pipeline makes of a kernel, as the backend reads it."""
    module = parse_module(text, context())
    IntelTTGIRPipelinePass(num_warps=warps, raise_pointers=raising).apply(context(), module)
    return print_module(module, version=_VERSION)


def _lowered(binary: str, text: str) -> Counts:
    passes = f"--pass-pipeline=builtin.module({','.join(_TO_LLVM)})"
    run = subprocess.run(
        [binary, passes, "-"], input=text, capture_output=True, text=True, check=True
    )
    shared = _SHARED.search(run.stdout)
    return Counts(
        len(_BLOCKS.findall(run.stdout)),
        len(_MEMORY.findall(run.stdout)),
        int(shared[1]) if shared else 0,
    )
