"""
TTIR and TTGIR as text through the stages of the Triton that is installed, without a GPU.

The stages are those of Triton's own backends: `ttir`, `ttgir`, `llir`, `ptx` and `cubin` for
NVIDIA's GPUs, `spv` in place of the last two for Intel's.
Text enters before any of them, TTGIR also in the middle of `ttgir`, behind the passes that
give tensors their layouts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xtriton.interop.triton import TARGET, triton_module

LAYOUT_PASSES = (
    ("ttir", "add_convert_to_ttgpuir"),
    ("ttgpuir", "add_coalesce"),
)
"""What `ttgir` begins with and must not do again to a module that has layouts."""


@dataclass
class Compilation:
    """
    What the stages made of a module.

    `texts` holds the text after each stage, by its name, `binaries` what is no text; `metadata`
    is what Triton's launcher is told, such as `shared` bytes.
    """

    texts: dict[str, str] = field(default_factory=dict[str, str])
    binaries: dict[str, bytes] = field(default_factory=dict[str, bytes])
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


def compile_text(
    text: str,
    *,
    first: str = "ttir",
    last: str = "ptx",
    has_layouts: bool = False,
    options: Mapping[str, object] | None = None,
    target: tuple[str, Any, int] = TARGET,
) -> Compilation:
    """
    Run stages `first` to `last` of the installed Triton on `text`, a module of TTIR or TTGIR.

    With `has_layouts` the stage `ttgir` leaves out conversion from TTIR and coalescing.
    `options` are compile options, such as `num_warps`. Whatever Triton raises is let through;
    where it aborts, the process ends: see `triton_batch`.
    """
    backend = triton_module("compiler.compiler").make_backend(
        triton_module("backends.compiler").GPUTarget(*target)
    )
    parsed = backend.parse_options({"enable_fp_fusion": True, **(options or {})})
    context: Any = triton_module("_C.libtriton").ir.context()
    module: Any = _parse(text, context, backend)
    stages: dict[str, Any] = {}
    backend.add_stages(stages, parsed, triton_module("backends.compiler").Language.TRITON)
    result = Compilation(metadata={"target": backend.target, **parsed.__dict__})
    names = list(stages)
    with without_layout_passes() if has_layouts else nullcontext():
        for name in names[names.index(first) : names.index(last) + 1]:
            module = stages[name](module, result.metadata)
            if isinstance(module, bytes):
                result.binaries[name] = module
            else:
                result.texts[name] = str(module)
    return result


def _parse(text: str, context: Any, backend: Any) -> Any:
    ir = triton_module("_C.libtriton").ir
    ir.load_dialects(context)
    backend.load_dialects(context)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.mlir")
        path.write_text(text)
        module = ir.parse_mlir_module(str(path), context)
    module.context = context  # it must live as long as the module does
    return module


@contextmanager
def without_layout_passes() -> Generator[None]:
    """Let Triton's stage `ttgir` leave out what gives tensors their layouts."""
    passes = triton_module("_C.libtriton").passes
    kept = [(getattr(passes, group), name) for group, name in LAYOUT_PASSES]
    originals = [getattr(group, name) for group, name in kept]
    for group, name in kept:
        setattr(group, name, _add_nothing)
    try:
        yield
    finally:
        for (group, name), original in zip(kept, originals, strict=True):
            setattr(group, name, original)


def _add_nothing(*_: object) -> None:
    """Stand in for a function that adds a pass to a pipeline."""
