"""
Compiles a module to closures and runs them.

Every block becomes a list of steps, each a closure over slots of an environment (a plain
list); what an op is, its types and attributes, is settled once. The state of a run lives in
a `Machine` that the closures share, so that one program runs on many memories.
"""

from collections.abc import Callable, Sequence, Set as AbstractSet
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.errors import UnsupportedOp, UserError
from xtriton.interpreter import registry
from xtriton.interpreter.long_loops import Long
from xtriton.interpreter.memory import Memory
from xtriton.interpreter.orders import Order
from xtriton.interpreter.recent import recent
from xtriton.interpreter.types import info, integer, text
from xtriton.interpreter.values import select
from xtriton.ir.locations import file_position
from xtriton.semantics.elements import Array

Env = list[Any]
Step = Callable[[Env], None]
T = TypeVar("T")


MOST_DIMENSIONS = 63
"""Of a value: NumPy's 64, without the one for the programs of a batch."""


_COSTLY = ("tt.dot", "math.", "arith.truncf", "tt.extern_elementwise", "tt.fp_to_fp")
"""How ops are called that depend on operands only, and take longer than to compare these."""


MOST_REMEMBERED = 1 << 25
"""Bytes of what runs did that a program remembers: of few kernels a launch touches so many."""


NOTHING = np.zeros((), np.int8)
"""Stands for values that nobody asks for."""
NOTHING.flags.writeable = False


class StepBudgetExceeded(UserError):
    """The kernel ran longer than it was allowed to."""


class Observer:
    """Hears of everything that a run does to memory; the base class ignores it."""

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        """
        A load, store or atomic of `size` bytes at each address where `mask` holds.

        Address and mask broadcast to `shape`, the op's own, or to one more dimension in
        front for `programs`, the indices of the programs that run together. Stores tell
        the `value` that they write, if it is at hand.
        """

    def printed(self, op: Operation, message: str) -> None:
        """What `tt.print` prints."""

    def asserted(self, op: Operation, message: str, holds: bool) -> None:
        """What a `tt.assert` or an assumption found."""


@dataclass
class Seen:
    """What launches showed of an op: whether it ran, and whether its result was more than one."""

    ran: bool = False
    first: Any = None
    varied: bool = False

    def __call__(self, value: Any) -> None:
        """Look at a result."""
        self.ran = True
        if self.varied or value is None:
            return
        if not hasattr(value, "dtype"):
            self.varied = True
        elif value.size:
            seen: Any = np.asarray(value)
            self.first = seen.flat[0] if self.first is None else self.first
            self.varied = bool((seen != self.first).any())


@dataclass
class Machine:
    """
    The state of a run.

    program_id: three scalars, or arrays with one element for each program of the batch.
    programs: the linear indices of those programs.
    batch: how many there are; 0 when programs run one by one, without a batch dimension.
    budget: how much work is left, see `CompiledBlock.cost`; allowed: what it was at first.
    order: which elements a reduction combines first.
    """

    memory: Memory = field(default_factory=Memory)
    grid: tuple[int, int, int] = (1, 1, 1)
    program_id: tuple[Any, Any, Any] = (np.int32(0), np.int32(0), np.int32(0))
    programs: Array = field(default_factory=lambda: np.zeros(1, np.int64))
    batch: int = 0
    budget: int = 10_000_000
    allowed: int = 10_000_000
    observer: Observer | None = None
    results: dict[str, Any] = field(default_factory=dict[str, Any])
    overflowed: bool = False
    long: Long | None = None
    """What is known of long loops, of which only some turns are run; None if all are."""
    order: Order = Order.TREE

    def note_overflow(self) -> None:
        """Address arithmetic has overflowed."""
        self.overflowed = True

    def restrict(self, which: Array) -> tuple[Any, Array, int]:
        """Go on with the programs at these positions; return what `restore` takes."""
        saved = (self.program_id, self.programs, self.batch)
        x, y, z = (p[which] if p.ndim else p for p in self.program_id)
        self.program_id = (x, y, z)
        self.programs = self.programs[which]
        self.batch = len(which)
        return saved

    def restore(self, saved: tuple[Any, Array, int]) -> None:
        self.program_id, self.programs, self.batch = saved


