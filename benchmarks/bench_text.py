"""
Speed, memory and start-up of the text layer, beside stock xDSL and mlir-opt.

    python benchmarks/bench_text.py [--sizes 1000,10000,100000] [--mlir-opt mlir-opt-22]

Microseconds an op of reading, verifying and writing a module of matrix-like kernels, without
and with locations, each tool in its own process, the best of several runs. Stock xDSL and
mlir-opt read the generic form, in which the ops of Triton are unregistered to them; xtriton
reads it too, and Triton's own syntax. mlir-opt's time is that of the whole process, less its
start-up. Exit code 1 if a bar is missed.
"""

import argparse
import atexit
import gc
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

Figures = dict[str, float]

_BODY = """\
    %p{i} = tt.get_program_id x : i32 loc(#loc2)
    %b{i} = arith.muli %p{i}, %c64 : i32 loc(#loc3)
    %r{i} = tt.make_range {{end = 64 : i32, start = 0 : i32}} : tensor<64xi32> loc(#loc4)
    %s{i} = tt.splat %b{i} : i32 -> tensor<64xi32> loc(#loc5)
    %o{i} = arith.addi %s{i}, %r{i} : tensor<64xi32> loc(#loc6)
    %n{i} = arith.cmpi slt, %b{i}, %size : i32 loc(#loc7)
    %m{i} = tt.splat %n{i} : i1 -> tensor<64xi1> loc(#loc8)
    %q{i} = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>> loc(#loc9)
    %a{i} = tt.addptr %q{i}, %o{i} : tensor<64x!tt.ptr<f32>>, tensor<64xi32> loc(#loc10)
    %v{i} = tt.load %a{i}, %m{i}, %zero : tensor<64x!tt.ptr<f32>> loc(#loc11)
    %w{i} = arith.mulf %v{i}, %v{i} : tensor<64xf32> loc(#loc12)
    %e{i} = tt.expand_dims %w{i} {{axis = 1 : i32}} : tensor<64xf32> -> tensor<64x1xf32> loc(#loc13)
    %f{i} = tt.broadcast %e{i} : tensor<64x1xf32> -> tensor<64x64xf32> loc(#loc14)
    %g{i} = arith.addf %f{i}, %acc : tensor<64x64xf32> loc(#loc15)
    %h{i} = tt.fp_to_fp %g{i}, rounding = rtne : tensor<64x64xf32> -> tensor<64x64xf16> loc(#loc16)
    tt.store %a{i}, %w{i}, %m{i} : tensor<64x!tt.ptr<f32>> loc(#loc17)
"""
_OPS_IN_BODY = 16
_BLOCKS_IN_KERNEL = 8
_KERNEL = """\
  tt.func public @kernel{k}(%x: !tt.ptr<f32> {{tt.divisibility = 16 : i32}} loc("x"(#loc1)), \
%size: i32 loc("size"(#loc1))) {{
    %c64 = arith.constant 64 : i32 loc(#loc1)
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf32> loc(#loc1)
    %acc = arith.constant dense<1.000000e+00> : tensor<64x64xf32> loc(#loc1)
{body}    tt.return loc(#loc18)
  }} loc(#loc1)
"""
_LOCATION = re.compile(r' loc\((?:#loc\d+|"\w+"\(#loc\d+\))\)')

_BARS = {
    "parse": (25.0, 35.0),
    "verify": (6.0, 6.0),
    "print": (10.0, 10.0),
    "bytes": (1200.0, 1800.0),
}
"""The most that xtriton may take, without and with locations."""


