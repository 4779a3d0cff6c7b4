"""
What PyTorch says that kernels read and write: file names come on standard input, one a line.

Run as a program by `measurements.effects`, since libtriton ends with a long list of leaks. Each
answer is a line of JSON: the positions of the arguments read and written, or null with the reason
where PyTorch or the Triton that is installed gives up.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module, metadata
from typing import Any

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

PEER: Any = import_module("torch._higher_order_ops.triton_kernel_wrap")
IR: Any = import_module("triton._C.libtriton").ir
RELEASE = parse_version(".".join(metadata.version("triton").split(".")[:2]))
CONTEXT = context()


def answer(path: str) -> dict[str, Any]:
    """Return what PyTorch says of the kernel in a file, rewritten for the installed Triton."""
    with open(path) as file:
        module = parse_module(file.read(), CONTEXT)
    pointers, count = arguments_of(module)
    triton_context = IR.context()
    IR.load_dialects(triton_context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttir") as scratch:
        scratch.write(print_module(module, version=RELEASE))
        scratch.flush()
        functions = PEER.ttir_to_functions(IR.parse_mlir_module(scratch.name, triton_context))
    PEER.analyze_kernel_access.reset()
    PEER.get_tma_stores.reset()
    names = tuple(map(str, range(count)))
    found = PEER.analyze_kernel_access(
        functions, next(iter(functions)), count, names, frozenset(pointers)
    )
    both = found.read_writes
    return {
        "reads": sorted(int(d.name) for d in both.reads),
        "writes": sorted(int(d.name) for d in both.writes),
    }


def arguments_of(module: Any) -> tuple[list[int], int]:
    """Return the positions of the arguments that are pointers, and how many there are."""
    (function,) = (op for op in module.body.block.ops if op.name == "tt.func")
    arguments = function.regions[0].blocks[0].args
    pointers = [a.index for a in arguments if a.type.name in ("tt.ptr", "tt.tensordesc")]
    return pointers, len(arguments)


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin:
        try:
            found: dict[str, Any] = answer(line.strip())
        except Exception as error:  # theirs, of any kind: one kernel without an answer
            found = {"reads": None, "writes": None, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
