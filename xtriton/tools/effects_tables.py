"""What `xtriton-effects` prints: the record of a kernel as tables for people."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from xtriton.budget import current
from xtriton.errors import clipped
from xtriton.tools.text_tables import TextTable

if TYPE_CHECKING:
    from xtriton.analysis.effects import AccessEffect, ArgumentEffects, KernelEffects
    from xtriton.analysis.effects.footprint import Ranges

SURE = {"none": "no", "may": Text("maybe", "yellow"), "must": Text("yes", "bold")}
SEEN = {"none": "not seen", "may": "may be seen", "must": "seen"}
LONG_PATH = 24
"""A path of more characters than that stands above the table and not in each of its lines."""

WIDTH = 160
"""Of the tables where nobody looks at them in a terminal."""


def print_record(
    record: KernelEffects,
    grid: tuple[int, ...] | None,
    scalars: Mapping[str, int],
    console: Console | None = None,
) -> None:
    """Print the tables and reasons of one kernel, and with a grid the bytes of that launch."""
    console = console or Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    console.print(Text.assemble((record.kernel, "bold"), ": ", summary(record)))
    if groups := [*record.arguments, *record.indirect]:
        _arguments(groups).print(console)
    accesses = sorted(
        ((x, a.path) for a in groups for x in a.accesses), key=lambda pair: _place(pair[0].location)
    )
    locations = [x.location for x, _ in accesses] + [r.location for r in record.reasons]
    file = _only_file(locations)
    if accesses:
        _accesses(accesses[: current().rows], file).print(console)
        _tell_rest(console, len(accesses))
        lines = list(_legend(record, [x for x, _ in accesses[: current().rows]]))
        for line in lines[: current().rows]:
            console.print(Text(clipped(line, current().cell), "dim"), soft_wrap=True)
    for effect in record.side_effects[: current().rows]:
        where = _short(effect.location, file)
        console.print(Text(f"side effect: {effect.kind} ({effect.op}) {where}".rstrip()))
    if record.reasons:
        console.print("\n[bold]not exact, because[/]")
        _reasons(record, file).print(console)
    if grid is not None:
        size = " × ".join(map(str, grid))
        console.print(f"\n[bold]a launch of {size}[/], bytes from each argument's address")
        _bytes(record, grid, scalars).print(console)


def _tell_rest(console: Console, rows: int) -> None:
    most = current().rows
    if rows > most:
        console.print(f"and {rows - most:,} more, which --json has")


def summary(record: KernelEffects) -> str:
    """Return in a line what kind of kernel this is."""
    words = ["pure" if record.pure else "writes " + (", ".join(record.mutated()) or "nothing")]
    if record.unknown_write != "none":
        words.append("writes through addresses in memory")
    if record.must_keep:
        words.append("must be kept")
    if not record.deterministic:
        words.append("not deterministic")
    if not record.complete:
        words.append("not understood, so this is the safe answer")
    if not record.pure and record.disjoint_over_programs():
        words.append("programs write apart")
    return "; ".join(words)


# --- arguments ------------------------------------------------------------------------


def _arguments(groups: Sequence[ArgumentEffects]) -> TextTable:
    heads = ("argument", "kind", "read", "written", "content before the launch", "")
    table = TextTable(heads)
    for a in groups:
        read, written, seen = SURE[a.read], SURE[a.write], SEEN[a.reads_initial]
        table.rows.append((a.path, a.kind, read, written, seen, _more(a)))
    return table


def _more(argument: ArgumentEffects) -> str:
    words: list[str] = []
    if argument.covers:
        words.append("overwrites all it may write")
    words += [
        f"atomic {a.op} {a.order} {a.scope}" + (", result used" if a.result_used else "")
        for a in argument.atomics
    ]
    if argument.commutes:
        words.append("order does not matter")
    if argument.escapes:
        words.append("address escapes")
    return "; ".join(words)


# --- accesses -------------------------------------------------------------------------


def _place(location: str) -> tuple[str, int, int]:
    """Return a key that sorts by file, line and column."""
    found = re.fullmatch(r"(.*):(\d+):(\d+)", location)
    return ("", 0, 0) if found is None else (found[1], int(found[2]), int(found[3]))


def _only_file(locations: Sequence[str]) -> str:
    """Return the long path that all locations begin with, if there is one."""
    files = {_place(location)[0] for location in locations if location}
    if len(files) != 1:
        return ""
    (file,) = files
    return file if len(file) > LONG_PATH else ""


def _short(location: str, file: str) -> str:
    return location.removeprefix(f"{file}:") if file else location


def _accesses(accesses: Sequence[tuple[AccessEffect, str]], file: str) -> TextTable:
    heads = ("line", "op", "argument", "does", "element", "byte offset", "where")
    table = TextTable(heads, file)
    cell = current().cell
    for access, path in accesses:
        table.rows.append(
            (
                _short(access.location, file) or "?",
                access.op,
                path,
                access.kind if access.certain else Text.assemble(access.kind, ("?", "yellow")),
                access.element,
                clipped(access.offset_text, cell) or _UNSAID[access.offset is not None],
                clipped(access.mask_text, cell),
            )
        )
    return table


_UNSAID = {False: "not known", True: "known, through calls"}
"""What stands where there is no text, by whether the offset is known."""

_KNOWN = (
    (re.compile(r"pid_[xyz]$"), "pid_x, pid_y, pid_z: program"),
    (re.compile(r"grid_[xyz]$"), "grid_x, grid_y, grid_z: number of programs"),
    (re.compile(r"i\d+$"), "i0, i1, …: position in the tensor"),
    (re.compile(r"k\d*$"), "k0, k1, …: iteration of a loop"),
)
_INDIRECT = "memory whose address the kernel finds in memory, or nobody knows where"
_WORDS = re.compile(r"(?<![%/\w.])[A-Za-z_][\w.]*")
_NO_NAMES = frozenset(("and", "or", "not", "min", "max", "if", "else", "true", "false"))


def _legend(record: KernelEffects, accesses: Sequence[AccessEffect]) -> Iterator[str]:
    """Say what the names in offsets and conditions stand for, those that occur."""
    texts = [text for x in accesses for text in (x.offset_text, x.mask_text)]
    computed = {name: text for x in accesses for name, text in x.names.items()}
    words = _words(texts)
    shown: dict[str, str] = {}
    while more := [w for w in words if w in computed and w not in shown]:
        shown |= {w: computed[w] for w in more}
        words |= _words([computed[w] for w in more])
    rest = [w for w in words if w not in shown and w not in _NO_NAMES]
    said: list[str] = []
    for pattern, meaning in _KNOWN:
        if any(pattern.match(w) and w not in record.scalars for w in rest):
            said.append(meaning)
            rest = [w for w in rest if w in record.scalars or not pattern.match(w)]
    if found := [w for w in rest if w in record.scalars]:
        said.append(f"{', '.join(found)}: argument{'s' * (len(found) > 1)}")
    if found := [w for w in rest if w not in record.scalars]:
        said.append(f"{', '.join(found)}: known to the run only")
    if any("%t" in text or "/t" in text for text in (*texts, *shown.values())):
        said.append("%t, /t: division that rounds towards 0")
    if indirect := [a.path for a in record.indirect]:
        said.append(f"{', '.join(indirect)}: {_INDIRECT}")
    for k in range(0, len(said), 4):
        yield "; ".join(said[k : k + 4])
    for name, text in shown.items():
        yield f"{name} = {text}"


def _words(texts: Sequence[str]) -> dict[str, None]:
    return dict.fromkeys(w for text in texts for w in _WORDS.findall(text))


def _reasons(record: KernelEffects, file: str) -> TextTable:
    table = TextTable()
    rows = {(r.location, r.op, r.text): None for r in record.reasons}
    for location, op, text in sorted(rows, key=lambda row: _place(row[0]))[: current().rows]:
        table.rows.append((_short(location, file) or "?", op, text))
    return table


# --- bytes of a launch ----------------------------------------------------------------


def _bytes(record: KernelEffects, grid: tuple[int, ...], scalars: Mapping[str, int]) -> TextTable:
    table = TextTable(("argument", "reads", "writes", ""))
    names = {k: name for name, k in record.scalars.items()}
    for path, footprint in record.at(grid, scalars).items():
        known = "at most" if not footprint.exact and (footprint.reads or footprint.writes) else ""
        missing = [names[k] for k in _asked(record[path]) if names.get(k, "") not in scalars]
        if missing and not footprint.exact:
            known = f"{known}; give {', '.join(f'--set {n}=…' for n in missing)}".lstrip("; ")
        reads, writes = _ranges(footprint.reads), _ranges(footprint.writes)
        table.rows.append((path, reads, writes, known))
    return table


def _ranges(ranges: Ranges | None) -> str:
    if ranges is None:
        return "not known"
    shown = [f"{low}–{high - 1}" for low, high in ranges[:6]]
    more = f" and {len(ranges) - 6} more" if len(ranges) > 6 else ""
    return ", ".join(shown) + more


def _asked(argument: ArgumentEffects) -> list[int]:
    """Return the positions of the scalars that the bytes of an argument depend on."""
    found: set[int] = set()
    for access in argument.accesses:
        for tree in (access.offset, access.mask, *access.loops):
            found |= set(_scalars_in(tree))
    return sorted(found)


def _scalars_in(tree: Any) -> Iterator[int]:
    if isinstance(tree, list):
        if tree and tree[0] == "arg":
            yield tree[1]
        for part in tree:  # pyright: ignore[reportUnknownVariableType]
            yield from _scalars_in(part)
