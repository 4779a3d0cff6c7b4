"""
The columns of a result: what each means, and in which of the two files it stands.

A result is the same for the same kernels, pipelines and version of xtriton, byte for byte,
whoever computed it. What a clock or the kernel of the operating system tells is not; it stands in
a second file beside it, with the same first columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Type = Literal["string", "int", "float"]


@dataclass(frozen=True)
class Column:
    """A column: `worse` says which way of a number is worse, +1 for more and -1 for less."""

    name: str
    type: Type
    meaning: str
    worse: int = 0
    measured: bool = False
    """Whether it stands in the file of what was timed."""


KEYS = (
    Column("kernel", "string", "file of the kernel, as seen from the folder or archive given"),
    Column("pipeline", "string", "the passes, as given"),
)
"""What a row is found by; in both files."""

RESULTS = (
    Column("content", "string", "SHA-256 of the file's text"),
    Column("status", "string", "`ok`, `failed`, `crashed`, `time`, `memory` or `unreadable`"),
    Column("failed_pass", "string", "the pass that ended the pipeline"),
    Column("message", "string", "why the status is not `ok`, in a sentence"),
    Column("num_warps", "int", "warps of a program, for pipelines that ask and for `--xpu`"),
    Column("functions", "int", "kernels in the file"),
    Column("ops_before", "int", "operations read"),
    Column("ops", "int", "operations written", worse=1),
    Column("lines", "int", "lines of text written", worse=1),
    Column("accesses", "int", "loads, stores and atomics read"),
    Column("block", "int", "accesses read that are blocks, see docs/architecture.md for tiers"),
    Column("wrapped_block", "int", "accesses read that are blocks which wrap around"),
    Column("affine", "int", "accesses read with a closed form that is no block"),
    Column("gather", "int", "accesses read that depend on loaded data"),
    Column("opaque", "int", "accesses read of which nothing is known"),
    Column("pointer_accesses", "int", "loads and stores written that take tensors of pointers"),
    Column("layout_conversions", "int", "`ttg.convert_layout` written", worse=1),
    Column("shared_bytes", "int", "shared memory that the written module needs", worse=1),
    Column("block_io", "int", "`--xpu`: 2D block accesses on the device", worse=-1),
    Column("block_io_none", "int", "`--xpu`: accesses that are none", worse=1),
    Column("verdict", "string", "`--check`: `same`, `different`, or `unknown`"),
    Column("draws", "int", "`--check`: launches on which the kernels were compared"),
    Column("confidence", "string", "`--check`: of `same`: `proved`, `reached` or `neither`"),
    Column("finding", "string", "`--check`: the first difference, or why the verdict is weaker"),
    Column("native", "string", "`--native`: `agrees`, `differs`, or `unknown`"),
    Column("native_finding", "string", "`--native`: the first difference, or why unknown"),
)

MEASURED = (
    Column("seconds", "float", "CPU time of the pipeline", worse=1, measured=True),
    Column("pass_seconds", "string", "CPU time of each pass, JSON", measured=True),
    Column("check_seconds", "float", "`--check`: CPU time of the comparison", measured=True),
    Column("native_seconds", "float", "`--native`: CPU time to compile", measured=True),
    Column("peak_mib", "float", "largest memory of the worker meanwhile, MiB", measured=True),
)

COLUMNS = (*KEYS, *RESULTS, *MEASURED)

Row = dict[str, object]
"""A value, or None, for the name of each column."""
