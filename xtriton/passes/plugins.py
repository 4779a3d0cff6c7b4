"""Passes from a user's Python file (`--load-pass-plugin=file.py`)."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import traceback
from types import TracebackType
from typing import TYPE_CHECKING

from xtriton.errors import Position, UserError
from xtriton.universe import register_pass

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


def load_plugin(file: str) -> list[type[ModulePass]]:
    """
    Run a Python file and register the passes that it defines; return them.

    Raises `UserError` where the file cannot be read, raises, or defines no pass.
    """
    path = pathlib.Path(file)
    if not path.is_file():
        raise UserError(f"cannot read the pass plug-in '{file}'")
    name = f"xtriton_plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"the pass plug-in '{file}' is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up their module while it runs.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except UserError:
        raise
    except (Exception, SystemExit) as e:
        raise UserError(
            f"the pass plug-in raised {type(e).__name__}: {e}", raised_at(e, file)
        ) from e
    classes = [value for value in vars(module).values() if _is_pass_of(value, name)]
    if not classes:
        raise UserError(f"the pass plug-in '{file}' defines no pass")
    for cls in classes:
        register_pass(cls)
    return classes


def raised_at(error: BaseException, file: str | None = None) -> Position | None:
    """Return the innermost line of an error's traceback, of `file` if that is given."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        line = (error.text or "").rstrip("\n")
        return Position(error.filename, error.lineno or 1, error.offset or 1, line)
    frames = _frames(error.__traceback__)
    if file is not None:
        frames = [f for f in frames if pathlib.Path(f.filename) == pathlib.Path(file).absolute()]
    if not frames:
        return None
    frame = frames[-1]
    return Position(frame.filename, frame.lineno or 1, (frame.colno or 0) + 1, frame.line)


LIBRARIES = ("xtriton", "xdsl")
"""Packages in which no pass of somebody's own is written."""


def author_line(error: BaseException) -> Position | None:
    """Return the innermost line of an error's traceback that is neither xtriton's nor xDSL's."""
    roots = [pathlib.Path(sys.modules[name].__file__ or "").parent for name in LIBRARIES]
    frames = [
        frame
        for frame in _frames(error.__traceback__)
        if not any(root in pathlib.Path(frame.filename).parents for root in roots)
    ]
    if not frames:
        return None
    frame = frames[-1]
    return Position(frame.filename, frame.lineno or 1, (frame.colno or 0) + 1, frame.line)


def _frames(tb: TracebackType | None) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(tb))


def _is_pass_of(value: object, module: str) -> bool:
    from xdsl.passes import ModulePass

    return (
        isinstance(value, type)
        and issubclass(value, ModulePass)
        and value.__module__ == module
        and "name" in vars(value)
    )
