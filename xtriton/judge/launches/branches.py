"""
Launches that take the sides of branches which other launches do not take.

A guard of a versioned kernel says `K` is a multiple of 64: few drawn arguments are. Its
condition as an index expression is evaluated on many candidates at once, made of the numbers
that it compares with, until one takes each side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.index_analysis import index_analysis
from xtriton.analysis.indexing import Atom, Cond, Expr
from xtriton.analysis.indexing.evaluation import Evaluator
from xtriton.interpreter.arguments import Endless, Parameter, PerProgram
from xtriton.judge.launches.draws import Draw
from xtriton.judge.launches.kernel_facts import block_extent, loop_arguments

CANDIDATES = 4096
LARGEST = 1 << 14
"""Greater arguments are not tried: loops would take too long."""

_MEMORY = ("load", "store", "gather", "scatter", "atomic_rmw", "atomic_cas")


def branch_draws(
    function: Operation, known: list[Parameter], made: Sequence[Draw], fixed: set[int]
) -> Iterator[Draw]:
    """Yield launches for the sides of branches that none of those `made` takes."""
    branches = [op for op in function.walk() if op.name == "scf.if" and _accesses_memory(op)]
    if not branches or not made or function.name != "tt.func":
        return
    analysis = index_analysis(function)
    for op in branches:
        branch = Branch(analysis, op, known, fixed)
        if not branch.is_known:
            continue
        taken: set[bool] = set()
        for draw in made:
            taken |= branch.sides(draw)
        for side in {True, False} - taken:
            found = branch.search(made[0], side)
            if found is not None:
                yield found


def _unusual(values: Any) -> Any:
    """Return how far numbers are from small positive ones, which kernels take for granted."""
    return np.abs(values) + np.where(values <= 0, 1 << 20, 0)


def places_of(draw: Draw) -> tuple[Any, Any, Any]:
    """Return the places of a launch's programs along the axes of its grid."""
    number = np.asarray(draw.programs, np.int64)
    x, y, _ = draw.grid
    return number % x, number // x % y, number // (x * y)


def _accesses_memory(op: Operation) -> bool:
    return any(inner.name.rpartition(".")[2].endswith(_MEMORY) for inner in op.walk())


@dataclass
class _Leaves:
    """What a condition depends on: arguments by position, the grid, loaded scalars."""

    arguments: dict[int, int]
    programs: dict[int, int]
    grid: dict[int, int]
    loaded: list[int]


