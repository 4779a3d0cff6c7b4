"""
Write `passes.md`, `ops.md`, `api.md`, `analyses.md`, `coverage.md` and the pictures in docs/.

The first four come from the docstrings of what they list, the coverage from the tables of rules,
the pictures from the examples.

`make docs` runs it; a test fails while what it would write differs from what is there.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Container
from contextlib import chdir
from importlib import import_module
from pathlib import Path

from xdsl.passes import ModulePass

from xtriton.analysis import index_analysis, integer_ranges
from xtriton.analysis.axis_info import dataflow as axis_dataflow, rules as axis_info
from xtriton.analysis.effects import rules as effects
from xtriton.analysis.memory_ops import MEMORY_OPS
from xtriton.cpu import emitter
from xtriton.cpu.emitter.blocks import BRANCHES
from xtriton.cpu.emitter.hazards import LEAVING
from xtriton.dialects.encodings.linear_layouts import layout_of
from xtriton.interpreter import registry as interpreter
from xtriton.interpreter.exempt import EXEMPT, EXEMPT_DIALECTS
from xtriton.ir.reading.parser import Parser
from xtriton.lowering.coverage import NOT_LOWERED, lowered_ops
from xtriton.passes.options import pass_options
from xtriton.tools import access_map, access_picture, layout_tables, xtriton_report
from xtriton.tools.files import located_module
from xtriton.tools.layout_tables import Owners
from xtriton.universe import PASSES, TRITON_DIALECTS, context, dialect, pass_class

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

_HEADER = "<!-- Made by scripts/generate_docs.py (`make docs`); do not edit. -->\n"


def passes_page() -> str:
    """Return the text of `docs/passes.md`."""
    parts = [_HEADER, "# Passes\n"]
    for name in sorted(PASSES):
        parts.append(_pass_section(name, pass_class(name)))
    return "\n".join(parts)


def ops_page() -> str:
    """Return the text of `docs/ops.md`: the ops of Triton's dialects and of `tts`."""
    parts = [_HEADER, "# Ops\n"]
    for name in sorted(TRITON_DIALECTS):
        parts.append(f"## {name}\n")
        for op in sorted(dialect(name).operations, key=lambda op: op.name):
            parts.append(f"### {op.name}\n\n{inspect.cleandoc(op.__doc__ or '')}\n")
    return "\n".join(parts)


API = (
    ("xtriton", "import xtriton as xt", "xt"),
    ("xtriton.effects", "from xtriton import effects", "effects"),
    ("xtriton.cpu", "import xtriton.cpu", "xtriton.cpu"),
    ("xtriton.interpreter", "from xtriton import interpreter", "interpreter"),
    ("xtriton.judge", "from xtriton import judge", "judge"),
    ("xtriton.tools.lit", "from xtriton.tools.lit import run_test", ""),
    ("xtriton.interop.native", "from xtriton.interop.native import Launcher", ""),
    (
        "xtriton.interop.torch",
        "from xtriton.interop import torch as xtriton_torch",
        "xtriton_torch",
    ),
)
"""Modules whose names are public, how they are imported, and under which name they are used."""

PUBLIC = {
    "xtriton.cpu": ("activate", "checks", "compile_module", "Kernel", "KernelFault"),
    "xtriton.tools.lit": ("run_test", "Outcome"),
    "xtriton.interop.native": ("Launcher",),
    "xtriton.interop.torch": ("install", "installed", "uninstall", "accesses", "Accesses"),
}
"""What is public of modules without `__all__`."""


def api_page() -> str:
    """Return the text of `docs/api.md`: the functions and classes that programs import."""
    parts = [_HEADER, "# Python\n"]
    for module_name, imported, short in API:
        module = import_module(module_name)
        parts.append(f"## {module_name}\n\n```python\n{imported}\n```\n")
        for name in PUBLIC.get(module_name) or module.__all__:
            value = getattr(module, name)
            if callable(value):
                parts.append(_api_section(f"{short}.{name}".lstrip("."), value))
    return "\n".join(parts)


