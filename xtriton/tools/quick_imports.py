"""
Modules of xtriton and xDSL from one file instead of hundreds.

For each module that it imports, Python looks through folders, and opens and reads a file of byte
code. A tool imports hundreds from two packages. Their byte code is kept in one file beside what
else is kept (see `quick_start`), and a finder in front of Python's own takes it from there, where
source and folder are what they were. Everything else is Python's: a module has its file, its
source and a `SourceFileLoader`, and one that has changed is imported as ever.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from io import FileIO
from types import CodeType, ModuleType

from xtriton.kept_files import checksum, open_own, write_own

PACKAGES = ("xdsl.", "xtriton.")

OPS_WAIT = frozenset(("xdsl.dialects.arith", "xtriton.dialects.upstream.arith"))
"""Modules in which the definition of an op waits until it is asked for (see `late_code`)."""

_MOST = 32 << 20
"""Bytes that are kept."""

_HEAD = 16
"""Bytes in front of the table of modules: its length and its checksum."""

_Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size."""

_Kept = tuple[str, str, _Stamp, int, bool, str | None, int, int, bytes]
"""Folder; source and its stamp, when the folder was changed, whether the source is a package's,
where Python has its byte code; where ours begins, behind the table, its length and its checksum."""


class KeptModules:
    """The modules whose code lies in a file, which need not be there yet."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.table: dict[str, _Kept] = {}
        self._before = frozenset(sys.modules)
        self._folders: dict[str, int] = {}
        self._file: FileIO | None = open_own(path)
        self._start = 0
        if self._file is not None:
            self._read_table(self._file)

    def _read_table(self, file: FileIO) -> None:
        head = file.read(_HEAD)
        length = int.from_bytes(head[:8], "little")
        data = file.read(length) if length <= _MOST else b""
        if len(data) == length and checksum(data) == head[8:]:
            key, table = marshal.loads(data)
            if key == _key():
                self.table, self._start = table, _HEAD + length

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module is loaded if its code is kept and its source the same."""
        kept = self.table.get(name)
        if kept is None or path is None:
            return None
        folder, source, stamp, folder_stamp, is_package, cached, *_ = kept
        if [*path] != [folder] or _stamp(source) != stamp:
            return None
        # In a folder that has changed there may be something that goes before the source.
        if self._folder_stamp(folder) != folder_stamp:
            return None
        loader = _Loader(name, source)
        loader.kept = self
        spec = ModuleSpec(name, loader, origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = cached
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def code(self, name: str) -> CodeType | None:
        """Return a module's code, None where that cannot be read."""
        data = self._data(self.table[name])
        return None if data is None else marshal.loads(data)

    def _data(self, kept: _Kept) -> bytes | None:
        *_, offset, length, known = kept
        if self._file is None:
            return None
        data = os.pread(self._file.fileno(), length, self._start + offset)
        return data if len(data) == length and checksum(data) == known else None

    def _folder_stamp(self, folder: str) -> int:
        stamp = self._folders.get(folder)
        if stamp is None:
            stamp = self._folders[folder] = _stamp(folder)[0]
        return stamp

    def write(self) -> None:
        """Keep modules that were imported otherwise, if that is possible."""
        found = {} if sys.dont_write_bytecode else dict(self._imported())
        if not found:
            return
        codes: list[bytes] = []
        table: dict[str, _Kept] = {}
        offset = 0
        for name, kept in {
            **self.table,
            **{name: kept for name, (kept, _) in found.items()},
        }.items():
            data = found[name][1] if name in found else self._data(kept)
            if data is not None:
                table[name] = (*kept[:6], offset, len(data), checksum(data))
                codes.append(data)
                offset += len(data)
        head = marshal.dumps((_key(), table))
        if offset + len(head) <= _MOST:
            length = len(head).to_bytes(8, "little")
            write_own(self.path, b"".join((length, checksum(head), head, *codes)))

    def close(self) -> None:
        """Leave modules that are looked at again to Python."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _imported(self) -> Iterator[tuple[str, tuple[_Kept, bytes]]]:
        """Yield modules that Python found itself, with their code."""
        for name, module in [*sys.modules.items()]:
            spec = getattr(module, "__spec__", None)
            if name in self._before or not name.startswith(PACKAGES) or spec is None:
                continue
            if type(spec.loader) is not SourceFileLoader or spec.origin is None:
                continue
            with suppress(OSError, ImportError, SyntaxError):
                if (kept := self._looked_at(name, spec, spec.origin)) is not None:
                    yield name, kept

    def _looked_at(self, name: str, spec: ModuleSpec, source: str) -> tuple[_Kept, bytes] | None:
        is_package = spec.submodule_search_locations is not None
        folder = os.path.dirname(os.path.dirname(source) if is_package else source)
        before = _stamp(source)
        loader = spec.loader
        code = _code(name, loader) if isinstance(loader, SourceFileLoader) else None
        # What changes meanwhile is kept another time.
        if code is None or before != _stamp(source):
            return None
        stamp = self._folder_stamp(folder)
        kept = (folder, source, before, stamp, is_package, spec.cached, 0, 0, b"")
        return kept, marshal.dumps(code)


def _code(name: str, loader: SourceFileLoader) -> CodeType:
    """Return the code of a module as it is kept."""
    from xtriton.tools.late_code import late_code, untyped_code

    source = loader.get_data(loader.path)
    if name in OPS_WAIT:
        return late_code(source, loader.path, OPS_WAIT)
    return untyped_code(source, loader.path)


class _Module(ModuleType):
    """
    A module that is quick to say that it lacks something.

    Every import of names from a module asks whether it is a package, by its `__path__`, and a
    module proper answers with the text of an error that nobody reads.
    """

    __getattribute__ = object.__getattribute__


class _Loader(SourceFileLoader):
    """Python's own, but for where the code comes from."""

    kept: KeptModules
    _code: CodeType | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        code = self._code = self.kept.code(spec.name)
        if code is None:
            return None
        # `__getattr__` of a module is asked by a module proper only.
        return None if "__getattr__" in code.co_names else _Module(spec.name)

    def get_code(self, fullname: str) -> CodeType | None:
        code, self._code = self._code, None
        return super().get_code(fullname) if code is None else code


def _key() -> tuple[str | None, int]:
    return sys.pycache_prefix, sys.flags.optimize


def _stamp(path: str) -> _Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return (-1, -1)
    return (found.st_mtime_ns, found.st_size)