class Branch:
    """A branch of a kernel, as a condition on arguments, the place in the grid and memory."""

    def __init__(
        self, analysis: IndexAnalysis, op: Operation, known: list[Parameter], fixed: set[int]
    ):
        self.analysis = analysis
        self.known = {p.index: p for p in known}
        self.fixed = fixed
        self.condition = analysis.resolved_condition(analysis.cond(op.operands[0]))
        self.leaves = self._leaves()

    @property
    def is_known(self) -> bool:
        """Whether the condition can be evaluated, and may be either."""
        return self.leaves is not None and bool(self.condition.leaves)

    def _leaves(self) -> _Leaves | None:
        found = _Leaves({}, {}, {}, [])
        for u in self.condition.leaves:
            atom = self.analysis.space.atoms[u]
            match atom.parts:
                case ("program_id", int(axis)):
                    found.programs[u] = axis
                case ("num_programs", int(axis)):
                    found.grid[u] = axis
                case _ if not self._add_value(found, atom):
                    return None
                case _:
                    pass
        return found

    def _add_value(self, found: _Leaves, atom: Atom) -> bool:
        value = self.analysis.leaf_values.get(atom.uid)
        entry = self.analysis.function.regions[0].blocks[0]
        if isinstance(value, SSAValue) and value in entry.args:
            found.arguments[atom.uid] = entry.args.index(value)
            return True
        owner = value.owner if value is not None else None
        if isinstance(owner, Operation) and owner.name == "tt.load":
            found.loaded.append(atom.uid)
            return True
        return False

    def sides(self, draw: Draw) -> set[bool]:
        """Return which sides the programs of a launch take; none where memory decides."""
        leaves = self.leaves
        assert leaves is not None
        if leaves.loaded:
            return set()
        values = {k: np.int64(_number(draw.values[k])) for k in leaves.arguments.values()}
        places = places_of(draw)
        return {bool(taken) for taken in self._evaluate(draw.grid, places, values, 0).ravel()}

    def _evaluate(
        self, grid: Sequence[Any], places: Sequence[Any], values: dict[int, Any], memory: Any
    ) -> Any:
        """Return what the condition is, for arrays of launches and programs."""
        leaves = self.leaves
        assert leaves is not None
        numbers: dict[int, Any] = {u: values[k] for u, k in leaves.arguments.items()}
        numbers |= dict.fromkeys(leaves.loaded, memory)
        numbers |= {u: np.asarray(grid[axis], np.int64) for u, axis in leaves.grid.items()}
        numbers |= {u: places[axis] for u, axis in leaves.programs.items()}
        with np.errstate(all="ignore"):
            return np.atleast_1d(Evaluator(numbers).cond(self.condition))

    def search(self, base: Draw, side: bool) -> Draw | None:
        """Return a launch like `base` in which some program takes a side of the branch."""
        leaves = self.leaves
        assert leaves is not None
        rng = np.random.default_rng(0)
        constants = sorted(constants_of(self.condition))
        values: dict[int, Any] = {}
        for k in sorted(set(leaves.arguments.values())):
            values[k] = np.full(CANDIDATES, _number(base.values[k]), np.int64)
            pool = self._pool(k, base, constants)
            if k not in self.fixed and pool.size:
                values[k] = rng.choice(pool, CANDIDATES)
        memory = rng.choice(_numbers(constants), CANDIDATES)
        places = [self._places(rng, base, axis) for axis in range(3)]
        grid = [np.maximum(p + 1, n) for p, n in zip(places, base.grid, strict=True)]
        fits = self._evaluate(grid, places, values, memory) == side
        fits = np.broadcast_to(fits, CANDIDATES)
        if not fits.any():
            return None
        tried = [*values.values(), *([memory] if leaves.loaded else [])]
        size = sum((_unusual(v) for v in tried), sum(places, np.zeros(CANDIDATES)))
        best = int(np.where(fits, size, np.inf).argmin())
        numbers = {k: int(v[best]) for k, v in values.items()}
        draw = self._with_values(base, numbers, int(memory[best]))
        x, y, z = (int(n[best]) for n in grid)
        px, py, pz = (int(p[best]) for p in places)
        draw = self._reaching(draw, max(px, py, pz))
        return replace(draw, grid=(x, y, z), programs=(px + x * (py + y * pz),))

    def _places(self, rng: np.random.Generator, base: Draw, axis: int) -> Any:
        """Return places in the grid to try: those of `base`, and far ones."""
        if self.leaves is None or axis not in self.leaves.programs.values():
            return np.zeros(CANDIDATES, np.int64)
        near = rng.integers(0, base.grid[axis], CANDIDATES)
        return np.where(rng.integers(0, 2, CANDIDATES), near, rng.integers(0, 2048, CANDIDATES))

    def _pool(self, k: int, base: Draw, constants: list[int]) -> Any:
        """Return the numbers that an argument may be."""
        known = self.known.get(k)
        if known is None or known.is_memory or known.info.scalar.is_float:
            return np.empty(0, np.int64)
        divisor = int(known.attributes.get("tt.divisibility") or 1)
        pool = np.append(_numbers(constants), np.int64(_number(base.values[k])))
        width = min(known.info.scalar.width, 62)
        pool = np.unique(-(-pool // divisor) * divisor)
        return pool[np.abs(pool) < 1 << (width - 1)]

    def _reaching(self, draw: Draw, place: int) -> Draw:
        """Enlarge the numbers that are no part of the condition, so that masks let `place` in."""
        function = self.analysis.function
        kept = {*self.fixed, *loop_arguments(function)}
        if self.leaves is not None:
            kept |= set(self.leaves.arguments.values())
        values = list(draw.values)
        for k, known in self.known.items():
            is_number = not known.is_memory and isinstance(values[k], int)
            if is_number and k not in kept and known.info.scalar.width > 16:
                values[k] += 16 * (-(-place * block_extent(function) // 16))
        return replace(draw, values=tuple(values))

    def _with_values(self, base: Draw, numbers: dict[int, int], memory: int) -> Draw:
        values = [numbers.get(k, value) for k, value in enumerate(base.values)]
        if self.leaves is not None and self.leaves.loaded:
            values = [
                replace(v, contents=v.contents.steering(1, int(memory)))
                if isinstance(v, Endless)
                else v
                for v in values
            ]
        return replace(base, name="a branch not taken before", values=tuple(values))


def _number(value: Any) -> Any:
    return value.numbers[0] if isinstance(value, PerProgram) else value


def _numbers(constants: Sequence[int]) -> Any:
    """Return small numbers, and multiples and neighbours of those that are compared with."""
    found = {*range(-2, 10), *(c * k for c in constants for k in range(1, 5))}
    found |= {c + d for c in constants for d in (-1, 1)}
    return np.asarray(sorted(n for n in found if abs(n) <= LARGEST), np.int64)


def constants_of(condition: Cond) -> set[int]:
    """Return the numbers in a condition, without their signs."""
    found: set[int] = set()
    seen: set[int] = set()
    worklist: list[Expr | Cond | Atom] = [condition]
    while worklist:
        value = worklist.pop()
        if isinstance(value, Expr):
            found |= {abs(c) for c in value.terms.values()}
            worklist += value.atoms()
        elif isinstance(value, Cond):
            worklist += value.args
        elif value.uid not in seen:
            seen.add(value.uid)
            worklist += [arg for arg in value.args if isinstance(arg, Expr | Cond)]
    return {c for c in found if 1 < c <= LARGEST}