@dataclass
class CompiledBlock:
    """Steps of a block, its arguments' slots, and its terminator with the operands' slots."""

    arguments: list[int]
    steps: list[Step]
    ops: list[Operation]
    terminator: Operation | None
    operands: list[int]
    machine: Machine
    cost: int = 0
    """What running the block takes from the budget: one per op and per 2048 elements."""
    runs: int = 0

    def run(self, env: Env) -> list[Any]:
        """Run the steps and return the values of the terminator's operands."""
        self.execute(env)
        return [env[i] for i in self.operands]

    def execute(self, env: Env) -> None:
        machine = self.machine
        steps = self.steps
        machine.budget -= self.cost
        self.runs += 1
        if machine.budget < 0:
            raise StepBudgetExceeded(
                f"the kernel ran longer than its step budget of {machine.allowed} allows",
                None,
                [
                    "either a loop does not end, or more steps must be allowed: --budget=N on"
                    " the command line, budget=N in Python",
                    "a step is an op on up to 2048 elements",
                ],
            )
        step = None
        try:
            for step in steps:
                step(env)
        except Exception as error:
            if step is not None and not hasattr(error, "failed_op"):
                error.failed_op = self.ops[steps.index(step)]  # pyright: ignore[reportAttributeAccessIssue]
            raise

    def enter(self, env: Env, values: Sequence[Any]) -> None:
        """Set the block arguments."""
        for slot, value in zip(self.arguments, values, strict=True):
            env[slot] = value


