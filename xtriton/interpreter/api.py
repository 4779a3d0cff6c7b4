"""`run`: execute a kernel on real arrays."""

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from xtriton import abi
from xtriton.errors import UserError
from xtriton.interpreter.launch import Progress, launch
from xtriton.interpreter.machine import Observer, Program
from xtriton.interpreter.memory import Memory

PROGRAM_BUDGET = 5_000_000
"""Steps that a program may take: some eight seconds of small ops."""


def run(
    module: Operation | Program,
    grid: int | Sequence[int],
    args: Sequence[Any],
    *,
    kernel: str | None = None,
    observer: Observer | None = None,
    poison: int = 0,
    budget: int = PROGRAM_BUDGET,
    batched: bool = True,
    progress: Progress | None = None,
) -> None:
    """
    Execute a kernel of `module` on a grid; what it stores is in the arrays afterwards.

    `args` are the arguments that a user of the kernel gives: NumPy arrays or torch CPU
    tensors for pointers (the same memory, bounds checked), numbers for scalars. A module
    lowered to `func.func` gets program ids and sizes added. `kernel` names the function, by
    default the first. A compiled `Program` may be given to run it again. A program, or a
    batch of programs that run together, may take `budget` steps, a step being an op on up to
    2048 elements. `progress` is called with the number of programs that have run, and of all.

    Raise `UserError` for arguments that do not fit, `UnsupportedOp` for an op without a
    rule, `MemoryFault` for an access out of bounds, `StepBudgetExceeded` for what takes too long.
    """
    if not isinstance(module, (Program, Operation)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"run takes a module, as xtriton.parse returns it, not {type(module).__name__}"
        )
    program = module if isinstance(module, Program) else Program(module)
    name = kernel_name(program, kernel)
    launch(
        program,
        name,
        abi.normalize_grid(grid),
        args,
        Memory(poison),
        observer=observer,
        budget=budget,
        budget_of_each=True,
        batched=batched,
        progress=progress,
    )


def kernel_name(program: Program, wanted: str | None = None) -> str:
    """Return the kernel to run: the one named, or the first."""
    kernels = program.kernels()
    if wanted is not None:
        if wanted not in program.symbols:
            raise UserError(f"the module has no function '{wanted}'", None, _listing(kernels))
        return wanted
    if not kernels:
        raise UserError("the module has no kernel")
    return kernels[0]


def _listing(kernels: list[str]) -> list[str]:
    return [f"it has: {', '.join(kernels)}"]
