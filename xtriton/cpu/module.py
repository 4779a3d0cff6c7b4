"""What the functions of one LLVM module share."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Module:
    """
    What functions of one module share: declarations, helper functions, metadata.

    `scaling` says that the target multiplies f32 by powers of two in one instruction.
    """

    scaling: bool = False
    declarations: dict[str, str] = field(default_factory=dict[str, str])
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    metadata: list[str] = field(default_factory=list[str])

    def declare(self, result: str, name: str, argument_types: Sequence[str]) -> None:
        self.declarations[name] = f"declare {result} @{name}({', '.join(argument_types)})"

    def add_metadata(self, text: str) -> str:
        """Add a metadata node and return its name; `@` in `text` stands for that name."""
        name = f"!{len(self.metadata)}"
        self.metadata.append(f"{name} = {text.replace('@', name)}")
        return name

    def interleave(self, loop: str) -> None:
        """
        Let a loop that is vectorised compute two vectors at a time.

        Functions such as `exp` are chains of operations that wait for each other; LLVM leaves
        loops with so many operations alone.
        """
        two = self.add_metadata('!{!"llvm.loop.interleave.count", i32 2}')
        place = int(loop[1:])
        self.metadata[place] = self.metadata[place].removesuffix("}") + f", {two}}}"

    def text(self) -> str:
        """Return everything that the functions refer to."""
        parts = (*self.declarations.values(), *self.definitions.values(), *self.metadata)
        return "".join(part + "\n" for part in parts)
