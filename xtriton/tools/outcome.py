"""
How a tool ends: with an exit code, and with a sentence where somebody can mend something.

0 means success, 1 an error that the user can mend or a finding, 2 a bug of xtriton or a command
line that makes no sense, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from io import TextIOWrapper

TYPE_CHECKING = False  # Importing `typing` is left to what comes when objects are not collected.

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USER_ERROR = 1
OUR_BUG = 2
INTERRUPTED = 130

DEEPEST = 10_000
"""Nested regions and types take several Python calls each."""

OBJECTS = 200_000
"""New objects between two collections: importing makes many, and drops none."""


def exit_code(run: Callable[[], int], arguments: Sequence[str] | None = None) -> int:
    """
    Return what `run` does, or a code for the exception that ends it, told on standard error.

    With `--traceback` among `arguments` (default: those of the process) a bug shows where it is.
    Where xDSL is still to be imported, objects are collected less often from then on.
    """
    _open_streams()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    if "xdsl" not in sys.modules:
        gc.set_threshold(OBJECTS)
    code = 0
    try:
        try:
            code = _code_of(run, sys.argv[1:] if arguments is None else arguments)
        finally:
            # Here also where `--help` ends the process: at its end nobody could catch an error.
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone, as after `| head`; that is no error.
        _forget_output()
    except OSError as error:
        _forget_output()
        return _tell(f"error: {_system_error(error)}", USER_ERROR)
    return code


def _code_of(run: Callable[[], int], arguments: Sequence[str]) -> int:
    try:
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        return _tell(f"error: {_no_memory()}", USER_ERROR)
    except OSError:
        raise
    except ImportError as error:
        # A library that does not fit any more.
        if not any(sign in str(error) for sign in (os.strerror(errno.ENOMEM), "failed to map")):
            return _tell(_bug(error, "--traceback" in arguments), OUR_BUG)
        return _tell(f"error: {_no_memory()}", USER_ERROR)
    except SystemExit as end:
        # Rich ends the process when nobody reads what it writes.
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except Exception as error:
        # Imported here: `--version` must be quick.
        from xtriton.errors import UserError

        if isinstance(error, UserError):
            return _tell(error.render(), USER_ERROR)
        return _tell(_bug(error, "--traceback" in arguments), OUR_BUG)


def _tell(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code


def _no_memory() -> str:
    """Say that memory is at its end, and what somebody can do."""
    limit = _limit()
    if limit is None:
        return "this needs more memory than there is; end other programs, or give less at a time"
    return (
        f"this needs more than the {limit >> 20:,} MiB of memory that the process may have; "
        "lift the limit, as `ulimit -v unlimited` does, or give less at a time"
    )


def _limit() -> int | None:
    """Return the bytes of address space that this process may have, where that is limited."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _system_error(error: OSError) -> str:
    if error.errno == errno.ENOMEM:
        return _no_memory()
    text = error.strerror or str(error)
    return text if error.filename is None else f"'{error.filename}': {text}"


def _bug(error: Exception, with_traceback: bool) -> str:
    import traceback

    lines = [f"error: internal error: {type(error).__name__}: {error}"]
    if with_traceback:
        lines += traceback.format_exception(error)
    elif last := traceback.extract_tb(error.__traceback__)[-1:]:
        lines.append(f"raised at {last[0].filename}:{last[0].lineno}; --traceback shows more")
    lines.append("This is a bug of xtriton, not of your input.")
    return "\n".join(lines)


def _open_streams() -> None:
    """Let streams take all that tools write; replace closed ones, which Python has as None."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        # What is written there would be lost: it is not open for writing.
        sys.stdout = open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.writable():
            # IR is UTF-8, and what tables are drawn with is not ASCII.
            is_ascii = stream.encoding.lower() in ("ascii", "us-ascii", "ansi_x3.4-1968")
            encoding = "utf-8" if is_ascii else stream.encoding
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _forget_output() -> None:
    """Let Python's own flush at the end of the process have nothing to complain of."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # it is no file, as in a test
