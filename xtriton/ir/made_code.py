"""
Functions whose source is put together while the program runs.

A tool that starts often keeps what their sources compile to (see `tools/quick_start.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

Compiler = Callable[[str, str], CodeType]
"""From a source and what tracebacks call it to its code."""


def _compile(source: str, name: str) -> CodeType:
    return compile(source, name, "exec")


_compilers: list[Compiler] = [_compile]


def compile_with(compiler: Compiler | None) -> None:
    """Let another function compile from now on; None stands for Python itself."""
    _compilers[0] = compiler or _compile


def function(source: str, name: str, names: dict[str, Any]) -> Any:
    """Return the function that `source` defines under the name `name`, in the scope `names`."""
    exec(_compilers[0](source, f"<{name} of xtriton>"), names)
    return names[name]
