"""
Write `passes.md`, `ops.md` and `api.md` in docs/ from the docstrings of what they list.

`make docs` runs it; a test fails while what it would write differs from what is there.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from xdsl.passes import ModulePass

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


def pages() -> dict[Path, str]:
    """Return the text of every generated page by its path."""
    return {
        DOCS / "api.md": api_page(),
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
