"""
What a tool costs: cold processes of `xtriton-opt` on a GEMM, and the passes in a warm one.

    python benchmarks/tools.py [--json FILE] [--page]

CPU time (user and system) of whole processes, in turns, medians; byte code and what the tools
keep are warm, as at a user's second run. `mlir-opt`, if it is there, reads and prints the same
module in generic form. Exit code 1 if a bar is missed.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
import report

import xtriton as xt

GEMM = Path(__file__).parents[1] / "tests" / "e2e" / "intel" / "gemm_pointers.mlir"
ROUNDS = 15
START = "import sys; from xtriton.tools.xtriton_opt import main; sys.exit(main())"
LINALG = "triton-to-linalg-experimental"
INTEL = "xtriton-intel-ttgir-pipeline"
KERNELS = 40


def commands(generic: Path) -> dict[str, tuple[list[str], float | None]]:
    """Return what is run by its name, with the bar in seconds."""
    python = sys.executable
    tool = [python, "-c", START, str(GEMM)]
    found: dict[str, tuple[list[str], float | None]] = {
        "python": ([python, "-c", ""], None),
        "import xtriton, beyond python": ([python, "-c", "import xtriton"], 0.03),
        "parse and print": (tool, 0.12),
        "structured": ([*tool, "--triton-to-structured"], 0.2),
        "linalg": ([*tool, f"--{LINALG}"], 0.3),
        "TTGIR for Intel": ([*tool, f"--{INTEL}"], 0.3),
    }
    mlir = next(filter(None, map(shutil.which, ("mlir-opt", "mlir-opt-22"))), None)
    if mlir is not None:
        line = [mlir, "--allow-unregistered-dialect", str(generic)]
        found["mlir-opt, parse and print"] = (line, None)
    return found


def cpu_seconds(command: list[str], environment: dict[str, str]) -> float:
    """Return what a process takes from its start to its end, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cold(found: report.Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        generic = Path(folder) / "gemm.mlir"
        text = subprocess.run(
            [sys.executable, "-c", START, str(GEMM), "--mlir-print-op-generic"],
            capture_output=True,
            text=True,
            check=True,
        )
        generic.write_text(text.stdout)
        environment = os.environ | {
            "PYTHONPYCACHEPREFIX": folder,
            "XTRITON_CACHE_DIR": f"{folder}/kept",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        every = commands(generic)
        for command, _ in every.values():
            cpu_seconds(command, environment)
        times: dict[str, list[float]] = {name: [] for name in every}
        for _ in range(ROUNDS):
            for name, (command, _) in every.items():
                times[name].append(cpu_seconds(command, environment))
    bare = statistics.median(times["python"])
    for name, (_, bar) in every.items():
        seconds = statistics.median(times[name]) - (bare if "beyond" in name else 0)
        shown = f"≤ {bar * 1e3:.0f} ms" if bar else ""
        cells = (name, f"{max(seconds, 0) * 1e3:.0f} ms", f"{min(times[name]) * 1e3:.0f} ms", shown)
        found.add(cells, None if bar is None else seconds <= bar, seconds=times[name])


def warm(found: report.Report) -> None:
    """Time passes over many kernels in this process, for each op that they read."""
    kernel = GEMM.read_text().split("module {\n")[1].rsplit("}", 1)[0]
    copies = [kernel.replace("@gemm_pointers", f"@gemm_{i}") for i in range(KERNELS)]
    text = "module {\n" + "".join(copies) + "}\n"
    for name, pipeline, bar in (
        ("structured and linalg, warm", LINALG, 85.0),
        ("TTGIR for Intel, warm", INTEL, None),
    ):
        times: list[float] = []
        for _ in range(5):
            module = xt.parse(text)
            ops = sum(1 for _ in module.walk())
            start = time.process_time()
            xt.run_passes(module, pipeline)
            times.append((time.process_time() - start) / ops * 1e6)
        each = statistics.median(times)
        shown = f"≤ {bar:.0f} µs an op" if bar else ""
        cells = (name, f"{each:.0f} µs an op", f"{min(times):.0f} µs an op", shown)
        found.add(cells, None if bar is None else each <= bar, microseconds=times)


def main() -> int:
    chosen = report.options(__doc__)
    found = report.Report("tools", machine.name(), ("process", "median", "least", "at most"))
    cold(found)
    warm(found)
    return report.finish(found, chosen)


if __name__ == "__main__":
    sys.exit(main())
