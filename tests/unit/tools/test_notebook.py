"""What notebooks show: short HTML that says what it should, and a tutorial that runs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import xtriton as xt
from xtriton.layouts.linear import LinearLayout
from xtriton.tools.notebook import MOST_LINES, html_of, ir_html

ROOT = Path(__file__).parents[3]
VECTOR_ADD = (ROOT / "examples" / "vector_add.ttir").read_text(encoding="utf-8")


def shown(thing: Any) -> str:
    """Return what a notebook gets, after looking that its elements are closed."""
    text: str = thing._repr_html_()
    plain = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    ElementTree.fromstring(plain.replace("<details open>", "<details>"))
    assert "<script" not in text
    return text


def words(text: str) -> str:
    return re.sub(r"<style>.*?</style>|<[^>]*>", "", text, flags=re.DOTALL)


def test_a_module_is_highlighted_and_folds():
    text = shown(xt.parse(VECTOR_ADD))
    assert '<span class="word">tt.load</span>' in text
    assert text.count("<details open>") == text.count("</details>") == 2  # the module, the kernel
    assert "tt.store" in words(text)


def test_what_is_nested_in_a_long_text_is_folded():
    body = "\n".join(["    x"] * MOST_LINES)
    text = ir_html(f"module {{\n  tt.func {{\n  scf.for {{\n{body}\n  }}\n  }}\n}}")
    assert re.findall(r"<details( open)?>", text) == [" open", " open", ""]
    assert text.count("</details>") == 3


def test_an_else_closes_and_opens():
    text = ir_html("scf.if {\n  a\n} else {\n  b\n}")
    assert text.count("<details open>") == text.count("</details>") == 2


def test_accesses_are_drawn_one_or_all():
    accesses = xt.accesses(xt.parse(VECTOR_ADD))
    assert shown(accesses).count('class="head"') == 3
    one = shown(accesses[2])
    assert one.count('class="head"') == 1
    assert "output_ptr" in words(one)
    assert repr(accesses[0]) == "<tt.load 1024: block>"


def test_effects_layouts_and_verdicts_say_what_they_are():
    module = xt.parse(VECTOR_ADD)
    assert "output_ptr" in words(shown(xt.effects.analyze(module)))
    layout = LinearLayout.of({"register": [[1]], "lane": [[2], [4]], "warp": []}, ["dim0"])
    assert "T3:1" in words(shown(layout))
    other = xt.parse(VECTOR_ADD.replace("arith.addf", "arith.subf"))
    assert 'class="good"' in shown(xt.check(module, module.clone()))
    assert 'class="bad"' in shown(xt.check(module, other))


def test_a_compiled_kernel_is_no_flood():
    from xtriton.cpu.kernel import compile_module

    module = xt.parse(VECTOR_ADD)
    xt.run_passes(
        module,
        "triton-to-structured,triton-to-unstructured,triton-arith-to-linalg,"
        "structured-to-memref,unstructured-to-memref,canonicalize,cse",
    )
    kernel = compile_module(module)
    assert repr(kernel) == "<native kernel add_kernel>"
    assert re.search("<summary>LLVM IR, [0-9]+ lines</summary>", shown(kernel))
    stages = {"ttir": "module {\n}", "cubin": b"1234"}
    triton_kernel: Any = type("CompiledKernel", (), {})()
    triton_kernel.metadata = SimpleNamespace(name="k", num_warps=4, target="cpu")
    triton_kernel.asm = stages
    text = html_of(triton_kernel)
    assert "<summary>ttir, 2 lines</summary>" in text
    assert "cubin: 4 bytes" in text


def test_the_tutorial_runs_in_a_kernel_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("triton")
    pytest.importorskip("ipykernel")
    nbclient: Any = pytest.importorskip("nbclient")
    nbformat: Any = pytest.importorskip("nbformat")

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    notebook: Any = nbformat.read(ROOT / "docs" / "first_look.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)  # committed without output
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    pictures: list[str] = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type == "execute_result"
    ]
    assert [("xt" in text, "<svg" in text) for text in pictures] == [
        (True, False), (True, True), (True, False), (True, False), (True, False), (True, True),
        (True, False),
    ]  # fmt: skip
