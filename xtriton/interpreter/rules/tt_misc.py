"""Ops of tt about programs, printing, assertions, and casts of pointers to blocks."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.interpreter.machine import Function
from xtriton.interpreter.registry import rule
from xtriton.interpreter.types import info, integer, text
from xtriton.interpreter.values import spread
from xtriton.semantics.elements import Array

Compiled = Callable[..., Any]


@rule("tt.get_program_id")
def _program_id(op: Operation, f: Function) -> Compiled:
    axis, machine = integer(op, "axis"), f.machine
    return lambda: machine.program_id[axis]


@rule("tt.get_num_programs")
def _num_programs(op: Operation, f: Function) -> Compiled:
    axis, machine = integer(op, "axis"), f.machine
    return lambda: np.int32(machine.grid[axis])


@rule("tt.assert")
def _assert(op: Operation, f: Function) -> Compiled:
    message, machine = text(op, "message"), f.machine

    def check(condition: Array) -> None:
        if machine.observer is not None:
            machine.observer.asserted(op, message, bool(condition.all()))

    return check


@rule("llvm.intr.assume")
def _assume(op: Operation, f: Function) -> Compiled:
    machine = f.machine

    def check(condition: Array, *bundle: Any) -> None:
        if machine.observer is not None:
            machine.observer.asserted(op, "assumption", bool(condition.all()))

    return check


@rule("tt.print")
def _print(op: Operation, f: Function) -> Compiled:
    prefix, machine = text(op, "prefix"), f.machine
    shapes = [info(o.type).shape for o in op.operands]

    def show(*values: Array) -> None:
        if machine.observer is None:
            return
        parts = [
            np.array2string(np.asarray(spread(v, s)), threshold=16)
            for v, s in zip(values, shapes, strict=True)
        ]
        machine.observer.printed(op, " ".join([prefix, *parts]))

    return show


@rule("tt.reinterpret_tensor_descriptor")
def _reinterpret(op: Operation, f: Function) -> Compiled:
    return lambda x: x  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType]


def nothing(op: Operation, f: Function) -> None:
    """An op without meaning for values."""
    return None


rule(
    "tt.grid_dependency_wait",
    "tt.grid_dependency_launch_dependents",
    "gpu.barrier",
    "tt.experimental_tensormap_fenceproxy_acquire",
)(nothing)
