# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""
Triton's cache, as far as code for the CPU is in it.

The folder, the keys and the files are Triton's own. The list of a kernel's files, which Triton
writes last, also says who made them and has a checksum of each; a kernel of which any file is not
this user's own, no regular file, or not what was written is compiled anew. Where nothing can be
written, there is no cache: files live in a folder that goes with the process.
"""

import atexit
import json
import os
import shutil
import tempfile
import warnings
from functools import cache
from typing import Any

from triton.runtime.cache import FileCacheManager

from xtriton.cpu.objects import MAKER, digest
from xtriton.errors import UserError
from xtriton.interop.cpu_backend.compiler import BINARY
from xtriton.kept_files import read_own

SEAL = "xtriton"
MEMORY_FOLDER = "/dev/shm"
"""Where files go when the disk is full."""


class CheckedCache(FileCacheManager):
    """Reads only whole files of this user; does without a cache where it cannot write."""

    def __init__(self, key: str, override: bool = False, dump: bool = False):
        try:
            super().__init__(key, override=override, dump=dump)
            if self.cache_dir.startswith("~"):
                raise FileNotFoundError("there is no home directory")
        except OSError as error:
            if override or dump:
                raise
            self.key = key
            self._use(_instead(str(error)))

    def _use(self, folder: str) -> None:
        self.cache_dir = os.path.join(folder, self.key)
        self.lock_path = os.path.join(self.cache_dir, "lock")
        os.makedirs(self.cache_dir, exist_ok=True)

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Write a file and return where it is; see the module for where nothing can be written."""
        try:
            return super().put(data, filename, binary)
        except OSError as error:
            self._use(_instead(str(error)))
        try:
            return super().put(data, filename, binary)
        except OSError as error:
            self._use(_scratch(MEMORY_FOLDER, str(error)))
            return super().put(data, filename, binary)

    def get_file(self, filename: str) -> str | None:
        path = super().get_file(filename)
        return path if path is not None and read_own(path) is not None else None

    def put_group(self, filename: str, group: dict[str, str]) -> str:
        """Write the list of a kernel's files, for the CPU's with who made them and checksums."""
        if not _is_ours(group):
            return super().put_group(filename, group)
        sums = {name: digest(read_own(path) or b"") for name, path in group.items()}
        listed = {"child_paths": group, SEAL: {"maker": MAKER, "sha256": sums}}
        return self.put(json.dumps(listed), f"__grp__{filename}", binary=False)

    def get_group(self, filename: str) -> dict[str, str] | None:
        """Return the files of a kernel if all of them are as they were written."""
        listed = _parsed(read_own(self._make_path(f"__grp__{filename}")))
        group, seal = listed.get("child_paths"), listed.get(SEAL)
        if not isinstance(group, dict):
            return None
        if not _is_ours(group):
            return super().get_group(filename)
        return group if _is_whole(group, seal) else None


def _is_ours(group: dict[str, str]) -> bool:
    return any(name.endswith(f".{BINARY}") for name in group)


def _is_whole(group: dict[str, str], seal: Any) -> bool:
    try:
        if seal["maker"] != MAKER or seal["sha256"].keys() != group.keys():
            return False
        contents = {name: read_own(path) for name, path in group.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return all(
        content is not None and digest(content) == seal["sha256"][name]
        for name, content in contents.items()
    )


def _parsed(content: bytes | None) -> dict[str, Any]:
    try:
        listed = json.loads(content or b"")
    except ValueError:
        return {}
    return listed if isinstance(listed, dict) else {}


def _instead(reason: str) -> str:
    """Return a folder for the time of this process."""
    try:
        folder = tempfile.gettempdir()
    except OSError:
        folder = MEMORY_FOLDER
    return _scratch(folder, reason)


@cache
def _folder(parent: str, process: int) -> str:
    folder = tempfile.mkdtemp(prefix="xtriton-", dir=parent)

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


_warned: list[str] = []


def _scratch(parent: str, reason: str) -> str:
    if not _warned:
        _warned.append(reason)
        warnings.warn(f"kernels are compiled without a cache: {reason}", stacklevel=2)
    try:
        return _folder(parent, os.getpid())
    except OSError as error:
        raise UserError(f"there is no place to compile a kernel in: {error}") from error
