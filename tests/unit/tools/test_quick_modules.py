"""A module that waits runs when it is first asked for something, once, and is itself then."""

import os
import string
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from xtriton.tools import quick_modules


def test_a_module_waits_until_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "told.py").write_text("told = []\n")
    (tmp_path / "late_one.py").write_text("import told\ntold.told.append(1)\nvalue = 3\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "xdsl", raising=False)
    quick_modules.load_late(("late_one", "no_such_module"))
    late_one, told = import_module("late_one"), import_module("told")
    assert told.told == []
    assert late_one.value == late_one.value == 3
    assert told.told == [1]
    assert type(late_one) is ModuleType
    with pytest.raises(AttributeError):
        late_one.nothing  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        import_module("no_such_module").value  # noqa: B018
    del sys.modules["no_such_module"]  # Others ask all modules that are there.


def test_a_name_that_stands_does_not_load_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "standing_parent").mkdir()
    (tmp_path / "standing_parent" / "__init__.py").write_text("")
    (tmp_path / "standing_parent" / "late_two.py").write_text("import told_two\none = other = 2\n")
    (tmp_path / "told_two.py").write_text("")
    name = "standing_parent.late_two"
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "xdsl", raising=False)
    monkeypatch.setitem(quick_modules.STANDING, name, {"one": 1})
    quick_modules.load_late((name,))
    space: dict[str, int] = {}
    exec(f"from {name} import one; import {name} as late", space)
    assert space["one"] == 1
    assert "told_two" not in sys.modules
    exec(f"from {name} import one, other", space)
    assert (space["one"], space["other"]) == (1, 2)
    assert "told_two" in sys.modules


@pytest.mark.parametrize("package", quick_modules.PASSED_ON)
def test_a_package_passes_names_on_from_where_they_are(package: str):
    for home, names in quick_modules.PASSED_ON[package].items():
        module = import_module(f"{package}.{home}")
        for name in names:
            assert getattr(import_module(package), name) is vars(module)[name]


def test_a_constant_that_stands_is_the_module_s():
    for name, value in quick_modules.STANDING["string"].items():
        assert value == getattr(string, name)


PASSED_ON = """
import sys
from xtriton.tools.quick_modules import load_late, load_xdsl_late
load_late()
load_xdsl_late()
from xdsl.dialects.utils import FastMathFlag
assert "xdsl.dialects.utils.dimension_list" not in sys.modules
from xdsl.dialects.utils import DimensionList
import xdsl.dialects.utils.dimension_list as home
import xdsl.dialects.utils
assert DimensionList is home.DimensionList
assert FastMathFlag is vars(xdsl.dialects.utils)["FastMathFlag"]
assert type(xdsl.dialects.utils) is type(sys)
assert xdsl.dialects.utils.__file__.endswith("__init__.py")
"""


def test_a_package_is_itself_when_it_is_asked_for_another_name():
    subprocess.run([sys.executable, "-c", PASSED_ON], check=True)


FOUND = """
import sys
from xtriton.tools.quick_modules import LOADER, load_late, load_xdsl_late
load_late()
load_xdsl_late()
import xdsl.dialects
import pathlib
assert pathlib.Path  # which looks for a module that is there on Windows only
xdsl.dialects.__path__.append(sys.argv[1])
try:
    import xdsl.dialects.none
except ModuleNotFoundError:
    pass
else:
    raise AssertionError
def finders():
    return [type(f).__name__ for f in sys.meta_path if "Finder" in type(f).__name__]
assert type(sys.modules[LOADER]).__name__ == "_Waiting"
assert "_LateFinder" in finders()
import xdsl.dialects.shapes
assert "IRDLDialectFinder" in finders() and "_LateFinder" not in finders()
assert [op.name for op in xdsl.dialects.shapes.Shapes.operations] == ["shapes.area"]
"""


def test_a_dialect_in_irdl_is_found(tmp_path: Path):
    text = "irdl.dialect @shapes {\n  irdl.operation @area {}\n}\n"
    (tmp_path / "shapes.irdl").write_text(text)
    subprocess.run([sys.executable, "-c", FOUND, str(tmp_path)], check=True)


LEFT_ALONE = """
import sys
from xtriton.tools.xtriton_opt import main
main(["-", "-o", "-"])
for name in ("bisect", "dis", "importlib.resources", "urllib.parse"):
    assert name not in sys.modules, name
if sys.version_info < (3, 14):  # since then `dataclasses` brings it
    assert "ast" not in sys.modules
for name in ("array", "importlib.util", "xdsl.utils.dialect_stub", "zlib"):
    assert name not in sys.modules, name
for name in ("xdsl.passes", "xdsl.irdl.declarative_assembly_format", "xtriton.abi"):
    assert name not in sys.modules, name
for name in ("passes.manager", "passes.instruments", "tools.reproducer", "tools.bug_report"):
    assert "xtriton." + name not in sys.modules, name
from xdsl.dialects.builtin import FloatData
assert FloatData(1.0) in {FloatData(1.0)}
for name in ("ctypes", "tempfile", "inspect", "pathlib", "threading", "typing_extensions"):
    assert type(sys.modules[name]).__name__ == "_Waiting", name
for name in ("builder", "folder", "rewriter", "utils.worklist"):
    assert "xdsl." + name not in sys.modules, name
for name in ("affine", "cf", "tensor", "ub", "vector"):
    assert "xdsl.dialects." + name not in sys.modules, name
import xtriton.dialects.upstream.cf as cf
from xtriton.dialects.upstream.tensor import EmptyOp
assert cf.BranchOp.name == "cf.br" and EmptyOp.name == "tensor.empty"
from xtriton.late_definitions import _waiting
from xdsl.dialects.builtin import UnrealizedConversionCastOp
assert UnrealizedConversionCastOp in _waiting
import xdsl.dialects.arith
from xdsl.pattern_rewriter import RewritePattern
assert "match_and_rewrite" in vars(RewritePattern)
assert sys.modules["xdsl.pattern_rewriter"] is xdsl.pattern_rewriter
assert "xdsl.rewriter" in sys.modules
"""


def test_a_tool_leaves_alone_what_it_does_not_use(tmp_path: Path):
    environment = os.environ | {"XTRITON_CACHE_DIR": str(tmp_path)}
    for code in (LEFT_ALONE.partition("for name")[0], LEFT_ALONE):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            input="module {}",
            capture_output=True,
            text=True,
        )
        assert done.stderr == ""


THREADS = """
import time
from xtriton.tools.quick_modules import load_late
load_late()
from xdsl.builder import ImplicitBuilder
import threading
assert type(threading).__name__ == "_Waiting"
def work():
    time.sleep(0.1)
    print("done", threading.main_thread() is not threading.current_thread())
if {}:
    threading.Thread(target=work).start()
"""


@pytest.mark.parametrize(("starts_one", "shown"), [(False, ""), (True, "done True\n")])
def test_python_waits_for_threads_at_its_end_where_there_are_some(starts_one: bool, shown: str):
    code = THREADS.format(starts_one)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (shown, "")
