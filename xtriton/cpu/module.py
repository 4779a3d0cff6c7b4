"""What the functions of one LLVM module share."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

FUNCTION = re.compile(r"@(xt\.\w+\.f32)\(")
"""A call of one of `mathlib`'s functions."""
LANES = "xt.lanes"
"""What the names of functions begin with that look up numbers in a register."""
TOGETHER = {8: 32}
"""How many numbers they may take at once, by how many the register holds."""
FEW_LINES = 24
"""Of loops that do little else: four times the vectors of others are too many for registers."""
SHORT = range(16, 64)
"""Iterations of loops of vectors that LLVM may take for loops to unroll."""
ONE_TURN = range(SHORT.start, 64 + 1)
"""Those of loops that are one turn of some vectors, four of 16 numbers at most."""


def functions_in(lines: Sequence[str]) -> set[str]:
    """Return the names of `mathlib`'s functions that are called."""
    return {name for line in lines for name in FUNCTION.findall(line)}


IN_MEMORY = '"places-in-memory"'
"""The attribute of functions that load from places which are numbers in memory."""


@dataclass
class Module:
    """
    What functions of one module share: declarations, helper functions, metadata.

    `looked_up` says how many f32 of a register exponentials may look up others by, 0 if none,
    `most_unrolled` how many iterations a loop may have that LLVM takes apart, 0 for any number,
    `chains` how many vectors a loop of long chains of operations computes at a time;
    `kept` are functions that LLVM is to leave alone though nobody calls them yet; `ends_in_part`
    tells of a loop that does what is left behind its vectors as one in part, `finds_places` of one
    that loads from places which lie in memory, too.
    """

    looked_up: int = 0
    most_unrolled: int = 0
    chains: int = 2
    declarations: dict[str, str] = field(default_factory=dict[str, str])
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    metadata: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])
    ends_in_part: bool = False
    finds_places: bool = False

    def declare(self, result: str, name: str, argument_types: Sequence[str]) -> None:
        self.declarations[name] = f"declare {result} @{name}({', '.join(argument_types)})"

    def add_metadata(self, text: str) -> str:
        """Add a metadata node and return its name; `@` in `text` stands for that name."""
        name = f"!{len(self.metadata)}"
        self.metadata.append(f"{name} = {text.replace('@', name)}")
        return name

    def add_parallel_loop(self, group: str, size: int | str, *, inside: bool = False) -> str:
        """
        Add what describes a loop of `size` whose accesses of a group are independent.

        LLVM would put all loads of such a loop in front of all stores once it has taken it apart,
        and keep on the stack what registers do not hold. A short one `inside` of another it would
        take apart before it looks for vectors, of which then only those of the outer one are left.
        """
        accesses = self.add_metadata(f'!{{!"llvm.loop.parallel_accesses", {group}}}')
        if inside and size in SHORT:
            whole = self.add_metadata('!{!"llvm.loop.unroll.disable"}')
            name = "llvm.loop.vectorize.followup_vectorized"
            followed = self.add_metadata(f'!{{!"{name}", {accesses}}}')
            return self.add_metadata(f"distinct !{{@, {accesses}, {whole}, {followed}}}")
        if isinstance(size, int) and 0 < self.most_unrolled < size:
            whole = self.add_metadata('!{!"llvm.loop.unroll.disable"}')
            name = "llvm.loop.vectorize.followup_vectorized"
            followed = self.add_metadata(f'!{{!"{name}", {accesses}, {whole}}}')
            return self.add_metadata(f"distinct !{{@, {accesses}, {followed}}}")
        return self.add_metadata(f"distinct !{{@, {accesses}}}")

    def interleave(self, loop: str, vectors: int) -> None:
        """Let a loop that is vectorised compute so many vectors at a time."""
        self._add_to_loop(loop, "interleave.count", f"i32 {vectors}")

    def interleave_functions(
        self, loop: str, size: int | str, functions: Iterable[str], lines: int
    ) -> None:
        """
        Let a loop of so many lines that calls functions compute several vectors at a time.

        Such as `exp` are chains of operations that wait for each other; LLVM leaves loops with so
        many operations alone. Those that look up numbers may take several vectors as one.
        """
        lanes = TOGETHER.get(self.looked_up, 0)
        whole = lanes > 0 and isinstance(size, int) and size % lanes == 0
        if whole and lines <= FEW_LINES and any(map(self._looks_up, functions)):
            self._add_to_loop(loop, "vectorize.width", f"i32 {lanes}")
            self.interleave(loop, 1)
        else:
            self.interleave(loop, self.chains)

    def _looks_up(self, function: str) -> bool:
        return f"@{LANES}" in self.definitions.get(function, "")

    def _add_to_loop(self, loop: str, name: str, value: str) -> None:
        added = self.add_metadata(f'!{{!"llvm.loop.{name}", {value}}}')
        place = int(loop[1:])
        self.metadata[place] = self.metadata[place].removesuffix("}") + f", {added}}}"

    def text(self) -> str:
        """Return everything that the functions refer to."""
        kept = [f"@llvm.compiler.used = {_pointers(self.kept)}"] if self.kept else []
        parts = (*self.declarations.values(), *self.definitions.values(), *kept, *self.metadata)
        return "".join(part + "\n" for part in parts)


def _pointers(names: Sequence[str]) -> str:
    pointers = ", ".join(f"ptr @{name}" for name in names)
    return f'appending global [{len(names)} x ptr] [{pointers}], section "llvm.metadata"'
