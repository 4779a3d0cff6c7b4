"""
Write what Intel's backend of August 2026 makes of kernels, pass by pass.

    python scripts/make_stages.py FOLDER

FOLDER has `kernels.py` with `KERNELS`. For each a `NAME.stages.mlir` is written: the TTIR of the
installed Triton, then the module behind each pass of the pipeline that changes it.
XTRITON_INTEL_TRITON_OPT_2026_08 names the backend's `triton-opt`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from measurements.real_backend import BINARIES, pipeline_for
from measurements.real_passes import real_stages
from rich.progress import track

from xtriton.interop.triton import Specialization, ttir_of
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

RELEASE = "2026-08"


def main() -> int:
    """Write the files; 1 if the backend refuses a kernel."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    binary = os.environ.get(BINARIES[RELEASE])
    if binary is None:
        raise SystemExit(f"error: {BINARIES[RELEASE]} names no triton-opt")
    sys.path.insert(0, str(folder))
    refused = 0
    for kernel, (types, constants) in track(import_module("kernels").KERNELS.items(), "kernels"):
        signature = {
            name: types.get(name, "i32") for name in kernel.arg_names if name not in constants
        }
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch, f"{kernel.__name__}.ttir")
            file.write_text(_ttir(kernel, signature, constants), encoding="utf-8")
            text = _stages(binary, file)
        if text is None:
            print(f"the backend refuses {kernel.__name__}", file=sys.stderr)
            refused = 1
        else:
            target = folder / f"{kernel.__name__}.stages.mlir"
            target.write_text(text, encoding="utf-8")
    return refused


def _ttir(kernel: object, signature: dict[str, str], constants: dict[str, int]) -> str:
    aligned = tuple(name for name, type in signature.items() if type != "fp32")
    how = Specialization(signature, constants, aligned)
    return print_module(parse_module(ttir_of(kernel, how), context()))  # pyright: ignore[reportArgumentType]


def _stages(binary: str, file: Path) -> str | None:
    found = real_stages(binary, RELEASE, file)
    if found is None:
        return None
    source, *after = found
    parts, last = [f"// ttir\n{source.strip()}\n"], source
    for name, text in zip(pipeline_for(file, RELEASE).passes(), after, strict=True):
        module = print_module(parse_module(text, context()))
        if module != last:
            parts.append(f"// {name}\n{module.strip()}\n")
            last = module
    return "\n// -----\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
