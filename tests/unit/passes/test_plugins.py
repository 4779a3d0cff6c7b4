"""Plug-ins that define a pass as a class."""

from pathlib import Path

import pytest

import xtriton as xt
from xtriton import universe
from xtriton.passes.plugins import load_plugin

PLUGIN = """
from dataclasses import dataclass

from xdsl.passes import ModulePass


@dataclass(frozen=True)
class NothingPass(ModulePass):
    name = "plugin-nothing"
    limit: int = 1

    def apply(self, ctx, op):
        op.attributes.clear()
"""


def test_a_class_becomes_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})
    file = tmp_path / "plugin.py"
    file.write_text(PLUGIN)
    (cls,) = load_plugin(str(file))
    assert universe.pass_class("plugin-nothing") is cls
    module = xt.parse("module attributes {t.a} {}")
    xt.run_passes(module, "plugin-nothing{limit=2}")
    assert not module.attributes


def test_a_plug_in_that_ends_the_process_is_an_error(tmp_path: Path):
    file = tmp_path / "plugin.py"
    file.write_text("import sys\n\nsys.exit(3)\n")
    with pytest.raises(xt.UserError, match=r"raised SystemExit: 3") as caught:
        load_plugin(str(file))
    assert caught.value.position is not None
    assert caught.value.position.line == 3


def test_a_pass_that_ends_the_process_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})
    file = tmp_path / "plugin.py"
    file.write_text(PLUGIN.replace("op.attributes.clear()", "raise SystemExit(3)"))
    load_plugin(str(file))
    with pytest.raises(xt.UserError, match="'plugin-nothing' ended the process with 3"):
        xt.run_passes(xt.parse("module {}"), "plugin-nothing")