ANALYSES = (
    "xtriton.analysis.accesses",
    "xtriton.analysis.index_analysis",
    "xtriton.analysis.indexing",
    "xtriton.analysis.classify",
    "xtriton.analysis.masks",
    "xtriton.analysis.obstacles",
    "xtriton.analysis.axis_info",
    "xtriton.analysis.integer_ranges",
    "xtriton.analysis.effects",
    "xtriton.analysis.writes",
    "xtriton.analysis.row_flow",
    "xtriton.analysis.slices",
    "xtriton.analysis.shared_memory",
    "xtriton.analysis.intel",
)
"""What passes ask; the rest of `xtriton.analysis` is what these are made of."""

_ANALYSES = """# Analyses

What passes ask about a kernel; nothing here changes it. `xt.accesses`, `xt.axis_info` and
`xt.effects` answer most questions ([Python](api.md)); these are what stands behind them.
[Architecture](architecture.md) says how they work together.
"""


def analyses_page() -> str:
    """Return the text of `docs/analyses.md`: the analyses with what each of them offers."""
    parts = [_HEADER, _ANALYSES]
    for module_name in ANALYSES:
        module = import_module(module_name)
        parts.append(f"## {module_name}\n\n{inspect.cleandoc(module.__doc__ or '')}\n")
        entries = [
            f"- `{name}{_call(value)}`: {_first_line(value)}"
            for name, value in vars(module).items()
            if not name.startswith("_")
            and (inspect.isfunction(value) or inspect.isclass(value))
            and value.__module__.startswith(module_name)
        ]
        parts.append("\n".join(entries) + "\n")
    return "\n".join(parts)


def _call(value: Callable[..., object]) -> str:
    return _signature(value) if inspect.isfunction(value) else ""


def _first_line(value: object) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")


def pictures() -> dict[Path, str]:
    """Return the text of the pictures that the pages show, by path."""
    matmul = located_module(str(ROOT / "examples" / "matmul.ttir"))
    sizes = {"M": 300, "N": 150, "K": 100}
    titles = [f"#ttg.blocked<{{{layout}}}>" for layout in (_ROWS, _COLUMNS)]
    encodings = [Parser(context(), title).parse_whole_attribute() for title in titles]
    owners = [Owners(layout_of(encoding, (32, 32))) for encoding in encodings]
    return {
        DOCS / "pictures" / "accesses.svg": access_picture.picture(matmul, sizes),
        DOCS / "pictures" / "map.html": access_map.page(matmul, sizes, (9, 1, 1)),
        DOCS / "pictures" / "layouts.svg": layout_tables.picture(titles, owners),
        DOCS / "pictures" / "report.html": _report("examples/matmul.ttir"),
    }


def _report(file: str) -> str:
    with chdir(ROOT):  # the page names the file as it is given
        return xtriton_report.page(located_module(file), file, "pvc")


_ROWS = "sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]"
_COLUMNS = "sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]"


def _api_section(title: str, value: Callable[..., object]) -> str:
    text = inspect.cleandoc(value.__doc__ or "")
    fields = ""
    if isinstance(value, type):
        methods = [
            (name, method)
            for name, method in vars(value).items()
            if not name.startswith("_") and callable(method) and method.__doc__
        ]
        fields = "".join(
            f"\n- `{name}{_signature(method)}`: {inspect.getdoc(method) or ''}".split("\n\n")[0]
            for name, method in methods
            if value.__module__.startswith("xtriton")
        )
    call = "" if isinstance(value, type) else _signature(value)
    return f"### {title}\n\n`{title}{call}`\n\n{text}\n{fields}\n"


