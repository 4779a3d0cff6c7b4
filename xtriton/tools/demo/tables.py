"""The demo's tables."""

import sys
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from xtriton.tools.demo.cases import Size
from xtriton.tools.demo.report import Measurement, Report

STAGES = {
    "triton": "Triton",
    "structured": "tts",
    "linalg": "linalg",
    "memref": "memref",
    "emit": "LLVM IR",
    "llvm": "object",
}


def print_report(console: Console, report: Report, output: Path, threads: int) -> None:
    """Print everything that the demo found."""
    console.print(_results(report, threads))
    console.print(
        "Behind the times of torch and of TRITON_INTERPRET=1 (interp.): how many times that of "
        "xtriton on one thread.\n~ scaled from the first 16 programs of the grid",
        style="dim",
    )
    console.print(_judgement(report))
    console.print(_compilation(report))
    if report.one_thread is not None:
        console.print(_one_thread(*report.one_thread))
    console.print(f"IR after every stage: {output}/")
    if report.verdicts:
        ir = output / next(iter(report.verdicts)) / "0.triton.ttir"
        console.print(f"How a kernel walks through memory: {_explain()} {ir}", soft_wrap=True)
    if not report.right:
        console.print("Some results are wrong.", style="bold red")


def _explain() -> Path:
    """Return how to call the tool from here, whether or not its folder is on the path."""
    tool = Path(sys.executable).with_name("xtriton-explain")
    return tool.relative_to(Path.cwd()) if tool.is_relative_to(Path.cwd()) else tool


def _table(title: str) -> Table:
    """Return a table narrow enough for a terminal of 80 columns."""
    return Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), collapse_padding=True)


def seconds_text(seconds: float) -> str:
    """Return a duration with two or three digits and a unit."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        value = seconds * factor
        if value >= 0.995 or unit == "µs":
            return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"
    raise AssertionError


def _results(report: Report, threads: int) -> Table:
    table = _table("Native code against torch on one thread and TRITON_INTERPRET=1")
    plural = "thread" if threads == 1 else "threads"
    for heading in (
        "kernel and size", "error", "1 thread", f"{threads} {plural}", "torch", "", "interp.", "",
    ):  # fmt: skip
        table.add_column(heading, justify="right", no_wrap=True)
    last = None
    for m in report.measurements:
        if last is not m.case:
            table.add_section()
            table.add_row(f"[bold]{_name(m.case.name)}[/]")
        table.add_row(*_cells(m))
        last = m.case
    return table


def _cells(m: Measurement) -> list[str]:
    error = f"{m.error:.0e}" if m.error else "0"
    if m.interpreted is None:
        interpreted = faster = ""
    else:
        interpreted = ("~" if m.scaled else "") + seconds_text(m.interpreted)
        faster = _ratio(m.interpreted / m.one_thread)
    return [
        size_text(m.size),
        error if m.right else f"[bold red]{error} WRONG[/]",
        seconds_text(m.one_thread),
        seconds_text(m.all_threads),
        seconds_text(m.torch),
        _ratio(m.torch / m.one_thread),
        interpreted,
        faster,
    ]


def _name(kernel: str) -> str:
    return kernel.replace("_", " ")


def _ratio(times: float) -> str:
    """Return how many times slower something is; below 1 it is faster."""
    if times >= 9950:
        return f"{times / 1000:.0f}kx"
    return f"{times:.2g}x" if times < 9.95 else f"{times:.0f}x"


def _judgement(report: Report) -> Table:
    table = _table("Largest error of each stage in xtriton's interpreter")
    stages = list(dict.fromkeys(v.stage for vs in report.verdicts.values() for v in vs))
    for heading in ("kernel", "size", *stages):
        table.add_column(heading)
    for m in {m.case.name: m for m in report.measurements}.values():
        cells = [_name(m.case.name), size_text(m.case.judged)]
        for verdict in report.verdicts[m.case.name]:
            text = verdict.reason if verdict.error is None else f"{verdict.error:.2g}"
            cells.append(text if verdict.right else f"[bold red]{text}[/]")
        table.add_row(*cells)
    return table


def _compilation(report: Report) -> Table:
    table = _table("Compiling, by stage")
    table.add_column("kernel", no_wrap=True)
    for heading in STAGES.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for name in dict.fromkeys(m.case.name for m in report.measurements):
        seconds = report.seconds.get(name)
        cells = ["cached"] * len(STAGES)
        if seconds is not None:
            cells = [seconds_text(seconds[stage]) for stage in STAGES]
        table.add_row(_name(name), *cells)
    return table


def _one_thread(native: float, peer: float) -> str:
    operations = 2 * 512**3 / 1e9
    return (
        f"matmul 512x512x512, one thread: {operations / native:.0f} GFLOP/s, "
        f"torch.mm {operations / peer:.0f} GFLOP/s ({peer / native:.2f}x)"
    )


def size_text(size: Size) -> str:
    """Return a size as people write it: `4096x1024`."""
    return "x".join(map(str, size))
