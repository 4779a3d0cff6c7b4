"""
The first step of upstream's `triton-to-structured`, which `run-prepass-only` asks for.

Before:

    %r = scf.for ... iter_args(%p = %first) -> (tensor<4x!tt.ptr<f32>>) {
      scf.yield %next : tensor<4x!tt.ptr<f32>>
    }

After:

    %s, %o, %t = "tts.get_structured_state"(%first)
    %r:3 = scf.for ... iter_args(%p = %s, %offset = %o, %stride = %t) -> (...) {
      %s1, %o1, %t1 = "tts.get_structured_state"(%next)
      scf.yield %s1, %o1, %t1 : tensor<4x!tt.ptr<f32>>, index, index
    }

Loops carry room for an offset and a stride of each dimension. Our own raising does without.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import i32
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.core import SSAValues

from xtriton.analysis.values import Sort, type_facts
from xtriton.dialects.tts import GetStructuredStateOp
from xtriton.ir.value_flow import bounds_of, initial_values
from xtriton.transforms.raising.writing.emitter import INDEX


@dataclass
class StructuredStates:
    """Lets the loops of one function carry the states of pointers and of tensors of indices."""

    function: Operation
    states: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    """What a loop carries or returns, with its offsets and strides."""

    def run(self) -> None:
        loops = [op for op in self.function.walk() if op.name == "scf.for"]
        for loop in loops:
            self._enter(loop)
        for loop in loops:
            self._yield(loop)

    def state(self, value: SSAValue, user: Operation) -> list[SSAValue]:
        """Return a value with its offsets and strides, for an op that hands it to a loop."""
        found = self.states.get(value)
        if found is None:
            made = GetStructuredStateOp(value)
            made.location = user.location
            assert user.parent is not None
            user.parent.insert_op_before(made, user)
            return list[SSAValue](made.results)
        return found

    def _enter(self, loop: Operation) -> None:
        """Widen what a loop starts with, its arguments and its results."""
        operands, results = list(bounds_of(loop)), list[OpResult]()
        made: dict[SSAValue, list[SSAValue]] = {}
        arguments = loop.regions[0].blocks[0].args[1:]
        carried = list(zip(initial_values(loop), arguments, loop.results, strict=True))
        for first, argument, result in carried:
            results.append(result)
            if not has_state(argument):
                operands.append(first)
                continue
            if first not in made:
                made[first] = self.state(first, loop)
            operands += made[first]
            extra = len(made[first]) - 1
            self.states[argument] = [argument, *_more_arguments(argument, extra)]
            more = [OpResult(INDEX, loop, 0) for _ in range(extra)]
            self.states[result] = [result, *more]
            results += more
        for index, result in enumerate(results):
            result.index = index
        loop.operands, loop.results = operands, SSAValues(results)

    def _yield(self, loop: Operation) -> None:
        body = loop.regions[0].blocks[0]
        last = body.ops.last
        assert last is not None
        extras = {v for a in body.args for v in self.states.get(a, [a])[1:]}
        originals = [a for a in body.args[1:] if a not in extras]
        made: dict[SSAValue, list[SSAValue]] = {}
        values: list[SSAValue] = []
        for argument, value in zip(originals, last.operands, strict=True):
            if argument not in self.states:
                values.append(value)
                continue
            if value not in made:
                made[value] = self.state(value, last)
            values += made[value]
        last.operands = values


def has_state(value: SSAValue) -> bool:
    """Tell whether a value is a pointer, or a tensor of pointers or of indices."""
    facts = type_facts(value.type)
    is_index = facts.sort is Sort.INTEGER and facts.shape is not None and facts.element == i32
    return facts.sort is Sort.POINTER or is_index


def _more_arguments(argument: BlockArgument, count: int) -> Sequence[SSAValue]:
    """Return new arguments right behind one."""
    block = argument.owner
    return [
        block.insert_arg(INDEX, argument.index + 1 + n, argument.location) for n in range(count)
    ]
