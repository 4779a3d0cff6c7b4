"""
Write `docs/passes.md` and `docs/ops.md` from the docstrings of passes and ops.

`make docs` runs it; a test fails while what it would write differs from what is there.
"""

from __future__ import annotations

import argparse
import inspect
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


def pages() -> dict[Path, str]:
    """Return the text of every generated page by its path."""
    return {DOCS / "ops.md": ops_page(), DOCS / "passes.md": passes_page()}


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
