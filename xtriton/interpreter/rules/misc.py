"""Ops that fit nowhere else: casts between type systems, poison, calls of outside functions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UnsupportedOp
from xtriton.interpreter.buffers import UNBOUNDED, Buffer, MemRef, row_major
from xtriton.interpreter.machine import Env, Function, Step
from xtriton.interpreter.memory import Memory
from xtriton.interpreter.partial import defined
from xtriton.interpreter.registry import control, rule
from xtriton.interpreter.rules.tt_math import opaque
from xtriton.interpreter.rules.tt_misc import nothing
from xtriton.interpreter.types import TypeInfo, info, result_info, text
from xtriton.interpreter.values import BlockPointer
from xtriton.semantics.elements import Array
from xtriton.semantics.mathematics import library_function

Compiled = Callable[..., Any]


@rule("builtin.unrealized_conversion_cast")
def _unrealized(op: Operation, f: Function) -> Compiled:
    """The value itself, whatever the types say; between pointers and memory, the same place."""
    kinds = [info(value.type) for value in (*op.operands, *op.results)]
    if len(op.results) == 1 and any(kind.kind == "memref" for kind in kinds):
        known, machine = kinds[-1], f.machine
        if known.kind == "memref":
            return lambda x: _as_memory(x, known, machine.memory)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType]
        return _address_of
    if len(op.operands) != len(op.results):
        raise UnsupportedOp("a conversion cast that changes the number of values")
    return lambda *xs: xs[0] if len(xs) == 1 else xs


def _address_of(view: MemRef, offset: Any = 0) -> Any:
    """Return the address of the element at `offset` of a memref, which is an argument's."""
    size = view.element.size
    return np.int64(view.buffer.address or 0) + (np.int64(view.offset) + offset) * size


def _as_memory(source: Any, known: TypeInfo, memory: Memory) -> MemRef:
    """Return the memory at an address, or that of another memref, as elements of a type."""
    of = known.element
    assert of is not None
    if isinstance(source, MemRef) and source.element is of:
        return source
    start = _address_of(source) if isinstance(source, MemRef) else source
    address = int(np.asarray(start).reshape(-1)[0])
    buffer = Buffer(of, None, memory, address, "memory behind a cast")
    sizes = tuple(UNBOUNDED if n == -1 else n for n in known.shape)
    return MemRef(buffer, 0, sizes, row_major(sizes))


@rule("ub.poison", "llvm.mlir.poison", "llvm.mlir.undef")
def _poison(op: Operation, f: Function) -> Compiled:
    known, machine = result_info(op), f.machine
    if known.kind in ("block_pointer", "descriptor"):
        return lambda: _nowhere(known.rank if known.kind == "block_pointer" else 0, known.rank)
    return lambda: machine.memory.poison_value(known.scalar).reshape((1,) * known.rank)


@rule("llvm.freeze")
def _freeze(op: Operation, f: Function) -> Compiled:
    """Some value, the same one to all users, where the operand is undefined."""
    return defined


def _nowhere(offsets: int, rank: int) -> BlockPointer:
    """Return a pointer to a block of an empty tensor at address 0."""
    zero = np.zeros((), np.int64)
    sizes = (zero,) * rank
    return BlockPointer(zero, sizes, sizes, (zero,) * offsets)


def external_call(
    op: Operation, f: Function, name: str, operands: list[int], results: list[int]
) -> Step:
    """Return the step of a call to a function without a body: a device library's, or opaque."""
    function = library_function(name)
    elements = [info(r.type).scalar for r in op.results]
    if function is None and any(info(o.type).kind == "memref" for o in op.operands):
        raise UnsupportedOp(f"'{name}' is not there and is given memory")

    def call(env: Env) -> None:
        values: list[Array] = [env[i] for i in operands]
        for k, (slot, of) in enumerate(zip(results, elements, strict=True)):
            if function is not None:
                value = np.asarray(function(*values))
                env[slot] = of.round(value) if of.is_float else value.astype(of.carrier)
            else:
                env[slot] = opaque(f"{name}#{k}" if k else name, values, of)

    return call


@rule("func.constant")
def _function_reference(op: Operation, f: Function) -> Compiled:
    name = text(op, "value")
    return lambda: name


@control("func.call_indirect")
def _call_indirect(op: Operation, f: Function) -> Step:
    callee, *operands = (f.slot(o) for o in op.operands)
    results = [f.slot(r) for r in op.results]

    def step(env: Env) -> None:
        values = f.program.function(env[callee]).call([env[i] for i in operands])
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return step


rule("builtin.module", "llvm.mlir.global", "gpu.barrier")(nothing)
