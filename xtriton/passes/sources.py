"""The code that a pass is made of, as a digest: what was made with other code is made anew."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType


def source_digest(cls: type) -> str:
    """
    Return a digest of the code that a pass is in, or its name where that is in no file.

    Of a pass in a package, that of the package; of one in a file by itself, that of the file and
    of the modules in its folder that it uses.
    """
    home = sys.modules.get(cls.__module__)
    package = sys.modules.get(cls.__module__.partition(".")[0])
    if package is not None and hasattr(package, "__path__"):
        return package_digest(Path(next(iter(package.__path__))))
    file = None if home is None else _file(home)
    if home is None or file is None:
        return cls.__qualname__
    digest = hashlib.sha256()
    for path in sorted({path for _, path in _used(home, file.parent)}):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def package_digest(root: Path, *without: str) -> str:
    """Return a digest of the Python files below a folder, all but those of some folders in it."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in without:
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _used(first: ModuleType, folder: Path) -> Iterator[tuple[ModuleType, Path]]:
    """Yield a module and those below a folder whose names it has, and so on."""
    waiting, seen = [first], {first}
    while waiting:
        module = waiting.pop()
        path = _file(module)
        if path is None or folder not in path.parents:
            continue
        yield module, path
        for value in vars(module).values():
            name = getattr(value, "__module__", None)
            home = value if isinstance(value, ModuleType) else sys.modules.get(str(name))
            if home is not None and home not in seen:
                seen.add(home)
                waiting.append(home)


def _file(module: ModuleType) -> Path | None:
    name = getattr(module, "__file__", None)
    path = None if name is None else Path(name)
    return path if path is not None and path.is_file() else None
