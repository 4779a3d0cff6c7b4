"""One kernel and its pipelines: what is asked, and what comes out, in the process at hand."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp, TensorType

import xtriton
from xtriton.analysis.accesses import Accesses
from xtriton.analysis.report import kernels
from xtriton.corpus.columns import Row
from xtriton.corpus.sources import Kernel
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import Instrument, PassCrash, PassManager, Step, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.passes.plugins import load_plugin
from xtriton.universe import context


@dataclass(frozen=True)
class Settings:
    """
    What is asked of every kernel; part of what a result is remembered by.

    check: draws of the comparison before against after, 0 for none; thorough: its extreme draws.
    device: an Intel GPU whose verdicts are wanted. plugins: texts of files that define passes.
    """

    check: int = 0
    thorough: bool = False
    tolerance: float = 0.0
    native: bool = False
    device: str = ""
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """A kernel, pipelines, and what to find out of each; travels to workers as text."""

    kernel: str
    content: str
    text: str
    num_warps: int
    pipelines: tuple[str, ...]
    settings: Settings
    code: str
    """`fingerprint()` of who asks: a worker with other code refuses."""

    @classmethod
    def of(cls, kernel: Kernel, pipelines: Iterable[str], settings: Settings) -> Job:
        """Return the job for a kernel with the code at hand."""
        warps, given = kernel.num_warps, tuple(pipelines)
        return cls(kernel.name, kernel.content, kernel.text, warps, given, settings, fingerprint())

    def key(self, pipeline: str) -> str:
        """Return what a row is remembered by: all that it depends on, but not the name."""
        parts = (self.content, self.num_warps, pipeline, repr(self.settings), self.code)
        return sha256(json.dumps(parts).encode()).hexdigest()

    def identity(self, pipeline: str) -> Row:
        """Return the columns that say which row it is."""
        return {
            "kernel": self.kernel,
            "pipeline": pipeline,
            "content": self.content,
            "num_warps": self.num_warps,
        }


_LIBRARIES = ("llvmlite", "numpy", "xdsl", "z3-solver")


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


@cache
def fingerprint() -> str:
    """
    Return a digest that tells whether two machines compute the same.

    It covers xtriton's own code and the versions of the libraries that results depend on.
    """
    folder = Path(xtriton.__file__).parent
    digest = sha256(repr([(name, _version(name)) for name in _LIBRARIES]).encode())
    for path in sorted(folder.rglob("*.py")):
        digest.update(str(path.relative_to(folder)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def load_plugin_text(text: str) -> None:
    """Make the passes in a text known; raises `UserError` as `load_plugin` does."""
    with tempfile.TemporaryDirectory() as folder:
        name = f"corpus_{sha256(text.encode()).hexdigest()[:12]}.py"
        path = Path(folder, name)
        path.write_text(text)
        load_plugin(str(path))


def measure(job: Job) -> Iterator[Row]:
    """
    Yield the row of each pipeline, without what only a process can tell: limits and death.

    Raises `UserError` where the code is not that of who asks.
    """
    if job.code != fingerprint():
        raise UserError("this worker runs another version of xtriton: install the same on all")
    for plugin in job.settings.plugins:
        load_plugin_text(plugin)
    try:
        kernel = _Original(job)
    except UserError as error:
        reason = {"status": "unreadable", "message": error.render().splitlines()[0]}
        yield from (job.identity(pipeline) | reason for pipeline in job.pipelines)
        return
    for pipeline in job.pipelines:
        try:
            yield kernel.row(pipeline)
        except MemoryError:
            status, message = "memory", "more memory than there is"
        except UserError as error:
            status, message = "failed", error.message
        except Exception as error:
            status, message = "crashed", f"{type(error).__name__}: {error}"[:500]
        else:
            continue
        yield job.identity(pipeline) | {"status": status, "message": message}


class _Original:
    """A kernel that was read, and what is known of it whatever the pipeline."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.module = parse_module(job.text, context(allow_unregistered=True), file=job.kernel)
        self.known = _read(self.module)
        self.verdicts: dict[str, Row] = {}
        """What is known of texts that pipelines have written."""
        if job.settings.native:
            self.known |= _native(self.module)

    @cached_property
    def text(self) -> str:
        """The module as it is printed."""
        return print_module(self.module)

    @cached_property
    def program(self) -> Any:
        """The module for the interpreter, with all that was computed of it so far."""
        from xtriton.judge import shared

        return shared(self.module)

    def row(self, pipeline: str) -> Row:
        """Return the row of a pipeline."""
        job, after = self.job, copied(self.module)
        row = job.identity(pipeline) | {"status": "ok"} | self.known
        if not _transform(job, pipeline, after, row):
            return row
        text = print_module(after)
        row |= _written(after, text)
        if job.settings.check and row["ops"] == row["ops_before"] and text == self.text:
            row |= {"verdict": "same", "draws": 0, "confidence": "proved", "check_seconds": 0.0}
        elif job.settings.check:
            row |= self._checked(after, text, pipeline)
        if job.settings.device:
            row |= _on_device(job, after)
        return row

    def _checked(self, after: ModuleOp, text: str, pipeline: str) -> Row:
        """
        Return the verdict on what a pipeline wrote, one for equal texts.

        Bits are compared first, as only few kernels need what the passes declare of sums.
        """
        settings = self.job.settings
        if text not in self.verdicts:
            self.verdicts[text] = _check(settings, self.program, after)
        row = self.verdicts[text]
        steps = _known_steps(pipeline, self.job.num_warps, settings.plugins)
        declared = max((step.tolerance for step in steps), default=0.0)
        if row["verdict"] != "different" or declared <= settings.tolerance:
            return row
        looser = _check(replace(settings, tolerance=declared), self.program, after)
        if looser["verdict"] == "same":
            looser["finding"] = f"sums in another order, within {declared:g}: {row['finding']}"
        return looser


