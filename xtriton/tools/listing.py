"""What `--show-passes` and `--show-dialects` print."""

from __future__ import annotations

from inspect import getdoc

from xtriton.passes.options import pass_options
from xtriton.universe import DIALECTS, pass_class, pass_names


def pass_list() -> str:
    """Return every pass with the first paragraph of its docstring and its options."""
    lines: list[str] = []
    for name in pass_names():
        cls = pass_class(name)
        lines.append(f"  --{name:<44} {_summary(cls)}")
        lines += [f"      {option.help}" for option in pass_options(cls)]
    return "\n".join(lines)


def dialect_list() -> str:
    """Return the names of all dialects."""
    return "\n".join(sorted(DIALECTS))


def _summary(cls: type) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join((getdoc(cls) or "").split("\n\n")[0].split())
