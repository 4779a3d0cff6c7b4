"""The benchmarks' own parts: what the machine can do, and tables in the page."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import machine, report
machine.TRIAD_ELEMENTS = 1 << 16
# A core does 0.1 to 10 TFLOP/s at most, memory 0.1 to 10,000 GB/s.
assert 1e8 < machine.fma_peak() < 1e13
assert 1e8 < machine.triad() < 1e13
assert str(machine.cores()) in machine.name()
page = report.PAGE = Path(sys.argv[2])
found = report.Report("tools", "a machine", ("what", "time"))
found.add(("one", "1 ms"), True, seconds=[0.001])
found.add(("two", "2 ms"), False, seconds=[0.002])
found.add(("three", "3 ms"), None, seconds=[0.003])
sys.argv[1:] = ["--page", "--json", sys.argv[2] + ".json"]
assert report.finish(found, report.options("Text.")) == 1
assert report.finish(found, report.options("Text.")) == 1
"""


def test_tables_replace_those_of_an_earlier_run(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- tools begins -->\nold\n<!-- tools ends -->\nz\n")
    subprocess.run(
        [sys.executable, "-c", PROGRAM, str(BENCHMARKS), str(page)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    text = page.read_text()
    assert (text[:2], text[-2:]) == ("a\n", "z\n")
    assert "old" not in text
    assert text.count("| one | 1 ms | met |") == 1
    assert "| two | 2 ms | missed |\n| three | 3 ms |  |\n" in text
    raw = json.loads(Path(f"{page}.json").read_text())
    assert [row["seconds"] for row in raw["raw"]] == [[0.001], [0.002], [0.003]]
    assert raw["missed"] == ["two"]
