"""
Launches a compiled kernel over a grid.

Programs run in batches where nothing forbids it: all programs of a batch take each step
together. Kernels whose programs talk to each other through atomics run one program after
the other, in the order of their indices, so that locks work.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton import abi
from xtriton.analysis.memory_ops import WAITING
from xtriton.errors import UserError
from xtriton.interpreter import registry
from xtriton.interpreter.arguments import Bound, bind, parameters
from xtriton.interpreter.machine import Function, Machine, Observer, Program, describe
from xtriton.interpreter.memory import ArrayRegion, Memory
from xtriton.interpreter.types import info
from xtriton.interpreter.values import NeedsSequential

Progress = Callable[[int, int], None]
"""Is told how many programs have run, of how many."""

BATCH_ELEMENTS = 1 << 16
"""A batch holds about so many elements of the kernel's largest tensor, to stay in cache."""


def is_sequential(function: Function) -> bool:
    """Return whether programs must run one after the other."""
    if function.is_sequential is None:
        # What a launched function returns is told of each program by itself.
        returns = _returns_values(function.op)
        function.is_sequential = returns or _is_sequential(function, {function.op})
    return function.is_sequential


def _is_sequential(function: Function, seen: set[Operation]) -> bool:
    """Tell it of one function; those in `seen` have been asked, or are being asked."""
    for op in function.op.walk():
        if op.name in WAITING:
            return True
        if op.name == "tt.atomic_rmw" and any(True for _ in op.results[0].uses):
            return True
        if any(info(o.type).kind == "memref" for o in op.operands):
            return True
        if op.name in ("tt.call", "func.call"):
            callee = op.properties.get("callee")
            name = callee.string_value() if callee is not None else ""  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
            target = function.program.symbols.get(name)  # pyright: ignore[reportUnknownArgumentType]
            if (
                target is None
                or target in seen
                or not target.regions
                or not target.regions[0].blocks
            ):
                continue
            seen.add(target)
            if _is_sequential(function.program.function(name), seen):  # pyright: ignore[reportUnknownArgumentType]
                return True
    return False


def _returns_values(function: Operation) -> bool:
    type: Any = function.properties.get("function_type") or function.attributes["function_type"]
    return len(type.outputs.data) > 0


def takes_program_ids(function: Operation, given: int) -> bool:
    """Return whether a function has the six trailing arguments of the lowered convention."""
    count = len(function.regions[0].blocks[0].args)
    return function.name == "func.func" and count == given + abi.PROGRAM_ARGUMENT_COUNT


def launch(
    program: Program,
    kernel: str,
    grid: tuple[int, int, int],
    values: Sequence[Any],
    memory: Memory,
    *,
    programs: Sequence[int] | None = None,
    observer: Observer | None = None,
    budget: int = 50_000_000,
    budget_of_each: bool = False,
    batched: bool = True,
    progress: Progress | None = None,
) -> list[list[Any]]:
    """
    Run `kernel` for the programs with these linear indices (all, if not given).

    `values` are the kernel's arguments, see `arguments.bind`; what it stores is in `memory`
    afterwards. Return what each program returned, which for a kernel is nothing. Raise
    `StepBudgetExceeded` when the run takes more than `budget`, or, with `budget_of_each`,
    when a program or a batch of programs that run together does. `progress` is called with the
    number of programs that have run, and of all, now and then.
    """
    registry.load()
    function = program.function(kernel)
    machine = program.machine
    machine.memory, machine.grid, machine.observer = memory, grid, observer
    machine.budget = machine.allowed = budget
    machine.results.clear()
    if function.parameters is None:
        function.parameters = parameters(function.op)
    known = function.parameters
    extra = takes_program_ids(function.op, len(values))
    bound = bind(memory, known[: len(values)] if extra else known, values)
    total = grid[0] * grid[1] * grid[2]
    indices = np.asarray(range(total) if programs is None else programs, np.int64)
    refill = budget if budget_of_each else None
    run = _runner(function, machine, grid, bound, extra, refill, progress)
    size = max(1, BATCH_ELEMENTS // function.largest)
    with np.errstate(all="ignore"), located():
        if not batched or extra or len(indices) < 2 or size < 2 or is_sequential(function):
            return run(indices, 1)
        undo = _snapshot(memory)
        try:
            return run(indices, size)
        except NeedsSequential:
            undo()
            machine.budget = budget
            bound = bind(memory, known, values)
            again = _runner(function, machine, grid, bound, extra, refill, progress)
            return again(indices, 1)


@contextmanager
def located() -> Generator[None]:
    """Add to an error of the user's the op that it happened in."""
    try:
        yield
    except UserError as error:
        op: Operation | None = getattr(error, "failed_op", None)
        if op is not None:
            error.notes = (*error.notes, f"in {describe(op)}")
        raise


def _snapshot(memory: Memory) -> Callable[[], None]:
    """Return what puts arrays back as they are now."""
    kept = [(r, r.data.copy()) for r in memory.regions.values() if isinstance(r, ArrayRegion)]

    def undo() -> None:
        for region, data in kept:
            region.data[...] = data

    return undo


def _runner(
    function: Function,
    machine: Machine,
    grid: tuple[int, int, int],
    bound: list[Any],
    extra: bool,
    refill: int | None,
    progress: Progress | None,
) -> Callable[[np.ndarray[Any, Any], int], list[list[Any]]]:
    sizes = [np.int32(n) for n in grid]

    def run(indices: np.ndarray[Any, Any], size: int) -> list[list[Any]]:
        results: list[list[Any]] = []
        for start in range(0, len(indices), size):
            part = indices[start : start + size]
            machine.programs = part
            if refill is not None:
                machine.budget = refill
            if len(part) == 1 or size == 1:
                x, y, z = (np.int32(p) for p in abi.program_ids(int(part[0]), grid))
                machine.batch = 0
            else:
                px, rest = part % grid[0], part // grid[0]
                py, pz = rest % grid[1], rest // grid[1]
                x, y, z = (p.astype(np.int32) for p in (px, py, pz))
                machine.batch = len(part)
            machine.program_id = (x, y, z)
            given = [v.among(part) if isinstance(v, Bound) else v for v in bound]
            results.append(function.call([*given, *sizes, x, y, z] if extra else given))
            if progress is not None:
                progress(start + len(part), len(indices))
        return results

    return run