def _signature(function: Callable[..., object]) -> str:
    names = [
        ("*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else "")
        + p.name
        + ("" if p.default is p.empty else "=..." if callable(p.default) else f"={p.default!r}")
        for p in inspect.signature(function).parameters.values()
        if p.name != "self"
    ]
    return f"({', '.join(names)})"


_NO_RULE = "nobody wrote a rule"

COVERED = (*sorted(TRITON_DIALECTS), "arith", "math", "scf", "cf")
"""The dialects of whose ops the coverage page has a row each."""

_INTRODUCTION = """# Coverage

Which parts of xtriton know which op. To add an op, walk along its row: each column names the
table that wants a line.

- **forms** (`analysis/index_analysis.py`): closed forms of integers and pointers. By default a
  result is a value of its own, and an access that depends on it is *opaque*, or a *gather* where
  it was loaded.
- **axis** (`analysis/axis_info/`): contiguity and divisibility. By default nothing is known.
- **ranges** (`analysis/integer_ranges.py`): between which numbers integers lie. By default all
  that the type allows.
- **effects** (`analysis/memory_ops.py`, `analysis/effects/rules.py`): what is read and written.
  By default what the op's traits declare, and anything where they declare nothing.
- **lowering** (`lowering/`): to linalg, memref and scf. *stays*: is there what it was before.
- **interpreter** (`interpreter/rules/`): what the op means.
- **native** (`cpu/emitter/`): code for the CPU. *lowered*: gone by then.
"""


def coverage_page() -> str:
    """Return the text of `docs/coverage.md`: an op a row, a column for each table of rules."""
    columns = _columns()
    reasons: dict[str, int] = {}
    parts = [_HEADER, _INTRODUCTION]
    for name in COVERED:
        parts.append(f"## {name}\n\n| op | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
        for op in sorted({op.name for op in dialect(name).operations}):
            cells = [_cell(column(op), reasons) for column in columns.values()]
            parts.append(f"| `{op}` | {' | '.join(cells)} |")
        parts.append("")
    parts.append("## Why not\n")
    parts += [f"{number}. {reason}" for reason, number in reasons.items()]
    return "\n".join(parts) + "\n"


def _cell(answer: str, reasons: dict[str, int]) -> str:
    """Return what stands in a cell; of a `no: reason` the number of the reason."""
    word, _, reason = answer.partition(": ")
    return f"{word} ({reasons.setdefault(reason, len(reasons) + 1)})" if reason else word


def _columns() -> dict[str, Callable[[str], str]]:
    known, lowered = interpreter.known(), lowered_ops()
    native = {*emitter.RULES, *LEAVING, *BRANCHES}

    def among(names: Container[str]) -> Callable[[str], str]:
        return lambda op: "yes" if op in names else "default"

    def lowering(op: str) -> str:
        prefix = op.partition(".")[0]
        if prefix not in TRITON_DIALECTS:
            return "stays"
        if op in lowered:
            return "yes"
        return f"no: {NOT_LOWERED.get(op) or NOT_LOWERED.get(prefix) or _NO_RULE}"

    def interpreted(op: str) -> str:
        if op in known:
            return "yes"
        reason = EXEMPT.get(op) or EXEMPT_DIALECTS.get(op.partition(".")[0])
        return f"no: {reason}" if reason else f"no: {_NO_RULE}"

    def compiled(op: str) -> str:
        if op in native:
            return "yes"
        where = lowering(op)
        return {"yes": "lowered", "stays": "no: kernels have none, and no lowering makes any"}.get(
            where, where
        )

    return {
        "forms": among(index_analysis.RULES),
        "axis": among({*axis_info.RULES, *axis_dataflow.CONTROL_FLOW}),
        "ranges": among(integer_ranges.UNDERSTOOD),
        "effects": among({*MEMORY_OPS, *effects.FOLLOWED}),
        "lowering": lowering,
        "interpreter": interpreted,
        "native": compiled,
    }


def pages() -> dict[Path, str]:
    """Return the text of every generated page by its path."""
    return {
        DOCS / "analyses.md": analyses_page(),
        DOCS / "api.md": api_page(),
        DOCS / "coverage.md": coverage_page(),
        DOCS / "ops.md": ops_page(),
        DOCS / "passes.md": passes_page(),
        **pictures(),
    }


def _pass_section(name: str, cls: type[ModulePass]) -> str:
    module = inspect.getmodule(cls)
    assert module is not None
    lines = [f"## {name}\n", inspect.cleandoc(module.__doc__ or "") + "\n"]
    options = pass_options(cls)
    if options:
        lines += ["Options:\n", *(f"- `{option.help}`" for option in options), ""]
    return "\n".join(lines)


def main() -> None:
    """Write every page."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0]).parse_args()
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
