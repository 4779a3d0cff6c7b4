"""
What files of a cache hold that code is loaded from, and how they are known to be whole.

A file is an object's name of its maker and its checksum on a line, then the content.
"""

import hashlib

from xtriton import __version__

MAKER = f"xtriton {__version__}"


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
