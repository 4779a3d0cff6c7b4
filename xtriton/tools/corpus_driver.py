"""What `xtriton-corpus` does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xtriton.corpus import executors, tables
from xtriton.corpus.collect import collect_from_program, keep
from xtriton.corpus.compare import BAD, GOOD, Comparison, compare
from xtriton.corpus.findings import FINDINGS, explanation, finding, worst
from xtriton.corpus.jobs import Job, Settings, after_text, load_plugin_text
from xtriton.corpus.keeper import Limits
from xtriton.corpus.page import SUMMARY, Shown, comparison_page, result_page, summary_rows
from xtriton.corpus.reduce import reduced, write_reduced
from xtriton.corpus.run import Plan, run
from xtriton.corpus.sources import LEVELS, Kernel, kernels_of
from xtriton.errors import UserError
from xtriton.passes.manager import make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.tools.progress import progress_bar

if TYPE_CHECKING:
    from xtriton.corpus.columns import Row

WORST = 10
"""Rows that are printed and shown on a page."""


def run_command(options: Any) -> int:
    """Measure kernels; return 1 where something was found."""
    output = Path(options.output)
    tables.check_suffix(output)
    plan = Plan(_pipelines(options), output, _settings(options), _limits(options))
    with progress_bar("kernels", estimate=True) as progress, _workers(options) as (pool, workers):
        outcome = run(plan, _kernels(options), pool, workers, progress)
    if not outcome.rows:
        output.unlink()
        tables.measured_beside(output).unlink()
        raise UserError("there are no kernels there: .ttir, .ttgir and .mlir files are looked for")
    rows = list(tables.read(output))
    _print_summary(rows, list(plan.pipelines))
    if options.html:
        shown = list(_shown(options, worst(rows, WORST)))
        Path(options.html).write_text(result_page(rows, shown))
        print(f"page: {options.html}")
    print(f"rows: {output} ({outcome.known} of {outcome.rows} were known)")
    return int(any(_is_bad(row) for row in rows))


def compare_command(options: Any) -> int:
    """Compare two results; return 1 where something is wrong or fails that was right."""
    found = compare(tables.read(Path(options.before)), tables.read(Path(options.after)))
    if options.json:
        for change in found.changes:
            print(json.dumps(asdict(change)))
    else:
        _print_comparison(found)
    if options.html:
        Path(options.html).write_text(comparison_page(found))
    return int(found.is_worse)


def collect_command(options: Any) -> int:
    """Keep what a program compiles, or what caches hold; return the program's exit code."""
    folder = Path(options.output)
    if bool(options.places) == bool(options.program):
        raise UserError("name a program after '--', or caches with --from")
    if options.places:
        code, new = 0, keep(kernels_of(options.places), folder)
    else:
        code, new = collect_from_program(options.program, folder)
    print(f"{len(new)} new kernels in '{folder}'")
    return code


def reduce_command(options: Any) -> int:
    """Write a small kernel for each finding of a result."""
    unknown = set(options.finding or ()) - set(FINDINGS)
    if unknown:
        raise UserError(f"no finding '{min(unknown)}'; there are {', '.join(FINDINGS)}")
    wanted = _wanted(options)
    if not wanted:
        print("nothing to reduce")
        return 0
    with progress_bar("findings") as progress:
        for done, (kernel, pipeline) in enumerate(_found_again(options, wanted)):
            progress(done, sum(map(len, wanted.values())), kernel.name)
            job = Job.of(kernel, [pipeline], _settings(options))
            smaller = reduced(job, _limits(options), options.seconds)
            if smaller is None:
                print(f"{kernel.name}: no finding with these options")
                continue
            path = write_reduced(Path(options.output), job, *smaller)
            print(f"{path}: {job.text.count(chr(10))} lines became {smaller[0].count(chr(10))}")
    return 0


