"""
Build sdist and wheel, and try each in an empty environment of every Python there is.

    python scripts/check_dist.py                       # the Python that runs this
    python scripts/check_dist.py python3.12 python3.14 # these

`make dist` runs it. An environment gets what the package asks for and nothing else; the tools
must start there, a kernel must be read, raised and compiled to native code.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

TRY = """
import pathlib, sys
import numpy as np
import xtriton as xt
from xtriton.cpu import compile_module
from xtriton.interop.native import PIPELINE

module = xt.parse(pathlib.Path(sys.argv[1]).read_text())
for _, passes in PIPELINE:
    xt.run_passes(module, passes)
x, out = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
compile_module(module)(1, [x, x, out, 1000])
assert np.array_equal(out, x + x)
"""


def main() -> int:
    """Build and try; return 1 where something fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("pythons", nargs="*", default=[sys.executable])
    pythons: list[str] = parser.parse_args().pythons
    with tempfile.TemporaryDirectory() as folder:
        dist = Path(folder, "dist")
        _run(sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT))
        packages = sorted(str(path) for path in dist.iterdir())
        _run(sys.executable, "-m", "twine", "check", "--strict", *packages)
        for number, python in enumerate(pythons):
            for package in packages:
                _try(python, package, Path(folder, f"{number}-{Path(package).suffix}"))
    return 0


def _try(python: str, package: str, environment: Path) -> None:
    _run(python, "-m", "venv", str(environment))
    inside = str(environment / "bin" / "python")
    _run(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package)
    # Not in the repository: what is installed has to be found, not what lies there.
    example = str(ROOT / "examples" / "vector_add.ttir")
    _run(inside, "-W", "error", "-c", TRY, example, cwd=environment)
    for tool in sorted((environment / "bin").glob("xtriton*")):
        _run(str(tool), "--version", cwd=environment)
    for words in (["explain"], ["report", "-o", "report.html"]):
        _run(str(environment / "bin" / "xtriton"), *words, example, cwd=environment)
    _run(str(environment / "bin" / "xtriton-lit"), str(ROOT / "examples"), cwd=environment)
    version = subprocess.run([inside, "--version"], capture_output=True, text=True, check=True)
    print(f"{Path(package).name} works in an empty environment of {version.stdout.strip()}")


def _run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, text=True, capture_output=True)
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
        sys.exit(f"error: this failed: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
