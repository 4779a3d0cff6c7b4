"""
`xtriton-explain --device`: what an Intel GPU makes of a kernel, and what would help.

A row for each load and store of the program: whether it is a 2D block access, which condition
fails otherwise, and what raising to block pointers and a version for good arguments would make of
it. Then the shared memory that the kernel needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xtriton.tools.buffer_table import SHARED, buffer_table, overlaps, where

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from xdsl.dialects.builtin import ModuleOp

    from xtriton.analysis.intel.device import Device
    from xtriton.analysis.shared_memory.report import SharedMemoryReport
    from xtriton.transforms.intel.verdicts import AccessVerdict, DeviceReport

Position = tuple[str, int, int]

DEFAULT_RELEASE = "2026-01"
"""Of the backend."""

_HELP: Mapping[str, Mapping[str, bool]] = {
    "raise-pointers": {"raise_pointers": True},
    "raise-pointers version-for-block-io": {"raise_pointers": True, "version_for_block_io": True},
}
"""Options of the pipeline that may help, what costs least first."""

_HINTS: Mapping[str, str] = {
    "base": "let pointers be multiples of 16 bytes; Triton notes it (tt.divisibility) for arguments"
    " that are",
    "layout": "load the operand in the layout in which the product wants it",
    "mask": "write masks that say nothing but where the tensor ends, as row < M and column < N:"
    " these become boundary checks (xtriton-explain without --device says what they are)",
    "offset": "let blocks begin at multiples of 4 bytes along the rows",
    "origin": "make the block pointer once, in front of loops and branches",
    "pitch": "let rows be a multiple of 16 bytes apart, and let Triton see it: strides that are"
    " multiples of 16 are noted (tt.divisibility), constants are tl.constexpr",
    "rank": "nothing to do: 2D block accesses are for blocks of two dimensions and more; a"
    " contiguous row is fast without",
    "stride": "let one of the two last strides be the constant 1: leave it out, or make it"
    " tl.constexpr",
    "surface": "pad the tensor to what the hardware takes",
    "transpose": "store the tensor the other way round, or load it as it lies and transpose it",
    "width": "let rows be a multiple of 4 bytes long, and let Triton see it (tt.divisibility)",
}


@dataclass
class _Row:
    """A load or store of the program, and the verdict on it in each version that there is."""

    first: AccessVerdict
    verdicts: list[AccessVerdict] = field(default_factory=list["AccessVerdict"])
    help: dict[str, AccessVerdict] = field(default_factory=dict[str, "AccessVerdict"])
    """For options of the pipeline that make a 2D block access of it, the verdict then."""

    @property
    def is_block(self) -> bool:
        return all(found.is_block for found in self.verdicts)

    @property
    def distinct(self) -> list[tuple[AccessVerdict, int]]:
        """The different verdicts, and in how many versions each holds."""
        sentences = [found.sentence for found in self.verdicts]
        return [
            (found, sentences.count(found.sentence))
            for i, found in enumerate(self.verdicts)
            if found.sentence not in sentences[:i]
        ]


@dataclass(frozen=True)
class Target:
    """What a kernel is compiled for: a device, warps of a program, a release of the backend."""

    name: str
    num_warps: int
    release: str

    @property
    def device(self) -> Device:
        """The device; raises `UserError` if there is none of that name."""
        from xtriton.analysis.intel.device import device_called

        return device_called(self.name)


def print_device_verdicts(module: ModuleOp, file: str, target: Target, *, as_json: bool) -> None:
    """Print what becomes of the accesses of a module, and the shared memory that it needs."""
    device, num_warps = target.device, target.num_warps
    report = _compiled(module, target, {})
    rows = _rows(report.accesses)
    _try_help(module, target, rows)
    if as_json:
        import json

        print(json.dumps(_as_json(target, rows, report.shared_memory), indent=1))
        return
    from rich.console import Console

    console = Console(highlight=False)
    command = f"xtriton-opt {file} --xtriton-intel-ttgir-pipeline="
    release = "" if target.release == DEFAULT_RELEASE else f"release={target.release} "
    command += f"'num-warps={num_warps} device={device.name} {release}"
    for part in _parts(device, num_warps, rows, report.shared_memory, command):
        console.print(part, soft_wrap=isinstance(part, str))


def _compiled(module: ModuleOp, target: Target, options: Mapping[str, bool]) -> DeviceReport:
    from xtriton.transforms.intel.verdicts import device_report
    from xtriton.universe import context

    return device_report(
        module,
        context(allow_unregistered=True),
        target.device,
        target.num_warps,
        release=target.release,
        **options,
    )


def _rows(verdicts: Iterable[AccessVerdict]) -> list[_Row]:
    """Gather the verdicts on one load or store of the program."""
    rows: dict[object, _Row] = {}
    for found in verdicts:
        key = id(found) if found.position is None else _place(found)
        rows.setdefault(key, _Row(found)).verdicts.append(found)
    return list(rows.values())


def _place(found: AccessVerdict) -> object:
    return (found.kind, found.shape, found.position, found.caller)


def _try_help(module: ModuleOp, target: Target, rows: Sequence[_Row]) -> None:
    """Find out which options of the pipeline help which accesses."""
    if all(len(row.first.shape) < 2 for row in rows):
        return
    for name, options in _HELP.items():
        waiting = [row for row in rows if not row.is_block and not row.help]
        if not waiting:
            return
        better = _compiled(module, target, options).accesses
        blocks = {_place(found): found for found in better if found.is_block}
        for row in waiting:
            found = blocks.get(_place(row.first))
            if found is not None:
                row.help[name] = found


# --- for people -------------------------------------------------------------------------


def _parts(
    device: Device, num_warps: int, rows: Sequence[_Row], memory: SharedMemoryReport, command: str
) -> Iterable[RenderableType]:
    files = {p[0] for row in rows for p in (row.first.position, row.first.caller) if p}
    files |= {b.position[0] for b in memory.buffers if b.position}
    file = files.pop() if len(files) == 1 else None
    where = f", {file}" if file is not None else ""
    yield f"\n[bold]{device.name}[/] ({device.title}), {num_warps} warps{where}\n"
    if rows:
        yield _access_table(rows, file)
        yield from _summary(rows, command)
    else:
        yield "  It loads and stores no tensors."
    yield from _memory(device, memory, file)


def _access_table(rows: Sequence[_Row], file: str | None) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, show_edge=False)
    table.add_column("access", no_wrap=True)
    table.add_column("line" if file else "where", overflow="fold")
    table.add_column("2D block access", overflow="fold", ratio=1)
    for row in rows:
        lines = [_sentence(found, count, row) for found, count in row.distinct]
        lines += [f"[cyan]with {name}: {_yes(found)}[/]" for name, found in row.help.items()]
        shape = "x".join((*map(str, row.first.shape), row.first.element))
        table.add_row(f"{row.first.kind} {shape}", _line(row.first, file), "\n".join(lines))
    return table


def _sentence(found: AccessVerdict, count: int, row: _Row) -> str:
    versions = f" [dim](in {count} of {len(row.verdicts)} versions)[/]"
    some = versions if count < len(row.verdicts) else ""
    if found.is_block:
        return f"[green]{_yes(found)}[/]{some}"
    reason = "; ".join(found.surface_problems) or found.verdict.reason
    return f"[red]no[/], [bold]{found.condition}[/]: {reason}{some}"


def _yes(found: AccessVerdict) -> str:
    return f"yes, {(found.verdict.mode or '').replace('_', '-')}"


def _line(access: AccessVerdict, file: str | None) -> str:
    place = where(access.position, file)
    return place if access.caller is None else f"{place}, from {where(access.caller, file)}"


def _summary(rows: Sequence[_Row], command: str) -> Iterable[str]:
    count = sum(row.is_block for row in rows)
    if len(rows) > 1:
        yield f"\n  {count} of {len(rows)} accesses are 2D block accesses."
    helped = [next(iter(row.help)) for row in rows if row.help]
    if helped:
        # The last options are those that include the others.
        name = max(helped, key=list(_HELP).index)
        verb = "is" if count + len(helped) == 1 else "are"
        yield f"\n  [cyan]With {name}, {count + len(helped)} of them {verb}:[/]"
        yield f"    {command}{name}'"
    left = [found.condition for row in rows if not row.help for found in row.verdicts]
    known = [name for name in dict.fromkeys(left) if name in _HINTS]
    hints = [f"    [bold]{name}[/]: {_HINTS[name]}" for name in known]
    if hints:
        yield "\n  What would help the others:" if helped else "\n  What would help:"
        yield from hints


def _memory(
    device: Device, memory: SharedMemoryReport, file: str | None
) -> Iterable[RenderableType]:
    if not memory.size:
        yield "\n  It needs no shared memory.\n"
        return
    share = 100 * memory.size / device.shared_memory
    color = "red" if memory.size > device.shared_memory else "green"
    yield (
        f"\n  It needs {memory.size:,} bytes of shared memory, [{color}]{share:.2g} %[/] of the"
        f" {device.shared_memory:,} that a work-group can have.\n"
    )
    yield buffer_table(memory, file)
    if overlaps(memory):
        yield f"\n  {SHARED}\n"


# --- for programs -----------------------------------------------------------------------


def _as_json(target: Target, rows: Sequence[_Row], memory: SharedMemoryReport) -> dict[str, Any]:
    return {
        "device": target.name,
        "release": target.release,
        "warps": target.num_warps,
        "accesses": [
            {
                "kind": row.first.kind,
                "shape": list(row.first.shape),
                "element": row.first.element,
                "location": _location(row.first.position),
                "called at": _location(row.first.caller),
                "versions": [_verdict_as_json(found) for found in row.verdicts],
                "with": {name: _verdict_as_json(found) for name, found in row.help.items()},
            }
            for row in rows
        ],
        "shared memory": {
            "bytes": memory.size,
            "available": target.device.shared_memory,
            "buffers": [
                {
                    "for": buffer.purpose,
                    "location": _location(buffer.position),
                    "offset": buffer.offset,
                    "bytes": buffer.size,
                }
                for buffer in memory.buffers
            ],
        },
    }


def _verdict_as_json(found: AccessVerdict) -> dict[str, Any]:
    if found.is_block:
        return {"block": True, "mode": found.verdict.mode}
    reason = "; ".join(found.surface_problems) or found.verdict.reason
    return {"block": False, "condition": found.condition, "reason": reason}


def _location(position: Position | None) -> str | None:
    return None if position is None else ":".join(map(str, position))
