# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Does native code do what the interpreter does?

A launch that the interpreter finds to fit runs natively too. Its memory is reserved around what the
interpreter touched and holds the same contents there; pages that nothing touches cost nothing.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.corpus.columns import Row
from xtriton.cpu import Kernel, compile_module
from xtriton.errors import UserError
from xtriton.interop.native import PIPELINE
from xtriton.interpreter import registry
from xtriton.interpreter.arguments import FIRST_REGION, Endless, Parameter, PerProgram, parameters
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.effects import Effects, Recorder
from xtriton.interpreter.launch import is_sequential
from xtriton.interpreter.machine import Program
from xtriton.interpreter.memory import REGION_BITS, EndlessRegion, region_base
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.races import find_race
from xtriton.ir.versions import copied
from xtriton.judge.launches.draws import Draw, draws
from xtriton.judge.launches.execution import execute
from xtriton.judge.launches.kernel_facts import lock_arguments
from xtriton.judge.written import compare_bytes
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.semantics import Element, element
from xtriton.semantics.elements import Array
from xtriton.universe import context

LAUNCHES = 2
"""How many launches are compared."""
_TRIED = 9
"""How many are looked at for that."""

TOLERANCES = {"f64": 1e-8, "f32": 1e-3, "f16": 0.02, "bf16": 0.05}
"""Relative to the largest value stored: sums are in another order, functions of another library."""
_NARROW = 0.3
"""The tolerance of 8-bit floats: one step."""

_MARGIN = 1 << 16
_MOST = 1 << 40
"""Bytes that a launch may spread one argument over."""


def native_agreement(before: ModuleOp) -> Row:
    """Compile a module of one kernel, run it; return the columns on native code."""
    begin = time.process_time()
    try:
        program = Program(before)
        (name,) = program.kernels()
    except ValueError:
        return {"native": "unknown", "native_finding": "not one kernel"}
    try:
        code = compile_module(lowered(before))
    except UserError as error:
        return {"native": "unknown", "native_finding": error.message}
    row: Row = {"native_seconds": time.process_time() - begin}
    with np.errstate(all="ignore"):
        return row | compared(program, name, code)


def lowered(module: ModuleOp) -> ModuleOp:
    """Return a copy of a TTIR module as native code is made from."""
    copy = copied(module)
    for _, passes in PIPELINE:
        PassManager(context(), make_steps(parse_pipeline(passes)), False).run(copy)
    return copy


def compared(program: Program, name: str, code: Kernel) -> Row:
    """Return the columns of native code for a kernel: does it do the same?"""
    registry.load()
    function = program.symbols[name]
    known = parameters(function)
    agreed, reason = 0, "no launch fits"
    for draw in islice(_launches(function, known), _TRIED):
        try:
            effects = _interpreted(program, name, draw, 0)
            other = _interpreted(program, name, draw, 1) if effects.poison_used else effects
            difference = _differs(code, known, draw, effects, other)
        except UserError as error:
            reason = error.message
            continue
        if difference:
            return {"native": "differs", "native_finding": difference}
        agreed += 1
        if agreed == LAUNCHES:
            break
    if agreed:
        return {"native": "agrees"}
    return {"native": "unknown", "native_finding": reason}


def _launches(function: Operation, known: list[Parameter]) -> Iterator[Draw]:
    """Yield launches of which all programs run, each followed by ones with tamer data."""
    locks = lock_arguments(function)
    for draw in draws(function, known, calm=True):
        values = [v.of(0) if isinstance(v, PerProgram) else v for v in draw.values]
        for k in locks:
            values[k] = Endless(Contents(zero=True))
        programs = tuple(range(prod(draw.grid)))
        tamer: Draw | None = replace(draw, values=tuple(values), programs=programs)
        while tamer is not None:
            yield tamer
            tamer = tamer.tamer()


