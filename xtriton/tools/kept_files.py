"""Files that tools keep for their next start, which nobody else may write."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from io import FileIO


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


def open_own(path: str) -> FileIO | None:
    """Open a regular file of this user that nobody else may write."""
    try:
        file = FileIO(path)
    except OSError:
        return None
    found = os.fstat(file.fileno())
    safe = stat.S_ISREG(found.st_mode) and not found.st_mode & 0o022
    if safe and found.st_uid == os.getuid():
        return file
    file.close()
    return None


def write_own(path: str, data: bytes) -> None:
    """Write a file in one step, if that is possible: without it, the next start takes longer."""
    with contextlib.suppress(OSError):
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
