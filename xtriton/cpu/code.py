"""What is known of a kernel that has been emitted."""

from dataclasses import dataclass, field

from xtriton import abi
from xtriton.cpu.job import launcher_name
from xtriton.cpu.records import Check


@dataclass(frozen=True)
class KernelCode:
    """A kernel as LLVM IR text, and what the launcher must know of it."""

    name: str
    text: str
    arguments: tuple[abi.Argument, ...]
    arena_bytes: int
    assertions: tuple[str, ...]
    written: frozenset[int]
    """Numbers of the arguments that are stored to."""
    aliases: bool = True
    """Whether the code asks if memory that is written may be another argument's as well."""

    filled: dict[int, abi.TensorFact] = field(default_factory=dict[int, abi.TensorFact])
    """The arguments that the launcher fills in."""

    checks: tuple[Check, ...] | None = None
    """What checked code looks at, by the number that it reports; None for code that does not."""

    names: tuple[str, ...] = ()
    """Of the arguments, as far as known."""

    returning: range = range(0)
    """How many programs launches have that may begin with the last."""

    @property
    def entry(self) -> str:
        return launcher_name(self.name)
