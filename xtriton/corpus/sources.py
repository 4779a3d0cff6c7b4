"""
Where kernels come from: files, folders, lists of files, archives, caches of Triton and Inductor.

A folder is walked whole, so `TRITON_CACHE_DIR` and the `triton` folder of Inductor's cache are
folders like any other. Where a kernel lies there at several levels under one name, the first
level of `LEVELS` counts.
"""

from __future__ import annotations

import json
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from xtriton.errors import UserError

LEVELS = (".ttir", ".ttgir", ".mlir")
"""Suffixes of kernels, what is taken first in front."""

_WARPS_IN_NAME = re.compile(r"\.w(\d+)\b")
_WARPS_IN_TEXT = re.compile(r'"ttg\.num-warps"\s*=\s*(\d+)')
_DEFAULT_WARPS = 4

_ARCHIVES = re.compile(r"\.(tar|tgz|txz|tbz2?|zip)(\.\w+)?$")
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError)
"""What reading a damaged archive raises."""
_UNKNOWN = (NotImplementedError, RuntimeError)
"""What reading an encrypted archive, or one of a method that Python lacks, raises."""


@dataclass(frozen=True)
class Kernel:
    """The text of a module with one or more kernels, and what it is called in results."""

    name: str
    text: str
    num_warps: int

    @property
    def content(self) -> str:
        """SHA-256 of the text, in hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()


def kernels_of(places: Iterable[str], levels: tuple[str, ...] = LEVELS) -> Iterator[Kernel]:
    """
    Yield the kernels of folders, files, archives (`.tar*`, `.zip`) and lists (`@file`).

    In each place they come by name. Raises `UserError` for what is not there or not readable.
    """
    several = len(places := list(places)) > 1
    for place in places:
        prefix = f"{Path(place).name}/" if several else ""
        for name, text, metadata in _texts(place, levels):
            yield Kernel(prefix + name, text, _warps(name, text, metadata))


_Found = tuple[str, str, str | None]
"""Name, text, and the JSON that Triton's cache keeps beside it."""


def _texts(place: str, levels: tuple[str, ...], lists: tuple[Path, ...] = ()) -> Iterator[_Found]:
    """Yield what a place holds; `lists` are those that lead to it."""
    if place.startswith("@"):
        yield from _listed(Path(place[1:]), levels, lists)
        return
    path = Path(place)
    try:
        if path.is_dir():
            yield from _in_folder(path, levels)
        elif tarfile.is_tarfile(path):
            yield from _in_tar(path, levels)
        elif zipfile.is_zipfile(path):
            yield from _in_zip(path, levels)
        elif path.is_file() and _ARCHIVES.search(path.name):
            raise UserError(f"'{place}' is a damaged archive: it does not begin like one")
        else:
            beside = path.with_suffix(".json")
            yield path.name, _decoded(path.read_bytes()), _json(beside)
    except _DAMAGED as error:
        raise UserError(f"'{place}' is a damaged archive: {error}") from error
    except UserError:
        raise
    except _UNKNOWN as error:
        raise UserError(f"'{place}' cannot be unpacked: {error}") from error


def _listed(place: Path, levels: tuple[str, ...], lists: tuple[Path, ...]) -> Iterator[_Found]:
    if (itself := place.resolve()) in lists:
        raise UserError(f"the list '{place}' leads to itself")
    for line in _decoded(place.read_bytes()).splitlines():
        name = line.strip()
        if not name:
            continue
        at = "@" if name.startswith("@") else ""
        inner = at + str(place.parent / name.removeprefix("@"))
        for found, text, metadata in _texts(inner, levels, (*lists, itself)):
            whole = Path(inner).is_dir() or at or _ARCHIVES.search(name)
            yield f"{name}/{found}" if whole else name, text, metadata


def _in_folder(folder: Path, levels: tuple[str, ...]) -> Iterator[_Found]:
    # Links to nowhere and folders called like kernels are no kernels.
    files = (p for p in folder.rglob("*") if p.suffix in levels and p.is_file())
    names = (str(p.relative_to(folder)) for p in files)
    for name in _chosen(names, levels):
        path = folder / name
        yield name, _decoded(path.read_bytes()), _json(path.with_suffix(".json"))


def _in_tar(path: Path, levels: tuple[str, ...]) -> Iterator[_Found]:
    # Members of a compressed archive are read in one go: seeking would unpack it again for each.
    with tarfile.open(path) as archive:
        members = {str(PurePosixPath(m.name)): m for m in archive.getmembers() if m.isfile()}
        chosen = set(_chosen(members, levels))
        texts: dict[str, bytes] = {}
        for name, member in members.items():
            beside = name.endswith(".json") and any(
                name.removesuffix(".json") + level in chosen for level in levels
            )
            if name in chosen or beside:
                file = archive.extractfile(member)
                texts[name] = b"" if file is None else file.read()
    yield from _from_texts(texts, sorted(chosen))


def _in_zip(path: Path, levels: tuple[str, ...]) -> Iterator[_Found]:
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        for name in _chosen(names, levels):
            beside = _beside(name)
            metadata = _decoded(archive.read(beside)) if beside in names else None
            yield name, _decoded(archive.read(name)), metadata


def _from_texts(texts: dict[str, bytes], names: Iterable[str]) -> Iterator[_Found]:
    for name in names:
        metadata = texts.get(_beside(name))
        yield name, _decoded(texts[name]), None if metadata is None else _decoded(metadata)


def _beside(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(".json"))


def _chosen(names: Iterable[str], levels: tuple[str, ...]) -> list[str]:
    """Return one name for each kernel, in order: the first level that there is."""
    best: dict[str, str] = {}
    for name in names:
        path = PurePosixPath(name)
        if path.suffix not in levels:
            continue
        stem = str(path.with_suffix(""))
        known = best.get(stem)
        if known is None or levels.index(path.suffix) < levels.index(PurePosixPath(known).suffix):
            best[stem] = name
    return sorted(best.values())


def _decoded(data: bytes) -> str:
    # What is no text is an unreadable kernel, which its row says, and not the end of a run.
    return data.decode("utf-8", "backslashreplace")


def _json(path: Path) -> str | None:
    return _decoded(path.read_bytes()) if path.is_file() else None


def _warps(name: str, text: str, metadata: str | None) -> int:
    """Return the warps of a kernel: what its text says, its metadata, its name, or 4."""
    if found := _WARPS_IN_TEXT.search(text):
        return int(found[1])
    if metadata is not None:
        try:
            warps = json.loads(metadata)["num_warps"]
        except (ValueError, KeyError, TypeError):
            warps = None
        if isinstance(warps, int) and warps > 0:
            return warps
    found = _WARPS_IN_NAME.search(name)
    return int(found[1]) if found else _DEFAULT_WARPS
