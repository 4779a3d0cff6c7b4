"""What README.md and docs/ tell the reader to type works as it stands there."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import redirect_stderr
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from xtriton.__main__ import COMMANDS

ROOT = Path(__file__).parents[2]
GENERATED = ("analyses.md", "api.md", "ops.md", "passes.md")
PAGES = [ROOT / "README.md", *(p for p in (ROOT / "docs").glob("*.md") if p.name not in GENERATED)]

SCRIPT = re.compile(r"xtriton-(\w+)(?: |$)")


def commands() -> list[str]:
    """Return the lines of indented blocks that call one of the tools."""
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    found = [line.strip() for line in lines if line.startswith("    ")]
    return sorted({line for line in found if SCRIPT.match(line)})


def blocks(kind: str, pages: Sequence[Path] = PAGES) -> list[str]:
    """Return what stands between "```kind" and "```"."""
    pattern = re.compile(rf"^```{kind}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    return [block for page in pages for block in pattern.findall(page.read_text(encoding="utf-8"))]


def console(page: Path) -> list[tuple[str, str]]:
    """Return the commands of a page with what they print."""
    parts = [p for block in blocks("console", [page]) for p in block.split("\n$ ")]
    return [(c.removeprefix("$ "), output) for c, _, output in (p.partition("\n") for p in parts)]


CONSOLES = [page for page in PAGES if console(page)]


@pytest.fixture(autouse=True)
def _in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the files that the documentation speaks of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in blocks("python"):
        if '@xt.module_pass("my-pass")' in block:
            Path("my_pass.py").write_text(block, encoding="utf-8")
        if name := re.match(r"# (\w+\.py)\n", block):
            Path(name[1]).write_text(block, encoding="utf-8")
    for block in blocks("mlir"):
        if name := re.match(r"// (\w+\.mlir)\n", block):
            Path(name[1]).write_text(block, encoding="utf-8")


def run(line: str) -> int:
    """Run a command line with its tool's `main`; `-o` and the like write to the scratch folder."""
    line, _, errors = line.partition(" 2> ")
    # A shell takes `(` or `<` for its own where they are not quoted.
    bare = re.sub(r"'[^']*'|\"[^\"]*\"| #.*", "", line)
    assert not re.search(r"[()<>&;]", bare), f"quote it: {line}"
    if "python " in line or "=" in line.split()[0]:
        return run_program(line)
    script, *arguments = shlex.split(line, comments=True)
    command = arguments.pop(0) if script == "xtriton" else script.removeprefix("xtriton-")
    main = import_module(COMMANDS[command]).main
    if not errors:
        return main(arguments)
    with Path(errors).open("w") as file, redirect_stderr(file):
        return main(arguments)


def run_program(line: str) -> int:
    """Run `NAME=VALUE program ...` in a process of its own, as Triton reads its environment."""
    pytest.importorskip("triton")
    words = shlex.split(line)
    first = next(number for number, word in enumerate(words) if "=" not in word)
    given = dict(word.split("=", 1) for word in words[:first])
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    kept = {"TRITON_CACHE_DIR": str(Path("of-triton").absolute()), "PATH": path}
    environment = {**os.environ, **kept, **given}
    command = words[first:]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode


@pytest.mark.parametrize("line", commands())
def test_command(line: str, capsys: pytest.CaptureFixture[str]):
    assert run(line) == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert out or "-o " in line or "--svg" in line


@pytest.mark.parametrize("page", CONSOLES, ids=lambda page: page.name)
def test_console(page: Path, capsys: pytest.CaptureFixture[str]):
    # Results of a command are read by those after it.
    if page.name == "cpu.md":
        pytest.importorskip("torch")
    for line, expected in console(page):
        run(line)
        captured = capsys.readouterr()
        printed = "\n".join(text.rstrip() for text in captured.out.strip().splitlines())
        parts = [
            re.escape(part.strip("\n")) for part in re.split(r"^\.\.\.$", expected, flags=re.M)
        ]
        pattern = r"\n(?:.*\n)*".join(parts)
        end = "\n" if expected.rstrip().endswith("\n...") else ""
        assert re.fullmatch(pattern, printed + end), f"{line}\n{captured.out}\n{captured.err}"


def test_the_error_of_the_tutorial(capsys: pytest.CaptureFixture[str]):
    text = Path("remainder.py").read_text(encoding="utf-8")
    Path("remainder.py").write_text(
        text.replace("found = xt.match(op.result, REMAINDER)", "found = op.operands[2]")
    )
    assert run("xtriton-opt kernel.mlir --load-pass-plugin=remainder.py --remainder-to-mask")
    printed = re.sub(r"at .*/", "at .../", capsys.readouterr().err)
    page = (ROOT / "docs" / "write_a_pass.md").read_text(encoding="utf-8")
    for line in printed.splitlines()[:4]:
        assert f"\n    {line}\n" in page


