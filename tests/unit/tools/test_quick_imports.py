"""Modules from one file are those that Python would import, and never older than their source."""

import importlib
import inspect
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from xtriton.tools import quick_imports
from xtriton.tools.quick_imports import KeptModules

SOURCES = {
    "__init__.py": "",
    "one.py": "value = 1\n\n\ndef fail() -> None:\n    raise ValueError(value)\n",
    "inner/__init__.py": "value = 2\n",
    "inner/two.py": "from kept_package.one import value as value\n",
    "late.py": "def __getattr__(name: str) -> str:\n    return f'late {name}'\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    root = tmp_path / "kept_package"
    for name, text in SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    monkeypatch.setattr(quick_imports, "PACKAGES", ("kept_package.",))
    yield root
    forget()


def forget() -> None:
    for name in [name for name in sys.modules if name.startswith("kept_package")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def imported(path: Path, *names: str) -> list[ModuleType]:
    """Return the modules of the package as a start with this file imports them."""
    forget()
    kept = KeptModules(str(path))
    sys.meta_path.insert(0, kept)
    try:
        names = names or ("one", "inner", "inner.two")
        found = [importlib.import_module(f"kept_package.{name}") for name in names]
        kept.write()
    finally:
        kept.close()
        sys.meta_path.remove(kept)
    return found


def kept_names(modules: list[ModuleType]) -> list[str]:
    return [
        module.__name__.removeprefix("kept_package.")
        for module in modules
        if isinstance(module.__loader__, quick_imports._Loader)
    ]


def test_a_kept_module_is_what_python_would_import(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    first = imported(path)
    told = [
        (m.__file__, m.__cached__, m.__package__, dict(vars(m), x=0).get("value")) for m in first
    ]
    paths = list(first[1].__path__)
    assert kept_names(first) == []
    content = path.read_bytes()
    again = imported(path)
    assert kept_names(again) == ["one", "inner", "inner.two"]
    assert [
        (m.__file__, m.__cached__, m.__package__, dict(vars(m), x=0).get("value")) for m in again
    ] == told
    assert list(again[1].__path__) == paths
    assert path.read_bytes() == content
    assert inspect.getsource(again[0].fail).startswith("def fail")
    with pytest.raises(ValueError, match="1") as error:
        again[0].fail()
    assert traceback.extract_tb(error.value.__traceback__)[-1].line == "raise ValueError(value)"
    assert importlib.reload(again[0]).value == 1


def test_a_kept_module_lacks_what_it_lacks(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    imported(path)
    one = imported(path)[0]
    assert type(one) is quick_imports._Module
    assert inspect.ismodule(one)
    assert not hasattr(one, "__path__")
    with pytest.raises(AttributeError, match="nothing"):
        _ = one.nothing
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        exec("from kept_package.one import nothing")


def test_a_kept_module_is_asked_for_names_itself(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    imported(path, "late")
    (late,) = imported(path, "late")
    assert late.anything == "late anything"
    assert kept_names([late]) == ["late"]


def test_a_source_that_changed_is_read(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    imported(path)
    before = (package / "one.py").stat()
    (package / "one.py").write_text(SOURCES["one.py"].replace("1", "7"))
    os.utime(package / "one.py", ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
    changed = imported(path)
    assert [module.value for module in changed] == [7, 2, 7]
    assert kept_names(changed) == ["inner", "inner.two"]
    assert kept_names(imported(path)) == ["one", "inner", "inner.two"]
    assert [module.value for module in imported(path)] == [7, 2, 7]


def test_what_goes_before_a_source_is_seen(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    imported(path)
    (package / "one").mkdir()
    (package / "one" / "__init__.py").write_text("value = 8\n")
    assert [module.value for module in imported(path)] == [8, 2, 8]
    assert [module.value for module in imported(path)] == [8, 2, 8]


def test_another_package_of_the_name_is_another(package: Path, tmp_path: Path):
    path = tmp_path / "modules.bin"
    imported(path)
    package.rename(tmp_path / "elsewhere")
    (tmp_path / "other").mkdir()
    (tmp_path / "elsewhere").rename(tmp_path / "other" / "kept_package")
    sys.path[0] = str(tmp_path / "other")
    moved = imported(path)
    assert kept_names(moved) == []
    assert str(moved[0].__file__).startswith(str(tmp_path / "other"))


@pytest.mark.parametrize(
    "damage", ["head", "table", "code", "short", "empty", "writable", "folder"]
)
def test_a_damaged_file_is_not_used(package: Path, tmp_path: Path, damage: str):
    path = tmp_path / "modules.bin"
    imported(path)
    content = path.read_bytes()
    places = {"head": 2, "table": 40, "code": len(content) - 20}
    match damage:
        case "head" | "table" | "code":
            place = places[damage]
            changed = bytes([content[place] ^ 0xFF])
            path.write_bytes(content[:place] + changed + content[place + 1 :])
        case "short":
            path.write_bytes(content[:-30])
        case "empty":
            path.write_bytes(b"")
        case "writable":
            path.chmod(0o666)
        case _:
            path.unlink()
            path.mkdir()
    assert [module.value for module in imported(path)] == [1, 2, 1]


def test_who_wants_no_byte_code_gets_none(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    imported(tmp_path / "modules.bin")
    assert not (tmp_path / "modules.bin").exists()


STARTED = """
import sys
from xtriton.tools.xtriton_opt import main
main(["-"])
print(type(sys.modules["xtriton.ir.reading.parser"].__loader__).__name__)
print(type(sys.modules["xdsl.parser.core"].__loader__).__name__)
print([type(finder).__name__ for finder in sys.meta_path if "Kept" in type(finder).__name__])
"""


def test_a_tool_starts_from_the_file(tmp_path: Path):
    environment = {
        **os.environ,
        "XTRITON_CACHE_DIR": str(tmp_path),
        "PYTHONPYCACHEPREFIX": str(tmp_path / "codes"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ("SourceFileLoader", "_Loader", "_Loader"):
        done = subprocess.run(
            [sys.executable, "-c", STARTED],
            env=environment,
            input="module {}",
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-3:] == [name, name, "[]"]
