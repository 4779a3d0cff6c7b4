"""`xtriton-layout`: tables, pictures and what a conversion moves."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from xtriton.tools import layout_tables
from xtriton.tools.xtriton_layout import main

ROWS = (
    "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 2], "
    "warpsPerCTA = [2, 1], order = [1, 0]}>"
)
COLUMNS = (
    "#ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [2, 2], "
    "warpsPerCTA = [1, 2], order = [0, 1]}>"
)
SHARED = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_table(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, ROWS, "--shape", "4x4").splitlines() == [
        ROWS,
        "T0:0, T0:1, T1:0, T1:1",
        "T2:0, T2:1, T3:0, T3:1",
        "T4:0, T4:1, T5:0, T5:1",
        "T6:0, T6:1, T7:0, T7:1",
    ]


def test_copies_are_named(capsys: pytest.CaptureFixture[str]):
    assert "T0:0|T4:0" in run(capsys, ROWS, "--shape", "2x4")


def test_shared_memory_has_offsets(capsys: pytest.CaptureFixture[str]):
    lines = run(capsys, SHARED, "--shape", "4x4").splitlines()
    assert [line.replace(" ", "") for line in lines[1:]] == [
        "0,1,2,3",
        "5,4,7,6",
        "10,11,8,9",
        "15,14,13,12",
    ]


def test_conversion(capsys: pytest.CaptureFixture[str]):
    text = run(capsys, ROWS, COLUMNS, "--shape", "4x4")
    assert "conversion: between warps" in text
    assert "through shared memory: 64 bytes" in text
    half = run(capsys, ROWS, COLUMNS, "--shape", "4x4", "--bits", "16")
    assert "through shared memory: 32 bytes" in half
    assert "nothing moves" in run(capsys, ROWS, ROWS, "--shape", "4x4")


def test_conflicts_of_a_conversion(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def conflicts(*_: object) -> tuple[int, int]:
        return 1, 2

    monkeypatch.setattr(layout_tables, "bank_conflicts", conflicts)
    assert "bank conflicts: 1 a store, 2 a load" in run(capsys, ROWS, COLUMNS, "--shape", "4x4")


def test_bases(capsys: pytest.CaptureFixture[str]):
    assert "- lane=1 -> (0, 2)" in run(capsys, ROWS, "--shape", "4x4", "--bases")


def test_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    svg, html = tmp_path / "a.svg", tmp_path / "a.html"
    run(capsys, ROWS, COLUMNS, "--shape", "4x4", "--svg", str(svg), "--html", str(html))
    cells = [e for e in ElementTree.parse(svg).iter() if e.get("class") == "c"]
    assert len(cells) == 32
    assert "conversion: between warps" in html.read_text()
    assert 'viewBox="0 0 1000' in svg.read_text()


def test_a_wide_layout_fits_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    svg = tmp_path / "a.svg"
    wide = ROWS.replace("threadsPerWarp = [2, 2]", "threadsPerWarp = [2, 4]")
    run(capsys, wide, "--shape", "64x64", "--svg", str(svg))
    rects = [e for e in ElementTree.parse(svg).iter() if e.get("fill", "").startswith("hsl")]
    right = max(float(e.get("x", "0")) + float(e.get("width", "0")) for e in rects)
    assert right <= 1000
    # A thread's two neighbours share a cell.
    cells = [e for e in ElementTree.parse(svg).iter() if e.get("class") == "c"]
    assert len(cells) == 64 * 64 // 2


def test_layouts_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "kernel.ttgir"
    file.write_text(
        "tt.func @f() {\n"
        f"  %0 = tt.make_range {{end = 8 : i32, start = 0 : i32}} : tensor<8xi32, "
        f"#ttg.slice<{{dim = 0, parent = {ROWS}}}>>\n"
        "  tt.return\n}\n"
    )
    assert "- register=1 -> (1)" in run(capsys, str(file))


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((ROWS,), "--shape is missing"),
        ((ROWS, "--shape", "4x3"), "powers of two"),
        ((ROWS, "--shape", "big"), "--shape wants sizes"),
        (("#ttg.blocked<{}>", "--shape", "4"), "<layout>:1:1: error: expected 'sizePerThread'"),
        ((ROWS + " x", "--shape", "4x4"), "expected the end of the text"),
        ((ROWS, "--shape", "2048x1024"), "at most 1048576 elements"),
        (("nowhere.ttgir",), "cannot read"),
        ((ROWS, "--shape", "4x4", "--svg", "nowhere/a.svg"), "cannot write 'nowhere/a.svg'"),
        (("#ttg.shared_memory", "--shape", "4"), "no linear layout"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str):
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


def test_conflicts_between_registers_and_shared_memory(capsys: pytest.CaptureFixture[str]):
    arguments = (ROWS, SHARED, "--shape", "4x4")
    assert run(capsys, *arguments).splitlines()[-1] == "bank conflicts: 0 an access of a warp"


def test_a_page_is_legible(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    sides = [
        "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>",
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
    ]
    html = tmp_path / "a.html"
    arguments = (*sides, "--shape", "32x32", "--bits", "16")
    said = [line for line in run(capsys, *arguments).splitlines() if "shared memory" in line]
    run(capsys, *arguments, "--html", str(html))
    text = html.read_text(encoding="utf-8")
    assert text.count('<g class="c">') == text.count("</text></g>") == 32 * 32 + 32 * 8
    assert "background: light-dark(" in text
    assert said[0] in text
    assert "2048 bytes" in said[0]
