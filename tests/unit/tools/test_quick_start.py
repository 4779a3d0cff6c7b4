"""A tool starts the same with what an earlier start has derived, without it, and with damage."""

import ast
import marshal
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from xtriton.tools.quick_start import Derived

EXAMPLE = Path(__file__).parents[3] / "examples/vector_add.ttir"


def start(cache: Path | str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "xtriton.tools.xtriton_opt", str(EXAMPLE)],
        env=os.environ | {"XTRITON_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_second_start_prints_the_same(tmp_path: Path):
    first = start(tmp_path / "new")
    (file,) = (tmp_path / "new").glob("start-*")
    kept = file.read_bytes()
    assert start(tmp_path / "new") == first == start("")
    assert file.read_bytes() == kept
    codes = derived_codes(file)
    assert codes
    file.write_bytes(kept[:1000] + b"?" + kept[1001:])
    assert start(tmp_path / "new") == first
    assert derived_codes(file) == codes


def derived_codes(file: Path) -> dict[tuple[Any, ...], object]:
    """Return the codes in a file; as bytes they tell what else has their constants."""
    return {text: marshal.loads(data) for text, data in Derived(str(file)).codes.items()}


def derived(path: Path) -> Derived:
    """Return what is known there, with a text and a pattern more."""
    found = Derived(str(path))
    space: dict[str, int] = {}
    found.execute("x = 1 + 1", space)
    assert space["x"] == 2
    assert found.evaluate("x + 1", space) == 3
    assert eval(found.code(b"x + 2", "<string>", "eval"), space) == 4
    wanted = found.code("x: int", "<string>", "exec", flags=ast.PyCF_ONLY_AST)
    assert isinstance(wanted, ast.Module)
    with pytest.raises(SyntaxError):
        found.code("x +", "<string>", "eval")
    pattern = found.compile(r"(?P<word>\w+) (\d+)", re.ASCII | re.IGNORECASE)
    match = pattern.match("ab 12")
    assert (match["word"], match[2], pattern.flags) == ("ab", "12", re.ASCII | re.IGNORECASE)
    assert pattern == re.compile(r"(?P<word>\w+) (\d+)", re.ASCII | re.IGNORECASE)
    return found


def test_what_is_kept_is_not_derived_again(tmp_path: Path):
    path = tmp_path / "start.bin"
    first = derived(path)
    assert first.is_new
    first.write()
    assert not derived(path).is_new


@pytest.mark.parametrize("damage", ["writable", "empty", "folder", "link", "random"])
def test_what_somebody_else_could_have_written_is_not_used(tmp_path: Path, damage: str):
    path = tmp_path / "start.bin"
    derived(path).write()
    match damage:
        case "writable":
            path.chmod(0o666)
        case "empty":
            path.write_bytes(b"")
        case "folder":
            path.unlink()
            path.mkdir()
        case "link":
            path.unlink()
            path.symlink_to("/dev/null")
        case _:
            path.write_bytes(bytes(range(256)) * 8)
    again = derived(path)
    assert again.is_new
    again.write()


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    derived(tmp_path / "file" / "start.bin").write()


ENDED = """
import atexit, io, sys, threading
from xtriton.tools.xtriton_opt import main
output = open(sys.argv[1], "w")
atexit.register(lambda: print("before", file=output))
assert main(["-", "-o", "-"]) == 0
parser = sys.modules["xtriton.ir.reading.parser"]
import xtriton.ir.reading.parser as again
assert parser is again
def told():
    import xtriton.ir.reading.parser as last
    print("behind", last is parser, file=output)
atexit.register(told)
threading.Thread(target=lambda: print("thread", file=output)).start()
sys.stdout.write("unflushed")
sys.exit(3)
"""


ENDS = """
code = main()
class Told:
    def __del__(self, print=print):
        print("taken apart", flush=True)
sys.modules["xtriton.errors"].told = Told()
del code, Told
sys.exit(1)
"""


@pytest.mark.parametrize("own, told", [("", ""), ("own = open", "taken apart\n")])
def test_a_tool_ends_without_taking_its_modules_apart(tmp_path: Path, own: str, told: str):
    code = f"{own}\nimport sys\nfrom xtriton.tools.xtriton_opt import main\n{ENDS}"
    done = subprocess.run(
        [sys.executable, "-c", code, "-"],
        env=os.environ | {"XTRITON_CACHE_DIR": str(tmp_path)},
        input="wrong",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == told


def test_a_process_ends_as_others_do(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", ENDED, str(tmp_path / "told")],
        env=os.environ | {"XTRITON_CACHE_DIR": str(tmp_path)},
        input="module {}",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.endswith("unflushed")
    assert (tmp_path / "told").read_text() == "thread\nbehind True\nbefore\n"