def _interpreted(program: Program, name: str, draw: Draw, poison: int) -> Effects:
    """Run a launch; raises `UserError` where what it does is left to chance or undefined."""
    watched = Program(program.module)
    watched.watched = address_arithmetic(watched.module)
    effects = execute(
        watched,
        name,
        draw,
        poison=poison,
        observer=Recorder(),
        batched=not is_sequential(program.function(name)),
    )
    if effects.observer.failed:
        raise UserError(f"'{effects.observer.failed[0]}' fails")
    if watched.machine.overflowed:
        raise UserError("offsets overflow")
    if find_race(effects.observer.accesses) is not None:
        raise UserError("programs race")
    return effects


def _differs(
    code: Kernel, known: list[Parameter], draw: Draw, effects: Effects, other: Effects
) -> str:
    """Run a launch natively; return how what it wrote differs, or nothing."""
    touched = _touched(effects)
    memories: dict[int, _Memory] = {}
    values: list[object] = []
    for parameter, value in zip(known, draw.values, strict=True):
        if not isinstance(value, Endless):
            values.append(value)
            continue
        if parameter.info.kind != "scalar":
            raise UserError("an argument is no plain pointer")
        k = parameter.index
        of = value.element or parameter.stored or element("i8")
        memories[k] = _Memory(FIRST_REGION + k, of, value.contents, touched.get(k, _NOTHING))
        values.append(memories[k].address)
    code(draw.grid, values, threads=1)
    for k, memory in memories.items():
        mine = effects.written.get(k)
        found = compare_bytes(
            mine, other.written.get(k), memory.written(mine), memory.element, memory.tolerance
        )
        if found is not None:
            return f"argument {k} ({known[k].name}), byte {found[0]}: {found[1]}"
    return ""


_NOTHING = np.empty(0, np.int64)


def _touched(effects: Effects) -> dict[int, Array]:
    """Return for each argument the byte offsets that are touched, ascending, each once."""
    found: dict[int, list[Array]] = {}
    for access in effects.observer.accesses:
        addresses = access.touched()
        bytes_of = np.unique(addresses)[:, np.newaxis] + np.arange(access.size)
        numbers = bytes_of.reshape(-1) >> np.int64(REGION_BITS)
        for number in np.unique(numbers).tolist():
            here = bytes_of.reshape(-1)[numbers == number] - np.int64(region_base(number))
            found.setdefault(number - FIRST_REGION, []).append(here)
    return {k: np.unique(np.concatenate(parts)) for k, parts in found.items()}


class _Memory:
    """
    Memory around the bytes that a launch touches, with the interpreter's contents there.

    `address` is that of the argument's first element, which need not be inside.
    """

    def __init__(self, number: int, of: Element, contents: Contents, touched: Array):
        self.element = of
        low = int(touched[0]) if touched.size else 0
        high = int(touched[-1]) if touched.size else 0
        if high - low > _MOST:
            raise UserError("an argument is spread over more memory than can be reserved")
        # The first element lies where it would in an array of its own: a multiple of a page.
        self.start = (low - _MARGIN) // _MARGIN * _MARGIN
        size = high - self.start + _MARGIN
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self.data = np.frombuffer(mmap.mmap(-1, size, flags=flags), np.uint8)
        self.address = int(self.data.ctypes.data) - self.start
        octet = element("i8")
        region = EndlessRegion(number, of, contents)
        self.initial = octet.encode(region.load(touched, None, octet)).view(np.uint8)
        self.touched = touched
        self.data[touched - self.start] = self.initial

    @property
    def tolerance(self) -> float:
        if not self.element.is_float:
            return 0.0
        return TOLERANCES.get(self.element.name, _NARROW)

    def written(self, expected: tuple[Array, Array] | None) -> tuple[Array, Array]:
        """
        Return what is there now in the form of `Effects.written`.

        That is where the interpreter has written, and where else something changed.
        """
        now = self.data[self.touched - self.start]
        changed = self.touched[now != self.initial]
        places = changed if expected is None else np.union1d(expected[0], changed)
        return places, self.data[places - self.start]
