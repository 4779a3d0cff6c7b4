"""Tables of `xtriton-explain`: a row for each access, then what was assumed and what helps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.effects.analyze import function_name
from xtriton.analysis.memory_ops import MEMORY_OPS
from xtriton.analysis.report import access_report, kernels
from xtriton.budget import current
from xtriton.errors import UserError, clipped
from xtriton.ir.versions import copied
from xtriton.universe import context, pass_class

Report = Mapping[str, object]

BLOCKS = ("block", "wrapped block")
COLOURS = {"block": "green", "wrapped block": "green", "affine": "yellow"}
"""Of tiers; all others are red."""

VERSIONS = "xtriton-version-kernel"
"""The pass that makes blocks of affine accesses under a condition."""


def print_tables(module: ModuleOp) -> None:
    """
    Print how each load and store of the kernels walks through memory.

    Raise `UserError` where there is no kernel.
    """
    functions = list(kernels(module))
    if not functions:
        raise UserError("there is no kernel in this: no function with a body")
    console = Console()
    versions = _versions(module)
    for function in functions:
        reports = _reports(function)
        if not reports:
            console.print(f"{function_name(function)}: {_nothing(function)}", highlight=False)
        if reports:
            most = current().rows
            console.print(_table(function_name(function), reports[:most]), crop=False)
            if len(reports) > most:
                console.print(f"and {len(reports) - most:,} more, which --json has")
            for line in _notes(reports, versions.get(function_name(function), [])):
                console.print(line, style="dim", highlight=False)


def _nothing(function: Operation) -> str:
    """Return what to say where nothing is accessed as kernels do, such as after lowering."""
    others = sorted({op.name for op in function.walk() if op.name in MEMORY_OPS})
    if not others:
        return "no access to memory"
    return f"no load, store or atomic of Triton's; xtriton-effects tells of {', '.join(others)}"


def _reports(function: Operation) -> list[Report]:
    accesses = Accesses(function)
    return [access_report(accesses, access) for access in accesses.all]


def _table(kernel: str, reports: Sequence[Report]) -> Table:
    files = sorted({_file(report) for report in reports} - {""})
    title = f"{kernel} of {files[0]}" if len(files) == 1 else kernel
    table = Table(title=escape(title), title_justify="left", show_lines=True)
    table.add_column("access")
    table.add_column("how it walks through memory", overflow="fold", ratio=1)
    for report in reports:
        place = _line(report) if len(files) < 2 else f"{_line(report)} of {_file(report)}"
        table.add_row(f"{_what(report)}\n{escape(place)}", escape(_walk(report)))
    return table


def _file(report: Report) -> str:
    path, *_ = str(report["location"] or "").split(":")
    return path.rsplit("/", 1)[-1]


def _line(report: Report) -> str:
    place = str(report["location"] or "").partition(":")[2]
    return f"line {place}" if place else ""


def _what(report: Report) -> str:
    shape = "x".join(str(n) for n in cast("list[int]", report["shape"]))
    tier = name = str(report["tier"])
    if "split into" in report:
        parts = cast("list[list[int]]", report["split into"])
        tier += " as " + "x".join(str(n) for part in parts for n in part)
    if "parts" in report:
        tier += f" in up to {len(cast('list[object]', report['parts']))} parts"
    return f"{report['kind']} {shape}".strip() + f"\n[{COLOURS.get(name, 'red')}]{tier}[/]"


def _walk(report: Report) -> str:
    address = str(report.get("base", "?"))
    if "offset" in report:
        address += f" + {report['offset']}"
    elif "offsets" in report:
        address += f" at {report['offsets']} of {report['parent shape']}"
    lines = [address]
    mask = cast("Mapping[str, object] | None", report.get("mask"))
    if mask is not None:
        lines.append(f"where {mask['condition']}")
    if "reason" in report and report["tier"] not in BLOCKS:
        lines.append(f"in the way: {report['reason']}{_loaded_at(report)}")
    return "\n".join(clipped(line, current().cell) for line in lines)


def _loaded_at(report: Report) -> str:
    """Return where the addresses of a gather are loaded."""
    places = [
        str(place).partition(":")[2] for place in cast("list[str]", report.get("sources", []))
    ]
    return f", loaded at line {', '.join(places)}" if places else ""


# --- below the table ----------------------------------------------------------------------


def _notes(reports: Sequence[Report], versioned: Sequence[Report]) -> list[str]:
    """Return what the formulas rely on, and what would make more blocks."""
    notes: list[str] = []
    assumed = _assumptions(reports)
    if assumed:
        notes.append("Assumed: " + "; ".join(assumed) + ".")
    before, after = (_blocks(found) for found in (reports, versioned))
    # Both branches of the version have every access, so what is a block already counts twice.
    if after > 2 * before:
        notes.append(
            f"xtriton-opt --{VERSIONS} makes blocks of {after - 2 * before} of the "
            f"{len(reports) - before} that are none, under a condition that is checked at run time."
        )
    return notes


def _blocks(reports: Sequence[Report]) -> int:
    return sum(report["tier"] in BLOCKS for report in reports)


def _assumptions(reports: Sequence[Report]) -> list[str]:
    """Return each assumption once, with all places: `no overflow of 32 bits at 10:15, 12:3`."""
    places: dict[str, list[str]] = {}
    for report in reports:
        for text in cast("list[str]", report.get("assumes", [])):
            found = re.fullmatch(r"(no overflow of \d+ bits) in \S+ at (\S+)", text)
            what, place = found.groups() if found else (text, "")
            known = places.setdefault(what, [])
            if place and place not in known:
                known.append(place)
    return [f"{what} at {', '.join(at)}" if at else what for what, at in places.items()]


def _versions(module: ModuleOp) -> dict[str, list[Report]]:
    """Return the accesses of the kernels that the guarding pass makes versions of."""
    copy = copied(module)
    pass_class(VERSIONS)().apply(context(), copy)
    return {function_name(function): _reports(function) for function in kernels(copy)}
