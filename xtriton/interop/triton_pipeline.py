"""
Our passes inside stock Triton's own pipeline: `@triton.jit` kernels run on a GPU as they are.

    with inside_triton("triton-raise-tensor-descriptor"):
        kernel[grid](x, y, n, BLOCK=1024)

Triton 3.6 and later ask a hook for changes of their stages; this is one. Triton 3.6 does not
ask it for a key: kernels compiled before the block keep their code inside, and the other way
round; `fresh` gives a kernel of which nothing is compiled. On disk each pipeline has a cache of
its own. Kernels with descriptors made on the device need an allocator: `triton.set_allocator`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from xtriton import __version__
from xtriton.errors import UserError
from xtriton.interop.triton import jit_function, release, triton_module
from xtriton.interop.triton_stages import without_layout_passes
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.ir.versions import parse_version
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

LAYOUT_PIPELINE = (
    "convert-triton-to-tritongpu{target=cuda:{arch} num-warps={num_warps} "
    "threads-per-warp=32 num-ctas={num_ctas}},"
    "tritongpu-coalesce,tritongpu-remove-layout-conversions"
)
"""From TTIR to layouts as Triton gives them; for `layouts=True`."""


@contextmanager
def inside_triton(pipeline: str, *, layouts: bool = False) -> Generator[None]:
    """
    Let every kernel that Triton compiles in this block go through `pipeline`.

    Its passes get TTIR, behind Triton's stage `ttir`, which then runs a second time. With
    `layouts` they have to give tensors their layouts, such as `LAYOUT_PIPELINE`, and Triton's
    stage `ttgir` goes on from there; `{arch}`, `{num_warps}` and `{num_ctas}` are filled in.
    Raises `UserError` for a pipeline that makes no sense, and, where a kernel is compiled, if a
    pass fails.
    """
    values = {"arch": 1, "num_warps": 1, "num_ctas": 1}
    make_steps(parse_pipeline(_filled_in(pipeline, values) if layouts else pipeline))
    knobs = triton_module("knobs")
    if not hasattr(knobs.runtime, "add_stages_inspection_hook"):
        raise UserError("passes inside Triton need Triton 3.6 or later")
    hook = _Hook(pipeline, layouts)
    with knobs.runtime.scope(), knobs.cache.scope():
        knobs.cache.dir = str(Path(knobs.cache.dir, f"xtriton-{hook()[1][:16]}"))
        knobs.runtime.add_stages_inspection_hook = hook
        yield


def fresh(kernel: Any) -> Any:
    """Return a `@triton.jit` kernel again, without what Triton has compiled of it."""
    return triton_module("runtime.jit").JITFunction(jit_function(kernel).fn)


class _Hook:
    """What Triton asks for its stages, and, without arguments, for what to cache them under."""

    def __init__(self, pipeline: str, layouts: bool) -> None:
        self.pipeline = pipeline
        self.layouts = layouts

    def __call__(self, *arguments: Any) -> tuple[str, str]:
        key = f"xtriton {__version__} {self.pipeline} {self.layouts}"
        if arguments:
            self._change(*arguments)
        return key, sha256(key.encode()).hexdigest()

    def _change(self, _backend: Any, stages: Any, options: Any, _: Any, capability: Any) -> None:
        if self.layouts and "ttir" in stages:
            pipeline = _filled_in(self.pipeline, {**options.__dict__, "arch": capability})
            stages["ttgir"] = _given_layouts(stages["ttgir"], pipeline)
        elif "ttir" in stages:
            stages["ttir"] = _rewritten(stages["ttir"], self.pipeline)


def _filled_in(pipeline: str, values: Mapping[str, Any]) -> str:
    for name in ("arch", "num_warps", "num_ctas"):
        pipeline = pipeline.replace(f"{{{name}}}", str(values[name]))
    return pipeline


Stage = Callable[[Any, Mapping[str, Any]], Any]


def _rewritten(stage: Stage, pipeline: str) -> Stage:
    """Return a stage that runs, hands its result to our passes, and runs on theirs."""

    def run(module: Any, metadata: Mapping[str, Any]) -> Any:
        module = stage(module, metadata)
        rewritten = _through_passes(module, pipeline)
        return stage(rewritten, metadata)

    return run


def _given_layouts(stage: Stage, pipeline: str) -> Stage:
    """Return a stage that begins with our passes in place of those that give layouts."""

    def run(module: Any, metadata: Mapping[str, Any]) -> Any:
        module = _through_passes(module, pipeline)
        with without_layout_passes():
            return stage(module, metadata)

    return run


def _through_passes(module: Any, pipeline: str) -> Any:
    """Return one of Triton's modules as our passes leave it, in the same context."""
    shared = context()
    ours = parse_module(str(module), shared, file="<Triton's module>")
    PassManager(shared, make_steps(parse_pipeline(pipeline))).run(ours)
    text = print_module(ours, version=parse_version(release()), debug_info=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.mlir")
        path.write_text(text)
        rewritten = triton_module("_C.libtriton").ir.parse_mlir_module(str(path), module.context)
    rewritten.context = module.context
    return rewritten
