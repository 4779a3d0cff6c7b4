"""The pictures of the documentation in a real browser: they fit a page, light and dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
WIDTH = 1000
"""Pixels across the window."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

# What is drawn is looked at from outside of the pictures, which have no scripts.
FRAME = """
<iframe id="page" src="NAME" style="border:0;width:1000px;height:3000px"></iframe>
<script>
addEventListener("load", () => {
  const inside = document.getElementById("page").contentDocument;
  LOOK
});
</script>
"""

FIT = """
  const root = inside.documentElement;
  const part = inside.querySelector("svg") || root;
  const right = Array.from(inside.querySelectorAll("text, button, label, pre"),
    one => one.getBoundingClientRect().right);
  const sizes = Array.from(inside.querySelectorAll("svg text"), one =>
    parseFloat(getComputedStyle(one).fontSize) * part.getScreenCTM().a);
  const ink = inside.querySelector("svg text");
  document.body.textContent = JSON.stringify({
    scroll: root.scrollWidth || part.getBoundingClientRect().width,
    right: Math.max(...right), smallest: Math.min(...sizes), texts: sizes.length,
    ink: getComputedStyle(ink).fill, paper: getComputedStyle(ink.closest("svg")).backgroundColor,
  });
"""

STEPS = """
  const shown = step => {
    inside.getElementById(`s${step}`).checked = true;
    return Array.from(inside.querySelectorAll(".now"))
      .filter(one => getComputedStyle(one).visibility == "visible")
      .map(one => one.getAttribute("class"));
  };
  document.body.textContent = JSON.stringify([shown(0), shown(4), shown(0)]);
"""


def look(name: str, script: str, folder: Path, *, dark: bool = False) -> Any:
    """Return what a script finds in a picture, shown in a window of `WIDTH` pixels."""
    assert CHROMIUM is not None
    shutil.copy(PICTURES / name, folder / name)
    page = folder / f"look-{dark}.html"
    page.write_text(FRAME.replace("NAME", name).replace("LOOK", script), encoding="utf-8")
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
        "--virtual-time-budget=5000", f"--window-size={WIDTH},3000", f"--user-data-dir={folder}/me",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r"<body>(.*?)</body>", done.stdout, re.DOTALL)
    assert found is not None, done.stderr
    return json.loads(unescape(found[1]))


def brightness(color: str) -> float:
    """Return how bright a color such as `rgb(28, 39, 51)` is, from 0 to 255."""
    return sum(map(int, re.findall(r"\d+", color)[:3])) / 3


@pytest.mark.parametrize("name", ["accesses.svg", "layouts.svg", "map.html", "report.html"])
def test_a_picture_fits_a_page_and_can_be_read(name: str, tmp_path: Path):
    light, dark = (look(name, FIT, tmp_path, dark=dark) for dark in (False, True))
    for seen in (light, dark):
        assert seen["scroll"] <= WIDTH, "wider than the window"
        assert seen["right"] <= WIDTH, "something stands outside of the page"
        assert seen["smallest"] >= 10, "letters too small to read"
        assert seen["texts"] > 5
    assert brightness(light["ink"]) < 100 < 200 < brightness(light["paper"])
    assert brightness(dark["paper"]) < 60 < 140 < brightness(dark["ink"])


def test_the_map_shows_the_program_that_is_chosen(tmp_path: Path):
    first, fifth, again = look("map.html", STEPS, tmp_path)
    assert first == again
    assert {word for classes in first for word in classes.split()} & {"s0", "s4"} == {"s0"}
    assert {word for classes in fifth for word in classes.split()} & {"s0", "s4"} == {"s4"}
