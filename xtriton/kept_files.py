"""Files that are kept for other processes, and that nobody else may write."""

from __future__ import annotations

import os
import stat
import sys
from _imp import source_hash
from contextlib import suppress
from io import FileIO

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def kept_file(name: str) -> str | None:
    """Return where a file of this name lies; None where there is no folder for it."""
    folder = os.environ.get("XTRITON_CACHE_DIR")
    if folder == "":
        return None
    if folder is None:
        home = os.environ.get("XDG_CACHE_HOME") or _home_cache()
        if home is None:
            return None
        folder = os.path.join(home, "xtriton")
    return os.path.join(folder, f"{name}-{sys.implementation.cache_tag}-{sys.hexversion:x}.bin")


def open_own(path: str | os.PathLike[str]) -> FileIO | None:
    """
    Open a file; None where there is none to be trusted.

    It has to be a regular file, reached without a link in its last part, of this user, and
    writable by nobody else.
    """
    try:
        file = FileIO(os.fspath(path), opener=lambda name, _: os.open(name, _FLAGS))
    except OSError:
        return None
    facts = os.fstat(file.fileno())
    own = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
    if own and stat.S_ISREG(facts.st_mode) and not facts.st_mode & _OTHERS_MAY_WRITE:
        return file
    file.close()
    return None


def read_own(path: str | os.PathLike[str]) -> bytes | None:
    """Return the content of a file that `open_own` opens."""
    file = open_own(path)
    if file is None:
        return None
    with suppress(OSError), file:
        return file.read()
    return None


def write_own(path: str | os.PathLike[str], data: bytes) -> None:
    """Put a file in place, whole or not at all: what cannot be kept is no error."""
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        import tempfile

        handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise


def _home_cache() -> str | None:
    home = os.path.expanduser("~/.cache")
    return None if home.startswith("~") else home


def checksum(data: bytes | memoryview) -> bytes:
    """
    Return eight bytes that tell a damaged file, by the hash that Python has for sources.

    (`importlib.util` has it too, and brings more than a start needs.)

    Whom the file belongs to is asked of the system.
    """
    return source_hash(0, data)
