"""A module that waits runs when it is first asked for something, once, and is itself then."""

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


def test_a_tool_leaves_alone_what_it_does_not_use():
    code = (
        "import sys; from xtriton.tools.xtriton_opt import main; main(['-', '-o', '-']);"
        "print(type(sys.modules['tempfile']).__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="module {}", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "_Waiting"