def _steps(pipeline: str, num_warps: int) -> list[Step]:
    return make_steps(parse_pipeline(pipeline.replace("{num_warps}", str(num_warps))))


@lru_cache(64)
def _known_steps(pipeline: str, num_warps: int, plugins: tuple[str, ...]) -> list[Step]:
    """Return the passes of a pipeline, once; what `plugins` define may have names of others."""
    return _steps(pipeline, num_warps)


def after_text(text: str, pipeline: str, num_warps: int) -> str:
    """Return what a pipeline makes of a kernel, as text."""
    module = parse_module(text, context(allow_unregistered=True))
    PassManager(context(allow_unregistered=True), _steps(pipeline, num_warps), False).run(module)
    return print_module(module)


def _read(module: ModuleOp) -> Row:
    found: Counter[str] = Counter()
    functions = list(kernels(module))
    for function in functions:
        if function.name == "tt.func":
            found.update(access.form.tier.value for access in Accesses(function).all)
    return {
        "functions": len(functions),
        "ops_before": sum(1 for _ in module.walk()),
        "accesses": found.total(),
        "block": found["block"],
        "wrapped_block": found["wrapped block"],
        "affine": found["affine"],
        "gather": found["gather"],
        "opaque": found["opaque"],
    }


@dataclass
class _CPUTimer(Instrument):
    """CPU seconds of each pass, those of one name together; verifying counts apart."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    _started: float = 0.0

    def before_pass(self, step: Step, module: ModuleOp) -> None:
        self._started = time.process_time()

    def after_pass(self, step: Step, module: ModuleOp) -> None:
        took = time.process_time() - self._started
        self.seconds[step.name] = self.seconds.get(step.name, 0.0) + took

    def after_failed_pass(self, step: Step, module: ModuleOp) -> None:
        self.after_pass(step, module)


def _transform(job: Job, pipeline: str, module: ModuleOp, row: Row) -> bool:
    """Run the pipeline; note what it took and how it ended. True where it came to its end."""
    timer = _CPUTimer()
    begin = time.process_time()
    try:
        steps = _known_steps(pipeline, job.num_warps, job.settings.plugins)
        PassManager(context(allow_unregistered=True), steps, True, (timer,)).run(module)
    except PassCrash as error:
        row |= {"status": "crashed", "failed_pass": error.step.name, "message": str(error)}
    except UserError as error:
        row |= {"status": "failed", "message": error.message}
        row["failed_pass"] = next(reversed(timer.seconds), None)
    row["seconds"] = time.process_time() - begin
    row["pass_seconds"] = json.dumps({n: round(s, 6) for n, s in timer.seconds.items()})
    return row["status"] == "ok"


def _written(module: ModuleOp, text: str) -> Row:
    found: Counter[str] = Counter()
    for op in module.walk():
        found["ops"] += 1
        found["layout_conversions"] += op.name == "ttg.convert_layout"
        if op.name in ("tt.load", "tt.store"):
            found["pointer_accesses"] += isinstance(op.operands[0].type, TensorType)
    row: Row = {name: found[name] for name in ("ops", "layout_conversions", "pointer_accesses")}
    row["lines"] = text.count("\n")
    if "ttg.num-warps" in module.attributes:
        row["shared_bytes"] = _shared(module)
    return row


def _shared(module: ModuleOp) -> int | None:
    # Imported here: most pipelines do not come to layouts.
    from xtriton.analysis.shared_memory.report import shared_memory_report

    target = str(module.attributes.get("ttg.target", ""))
    try:
        return shared_memory_report(module, "intel" if "xpu" in target else "").size
    except UserError:
        return None


_CONFIDENCE = ("neither", "reached", "proved")
"""How sure a verdict of no difference is, the weakest in front; see `Equivalence.confidence`."""


def _check(settings: Settings, before: Any, after: ModuleOp) -> Row:
    from xtriton.judge.equivalence import Options, check_equivalent

    options = Options(
        count=settings.check,
        thorough=settings.thorough,
        tolerance=settings.tolerance,
        solver=1.0 if settings.thorough else 0.0,
        sampled=settings.thorough,
        at_random=settings.thorough,
        confidence=True,
    )
    begin = time.process_time()
    row: Row = {"verdict": "same", "draws": 0}
    weakest = len(_CONFIDENCE) - 1
    for name in before.kernels():
        try:
            verdict = check_equivalent(before, after, kernel=name, options=options)
        except UserError as error:
            if row["verdict"] == "same":
                row |= {"verdict": "unknown", "finding": error.message}
            continue
        row["draws"] = int(str(row["draws"])) + verdict.draws
        if verdict:
            weakest = min(weakest, _CONFIDENCE.index(verdict.confidence))
        else:
            row |= {"verdict": "different", "finding": verdict.differences[0].message}
            break
    if row["verdict"] == "same":
        row["confidence"] = _CONFIDENCE[weakest]
    row["check_seconds"] = time.process_time() - begin
    return row


def _native(before: ModuleOp) -> Row:
    # Imported here: LLVM takes its time.
    from xtriton.corpus.native import native_agreement

    return native_agreement(before)


def _on_device(job: Job, module: ModuleOp) -> Row:
    from xtriton.analysis.intel.device import device_called
    from xtriton.transforms.intel.verdicts import device_report

    device = device_called(job.settings.device)
    try:
        report = device_report(module, context(allow_unregistered=True), device, job.num_warps)
    except UserError:
        return {}
    blocks = sum(found.is_block for found in report.accesses)
    return {
        "block_io": blocks,
        "block_io_none": len(report.accesses) - blocks,
        "shared_bytes": report.shared_memory.size,
    }


def as_json(job: Job) -> str:
    """Return a job as a line of text."""
    return json.dumps(job, default=_plain)


def from_json(line: str) -> Job:
    """Return the job that `as_json` wrote."""
    fields: dict[str, Any] = json.loads(line)
    settings = fields.pop("settings")
    settings["plugins"] = tuple(settings["plugins"])
    fields["pipelines"] = tuple(fields["pipelines"])
    return Job(settings=Settings(**settings), **fields)


def _plain(value: object) -> object:
    assert isinstance(value, Job | Settings)
    return vars(value)
