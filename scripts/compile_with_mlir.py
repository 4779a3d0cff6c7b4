"""
Compile lowered kernels with MLIR's own tools, run them, and compare with the interpreter.

    python scripts/compile_with_mlir.py KERNEL.ttir ... [--sample 50] [--show]

Each kernel is lowered by `triton-to-linalg-experimental`, taken to LLVM IR by `mlir-opt`
and `mlir-translate` with upstream's passes alone, and compiled in this process. It runs on
arrays that hold what the interpreter's made-up memory holds; what it wrote must be what
the interpreter's run of the TTIR wrote.
"""

import argparse
import ctypes
import gc
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import llvmlite.binding as llvmlite_binding
from array_launches import Argument, NotComparable, compare, in_child, launch_on_arrays

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interop import mlir
from xtriton.interpreter.arguments import Parameter
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.judge.launches.draws import Draw
from xtriton.tools.semantics_check import kernel_names

llvm: Any = llvmlite_binding

PASSES = (
    "convert-linalg-to-loops,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries},"
    "convert-linalg-to-loops,"
    "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "arith-expand{include-bf16 include-f8e8m0},memref-expand,"
    "convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
    "finalize-memref-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts"
)


def main() -> int:
    """Run the sample and print a line for what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])  # pyright: ignore[reportOptionalMemberAccess]
    parser.add_argument("kernels", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    prepare()
    counts: Counter[str] = Counter()
    step = max(1, len(arguments.kernels) // arguments.sample)
    for path in arguments.kernels[::step]:
        if counts["right"] + counts["wrong"] >= arguments.sample:
            break
        if arguments.show:
            print(path.name, end=" ", flush=True)
        try:
            verdict = check(path)
        except NotComparable as e:
            verdict = f"no launch: {e}"
        except UserError as e:
            verdict = "\n".join([f"refused: {e.message}", *e.notes[:3]])
        counts[verdict.partition(":")[0]] += 1
        if arguments.show or not verdict.startswith("right"):
            print(f"{path.name}: {verdict}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return int(bool(counts["wrong"] or counts["refused"]))


def prepare() -> None:
    """Make LLVM ready for code of this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for library in _libraries():
        llvm.load_library_permanently(library)
    for name, of in _DEVICE_FUNCTIONS.items():
        llvm.add_symbol(name, llvm.address_of_symbol(of))
    ctypes.CDLL(None).mallopt(_M_PERTURB, ~_FRESH & 0xFF)


_DEVICE_FUNCTIONS = {"__nv_lgammaf": "lgammaf", "__nv_lgamma": "lgamma"}
"""External functions of lowered kernels, which whoever runs these provides, by C's name."""
_M_PERTURB = -6
_FRESH = 0x3C
"""What bytes of new memory are: in the interpreter undefined floats are finite, and so here."""


def _libraries() -> list[str]:
    """Return what compiled kernels call: libm, and MLIR's runtime for copies of strided memory."""
    judge = mlir.find()
    if judge is None:
        return ["libm.so.6"]
    folder = judge.path.resolve().parent.parent / "lib"
    return ["libm.so.6", *map(str, sorted(folder.glob("libmlir_c_runner_utils.so*")))]


def check(path: Path, lower_from: str | None = None) -> str:
    """Return "right", or "wrong" and how; `lower_from` is another text to compile."""
    context = universe.context()
    text = path.read_text()
    original = parse_module(text, context, file=str(path))
    lowered = parse_module(lower_from or text, context, file=str(path))
    name = kernel_names(original)[0]
    universe.pass_class("triton-to-linalg-experimental")().apply(context, lowered)
    draw, expected, arrays, known = launch_on_arrays(original, name)
    address = _compile(print_module(lowered), name)
    verdict = in_child(lambda: _run(address, draw, expected, arrays, known))
    _alive.clear()
    gc.collect()  # made-up memory is large address space, which children would have to map
    return verdict


def _run(
    address: int,
    draw: Draw,
    expected: dict[int, Any],
    arrays: dict[int, Argument],
    known: list[Parameter],
) -> str:
    _call(address, draw, arrays, known)
    return compare(expected, arrays, known)


_alive: list[Any] = []


def _compile(text: str, name: str) -> int:
    """Return the address of a kernel, compiled by MLIR's passes and LLVM."""
    judge = mlir.find()
    translate = shutil.which("mlir-translate-22") or shutil.which("mlir-translate")
    if judge is None or translate is None:
        raise UserError("mlir-opt and mlir-translate are not installed")
    lowered = judge.run(text, [f"--pass-pipeline=builtin.module({PASSES})"])
    command = [translate, "--mlir-to-llvmir"]
    done = subprocess.run(command, input=lowered, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError("mlir-translate refuses the module", notes=done.stderr.splitlines())
    module = llvm.parse_assembly(done.stdout)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    _alive.append((engine, module))
    return engine.get_function_address(name)


_SCALARS = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
}


class _Descriptor(ctypes.Structure):
    """A memref descriptor of rank 1."""

    _fields_ = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("stride", ctypes.c_int64),
    ]


def _call(address: int, draw: Draw, arrays: dict[int, Argument], known: list[Parameter]) -> None:
    """Call the kernel for the programs of a launch, one after the other."""
    types: list[Any] = []
    values: list[Any] = []
    for place, parameter in enumerate(known):
        if place in arrays:
            array = arrays[place]
            start = array.data.ctypes.data + array.start
            descriptor = _Descriptor(start, start, 0, array.data.size, 1)
            _alive.append(descriptor)
            types += [ctypes.c_int64, ctypes.c_void_p]
            values += [1, ctypes.addressof(descriptor)]
        else:
            kind = _SCALARS.get(parameter.info.scalar.name)
            if kind is None:
                raise NotComparable(f"a scalar {parameter.info.scalar.name}")
            types.append(kind)
            values.append(draw.values[place])
    function = ctypes.CFUNCTYPE(None, *types, *[ctypes.c_int32] * 6)(address)
    x, y, z = draw.grid
    for index in draw.programs:
        function(*values, x, y, z, index % x, index // x % y, index // (x * y))


if __name__ == "__main__":
    sys.exit(main())
