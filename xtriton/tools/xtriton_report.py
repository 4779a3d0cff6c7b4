"""
`xtriton-report`: all that is known of a kernel, on one page.

    xtriton-report kernel.ttir -o report.html
    xtriton-report kernel.ttgir -o report.html --device=pvc

The page has the source where it is found, the IR beside it, the picture and the table of the
accesses, what the kernel reads and writes, layouts and conversions, shared memory, and a device's
verdicts. Source is looked for where locations say, and beside the file. It is one file without
scripts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from xdsl.dialects.builtin import ModuleOp

    from xtriton.tools.lit.runner import Finished

COLUMNS = 120
"""What fits beside each other on the page, whatever the terminal is like."""

# Everything else is imported where it is needed: --version and --help must be quick.

STYLE = """
body { font: 15px system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em;
  color-scheme: light dark; background: light-dark(#fff, #14191f);
  color: light-dark(#1c2733, #e4eaf0); }
pre { overflow: auto; max-height: 36em; padding: .7em; font-size: 12px; line-height: 1.35;
  background: light-dark(#eef2f6, #222b35); }
.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; } .beside > * { min-width: 0; }
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import tool_parser

    parser = tool_parser("xtriton-report", __doc__)
    parser.add_argument("file", help="Triton IR, as text")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the page")
    parser.add_argument("--device", metavar="NAME", help="also what pvc or bmg makes of it")
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    options = _parser().parse_args(arguments)
    from xtriton.tools.files import located_module, write_file

    module = located_module(options.file)
    write_file(options.output, page(module, options.file, options.device))
    print(options.output)
    return 0


def page(module: ModuleOp, file: str, device: str | None = None) -> str:
    """Return the page about the module that `file` holds."""
    from html import escape

    from xtriton.api import print as text_of
    from xtriton.tools.access_picture import picture

    source = "\n\n".join(_sources(module, Path(file).parent))
    ir = f"<div><h2>IR</h2><pre>{escape(text_of(module))}</pre></div>"
    if source:
        ir = f'<div class="beside"><div><h2>Source</h2><pre>{escape(source)}</pre></div>{ir}</div>'
    drawn = picture(module, {})
    sections = [ir, *([f"<h2>Memory</h2>{drawn}"] if 'class="head"' in drawn else [])]
    texts = [*_texts(file, device), *_shared_memory(module, device)]
    sections += [f"<h2>{head}</h2><pre>{escape(text)}</pre>" for head, text in texts]
    title = escape(file.rsplit("/", 1)[-1])
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><h1>{title}</h1>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def _texts(file: str, device: str | None) -> Iterator[tuple[str, str]]:
    """Yield headings with what the tools say; a tool that has nothing to say is left out."""
    calls: list[tuple[str, str, list[str]]] = [
        ("Accesses", "xtriton-explain", []),
        ("Effects", "xtriton-effects", []),
    ]
    if device is not None:
        calls.append((f"On {device}", "xtriton-explain", [f"--device={device}"]))
    calls.append(("Layouts", "xtriton-layout", []))
    for heading, tool, more in calls:
        done = _said(tool, [file, *more])
        if done.code == 0 and done.output.strip():
            yield heading, done.output


def _said(tool: str, arguments: list[str]) -> Finished:
    """Return what a tool prints on lines as long as the page has them."""
    import os

    from xtriton.tools.lit.runner import call_tool

    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(COLUMNS)
    try:
        return call_tool(tool, arguments)
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _shared_memory(module: ModuleOp, device: str | None) -> Iterator[tuple[str, str]]:
    """Yield what a module with layouts keeps in shared memory; the verdicts of a device say it."""
    from io import StringIO

    from rich.console import Console

    from xtriton.analysis.shared_memory.report import shared_memory_report
    from xtriton.tools.buffer_table import SHARED, buffer_table, overlaps

    if device is not None or "ttg.num-warps" not in module.attributes:
        return
    is_intel = any(name.startswith("ttig.") for name in module.attributes)
    memory = shared_memory_report(module, "intel" if is_intel else "")
    written = StringIO()
    console = Console(file=written, width=COLUMNS)
    console.print(f"{memory.size:,} bytes\n" if memory.size else "none")
    if memory.buffers:
        console.print(buffer_table(memory, None))
    if overlaps(memory):
        console.print(f"\n{SHARED}")
    yield "Shared memory", written.getvalue()


def _sources(module: ModuleOp, beside: Path) -> Iterator[str]:
    """Yield the source files that locations name, where they are found."""
    from xtriton.ir.locations import file_position

    places = [place for op in module.walk() if (place := file_position(op.location)) is not None]
    for name in dict.fromkeys(str(place[0]) for place in places):
        candidates = (Path(name), beside / name, beside / Path(name).name)
        path = next((path for path in candidates if path.is_file()), None)
        if path is not None and path.suffix == ".py":
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            numbered = (f"{n:4} {line}" for n, line in enumerate(lines, 1))
            yield "\n".join([name, *numbered])


if __name__ == "__main__":
    sys.exit(main())
