"""
Our passes inside stock Triton's own pipeline: `@triton.jit` kernels run on a GPU as they are.

    with inside_triton("triton-raise-tensor-descriptor"):
        kernel[grid](x, y, n, BLOCK=1024)

    install("my-pass", at="ttgir", kernels="matmul*")   # from here on, in this process

    XTRITON_PASSES="triton-raise-tensor-descriptor" python program.py   # nothing edited

Triton 3.6 and later ask a hook for changes of their stages; this is one. What is compiled is
cached under the pipeline, its options and the source of its passes. Triton 3.6 does not ask for
that key: kernels compiled before keep their code, `fresh` gives a kernel of which nothing is
compiled, and on disk each pipeline has a cache of its own. Kernels with descriptors made on
the device need an allocator: `triton.set_allocator`.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

from xtriton import __version__
from xtriton.analysis.effects.analyze import function_name
from xtriton.analysis.report import kernels as kernels_of
from xtriton.errors import UserError
from xtriton.interop.triton import jit_function, release, triton_module
from xtriton.interop.triton_stages import without_layout_passes
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import PassManager, Step, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.passes.plugins import load_plugin
from xtriton.passes.sources import source_digest
from xtriton.universe import context

LAYOUT_PIPELINE = (
    "convert-triton-to-tritongpu{target=cuda:{arch} num-warps={num_warps} "
    "threads-per-warp=32 num-ctas={num_ctas}},"
    "tritongpu-coalesce,tritongpu-remove-layout-conversions"
)
"""From TTIR to layouts as Triton gives them; for `layouts=True`."""

Place = Literal["ttir", "ttgir", "before-ttir", "before-ttgir"]
"""Behind which stage of Triton passes run, or before which."""

OnError = Literal["warn", "raise"]

PASSES = "XTRITON_PASSES"
"""The variable that names passes: `pipeline` or `place:pipeline`, more than one with `;`."""

KERNELS = "XTRITON_PASSES_KERNELS"
ON_ERROR = "XTRITON_PASSES_ON_ERROR"
PLUGINS = "XTRITON_PASSES_PLUGINS"


@dataclass(frozen=True)
class Installed:
    """Passes inside Triton. `remove()` takes them out again."""

    pipeline: str
    at: Place = "ttir"
    kernels: tuple[str, ...] = ("*",)
    """Names of kernels, with `*` and `?` as in a shell."""
    on_error: OnError = "raise"
    layouts: bool = False

    def remove(self) -> None:
        """Compile kernels without these passes again; twice is once."""
        hook = _knobs().runtime.add_stages_inspection_hook
        if isinstance(hook, _Hook):
            _use(_Hook(tuple(one for one in hook.installed if one is not self), hook.other))

    def checked(self) -> Installed:
        """Return this; raise `UserError` for passes and places that there are not."""
        if self.at not in get_args(Place):
            raise UserError(f"'{self.at}' is no place for passes: {', '.join(get_args(Place))}")
        if self.on_error not in get_args(OnError):
            raise UserError(f"'{self.on_error}' is neither 'warn' nor 'raise'")
        self.steps()
        return self

    def steps(self, options: Mapping[str, Any] | None = None) -> list[Step]:
        """Return the passes, with `options` of the compilation filled in where layouts are made."""
        pipeline = self.pipeline
        if self.layouts:
            values = options or {"arch": 1, "num_warps": 1, "num_ctas": 1}
            for name in ("arch", "num_warps", "num_ctas"):
                pipeline = pipeline.replace(f"{{{name}}}", str(values[name]))
        return make_steps(parse_pipeline(pipeline))

    def key(self) -> str:
        """Return what compiled code depends on: the request and the source of its passes."""
        sources = sorted({source_digest(type(step.instance)) for step in self.steps()})
        return f"{self!r} {sources}"


def install(
    pipeline: str,
    *,
    at: Place = "ttir",
    kernels: str | Sequence[str] = "*",
    on_error: OnError = "warn",
) -> Installed:
    """
    Let every kernel that Triton compiles from now on go through `pipeline`.

    `at` says where: behind Triton's stage `ttir`, which then runs a second time, or `ttgir`, or
    before them. `kernels` limits it to names such as "matmul*". A pass that fails leaves the
    kernel as it was, with a warning; `on_error="raise"` lets its error through. Several are run
    in the order in which they are installed, behind the hook of somebody else. Raises `UserError`
    for a pipeline that makes no sense.
    """
    names = (kernels,) if isinstance(kernels, str) else tuple(kernels)
    installed = Installed(pipeline, at, names, on_error).checked()
    hook = _knobs().runtime.add_stages_inspection_hook
    before, other = (hook.installed, hook.other) if isinstance(hook, _Hook) else ((), hook)
    _use(_Hook((*before, installed), other))
    return installed


def install_from_environment() -> list[Installed]:
    """
    Install what `XTRITON_PASSES` names; Triton calls this when it is imported.

    `XTRITON_PASSES_KERNELS` limits it to kernels (`a,b*`), `XTRITON_PASSES_ON_ERROR=raise` lets
    errors through, `XTRITON_PASSES_PLUGINS` names Python files with passes (`a.py:b.py`).
    """
    text = os.environ.get(PASSES, "").strip()
    if not text:
        return []
    try:
        return _install_from_text(text)
    except UserError as error:
        # Raised while Triton is imported: say who asks for passes there.
        asked = [f"{name}={os.environ[name]}" for name in (PASSES, PLUGINS) if name in os.environ]
        message = f"{error.message} ({' '.join(asked)})"
        raise UserError(message, error.position, error.notes) from None


def _install_from_text(text: str) -> list[Installed]:
    for plugin in filter(None, os.environ.get(PLUGINS, "").split(os.pathsep)):
        load_plugin(plugin)
    kernels = os.environ.get(KERNELS, "*").split(",")
    on_error: Any = os.environ.get(ON_ERROR, "warn")
    found: list[Installed] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        place, colon, pipeline = part.partition(":")
        at: Any = place.strip() if colon and place.strip() in get_args(Place) else "ttir"
        found.append(
            install(
                pipeline.strip() if at != "ttir" or place.strip() == "ttir" else part,
                at=at,
                kernels=[name.strip() for name in kernels],
                on_error=on_error,
            )
        )
    return found


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
    at: Place = "before-ttgir" if layouts else "ttir"
    installed = Installed(pipeline, at, layouts=layouts).checked()
    knobs = _knobs()
    with knobs.runtime.scope(), knobs.cache.scope():
        hook = knobs.runtime.add_stages_inspection_hook = _Hook((installed,), None)
        _cache_apart(knobs, hook)
        yield


def fresh(kernel: Any) -> Any:
    """Return a `@triton.jit` kernel again, without what Triton has compiled of it."""
    return triton_module("runtime.jit").JITFunction(jit_function(kernel).fn)


def _knobs() -> Any:
    knobs = triton_module("knobs")
    if not hasattr(knobs.runtime, "add_stages_inspection_hook"):
        raise UserError("passes inside Triton need Triton 3.6 or later")
    return knobs


def _use(hook: _Hook) -> None:
    """Let Triton ask a hook, or the one that was there before where nothing is installed."""
    knobs = _knobs()
    knobs.runtime.add_stages_inspection_hook = hook if hook.installed else hook.other
    if parse_version(release()) < (3, 7):
        _cache_apart(knobs, hook)


def _cache_apart(knobs: Any, hook: _Hook) -> None:
    """Give the pipeline a cache of its own: Triton 3.6 asks for no key of it."""
    folder = Path(knobs.cache.dir)
    folder = folder.parent if folder.name.startswith("xtriton-") else folder
    knobs.cache.dir = str(folder / f"xtriton-{hook()[1][:16]}" if hook.installed else folder)


@dataclass(frozen=True)
class _Hook:
    """What Triton asks for its stages, and, without arguments, for what to cache them under."""

    installed: tuple[Installed, ...]
    other: Any
    """The hook that was there before, which goes first."""

    def __call__(self, *arguments: Any) -> tuple[str, str]:
        key = f"xtriton {__version__} {[one.key() for one in self.installed]}"
        if self.other is not None:
            key += str(self.other(*arguments))
        if arguments:
            _, stages, options, _, capability = arguments
            values = {**options.__dict__, "arch": capability}
            for one in self.installed:
                _change(stages, one, values)
        return key, sha256(key.encode()).hexdigest()


Stage = Callable[[Any, Mapping[str, Any]], Any]


def _change(stages: dict[str, Stage], one: Installed, values: Mapping[str, Any]) -> None:
    name = one.at.removeprefix("before-")
    # Gluon kernels have layouts from the start, and no stage for TTIR.
    if name in stages and (name == "ttgir" or "ttir" in stages):
        stages[name] = _changed(stages[name], one, values)


def _changed(stage: Stage, one: Installed, values: Mapping[str, Any]) -> Stage:
    """Return a stage with passes before or behind it."""

    def through(module: Any, finish: Callable[[Any], Any]) -> Any:
        """Return what `finish` makes of the rewritten module, the module itself if that fails."""
        try:
            rewritten = _through_passes(module, one, values)
            return module if rewritten is None else finish(rewritten)
        except Exception as error:
            if one.on_error == "raise":
                raise
            what = error.render() if isinstance(error, UserError) else str(error)
            warnings.warn(
                f"xtriton: '{one.pipeline}' leaves a kernel as it was: {what}", stacklevel=2
            )
            return module

    def run(module: Any, metadata: Mapping[str, Any]) -> Any:
        if one.layouts:
            with without_layout_passes():
                return stage(through(module, lambda new: new), metadata)
        if one.at.startswith("before-"):
            return stage(through(module, lambda new: new), metadata)
        module = stage(module, metadata)
        # Canonical again, as the next stage expects; TTGIR is not made twice.
        again = one.at == "ttir"
        return through(module, lambda new: stage(new, metadata) if again else new)

    return run


def _through_passes(module: Any, one: Installed, values: Mapping[str, Any]) -> Any:
    """Return one of Triton's modules as passes leave it, in its context; None if not for them."""
    shared = context()
    ours = parse_module(str(module), shared, file="<Triton's module>")
    names = [function_name(function) for function in kernels_of(ours)]
    if not any(fnmatchcase(name, pattern) for name in names for pattern in one.kernels):
        return None
    PassManager(shared, one.steps(values)).run(ours)
    text = print_module(ours, version=parse_version(release()), debug_info=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "module.mlir")
        path.write_text(text)
        rewritten = triton_module("_C.libtriton").ir.parse_mlir_module(str(path), module.context)
    rewritten.context = module.context
    return rewritten
