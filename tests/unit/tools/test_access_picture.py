"""`xtriton-explain --svg`: where tiles lie in memory."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import xtriton as xt
from xtriton.tools.access_picture import LEFT, ROOM, picture

ROWS = """
tt.func public @rows(%x: !tt.ptr<f16>, %m: i32, %n: i32, %stride: i32, %around: i32) {
  %pid = tt.get_program_id x : i32
  %c32 = arith.constant 32 : i32
  %first = arith.muli %pid, %c32 : i32
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %firsts = tt.splat %first : i32 -> tensor<32xi32>
  %rows = arith.addi %firsts, %r : tensor<32xi32>
  ROWS
  %row = tt.expand_dims %place {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %col = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %s = tt.splat %stride : i32 -> tensor<32x1xi32>
  %o = arith.muli %row, %s : tensor<32x1xi32>
  %o2 = tt.broadcast %o : tensor<32x1xi32> -> tensor<32x64xi32>
  %c2 = tt.broadcast %col : tensor<1x64xi32> -> tensor<32x64xi32>
  %at = arith.addi %o2, %c2 : tensor<32x64xi32>
  %ns = tt.splat %n : i32 -> tensor<32x64xi32>
  %mask = arith.cmpi slt, %c2, %ns : tensor<32x64xi32>
  %p = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %ps = tt.addptr %p, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %v = tt.load %ps, %mask : tensor<32x64x!tt.ptr<f16>>
  tt.store %ps, %v, %mask : tensor<32x64x!tt.ptr<f16>>
  tt.return
}
"""
PLAIN = ROWS.replace("  ROWS\n", "").replace("%place", "%rows")
WRAPPED = ROWS.replace(
    "ROWS\n",
    "%as = tt.splat %around : i32 -> tensor<32xi32>\n"
    "  %place = arith.remsi %rows, %as : tensor<32xi32>\n",
)

Box = tuple[float, float, float, float]


def boxes(text: str, panel: str, **attributes: str) -> list[Box]:
    """Return the rectangles with some attributes, all panels' or only those of `panel`."""
    root = ElementTree.fromstring(re.sub(' xmlns="[^"]+"', "", text, count=1))
    found: list[Box] = []
    current = ""
    for part in root:
        if part.get("class") == "head":
            current = part.text or ""
        fits = all(part.get(key) == value for key, value in attributes.items())
        if part.tag == "rect" and panel in current and fits:
            x, y, w, h = (float(part.get(key, "0")) for key in ("x", "y", "width", "height"))
            found.append((x, y, w, h))
    return found


def test_the_tile_lies_where_the_program_is():
    first = picture(xt.parse(PLAIN), {"n": 128})
    (here,) = boxes(first, "load", style="fill:var(--load)")
    memory = boxes(first, "load", **{"class": "memory"})[0]
    # n columns are drawn over the whole width; the tile has half of them, from the left edge.
    assert memory[0] == here[0] == LEFT
    assert memory[2] == ROOM
    assert here[2] == pytest.approx(ROOM / 2)
    others = boxes(first, "load", **{"class": "other"})
    assert [round((y - here[1]) / here[3]) for _, y, _, _ in others] == [1, 2]


def test_the_mask_cuts_columns_off():
    cut = boxes(picture(xt.parse(PLAIN), {"n": 48}), "load", **{"class": "cut"})
    here = boxes(picture(xt.parse(PLAIN), {"n": 48}), "load", style="fill:var(--load)")[0]
    assert cut[0][0] == pytest.approx(here[0] + here[2] * 48 / 64, abs=0.2)
    assert cut[0][2] == pytest.approx(here[2] * 16 / 64, abs=0.2)
    assert boxes(picture(xt.parse(PLAIN), {"n": 64}), "load", **{"class": "cut"}) == []


def test_a_tile_goes_round_at_the_end():
    text = picture(xt.parse(WRAPPED), {"n": 64, "around": 80, "pid_x": 2})
    pieces = boxes(text, "load", style="fill:var(--load)")
    assert len(pieces) == 2
    # Rows 64 to 79 at the end, then rows 0 to 15 at the top.
    assert pieces[0][3] == pytest.approx(pieces[1][3], abs=0.2)
    assert pieces[1][1] < pieces[0][1]
    assert "wraps around at around" in text


def test_words_stand_in_the_picture():
    text = picture(xt.parse(PLAIN), {})
    for words in ("n = 160 (contiguous)", "stride stride", "pid_x + 1", "store 32×64 — block"):
        assert words in text
    assert 'viewBox="0 0 1000' in text
    assert "prefers-color-scheme: dark" in text
    assert len(text) < 20_000


def test_unknown_names(tmp_path: Path):
    with pytest.raises(xt.UserError, match="no formula has a 'z'"):
        picture(xt.parse(PLAIN), {"z": 1})


def test_accesses_without_a_form_say_why():
    text = """
    tt.func public @gather(%x: !tt.ptr<f32>, %at: !tt.ptr<i32>) {
      %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %p = tt.splat %at : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
      %ps = tt.addptr %p, %i : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
      %j = tt.load %ps : tensor<32x!tt.ptr<i32>>
      %q = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
      %qs = tt.addptr %q, %j : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %v = tt.load %qs : tensor<32x!tt.ptr<f32>>
      tt.store %qs, %v : tensor<32x!tt.ptr<f32>>
      tt.return
    }
    """
    drawn = picture(xt.parse(text), {})
    assert "load 32 — gather" in drawn
    assert "in the way:" in drawn