def ttir(ops: int, locations: bool) -> str:
    """Return a module of about `ops` ops in Triton's syntax."""
    blocks = max(1, min(_BLOCKS_IN_KERNEL, ops // _OPS_IN_BODY))
    body = "".join(_BODY.format(i=i) for i in range(blocks))
    kernels = max(1, ops // (_OPS_IN_BODY * blocks))
    lines = [_KERNEL.format(k=k, body=body) for k in range(kernels)]
    if locations:
        places = [f'#loc{i} = loc("kernel.py":{10 + i}:{4 + i % 7})' for i in range(1, 19)]
        return "\n".join((*places, "module {", "".join(lines) + "} loc(#loc1)", ""))
    return "module {\n" + _LOCATION.sub("", "".join(lines)) + "}\n"


def best(work: Callable[[], object], runs: int) -> float:
    """Return the shortest processor time of `work`, in seconds."""
    shortest = float("inf")
    for _ in range(runs):
        gc.collect()
        start = time.process_time()
        work()
        shortest = min(shortest, time.process_time() - start)
    return shortest


# --- one tool, in a process of its own ----------------------------------------------------


def measure_ours(text: str, locations: bool, runs: int) -> Figures:
    """Return what xtriton takes for each op of `text`."""
    from xtriton import universe
    from xtriton.ir.checking.verifier import verify
    from xtriton.ir.reading.parser import parse_module
    from xtriton.ir.writing.printer import print_module

    context = universe.context()
    verify(parse_module(ttir(200, locations), context))
    before = _resident()
    module = parse_module(text, context)
    grown = _resident() - before
    ops = sum(1 for _ in module.walk())
    return _per_op(
        ops,
        grown,
        parse=best(lambda: parse_module(text, context), runs),
        verify=best(lambda: verify(module), runs),
        print=best(lambda: print_module(module, debug_info=locations), runs),
    )


def measure_stock(text: str, locations: bool, runs: int) -> Figures:
    """Return what xDSL takes for each op of `text`, which is in generic form."""
    from xdsl.context import Context
    from xdsl.dialects.arith import Arith
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    context = Context(allow_unregistered=True)
    for dialect in (Builtin, Arith):
        context.load_dialect(dialect)

    def write() -> None:
        stream = io.StringIO()
        Printer(stream, print_generic_format=True, print_debuginfo=locations).print_op(module)

    before = _resident()
    module = Parser(context, text).parse_module()
    grown = _resident() - before
    ops = sum(1 for _ in module.walk())
    return _per_op(
        ops,
        grown,
        parse=best(lambda: Parser(context, text).parse_module(), runs),
        verify=best(module.verify, runs),
        print=best(write, runs),
    )


def _per_op(ops: int, grown: int, **seconds: float) -> Figures:
    figures = {name: value / ops * 1e6 for name, value in seconds.items()}
    return {**figures, "bytes": grown / ops, "ops": ops}


def _resident() -> int:
    """Return the memory that this process has, in bytes."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()


# --- all of them --------------------------------------------------------------------------


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--mlir-opt", default=None, help="default: mlir-opt-22 or mlir-opt")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        tool, file, locations = arguments.child
        text = Path(file).read_text()
        runs = 5 if len(text) < 200_000 else 3 if len(text) < 2_000_000 else 2
        measure = measure_stock if tool == "stock" else measure_ours
        print(json.dumps(measure(text, locations == "True", runs)))
        return 0
    sizes = [int(size) for size in arguments.sizes.split(",")]
    mlir_opt = arguments.mlir_opt or shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    missed = _speed(sizes, mlir_opt) + _start_up()
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


def _speed(sizes: list[int], mlir_opt: str | None) -> list[str]:
    table = Table("tool", "text", "locations", "ops", "parse", "verify", "print", "bytes an op")
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for locations in (False, True):
            smallest: Figures | None = None
            for size in sizes:
                rows = _rows(Path(folder), size, locations, mlir_opt)
                for (tool, text), figures in rows.items():
                    table.add_row(tool, text, "yes" if locations else "no", *_cells(figures))
                ours = rows["xtriton", "ttir"]
                smallest = smallest or ours
                missed += _missed(ours, rows["xDSL", "generic"], smallest, locations)
            table.add_section()
    Console().print(table)
    print("Times in microseconds of processor time an op; mlir-opt's all together.")
    return missed


def _rows(
    folder: Path, size: int, locations: bool, mlir_opt: str | None
) -> dict[tuple[str, str], Figures]:
    from xtriton import universe
    from xtriton.ir.reading.parser import parse_module
    from xtriton.ir.writing.printer import print_module

    custom, generic = folder / "custom.mlir", folder / "generic.mlir"
    custom.write_text(ttir(size, locations))
    module = parse_module(custom.read_text(), universe.context())
    generic.write_text(_aliases_first(print_module(module, generic=True, debug_info=locations)))
    rows = {
        ("xtriton", "ttir"): _child("ours", custom, locations),
        ("xtriton", "generic"): _child("ours", generic, locations),
        ("xDSL", "generic"): _child("stock", generic, locations),
    }
    if mlir_opt is not None:
        ops = sum(1 for _ in module.walk())
        rows["mlir-opt", "generic"] = _mlir(mlir_opt, generic, locations, ops)
    return rows


def _aliases_first(text: str) -> str:
    """Put locations before their use, where xDSL wants them; simple ones first."""
    lines = text.splitlines(keepends=True)
    aliases = [line for line in lines if line.startswith("#loc")]
    rest = [line for line in lines if not line.startswith("#loc")]
    return "".join([*sorted(aliases, key=lambda line: "(#loc" in line), *rest])


def _child(tool: str, file: Path, locations: bool) -> Figures:
    command = [sys.executable, __file__, "--child", tool, str(file), str(locations)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _mlir(mlir_opt: str, file: Path, locations: bool, ops: int) -> Figures:
    empty = file.with_name("empty.mlir")
    empty.write_text("module {}\n")
    flags = ["--allow-unregistered-dialect", "--mlir-disable-threading", "-o", "/dev/null"]
    if locations:
        flags.append("--mlir-print-debuginfo")

    def run(path: Path) -> float:
        seconds: list[float] = []
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([mlir_opt, str(path), *flags], check=True, capture_output=True)
            seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        return min(seconds)

    return {"ops": ops, "parse": max(run(file) - run(empty), 0.0) / ops * 1e6}


def _cells(figures: Figures) -> list[str]:
    cells = [str(int(figures["ops"]))]
    cells += [f"{figures[key]:.1f}" if key in figures else "" for key in ("parse", "verify")]
    cells.append(f"{figures['print']:.1f}" if "print" in figures else "")
    cells.append(f"{figures['bytes']:.0f}" if figures.get("bytes", 0) > 0 else "")
    return cells


def _missed(ours: Figures, stock: Figures, smallest: Figures, locations: bool) -> list[str]:
    what = f"{int(ours['ops'])} ops {'with' if locations else 'without'} locations"
    missed = [
        f"{name} {ours[name]:.1f} an op, {what}; at most {bars[locations]:g}"
        for name, bars in _BARS.items()
        if ours[name] > bars[locations] and (name != "bytes" or ours["ops"] > 5000)
    ]
    for name, factor in (("parse", 6), ("print", 3)):
        if stock[name] < factor * ours[name]:
            missed.append(f"{name} {stock[name] / ours[name]:.1f} times as fast as xDSL, {what}")
    for name in ("parse", "verify", "print"):
        if ours[name] > 1.2 * smallest[name]:
            missed.append(f"{name} {ours[name] / smallest[name]:.2f} times that of few ops, {what}")
    return missed


# --- start-up -----------------------------------------------------------------------------

_XDSL = (
    "import xdsl.context, xdsl.parser, xdsl.printer, xdsl.dialects.builtin, "
    "xdsl.dialects.arith, xdsl.dialects.math, xdsl.dialects.scf, xdsl.dialects.func"
)
_OURS = (
    "import sys; from xtriton import universe; "
    "from xtriton.ir.reading.parser import parse_module; "
    "from xtriton.ir.writing.printer import print_module; "
    "print_module(parse_module({text!r}, universe.context())); "
    "sys.exit('NumPy has been loaded' if 'numpy' in sys.modules else 0)"
)


def _start_up() -> list[str]:
    ours = _OURS.format(text=ttir(1, False))
    nothing = _time(["-c", "pass"])
    version = _time(["-m", "xtriton.tools.xtriton_opt", "--version"])
    stock, own = _time(["-c", _XDSL]), _time(["-c", f"{_XDSL}; {ours}"])
    table = Table("start-up", "ms of processor time", "at most")
    table.add_row("Python alone", f"{nothing:.0f}", "")
    table.add_row("xtriton-opt --version", f"{version:.0f}", "60")
    table.add_row("xDSL's parser, printer, dialects", f"{stock:.0f}", "")
    table.add_row("the same and a kernel read and written by xtriton", f"{own:.0f}", "")
    table.add_row("difference", f"{own - stock:.0f}", "60")
    Console().print(table)
    missed = [f"--version takes {version:.0f} ms"] if version > 60 else []
    return [*missed, f"start-up {own - stock:.0f} ms"] if own - stock > 60 else missed


@cache
def _environment() -> dict[str, str]:
    """Return an environment in which modules are kept compiled, wherever that is switched off."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": folder}


def _time(arguments: list[str]) -> float:
    """Return the least processor time of a Python process, in milliseconds."""
    shortest = float("inf")
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments], check=True, capture_output=True, env=_environment()
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        shortest = min(
            shortest, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return shortest * 1000


if __name__ == "__main__":
    sys.exit(main())
