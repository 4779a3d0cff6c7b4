"""Where kernels come from, and what they are called."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from xtriton.corpus.collect import keep
from xtriton.corpus.sources import Kernel, kernels_of
from xtriton.errors import UserError

TEXT = "module {\n}\n"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Return a folder as Triton's cache has it: a folder for each kernel, all levels, metadata."""
    for digest, warps in (("ABC", 8), ("DEF", 2)):
        entry = tmp_path / "cache" / digest
        entry.mkdir(parents=True)
        (entry / "add.ttir").write_text(TEXT + f"// {digest}\n")
        (entry / "add.ttgir").write_text(TEXT)
        (entry / "add.json").write_text(json.dumps({"num_warps": warps}))
    return tmp_path / "cache"


def names(*places: Path | str) -> list[str]:
    return [kernel.name for kernel in kernels_of(map(str, places))]


def test_a_cache_gives_the_first_level_and_the_warps(cache: Path):
    found = list(kernels_of([str(cache)]))
    assert [(k.name, k.num_warps) for k in found] == [("ABC/add.ttir", 8), ("DEF/add.ttir", 2)]


def test_other_levels_are_taken_where_they_are_asked_for(cache: Path):
    found = [k.name for k in kernels_of([str(cache)], (".ttgir",))]
    assert found == ["ABC/add.ttgir", "DEF/add.ttgir"]


def test_archives_hold_what_their_folder_holds(cache: Path, tmp_path: Path):
    with tarfile.open(tmp_path / "a.tar.xz", "w:xz") as tar:
        tar.add(cache, ".")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        for path in cache.rglob("*.*"):
            file.write(path, path.relative_to(cache))
    folder = [(k.text, k.num_warps) for k in kernels_of([str(cache)])]
    for archive in ("a.tar.xz", "a.zip"):
        assert [(k.text, k.num_warps) for k in kernels_of([str(tmp_path / archive)])] == folder


def test_a_damaged_archive_is_an_error(tmp_path: Path):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        member = tarfile.TarInfo("a.ttir")
        member.size = 100_000
        tar.addfile(member, io.BytesIO(bytes(range(250)) * 400))
    (tmp_path / "a.tar.gz").write_bytes(data.getvalue()[:-300])
    with pytest.raises(UserError, match="damaged archive"):
        list(kernels_of([str(tmp_path / "a.tar.gz")]))


def test_other_damage_is_an_error(cache: Path, tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.ttir", TEXT * 100)
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[40:44] = b"\xff" * 4
    (tmp_path / "a.zip").write_bytes(data)
    (tmp_path / "b.tar.xz").write_bytes(b"no archive at all")
    for name in ("a.zip", "b.tar.xz"):
        with pytest.raises(UserError, match="damaged archive"):
            list(kernels_of([str(tmp_path / name)]))
    data[6] |= 1  # encrypted
    data[data.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(UserError, match="cannot be unpacked"):
        list(kernels_of([str(tmp_path / "a.zip")]))


def test_what_is_no_file_is_no_kernel(cache: Path):
    (cache / "self").symlink_to(cache)
    (cache / "gone.ttir").symlink_to("nowhere")
    (cache / "folder.ttir").mkdir()
    assert names(cache) == ["ABC/add.ttir", "DEF/add.ttir"]


def test_lists_name_lists_but_not_themselves(cache: Path):
    (cache / "all.txt").write_text("@list.txt\nABC\n")
    (cache / "list.txt").write_text("DEF/add.ttgir\n")
    assert names(f"@{cache / 'all.txt'}") == ["@list.txt/DEF/add.ttgir", "ABC/add.ttir"]
    (cache / "list.txt").write_text("@all.txt\n")
    with pytest.raises(UserError, match="leads to itself"):
        names(f"@{cache / 'all.txt'}")


def test_a_list_names_files_beside_it(cache: Path):
    (cache / "list.txt").write_text("DEF/add.ttgir\n\nABC/add.ttir\n")
    assert names(f"@{cache / 'list.txt'}") == ["DEF/add.ttgir", "ABC/add.ttir"]


def test_several_places_are_told_apart(cache: Path):
    assert names(cache / "ABC", cache / "DEF") == ["ABC/add.ttir", "DEF/add.ttir"]


def test_warps_come_from_text_then_name(tmp_path: Path):
    (tmp_path / "a.w16.ttir").write_text(TEXT)
    (tmp_path / "b.w16.ttgir").write_text('module attributes {"ttg.num-warps" = 2 : i32} {}')
    (tmp_path / "c.ttir").write_text(TEXT)
    assert [k.num_warps for k in kernels_of([str(tmp_path)])] == [16, 2, 4]


def test_kernels_that_differ_in_locations_only_are_kept_once(tmp_path: Path):
    one = '#loc = loc("a.py":1:2)\nmodule {\n  %0 = tt.get_program_id x : i32 loc(#loc)\n}\n'
    two = 'module {\n  %0 = tt.get_program_id x : i32 loc("b.py":3:4)\n}\n'
    other = "module {\n  %0 = tt.get_program_id y : i32\n}\n"
    kernels = [Kernel("x/k.ttir", text, 4) for text in (one, two, other)]
    assert len(keep(kernels, tmp_path)) == 2
    assert not keep(kernels, tmp_path)
