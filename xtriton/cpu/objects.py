"""
Files of a cache that code is loaded from: read only if they are this user's own and whole.

A file is an object's name of its maker and its checksum on a line, then the content.
"""

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from xtriton import __version__

MAKER = f"xtriton {__version__}"
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def read_own(path: str | Path) -> bytes | None:
    """
    Return the content of a file; None where there is none to be trusted.

    It has to be a regular file, reached without a link in its last part, of this user, and
    writable by nobody else.
    """
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_mode & OTHERS_MAY_WRITE:
            return None
        if hasattr(os, "geteuid") and facts.st_uid != os.geteuid():
            return None
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(handle)


def digest(content: bytes) -> str:
    """Return the checksum of a content."""
    return hashlib.sha256(content).hexdigest()


def sealed(content: bytes) -> bytes:
    """Return a content with the line that says who made it and what its checksum is."""
    return f"{MAKER} {digest(content)}\n".encode() + content


def unsealed(file: bytes | None) -> bytes | None:
    """Return the content of what `sealed` returned, None for anything else."""
    line, _, content = (file or b"").partition(b"\n")
    return content if line == f"{MAKER} {digest(content)}".encode() else None


def write_atomically(path: Path, content: bytes) -> None:
    """Put a file in place, whole or not at all; raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
