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
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvmlite_binding
import numpy as np
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interop import mlir
from xtriton.interpreter.arguments import Endless, Parameter, parameters
from xtriton.interpreter.effects import Recorder, argument_of
from xtriton.interpreter.machine import Program
from xtriton.interpreter.memory import EndlessRegion
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.races import find_race
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.judge.launches.draws import Draw, draws
from xtriton.judge.launches.execution import execute
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
LARGEST = 1 << 26
"""Arrays larger than so many bytes are not made."""
RELATIVE = 2e-3


class NotComparable(Exception):
    """There is no launch that fits into arrays."""


@dataclass
class Argument:
    """An array for a pointer, whose first element a negative offset may precede."""

    data: np.ndarray[Any, Any]
    start: int
    """Byte in `data` at which the pointer points."""


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
    draw, expected, arrays, known = _launch(original, name)
    address = _compile(print_module(lowered), name)
    verdict = _in_child(lambda: _run(address, draw, expected, arrays, known))
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
    return _compare(expected, arrays, known)


def _in_child(function: Callable[[], str]) -> str:
    """Return what `function` returns in a process of its own, which may crash."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, function().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        verdict = pipe.read()
    os.waitpid(child, 0)
    return verdict or "wrong: it crashes"


def _launch(module: ModuleOp, name: str) -> Any:
    """Run the original on made-up memory; return the launch, what it wrote, and arrays for it."""
    program = Program(module)
    program.watched = address_arithmetic(module)
    function = program.symbols[name]
    known = parameters(function)
    problem = "none was drawn"
    for draw in draws(function, known, calm=True):
        program.machine.overflowed = False
        try:
            effects = execute(program, name, draw, observer=Recorder())
        except UserError as e:
            problem = e.message
            continue
        if program.machine.overflowed:
            problem = "offsets overflow"
            continue
        if effects.observer.failed:
            problem = f"'{effects.observer.failed[0]}' fails"
            continue
        if find_race(effects.observer.accesses) is not None:
            problem = "programs race"
            continue
        written = effects.written
        if effects.poison_used:
            other = execute(program, name, draw, poison=1).written
            written = _defined(written, other, known)
        try:
            return draw, written, _arrays(draw, known, effects.observer), known
        except NotComparable as e:
            problem = str(e)
    raise NotComparable(problem)


def _defined(one: dict[int, Any], other: dict[int, Any], known: list[Parameter]) -> dict[int, Any]:
    """Return what both runs, with different stand-ins for undefined values, wrote alike."""
    result: dict[int, Any] = {}
    for place, (offsets, octets) in one.items():
        if place in other:
            same = np.isin(offsets, other[place][0])
            there = np.searchsorted(other[place][0], offsets[same])  # pyright: ignore[reportUnknownVariableType]
            alike = np.zeros(offsets.size, np.bool_)
            alike[same] = other[place][1][there] == octets[same]
            of = known[place].stored
            size = of.size if of is not None and alike.size % of.size == 0 else 1
            whole = alike.reshape(-1, size).all(axis=1).repeat(size)
            result[place] = offsets[whole], octets[whole]
    return result


def _arrays(draw: Draw, known: list[Parameter], observer: Recorder) -> dict[int, Argument]:
    """Return an array for each pointer, as large as what was touched."""
    spans: dict[int, tuple[int, int]] = {}
    for access in observer.accesses:
        touched = access.touched()
        if touched.size:
            place, low = argument_of(int(touched.min()))
            last, high = argument_of(int(touched.max()))
            if place != last:
                raise NotComparable("an access to two arguments")
            before = spans.get(place, (0, 0))
            spans[place] = min(low, before[0]), max(high + access.size, before[1])
    found: dict[int, Argument] = {}
    for place, parameter in enumerate(known):
        value = draw.values[place]
        if isinstance(value, Endless):
            low, high = spans.get(place, (0, 8))
            if high - low > LARGEST or place < 0:
                raise NotComparable("memory far apart")
            found[place] = _array(place, parameter, value, low, high)
    return found


def _array(place: int, parameter: Parameter, value: Endless, low: int, high: int) -> Argument:
    of = parameter.stored
    assert of is not None
    region = EndlessRegion(place + 1, of, value.contents)
    low, high = low - low % of.size, high + -high % of.size
    offsets = np.arange(low, high, of.size, dtype=np.int64)
    content = np.ascontiguousarray(of.encode(region.load(offsets, None, of)))
    # A load of fewer elements than a block may be rounded up by nobody; no slack is needed.
    return Argument(content.view(np.uint8).reshape(-1).copy(), -low)


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


def _compare(expected: dict[int, Any], arrays: dict[int, Argument], known: list[Parameter]) -> str:
    for place, (offsets, octets) in expected.items():
        of = known[place].stored
        assert of is not None
        there = arrays[place].data[offsets + arrays[place].start]
        if np.array_equal(there, octets):
            continue
        if octets.size % of.size:
            return f"wrong: argument {place} differs"
        x, y = (of.decode(np.ascontiguousarray(a).view(of.storage)) for a in (octets, there))
        if not of.is_float:
            return f"wrong: argument {place}, {int((x != y).sum())} of {x.size} differ"
        x, y = x.astype(np.float64), y.astype(np.float64)
        finite = np.abs(x[np.isfinite(x)])
        scale = float(finite.max()) if finite.size else 1.0
        bad = ~((np.abs(x - y) <= RELATIVE * scale) | (np.isnan(x) & np.isnan(y)) | (x == y))
        if bad.any():
            first = int(np.flatnonzero(bad)[0])
            shown = f"{x[first]} and not {y[first]}"
            return f"wrong: argument {place}, {int(bad.sum())} of {x.size} differ: {shown}"
    return "right"


if __name__ == "__main__":
    sys.exit(main())
