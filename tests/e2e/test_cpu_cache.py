# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""The cache of `kernel[grid](...)` on the CPU: what is damaged or foreign is compiled anew."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import torch

pytest.importorskip("triton")
import triton
import triton.language as tl

from xtriton.cpu.objects import sealed, unsealed
from xtriton.interop.cpu_backend import cache, driver
from xtriton.kept_files import read_own

jit: Any = triton.jit  # types do not describe Triton's language


def three(out):
    tl.store(out, 3)


@pytest.fixture
def compilations(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[[], list[str]]]:
    """Run a kernel that no process has seen; return the stages that had to be run."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    config: Any = import_module("triton.runtime.driver").driver
    kept = config._active
    driver.activate()
    stages: Any = import_module("xtriton.interop.cpu_backend.stages")
    run: list[str] = []
    machine_code = stages.Lowering.machine_code

    def counted(self: Any, source: Any, metadata: Any) -> Any:
        run.append("machine code")
        return machine_code(self, source, metadata)

    monkeypatch.setattr(stages.Lowering, "machine_code", counted)

    def launch() -> list[str]:
        run.clear()
        out = torch.zeros(1)
        jit(three)[(1,)](out)
        assert out.item() == 3
        return list(run)

    yield launch
    config._active = kept


def files(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in folder.rglob("*") if path.is_file()}


def _swap(path: Path) -> None:
    other = path.with_name("three.llir")
    content = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link(path: Path) -> None:
    moved = path.rename(path.with_name("elsewhere"))
    path.symlink_to(moved)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "emptied": lambda path: path.write_bytes(b""),
    "random": lambda path: path.write_bytes(os.urandom(1000)),
    "removed": lambda path: path.unlink(),
    "swapped": _swap,
    "a FIFO": _fifo,
    "a link": _link,
    "writable by all": lambda path: path.chmod(0o666),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["three.cpuobj", "three.json", "__grp__three.json"])
def test_damage_is_mended(
    compilations: Callable[[], list[str]], tmp_path: Path, name: str, damage: str
):
    assert compilations() == ["machine code"]
    assert compilations() == []
    DAMAGES[damage](files(tmp_path)[name])
    assert compilations() == ["machine code"]
    assert compilations() == []


def test_files_of_another_user_are_not_read(
    compilations: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
):
    compilations()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert compilations() == ["machine code"]


@pytest.mark.parametrize("kind", ["a file in the way", "no home"])
def test_without_a_cache_there_is_one_warning(
    compilations: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    kind: str,
):
    if kind == "no home":
        monkeypatch.delenv("TRITON_CACHE_DIR")
        monkeypatch.setattr(import_module("triton.knobs").cache, "home_dir", "~/")
        monkeypatch.chdir(tmp_path)
    else:
        (tmp_path / "cache").write_text("")
    monkeypatch.setattr(cache, "_warned", [])
    with pytest.warns(UserWarning, match="without a cache"):
        compilations()
    compilations()  # a second warning would be an error


def test_processes_of_which_one_is_killed(tmp_path: Path):
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy, triton, triton.language as tl\n"
        "@triton.jit\n"
        "def k(out):\n    tl.store(out, 3)\n"
        "out = numpy.zeros(1)\nk[(1,)](out)\nassert out[0] == 3\n"
    )
    environment = {
        **os.environ,
        "TRITON_CACHE_DIR": str(tmp_path / "cache"),
        "TRITON_DEFAULT_BACKEND": "cpu",
        "XTRITON_CACHE_DIR": "",
    }
    command = [sys.executable, str(program)]
    processes = [subprocess.Popen(command, env=environment) for _ in range(3)]
    processes[0].kill()
    codes = [process.wait() for process in processes]
    assert codes[1:] == [0, 0]
    subprocess.run(command, env=environment, check=True)


def test_sealed_contents():
    assert unsealed(sealed(b"code\n\0")) == b"code\n\0"
    assert unsealed(sealed(b"code")[:-1]) is None
    assert unsealed(b"") is None
    assert unsealed(b"someone 1.0 0\ncode") is None


def test_only_own_regular_files_are_read(tmp_path: Path):
    path = tmp_path / "file"
    path.write_bytes(b"x")
    assert read_own(path) == b"x"
    for damage in (_folder, _fifo, _link):
        other = tmp_path / damage.__name__
        other.write_bytes(b"x")
        damage(other)
        assert read_own(other) is None
