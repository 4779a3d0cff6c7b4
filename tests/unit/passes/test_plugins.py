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
