"""Rules on scalars, made to hold for tensors element by element."""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Attribute, Operation, Use

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import element_type_of, is_shaped, shape_of, single_block
from xtriton.cpu.emitter.core import RULES, Emitter, Rule
from xtriton.cpu.emitter.generics import generic_of, is_identity
from xtriton.cpu.emitter.values import Lazy, Read, Tensor


def elementwise(rule: Rule) -> Rule:
    """Return a rule that does what `rule` does to scalars, and to each element of tensors."""

    def apply(e: Emitter, op: Operation) -> None:
        if is_shaped(op.results[0].type):
            _bind_lazily(e, op, rule)
        else:
            rule(e, op)

    return apply


def scalar_rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule on scalars, to hold for tensors element by element too."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = elementwise(function)
        return function

    return register


def _bind_lazily(e: Emitter, op: Operation, rule: Rule) -> None:
    operands = {
        value: e.tensor(value) if is_shaped(value.type) else e.scalar(value)
        for value in op.operands
    }
    tensors = [value for value in operands.values() if not isinstance(value, int | str)]
    reads = tuple(read for tensor in tensors for read in e.reads_of(tensor))
    cost = op_cost(op) + sum(cost_of(tensor) for tensor in tensors)

    def compute(number: int, indices: Sequence[Operand]) -> Operand:
        saved = {value: e.environment[value] for value in op.operands}
        for value, tensor in operands.items():
            if not isinstance(tensor, int | str):
                e.environment[value] = e.element(tensor, indices)
        rule(e, op)
        result = e.scalar(op.results[number])
        e.environment.update(saved)
        return result

    for number, result in enumerate(op.results):
        sizes = shape_of(result.type)
        lazy = Lazy(
            e.type(result.type), sizes, lambda i, number=number: compute(number, i), reads, cost
        )
        delayed = e.delaying or worth_delaying(op, cost, reads)
        e.bind(result, lazy if delayed else e.materialized(lazy))


def cost_of(tensor: Tensor) -> int:
    return tensor.cost if isinstance(tensor, Lazy) else 1


FREE = 1
"""What takes less than to read it back, if nothing is read for it: the place of an element."""
CHEAP = 3
"""What may be computed again for each consumer rather than kept in memory."""

SHARED = 16
"""What is done once for several consumers if those are parts of one loop."""
FAR = 32
"""Ops behind a block that may be parts of that loop."""

FUNCTION_COST = 12
"""About how many additions a function such as `exp` is worth."""
SIMPLE = (
    "math.absf",
    "math.absi",
    "math.ceil",
    "math.copysign",
    "math.floor",
    "math.fma",
    "math.roundeven",
    "math.trunc",
)
"""What CPUs have an instruction for that takes no longer than an addition."""
DIVISIONS = ("arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv")
PLAIN = ("arith.", "math.")
TRIVIAL = ("linalg.yield", "linalg.index", "arith.constant")


def op_cost(op: Operation) -> int:
    """Return about how many additions one run of `op` is worth."""
    if op.name in TRIVIAL:
        return 0
    if op.name.startswith("math."):
        return 1 if op.name in SIMPLE else FUNCTION_COST
    return 4 if op.name.startswith(DIVISIONS) else 1


def is_free(type: Attribute, cost: int, reads: Sequence[Read]) -> bool:
    """
    Return whether elements of a type take less to compute than to read back, anywhere.

    Of conditions memory has a byte each, which vectors have to be widened from.
    """
    return not reads and cost <= (CHEAP if type == i1 else FREE)


def _user(op: Operation) -> Operation:
    """Return `op`, or the loop around it if it takes an element at the index of that loop."""
    loop = op.parent_op()
    if op.name != "tensor.extract" or loop is None or loop.name != "linalg.generic":
        return op
    indices = [value.owner for value in op.operands[1:]]
    by_index = all(isinstance(i, Operation) and i.name == "linalg.index" for i in indices)
    return loop if by_index and len(indices) == 1 else op


def _reads(use: Use) -> bool:
    """Return whether a use is no mere hint at memory that results may take over."""
    op = use.operation
    return op.name != "linalg.generic" or any(single_block(op).args[use.index].uses)


def real_uses(op: Operation) -> list[Use]:
    """Return the uses of what an op makes that are no mere hints at its memory."""
    return [use for result in op.results for use in result.uses if _reads(use)]


def element_users(op: Operation) -> list[Operation]:
    """Return the ops that compute each element of the one of `op` at the same place."""
    return [use.operation for use in real_uses(op) if is_in_step(use)]


def is_in_step(use: Use) -> bool:
    """Return whether a use makes each element of a block of the one at the same place."""
    op = use.operation
    if op.name != "linalg.generic":
        return op.name.startswith(PLAIN)
    generic = generic_of(op)
    maps = [generic.maps[use.index], *generic.output_maps]
    return (
        bool(op.results)
        and not any(generic.reductions)
        and all(map(is_identity, maps))
        and all(
            inner.name in TRIVIAL or inner.name.startswith(PLAIN) for inner in generic.block.ops
        )
    )


def branches(op: Operation) -> bool:
    """Return whether there is a choice between two ways inside an op."""
    return any(inner.name == "scf.if" for region in op.regions for inner in region.walk())


def worth_delaying(op: Operation, cost: int, reads: Sequence[Read]) -> bool:
    """
    True if the results of `op` should be computed where they are consumed.

    That is so for a single consumer in the same block, and for several if the computation
    is cheap, or if all of them end in one loop. What is used in a loop inside is better made
    before the loop, and so is what a loop with branches uses, of which LLVM makes no vectors.
    """
    if all(is_free(element_type_of(result.type), cost, reads) for result in op.results):
        return True
    uses = real_uses(op)
    users = {_user(use.operation) for use in uses}
    if any(read.late for read in reads) and not all(map(is_in_step, uses)):
        return False
    if any(user.parent_block() is not op.parent_block() for user in users):
        return False
    if cost > CHEAP and any(map(branches, users)):
        return False
    return len(uses) <= 1 or cost <= CHEAP or (cost <= SHARED and _meets(op))


def _meets(op: Operation) -> bool:
    """
    Return whether all that is made of the floats of `op` meets in one op, not far behind it.

    They are then computed once, in the loop that computes those of the last one.
    """
    if not all(isinstance(element_type_of(result.type), AnyFloat) for result in op.results):
        return False
    waiting, following = {op}, op
    for _ in range(FAR):
        if following in waiting:
            uses = real_uses(following)
            if not uses or not all(map(is_in_step, uses)):
                return False
            waiting.remove(following)
            waiting |= {use.operation for use in uses}
        following = following.next_op
        if following is None or any(
            user.parent_block() is not op.parent_block() for user in waiting
        ):
            return False
        if waiting == {following}:
            return True
    return False