def _wanted(options: Any) -> dict[str, list[str]]:
    """Return the pipelines with a finding that is asked for, by kernel."""
    wanted: dict[str, list[str]] = {}
    for row in tables.read(Path(options.result)):
        found = finding(row)
        if found is not None and (not options.finding or found in options.finding):
            wanted.setdefault(str(row["kernel"]), []).append(str(row["pipeline"]))
    return wanted


def _found_again(options: Any, wanted: dict[str, list[str]]) -> Iterator[tuple[Kernel, str]]:
    for kernel in _kernels(options):
        for pipeline in wanted.get(kernel.name, ()):
            yield kernel, pipeline


def _kernels(options: Any) -> Iterator[Kernel]:
    levels = tuple(f".{level.lstrip('.')}" for level in options.level or ()) or LEVELS
    if unknown := set(levels) - set(LEVELS):
        raise UserError(f"kernels end in {', '.join(LEVELS)}, not '{min(unknown)}'")
    return kernels_of(options.kernels, levels)


def _pipelines(options: Any) -> tuple[str, ...]:
    """Return the pipelines that are asked for, if all of them make sense."""
    pipelines = tuple(dict.fromkeys(options.pipeline)) or ("",)
    for text in _settings(options).plugins:
        load_plugin_text(text)
    for pipeline in pipelines:
        make_steps(parse_pipeline(pipeline.replace("{num_warps}", "4")))
    return pipelines


def _settings(options: Any) -> Settings:
    return Settings(
        check=options.draws if options.check else 0,
        thorough=options.thorough,
        tolerance=options.tolerance,
        native=options.native,
        device=options.xpu,
        plugins=tuple(Path(file).read_text() for file in options.load_pass_plugin),
    )


def _limits(options: Any) -> Limits:
    return Limits(options.time_limit, options.memory_limit)


def _workers(options: Any) -> AbstractContextManager[tuple[Executor, int]]:
    if options.dask is not None:
        return executors.dask(options.dask)
    if options.ray is not None:
        return executors.ray(options.ray)
    return executors.local(options.workers or executors.cores())


def _is_bad(row: Row) -> bool:
    return finding(row) not in (None, "slow", "unsure")


def _shown(options: Any, rows: list[Row]) -> Iterator[Shown]:
    """Yield rows with the text of their kernels, before and after."""
    texts = {str(row["kernel"]): "" for row in rows}
    warps: dict[str, int] = {}
    for kernel in _kernels(options):
        if kernel.name in texts:
            texts[kernel.name] = kernel.text
            warps[kernel.name] = kernel.num_warps
    for row in rows:
        name = str(row["kernel"])
        after = ""
        if row["status"] == "ok":
            after = after_text(texts[name], str(row["pipeline"]), warps[name])
        yield Shown(row, texts[name], after)


# --- for people -------------------------------------------------------------------------


def _print_summary(rows: list[Row], pipelines: list[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD)
    for column in SUMMARY:
        table.add_column(column, justify="left" if column == SUMMARY[0] else "right")
    for line in summary_rows(rows, pipelines):
        table.add_row(*line)
    console.print(table)
    for row in worst(rows, WORST):
        if (found := finding(row)) is not None:
            line = f"{found}: {row['kernel']} [{row['pipeline']}] {explanation(row)}".rstrip()
            console.print(line, markup=False, soft_wrap=True)


def _print_comparison(found: Comparison) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(
        f"{found.compared} rows compared, {found.only_before} only before,"
        f" {found.only_after} only after"
    )
    for sort in (*BAD, *GOOD):
        changes = found.of(sort)
        if not changes:
            continue
        console.print(f"{sort}: {len(changes)}", style="red" if sort in BAD else "green")
        for change in changes[:WORST]:
            line = (
                f"  {change.kernel}: {change.column} {change.before} → {change.after} {change.why}"
            )
            console.print(line.rstrip(), markup=False, soft_wrap=True)
        if len(changes) > WORST:
            console.print(f"  … and {len(changes) - WORST} more; --html or --json has all")
