"""Functions of several blocks: `cf.br`, `cf.cond_br`, early returns."""

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, operand_groups, shape_of
from xtriton.cpu.emitter.control import assign_carried
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View, condition_text

Leave = Callable[[Operation], None]

BRANCHES = ("cf.br", "cf.cond_br")
"""Ops between the blocks of a function that are compiled."""


def run_blocks(e: Emitter, region: Region, leave: Leave | None = None) -> None:
    """Generate a function's blocks; `leave` says what a return does, by default end it."""
    entry, *others = region.blocks
    targets = {block: _Target(e, block) for block in others}
    for block in (entry, *others):
        if block is not entry:
            targets[block].begin()
        with e.nested():
            _branch(e, e.run_block(block), targets, leave)
    for target in targets.values():
        target.finish()


class _Target:
    """A block that is branched to: its label, its arguments and where they come from."""

    def __init__(self, e: Emitter, block: Block):
        self.e = e
        self.block = block
        self.label = e.builder.name("block")
        self.incoming: list[tuple[list[Operand], str]] = []
        self.tensors = [n for n, a in enumerate(block.args) if is_shaped(a.type)]
        self.scalars = [n for n, a in enumerate(block.args) if not is_shaped(a.type)]
        self.places: list[View] = []
        self.registers: list[str] = []
        self.first_line = 0
        for number in self.tensors:
            type = block.args[number].type
            self.places.append(e.allocate(shape_of(type), e.type(type), block.last_op))

    def begin(self) -> None:
        """Start the block and bind its arguments."""
        builder = self.e.builder
        builder.block(self.label)
        self.first_line = len(builder.lines)
        for number in self.scalars:
            register = f"%{builder.name('incoming')}"
            self.registers.append(register)
            builder.lines.append("")
            self.e.bind(self.block.args[number], register)
        for number, place in zip(self.tensors, self.places, strict=True):
            self.e.bind(self.block.args[number], place)

    def branch(self, values: Sequence[SSAValue]) -> None:
        """End the current block by going here."""
        assign_carried(self.e, self.places, [values[n] for n in self.tensors])
        scalars = [self.e.scalar(values[n]) for n in self.scalars]
        self.incoming.append((scalars, self.e.builder.current))
        self.e.builder.branch(self.label)

    def finish(self) -> None:
        """Write the phis, now that every branch is known."""
        for i, (number, register) in enumerate(zip(self.scalars, self.registers, strict=True)):
            type = self.e.register(self.block.args[number].type)
            pairs = ", ".join(f"[ {values[i]}, %{label} ]" for values, label in self.incoming)
            line = f"  {register} = phi {type} {pairs}"
            self.e.builder.lines[self.first_line + i] = line


def _branch(
    e: Emitter, terminator: Operation, targets: dict[Block, _Target], leave: Leave | None
) -> None:
    """Generate a terminator."""
    builder = e.builder
    match terminator.name:
        case "func.return":
            if leave is None:
                builder.emit("ret void")
            else:
                leave(terminator)
        case "cf.br":
            targets[terminator.successors[0]].branch(terminator.operands)
        case "cf.cond_br":
            (condition,), yes, no = operand_groups(terminator)
            labels = [builder.name("taken"), builder.name("taken")]
            text = condition_text(e.scalar(condition))
            builder.emit(f"br i1 {text}, label %{labels[0]}, label %{labels[1]}")
            for label, block, values in zip(labels, terminator.successors, (yes, no), strict=True):
                builder.block(label)
                with e.nested():
                    targets[block].branch(values)
        case _:
            e.unsupported(terminator)
