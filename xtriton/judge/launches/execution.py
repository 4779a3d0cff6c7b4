"""Runs a kernel on a launch of made-up memory."""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.contents import Contents
from xtriton.interpreter.effects import Effects, result_types
from xtriton.interpreter.launch import launch
from xtriton.interpreter.long_loops import Long
from xtriton.interpreter.machine import Observer, Program
from xtriton.interpreter.memory import EndlessRegion, Memory
from xtriton.interpreter.orders import Order
from xtriton.interpreter.partial import defined, lanes
from xtriton.interpreter.values import Batched
from xtriton.judge.launches.draws import Draw
from xtriton.semantics.elements import Array


def execute(
    program: Program,
    kernel: str,
    draw: Draw,
    *,
    poison: int = 0,
    observer: Observer | None = None,
    budget: int = 300_000,
    batched: bool = True,
    memory: Memory | None = None,
) -> Effects:
    """Run a kernel as `draw` says, in an empty `memory`, and return what it did."""
    memory = memory or Memory(poison)
    memory.anonymous = Contents(seed=99)
    long = None if draw.long is None else Long(draw.long)
    program.machine.long, program.machine.order = long, draw.order
    try:
        returned = launch(
            program,
            kernel,
            draw.grid,
            draw.values,
            memory,
            programs=draw.programs,
            observer=observer,
            budget=budget,
            batched=batched,
        )
    finally:
        program.machine.long, program.machine.order = None, Order.TREE
    written: dict[int, tuple[Array, Array]] = {}
    for number, region in memory.regions.items():
        if isinstance(region, EndlessRegion):
            offsets, values_there = region.written()
            if offsets.size:
                written[number - 1] = (offsets, values_there)
    function = program.symbols[kernel]
    work = budget - program.machine.budget
    # The program lives on: it is not to hold what this run recorded.
    program.machine.memory, program.machine.observer = Memory(), None
    lengths = () if long is None else tuple(long.lengths)
    results = _results(function, returned)
    return Effects(written, observer, memory.poison_used, results, work, lengths)


def _results(function: Operation, returned: list[list[Any]]) -> dict[int, tuple[Array, Array]]:
    """
    Return results that are numbers or tensors as bytes, one program after the other.

    Of a run that follows what is undefined, those that are not. A descriptor is no number, even
    where its type says that it is an address.
    """
    found: dict[int, tuple[Array, Array]] = {}
    for k, known in enumerate(result_types(function)):
        if not known.is_array or -1 in known.shape:
            continue
        if any(isinstance(one[k], Batched) for one in returned):
            continue
        parts = [np.broadcast_to(one[k], known.shape) for one in returned]
        values = np.stack(parts)
        stored = np.ascontiguousarray(known.scalar.encode(defined(values)))
        data = stored.reshape(-1).view(np.uint8)
        sure = np.flatnonzero(np.repeat(~lanes(values).reshape(-1), known.scalar.size))
        found[k] = (sure.astype(np.int64), data[sure])
    return found
