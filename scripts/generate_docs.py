"""
Write `passes.md`, `ops.md`, `api.md` and `coverage.md` in docs/.

The first three come from the docstrings of what they list, the last from the tables of rules.

`make docs` runs it; a test fails while what it would write differs from what is there.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Container
from importlib import import_module
from pathlib import Path

from xdsl.passes import ModulePass

from xtriton.analysis import index_analysis, integer_ranges
from xtriton.analysis.axis_info import dataflow as axis_dataflow
from xtriton.analysis.axis_info import rules as axis_info
from xtriton.analysis.effects import rules as effects
from xtriton.analysis.memory_ops import MEMORY_OPS
from xtriton.cpu import emitter
from xtriton.cpu.emitter.blocks import BRANCHES
from xtriton.cpu.emitter.hazards import LEAVING
from xtriton.interpreter import registry as interpreter
from xtriton.interpreter.exempt import EXEMPT, EXEMPT_DIALECTS
from xtriton.lowering.coverage import NOT_LOWERED, lowered_ops
from xtriton.passes.options import pass_options
from xtriton.universe import PASSES, TRITON_DIALECTS, dialect, pass_class

DOCS = Path(__file__).parent.parent / "docs"

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
    ("xtriton.interop.native", "from xtriton.interop.native import Launcher", ""),
    (
        "xtriton.interop.torch",
        "from xtriton.interop import torch as xtriton_torch",
        "xtriton_torch",
    ),
)
"""Modules whose names are public, how they are imported, and under which name they are used."""

PUBLIC = {
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
        + ("" if p.default is p.empty else f"={p.default!r}")
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
        DOCS / "api.md": api_page(),
        DOCS / "coverage.md": coverage_page(),
        DOCS / "ops.md": ops_page(),
        DOCS / "passes.md": passes_page(),
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
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
