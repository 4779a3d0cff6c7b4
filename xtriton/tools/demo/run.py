"""Runs the cases of the demo."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from xdsl.dialects.builtin import ModuleOp

from xtriton.cpu.threads import available_threads, limited_threads
from xtriton.errors import UserError
from xtriton.interop.native import Launcher
from xtriton.interop.triton import jit_function, specialize
from xtriton.tools.demo.cases import CASES, Case, case_named
from xtriton.tools.demo.interpret import interpreted_seconds
from xtriton.tools.demo.report import Measurement, Report, Verdict
from xtriton.tools.demo.tables import print_report, size_text

FILE_NAMES = {"ttir": "triton.ttir", "llvm": "llvm.ll"}
MEASURING_SECONDS = 0.1


def run_demo(names: Sequence[str], output: Path, *, threads: int | None = None) -> int:
    """Run the named cases, or all; print tables; return the exit code."""
    cases = [case_named(name) for name in names] or list(CASES)
    threads = threads or available_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)  # pyright: ignore[reportUnknownMemberType]
    report = Report()
    console = Console()
    columns = TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        steps = sum(len(case.sizes) + 2 for case in cases)
        task = progress.add_task("", total=steps)

        def step(text: str) -> None:
            progress.update(task, description=text, advance=1)

        for case in cases:
            step(f"{case.name}: every stage interpreted")
            _judge(case, output, report)
            _measure(case, threads, report, step)
            step(f"{case.name}: TRITON_INTERPRET=1")
            _interpret(case, report)
    if any(case.name == "matmul" for case in cases):
        report.one_thread = _one_thread()
    print_report(console, report, output, threads)
    return 0 if report.right else 1


# --- stages -----------------------------------------------------------------------------


def _judge(case: Case, output: Path, report: Report) -> None:
    """Keep the IR of each stage and run it in the interpreter, on a small size."""
    folder = output / case.name
    folder.mkdir(parents=True, exist_ok=True)
    inputs, place = case.inputs(case.judged), case.output(case.judged)
    launches: list[tuple[tuple[int, ...], list[object]]] = []
    verdicts: list[Verdict] = []
    numbers = iter(range(100))

    def observe(stage: str, text: str, module: ModuleOp | None) -> None:
        name = f"{next(numbers)}.{FILE_NAMES.get(stage, f'{stage}.mlir')}"
        (folder / name).write_text(text, encoding="utf-8")
        if module is not None:
            grid, arguments = launches[-1]
            verdicts.append(_verdict(case, stage, module, grid, arguments, inputs, place))

    launcher = Launcher(observer=observe)

    def launch(kernel: Any, grid: tuple[int, ...]) -> Callable[..., object]:
        def run(*values: object, **named: object) -> object:
            arguments = {**dict(zip(jit_function(kernel).arg_names, values, strict=False)), **named}
            signature = specialize(kernel, arguments).signature
            launches.append((grid, [arguments[name] for name in signature]))
            compiled = launcher(kernel, grid)(*values, **named)
            report.note(case, launcher.seconds.get(compiled.hash))
            return compiled

        return run

    case.call(inputs, place, launch)
    report.verdicts[case.name] = verdicts


def _verdict(
    case: Case,
    stage: str,
    module: ModuleOp,
    grid: tuple[int, ...],
    arguments: list[object],
    inputs: list[torch.Tensor],
    place: torch.Tensor,
) -> Verdict:
    from xtriton.interpreter.api import run

    place.fill_(float("nan"))
    try:
        run(module, grid, arguments)
    except UserError as error:
        return Verdict(stage, None, error.message, right=False)
    right = case.is_right(inputs, place)
    return Verdict(stage, case.largest_error(inputs, place), right=right)


# --- times ------------------------------------------------------------------------------


def best_seconds(work: Callable[[], object]) -> float:
    """Return the shortest time of several runs."""
    best, total = float("inf"), 0.0
    while total < MEASURING_SECONDS:
        start = time.perf_counter()
        work()
        seconds = time.perf_counter() - start
        best, total = min(best, seconds), total + seconds
    return best


def _nothing() -> None:
    pass


class _Recorder:
    """A launcher that remembers how to repeat the launch."""

    def __init__(self, launcher: Launcher):
        self.launcher = launcher
        self.hash = ""
        self.run: Callable[..., None] = _nothing

    def __call__(self, kernel: Any, grid: tuple[int, ...]) -> Callable[..., object]:
        def run(*values: object, **named: object) -> object:
            compiled = self.launcher(kernel, grid)(*values, **named)
            by_name = dict(zip(jit_function(kernel).arg_names, values, strict=False)) | named
            ordered = [by_name[name] for name in jit_function(kernel).arg_names]
            sizes = (*grid, 1, 1)[:3]
            self.hash = compiled.hash

            def again(threads: int | None = self.launcher.threads) -> None:
                with limited_threads(threads):
                    compiled.run(*sizes, 0, compiled.function, None, None, None, None, *ordered)

            self.run = again
            return compiled

        return run


def _measure(case: Case, threads: int, report: Report, step: Callable[[str], None]) -> None:
    recorder = _Recorder(Launcher(threads=threads))
    for size in case.sizes:
        step(f"{case.name}: {size_text(size)}")
        inputs, place = case.inputs(size), case.output(size)
        place.fill_(float("nan"))
        case.call(inputs, place, recorder)
        error, right = case.largest_error(inputs, place), case.is_right(inputs, place)
        alone, together = best_seconds(lambda: recorder.run(1)), best_seconds(recorder.run)
        peer = best_seconds(lambda case=case, i=inputs, p=place: case.reference(i, p))
        report.measurements.append(Measurement(case, size, error, right, alone, together, peer))
        report.note(case, recorder.launcher.seconds.get(recorder.hash))


def _interpret(case: Case, report: Report) -> None:
    found = interpreted_seconds(case.name, list(case.sizes))
    mine = [m for m in report.measurements if m.case is case]
    for measurement, (seconds, scaled) in zip(mine, found, strict=True):
        measurement.interpreted, measurement.scaled = seconds, scaled


def _one_thread() -> tuple[float, float]:
    """Time the matmul and `torch.mm` on one thread, in turns."""
    case = case_named("matmul")
    size = (512, 512, 512)
    recorder = _Recorder(Launcher(threads=1))
    inputs, place = case.inputs(size), case.output(size)
    case.call(inputs, place, recorder)
    native = peer = float("inf")
    for _ in range(5):
        native = min(native, best_seconds(recorder.run))
        peer = min(peer, best_seconds(lambda: case.reference(inputs, place)))
    return native, peer