def test_there_are_consoles():
    assert sorted(page.name for page in CONSOLES) == [
        "README.md", "backend_on_linalg.md", "block_loads.md", "corpus.md", "cpu.md", "debug_a_kernel.md", "interpreter.md", "reading_layouts.md",
        "what_it_writes.md", "write_a_pass.md",
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:`torch.jit.script_method` is deprecated:DeprecationWarning")
@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_block(number: int, tmp_path: Path):
    block = blocks("python")[number]
    for package in re.findall(r"^import (torch|triton)$", block, re.MULTILINE):
        pytest.importorskip(package)
    path = tmp_path / "example.py"
    path.write_text(block, encoding="utf-8")
    runpy.run_path(str(path))


def test_every_tool_is_introduced():
    with (ROOT / "pyproject.toml").open("rb") as file:
        scripts: dict[str, str] = tomllib.load(file)["project"]["scripts"]
    lines = [line for line, _ in console(ROOT / "README.md")]
    named = {f"xtriton-{m[1]}" for line in lines if (m := SCRIPT.match(line))}
    assert scripts.pop("xtriton") == "xtriton.__main__:main"
    assert named == set(scripts)
    tools = {name: module for name, module in COMMANDS.items() if find_spec(module)}
    for name in ("demo", "new-pass"):
        del tools[name]
    assert scripts == {f"xtriton-{name}": f"{module}:main" for name, module in tools.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    # A link may have code for its text, but code such as `kernel[grid](...)` is no link.
    text = re.sub(r"`[^`\n]*\]\([^`\n]*`", "", text)
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert missing == []


def test_the_readme_leads_to_every_page():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in (ROOT / "docs").glob("*.md") if f"(docs/{p.name})" not in text] == []


def test_make_knows_the_targets():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for target in re.findall(r"`make (\w+)`|^    make (\w+)", text, re.MULTILINE):
        assert re.search(rf"^{''.join(target)}:", makefile, re.MULTILINE)


def test_the_text_of_the_example_is_up_to_date(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("triton")
    import xtriton as xt

    monkeypatch.setattr(sys, "path", [str(ROOT / "examples"), *sys.path])
    kernel = import_module("vector_add").add_kernel
    pointers = dict.fromkeys(("x_ptr", "y_ptr", "output_ptr"), "*fp32")
    same("vector_add", xt.ttir(kernel, {**pointers, "n_elements": "i32"}, {"BLOCK_SIZE": 1024}))
    pointers = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*fp16")
    sizes = dict.fromkeys(("M", "N", "K", "stride_am", "stride_bk", "stride_cm"), "i32")
    blocks = {"BLOCK_SIZE_M": 128, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32, "GROUP_SIZE_M": 8}
    ones = dict.fromkeys(("stride_ak", "stride_bn", "stride_cn"), 1)
    text = xt.ttir(
        import_module("matmul").matmul_kernel,
        {**pointers, **sizes},
        {**blocks, **ones},
        divisible=[*pointers, *sizes],
    )
    same("matmul", text)


def same(name: str, text: str):
    expected = (ROOT / "examples" / f"{name}.ttir").read_text(encoding="utf-8")
    text = re.sub(rf'"[^"]*/{name}.py"', f'"examples/{name}.py"', text)
    text = re.sub(r'"[^"]*/triton/language/', '"triton/language/', text)
    assert text.strip() == expected.strip()


def test_every_page_is_in_the_navigation():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [p.name for p in (ROOT / "docs").glob("*.md") if f": {p.name}\n" not in text] == []


def test_all_public_names_have_reference_entries():
    import xtriton as xt
    from xtriton import effects

    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names = [f"xt.{name}" for name in xt.__all__ if callable(getattr(xt, name))]
    names += [f"effects.{name}" for name in effects.__all__]
    assert [name for name in names if f"### {name}\n" not in text] == []


def test_what_the_pages_import_has_reference_entries():
    """Ops have a page of their own; of what else pages import, programs will call it."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^#{2,3} (?:\w+\.)?([\w.]+)$", text, re.MULTILINE))
    named = re.compile(
        r"^\s*(?:from (xtriton[\w.]*) )?import ([\w, .]+?)(?: as \w+)?$", re.MULTILINE
    )
    for home, names in named.findall("".join(blocks("python"))):
        for name in names.split(", "):
            full = f"{home}.{name}".lstrip(".")
            if full.split(".")[0] == "xtriton" and "dialects" not in full:
                assert {full, name} & headings or f"## {full}\n" in text, full


def test_broken_links_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site = tmp_path / "site"
    (site / "more").mkdir(parents=True)
    links = ["more/a.html", "more/a.html#x", "more/", "#", "https://example.com", "/a.png"]
    broken = ["more/b.html", "more/a.html#y", "#z"]
    text = "".join(f'<a href="{link}">' for link in links + broken)
    (site / "index.html").write_text(text, encoding="utf-8")
    (site / "more" / "a.html").write_text('<h1 id="x">', encoding="utf-8")
    (site / "more" / "index.html").touch()
    (site / "a.png").touch()
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts"), *sys.path])
    found = [*import_module("check_links").broken_links(site)]
    assert [line.rpartition(": ")[2] for line in found] == broken