class Function:
    """A compiled function: its slots and blocks."""

    def __init__(self, program: "Program", op: Operation):
        self.program = program
        self.op = op
        self.slots: dict[SSAValue, int] = {}
        self.ranks: list[int] = []
        self.largest = 1
        """Elements of the largest tensor in it."""
        self.blocks: dict[Block, CompiledBlock] = {}
        self.unset: list[int] = []
        """Slots of values that are not computed, see `Program.skipped`."""
        self.is_sequential: bool | None = None
        """Whether programs must run one after the other, once somebody has asked."""
        self.parameters: list[Any] | None = None
        """Its `arguments.Parameter`s, once somebody has asked."""
        region = op.regions[0]
        if not region.blocks:
            raise UnsupportedOp(f"function '{text(op, 'sym_name')}' has no body")
        self.entry = self.compile_region(region)

    @property
    def machine(self) -> Machine:
        return self.program.machine

    # --- compiling ------------------------------------------------------------------------

    def slot(self, value: SSAValue) -> int:
        """Return the slot of a value, a new one the first time."""
        found = self.slots.get(value)
        if found is None:
            found = self.slots[value] = len(self.ranks)
            known = info(value.type)
            if known.rank > MOST_DIMENSIONS:
                raise UnsupportedOp(
                    f"values of {known.rank} dimensions cannot be executed,"
                    f" only of {MOST_DIMENSIONS}"
                )
            self.ranks.append(known.rank if known.is_array else 0)
            if known.kind == "tensor":
                self.largest = max(self.largest, known.size)
        return found

    def compile_region(self, region: Region) -> Callable[[Env], list[Any]]:
        """
        Return what runs the region in an environment whose entry arguments are set.

        It returns the operands of the terminator that was reached.
        """
        for block in region.blocks:
            self.compile_block(block)
        entry = self.blocks[region.blocks[0]]
        if len(region.blocks) == 1:
            return entry.run
        return lambda env: self.run_blocks(env, entry)

    def compile_block(self, block: Block) -> CompiledBlock:
        found = self.blocks.get(block)
        if found is not None:
            return found
        arguments = [self.slot(a) for a in block.args]
        compiled = CompiledBlock(arguments, [], [], None, [], self.machine)
        self.blocks[block] = compiled
        for op in block.ops:
            if op.name in registry.TERMINATORS:
                compiled.terminator = op
                compiled.operands = [self.slot(o) for o in op.operands]
                break
            if op in self.program.skipped:
                compiled.cost += self.pass_over(op)
                continue
            step = self.compile_op(op)
            told = self.program.traced.get(op)
            if told is not None and step is not None:
                step = _told(step, told, self.slots[op.results[0]] if op.results else None)
            if step is not None:
                compiled.steps.append(step)
                compiled.ops.append(op)
                compiled.cost += _cost(op)
        return compiled

    def pass_over(self, op: Operation) -> int:
        """Leave the results of an op as nothing; return the cost of running it."""
        self.unset += [self.slot(r) for r in op.results]
        cost = _cost(op)
        if op.regions:
            known = info(op.operands[0].type)
            length = known.shape[integer(op, "axis")]
            cost += (
                registry.COMBINED[op.name](length) * self.compile_block(op.regions[0].block).cost
            )
        return cost

    def compile_op(self, op: Operation) -> Step | None:
        control = registry.CONTROL.get(op.name)
        if control is not None:
            return control(op, self)
        rule = registry.find(op.name)
        if rule is None:
            raise UnsupportedOp(f"the interpreter has no rule for '{op.name}'")
        function = rule(op, self)
        if function is None:
            return None
        if self.program.repeats and len(op.results) == 1 and op.name.startswith(_COSTLY):
            function = _remembering(function, op)
        operands = [self.slot(o) for o in op.operands]
        results = [self.slot(r) for r in op.results]
        return _step(function, operands, results)

    # --- running --------------------------------------------------------------------------

    def run_blocks(self, env: Env, block: CompiledBlock) -> list[Any]:
        """Run from `block` until a block without successors ends; return its operands."""
        while True:
            block.execute(env)
            terminator = block.terminator
            if terminator is None or not terminator.successors:
                return [env[i] for i in block.operands]
            branch = registry.BRANCHES[terminator.name]
            following = branch(terminator, self, env)
            if isinstance(following, list):
                return following
            block = following

    def new_env(self) -> Env:
        env: Env = [None] * len(self.ranks)
        for slot in self.unset:
            env[slot] = NOTHING
        return env

    def part_of(self, env: Env, which: Array) -> Env:
        """Return the environment of the programs at these positions."""
        part = [select(v, which, r) for v, r in zip(env, self.ranks, strict=False)]
        return part + env[len(self.ranks) :]

    def call(self, arguments: Sequence[Any]) -> list[Any]:
        """Run the function on values in the interpreter's form; return its results."""
        env = self.new_env()
        entry = self.blocks[self.op.regions[0].blocks[0]]
        entry.enter(env, arguments)
        return self.entry(env)


def _cost(op: Operation) -> int:
    """Return what an op takes from the budget, but for its regions."""
    return 1 + max((info(r.type).size >> 11 for r in op.results), default=0)


def _remembering(compute: Callable[..., Array], op: Operation) -> Callable[..., Array]:
    """Return `compute` of an op, which looks for what the same op made of the same operands."""
    said = {**op.attributes, **op.properties}
    types = [v.type for v in (*op.operands, *op.results)]
    key = (op.name, *(f"{name} {said[name]}" for name in sorted(said)), *map(str, types))

    def run(*operands: Array) -> Array:
        return recent().get(key, operands, lambda: compute(*operands))

    return run


def _told(step: Step, told: Callable[[Any], None], slot: int | None) -> Step:
    """Return a step after which `told` hears of what is in a slot."""

    def run(env: Env) -> None:
        step(env)
        told(None if slot is None else env[slot])

    return run


