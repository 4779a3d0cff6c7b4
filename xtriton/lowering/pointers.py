"""
Scalar pointers as pairs: the memory that they point into, and an offset in elements.

A pointer argument becomes a memref argument; `tt.addptr` adds to the offset, nothing
else, so that a chain of them sums into one offset that every access applies itself to the
same memref. Through control flow a pointer becomes an `index`, beside a memref only where
the memory itself differs from path to path.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import FunctionType, UnrankedMemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith, builtin, scf
from xtriton.lowering.builder import INDEX, Builder, Extent


@dataclass(frozen=True)
class Pointer:
    """`offset` elements into `memory`."""

    memory: SSAValue
    """A memref, unranked for an argument."""
    offset: Extent


def is_pointer(kind: Attribute) -> bool:
    """Return whether a type is a scalar pointer to elements."""
    return isinstance(kind, tt.PtrType) and not hasattr(kind.pointee_type, "get_shape")


def memory_type(kind: Any) -> UnrankedMemRefType:
    """Return `memref<*xT>` for `!tt.ptr<T>`."""
    pointee = kind.pointee_type
    element = memory_type(pointee) if isinstance(pointee, tt.PtrType) else pointee
    return UnrankedMemRefType.from_type(element)


def _accessed_as(argument: BlockArgument) -> Attribute:
    """Return the pointer type that all users of an argument cast it to, or its own."""
    casts = [use.operation for use in argument.uses]
    targets = {cast.results[0].type for cast in casts if isinstance(cast, tt.BitcastOp)}
    if len(targets) != 1 or not all(isinstance(cast, tt.BitcastOp) for cast in casts):
        return argument.type
    (target,) = targets
    for cast in casts:
        cast.results[0].replace_all_uses_with(argument)
        cast.detach()
        cast.erase()
    return target


class Pointers:
    """The pairs of one function, found from the top down."""

    def __init__(self) -> None:
        self.pairs: dict[SSAValue, Pointer] = {}

    def get(self, value: SSAValue) -> Pointer | None:
        """Return the pair of a pointer, None if it is not known."""
        return self.pairs.get(value)

    def lower(self, function: Operation) -> None:
        """Find the pairs of `function` and rewrite the control flow that carries pointers."""
        if not function.regions[0].blocks:
            return
        entry = function.regions[0].blocks[0]
        for argument in entry.args:
            if is_pointer(argument.type):
                self._lower_argument(argument)
        self._retype(function, entry)
        self.lower_block(entry)

    def _lower_argument(self, argument: BlockArgument) -> None:
        """Let a pointer argument be a memref, an unrealized cast standing for the pointer."""
        kind = _accessed_as(argument)
        block = argument.owner
        cast = builtin.UnrealizedConversionCastOp.create(
            operands=(), result_types=(kind,), properties={}
        )
        argument.replace_all_uses_with(cast.results[0])
        argument._type = memory_type(kind)  # pyright: ignore[reportPrivateUsage]
        cast.operands = (argument,)
        assert isinstance(block, Block)
        first = block.first_op
        if first is None:
            block.add_op(cast)
        else:
            block.insert_op_before(cast, first)
        self.pairs[cast.results[0]] = Pointer(argument, 0)

    @staticmethod
    def _retype(function: Operation, entry: Block) -> None:
        kind: Any = function.properties["function_type"]
        inputs = [argument.type for argument in entry.args]
        function.properties["function_type"] = FunctionType.from_lists(
            inputs, list(kind.outputs.data)
        )

    def lower_block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            self.lower_op(op)
            op = following

    def lower_op(self, op: Operation) -> None:
        """Record the pairs of the op's results; rewrite it if it carries pointers in regions."""
        match op:
            case tt.AddPtrOp() if is_pointer(op.results[0].type):
                self._add(op)
            case tt.BitcastOp() if is_pointer(op.results[0].type):
                pass
            case arith.SelectOp() if is_pointer(op.results[0].type):
                self._select(op)
            case builtin.UnrealizedConversionCastOp():
                self._cast(op)
            case scf.ForOp() | scf.WhileOp():
                self._loop(op)
                return
            case scf.IfOp():
                self._if(op)
                return
            case _:
                pass
        for region in op.regions:
            for block in region.blocks:
                self.lower_block(block)

    def _add(self, op: Operation) -> None:
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        offset = builder.add(base.offset, builder.to_index(op.operands[1]))
        self.pairs[op.results[0]] = Pointer(base.memory, offset)

    def _cast(self, op: Operation) -> None:
        """A cast from memory, and maybe an offset, that an earlier pass left behind."""
        if len(op.results) == 1 and is_pointer(op.results[0].type):
            memory, *offset = op.operands
            self.pairs[op.results[0]] = Pointer(memory, offset[0] if offset else 0)

    def _select(self, op: Operation) -> None:
        pairs = [self.get(operand) for operand in op.operands[1:]]
        if pairs[0] is None or pairs[1] is None:
            return
        builder = Builder(before=op)
        first, second = pairs[0], pairs[1]
        condition = op.operands[0]

        def select(a: SSAValue, b: SSAValue) -> SSAValue:
            return builder.value(arith.SelectOp, (condition, a, b), a.type)

        memory = first.memory
        if memory is not second.memory:
            if memory.type != second.memory.type:
                return
            memory = select(memory, second.memory)
        offset = select(builder.materialise(first.offset), builder.materialise(second.offset))
        self.pairs[op.results[0]] = Pointer(memory, offset)

    # --- loops --------------------------------------------------------------------------

    def _loop(self, op: Operation) -> None:
        """Carry the offset of every pointer among the iter args of a loop."""
        if isinstance(op, scf.ForOp):
            first = 3
            op_body = op.regions[0].blocks[0]
            arguments = list(op_body.args)[1:]
        else:
            for region in op.regions:
                self.lower_block(region.blocks[0])
            return
        carried = list(op.operands[first:])
        places = [
            i for i, value in enumerate(carried) if is_pointer(value.type) and self.get(value)
        ]
        if not places:
            self.lower_block(op_body)
            return
        builder = Builder(before=op)
        starts: list[SSAValue] = list(op.operands)
        for place in places:
            pair = self.get(carried[place])
            assert pair is not None
            starts[first + place] = builder.materialise(pair.offset)
            self._carry(arguments[place], pair.memory)
        op.operands = starts
        self.lower_block(op_body)
        terminator = op_body.last_op
        assert terminator is not None
        self._yield_offsets(terminator, places)
        for place in places:
            pair = self.get(carried[place])
            assert pair is not None
            self._carry(op.results[place], pair.memory)

    def _carry(self, value: Any, memory: SSAValue) -> None:
        """Let a loop-carried pointer be its offset, an unrealized cast standing for it."""
        kind = value.type
        cast = builtin.UnrealizedConversionCastOp.create(operands=(), result_types=(kind,))
        value.replace_all_uses_with(cast.results[0])
        value._type = INDEX
        cast.operands = (memory, value)
        if isinstance(value, BlockArgument):
            block = value.owner
            first = block.first_op
            assert first is not None
            block.insert_op_before(cast, first)
        else:
            parent = value.owner.parent
            assert parent is not None
            parent.insert_op_after(cast, value.owner)
        self.pairs[cast.results[0]] = Pointer(memory, value)

    def _yield_offsets(self, terminator: Operation, places: Sequence[int]) -> None:
        builder = Builder(before=terminator)
        operands = list(terminator.operands)
        for place in places:
            pair = self.get(operands[place])
            if pair is not None:
                operands[place] = builder.materialise(pair.offset)
        terminator.operands = operands

    # --- branches -----------------------------------------------------------------------

    def _if(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                self.lower_block(block)
        places = [i for i, result in enumerate(op.results) if is_pointer(result.type)]
        if not places:
            return
        yields = [region.blocks[0].last_op for region in op.regions]
        for place in places:
            pairs = [self.get(y.operands[place]) for y in yields if y is not None]
            if len(pairs) != 2 or pairs[0] is None or pairs[1] is None:
                return
            if pairs[0].memory is not pairs[1].memory:
                return
        for terminator in yields:
            assert terminator is not None
        memories = [self.get(yields[0].operands[p]) for p in places]  # pyright: ignore
        for terminator in yields:
            assert terminator is not None
            self._yield_offsets(terminator, places)
        for place, pair in zip(places, memories, strict=True):
            assert pair is not None
            self._carry(op.results[place], pair.memory)


def drop_dead(root: Operation) -> None:
    """Erase pointer arithmetic and casts that nobody uses any more, users first."""
    for op in list(root.walk(reverse=True)):
        if isinstance(op, _ERASABLE) and all(r.first_use is None for r in op.results):
            op.detach()
            op.erase()


_ERASABLE = (
    tt.AddPtrOp,
    tt.BitcastOp,
    tt.SplatOp,
    tt.BroadcastOp,
    tt.ExpandDimsOp,
    tt.ReshapeOp,
    tt.TransOp,
    builtin.UnrealizedConversionCastOp,
)


