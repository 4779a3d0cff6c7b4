"""The benchmarks' own parts: what the machine can do, and tables in the page."""

import json
import os
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


PIPELINE = """
import sys
sys.path.insert(0, sys.argv[1])
import triton_cpu
passes = triton_cpu.pipeline()
assert passes.startswith("builtin.module(triton-cpu-scalarize{skip-gather-scatter=true},")
assert "^" not in passes and ",," not in passes and passes.count("{") == passes.count("}")
text = 'tt.func public @k(%a: i32 loc("a"(#loc)), %b: f32 loc(#loc1)) {\\n#loc = loc(unknown)\\n'
assert triton_cpu.without_locations(text) == "tt.func public @k(%a: i32, %b: f32) {\\n"
assert triton_cpu._passed(text, {"a": 1, "one": 1, "b": 2.0}) == {"a": 1, "b": 2.0}
sys.argv[1:] = []
assert triton_cpu.main() == 0
"""


def test_triton_cpu_is_skipped_where_there_is_none():
    environment = {k: v for k, v in os.environ.items() if k != "XTRITON_TRITON_CPU_OPT"}
    done = subprocess.run(
        [sys.executable, "-c", PIPELINE, str(BENCHMARKS)],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.stdout == "skipped: XTRITON_TRITON_CPU_OPT is not set\n"