def _step(function: Callable[..., Any], operands: list[int], results: list[int]) -> Step:
    """Wrap a function of operand values into a step on slots."""
    if len(results) == 1:
        out = results[0]
        match operands:
            case []:

                def step0(env: Env) -> None:
                    env[out] = function()

                return step0
            case [a]:

                def step1(env: Env) -> None:
                    env[out] = function(env[a])

                return step1
            case [a, b]:

                def step2(env: Env) -> None:
                    env[out] = function(env[a], env[b])

                return step2
            case _:

                def step(env: Env) -> None:
                    env[out] = function(*[env[i] for i in operands])

                return step
    if not results:

        def effect(env: Env) -> None:
            function(*[env[i] for i in operands])

        return effect

    def several(env: Env) -> None:
        values = function(*[env[i] for i in operands])
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    return several


def _without_frames(error: UserError) -> UserError:
    """
    Return a copy of an error that does not hold, by its frames, all that a run recorded.

    Where Dask is used, copies of errors keep them: it has them sent from process to process.
    """
    found = copy(error)
    found.__traceback__ = found.__context__ = found.__cause__ = None
    return found


class Program:
    """A module ready to run: its functions by symbol, compiled when first needed."""

    def __init__(self, module: Operation):
        self.machine = Machine()
        self.module = module
        self.symbols: dict[str, Operation] = {}
        self.compiled: dict[str, Function] = {}
        self._compiling: set[str] = set()
        self.watched: set[Operation] = set()
        """Integer ops whose overflow is noted in `Machine.overflowed`."""
        self.repeats = False
        """Whether it runs on what others like it run on: results of costly ops are looked up."""
        self.follows = False
        """Whether values know which of their lanes are undefined, see `partial`."""
        self.skipped: AbstractSet[Operation] = frozenset()
        """Functions of their operands that are not computed, though they cost as much."""
        self.traced: dict[Operation, Seen] = {}
        """Who is told the first result of an op each time that it ran, None if it has none."""
        self.remembered: dict[Any, Any] | None = None
        """What runs did, by what was run, for a program that is compared more than once."""
        self.room = MOST_REMEMBERED
        """Bytes that may still be remembered."""
        for op in module.walk():
            name = op.properties.get("sym_name") or op.attributes.get("sym_name")
            if name is not None:
                self.symbols[text(op, "sym_name")] = op

    def once(self, key: Any, compute: Callable[[], T], size: Callable[[T], int] = lambda _: 0) -> T:
        """
        Return what `compute` returns or raises; a program that remembers asks only once.

        `size` tells the bytes of a result: it is not kept where there is no room for it.
        """
        if self.remembered is None:
            return compute()
        if key not in self.remembered:
            try:
                found = compute()
            except UserError as error:
                self.remembered[key] = _without_frames(error)
                raise
            if (left := self.room - size(found)) < 0:
                return found
            self.room = left
            self.remembered[key] = found
        found = self.remembered[key]
        if isinstance(found, UserError):
            raise _without_frames(found)
        return found

    def recalled(self, key: Any) -> Any:
        """Return what `once` has returned for a key, if that is remembered."""
        return None if self.remembered is None else self.remembered.get(key)

    def function(self, name: str) -> Function:
        found = self.compiled.get(name)
        if found is None:
            op = self.symbols.get(name)
            if op is None:
                raise UserError(f"the module has no function '{name}'")
            if name in self._compiling:
                raise UnsupportedOp(f"function '{name}' calls itself")
            self._compiling.add(name)
            try:
                found = self.compiled[name] = Function(self, op)
            finally:
                self._compiling.remove(name)
        return found

    def kernels(self) -> list[str]:
        """Return the names of the functions with bodies that may be launched."""
        names = [
            name
            for name, op in self.symbols.items()
            if op.name in ("tt.func", "func.func") and op.regions and op.regions[0].blocks
        ]
        public = [n for n in names if text(self.symbols[n], "sym_visibility") != "private"]
        return public or names


def describe_location(op: Operation) -> str:
    """Return "file:line:column" of an op, or "" if it has no location."""
    place = file_position(op.location)
    return "" if place is None else f"{place[0]}:{place[1]}:{place[2]}"


def describe(op: Operation) -> str:
    """Return an op's name with its place in the source."""
    place = describe_location(op)
    return f"'{op.name}'" + (f" at {place}" if place else "")
