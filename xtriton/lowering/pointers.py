"""
Scalar pointers as pairs: the memory that they point into, and an offset in elements.

A pointer argument becomes a memref argument; `tt.addptr` adds to the offset, nothing
else, so that a chain of them sums into one offset that every access applies itself to the
same memref. Through control flow a pointer becomes an `index`, beside a memref only where
the memory itself differs from path to path.
"""

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import FunctionType, UnrankedMemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith, builtin, func, scf
from xtriton.lowering.builder import Builder, Extent


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
        """
        Find the pairs of `function` and rewrite the control flow that carries pointers.

        The arguments of a `func.func` become memrefs; those of a `tt.func`, which other
        passes have to understand, stay pointers beside a cast to a memref.
        """
        if not function.regions[0].blocks:
            return
        from xtriton.lowering import pointer_flow

        entry = function.regions[0].blocks[0]
        retype = function.name == "func.func"
        moved = pointer_flow.offset_places(function)
        offsets = dict(zip(moved, entry.args[len(entry.args) - len(moved) :], strict=True))
        for place, argument in enumerate(entry.args):
            if is_pointer(argument.type):
                if retype:
                    self._lower_argument(argument, offsets.get(place))
                else:
                    self._cast_argument(argument)
        if retype:
            self._retype(function, entry)
        self.lower_blocks(list(function.regions[0].blocks))

    def _lower_argument(self, argument: BlockArgument, offset: SSAValue | None) -> None:
        """Let a pointer argument be a memref, an unrealized cast standing for the pointer."""
        kind = _accessed_as(argument)
        if argument.first_use is None:
            argument._type = memory_type(kind)  # pyright: ignore[reportPrivateUsage]
            return
        cast = builtin.UnrealizedConversionCastOp.create(
            operands=(), result_types=(kind,), properties={}
        )
        argument.replace_all_uses_with(cast.results[0])
        argument._type = memory_type(kind)  # pyright: ignore[reportPrivateUsage]
        cast.operands = (argument,) if offset is None else (argument, offset)
        insert_first(argument.owner, cast)
        self.pairs[cast.results[0]] = Pointer(argument, 0 if offset is None else offset)

    def _cast_argument(self, argument: BlockArgument) -> None:
        for use in argument.uses:
            known = use.operation
            if isinstance(known, builtin.UnrealizedConversionCastOp) and len(known.results) == 1:
                self.pairs[argument] = Pointer(known.results[0], 0)
                return
        cast = builtin.UnrealizedConversionCastOp.create(
            operands=(argument,), result_types=(memory_type(argument.type),)
        )
        insert_first(argument.owner, cast)
        self.pairs[argument] = Pointer(cast.results[0], 0)

    @staticmethod
    def _retype(function: Operation, entry: Block) -> None:
        kind: Any = function.properties["function_type"]
        inputs = [argument.type for argument in entry.args]
        function.properties["function_type"] = FunctionType.from_lists(
            inputs, list(kind.outputs.data)
        )

    # --- ops ----------------------------------------------------------------------------

    def lower_blocks(self, blocks: list[Block]) -> None:
        """Lower the blocks of a region, which may branch to each other."""
        from xtriton.lowering import pointer_flow

        if len(blocks) > 1:
            pointer_flow.lower_branching_blocks(self, blocks)
            return
        for block in blocks:
            self.lower_block(block)

    def lower_block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            self.lower_op(op)
            op = following

    def lower_op(self, op: Operation) -> None:
        """Record the pairs of the op's results; rewrite it if it carries pointers in regions."""
        from xtriton.lowering import pointer_flow

        match op:
            case tt.AddPtrOp():
                if is_pointer(op.results[0].type):
                    self._add(op)
            case tt.BitcastOp():
                if is_pointer(op.results[0].type):
                    self._bitcast(op)
            case arith.SelectOp():
                if is_pointer(op.results[0].type):
                    self._select(op)
            case builtin.UnrealizedConversionCastOp():
                self._cast(op)
            case scf.ForOp():
                pointer_flow.lower_for(self, op)
            case scf.WhileOp():
                pointer_flow.lower_while(self, op)
            case scf.IfOp():
                pointer_flow.lower_if(self, op)
            case func.CallOp():
                pointer_flow.lower_call(self, op)
            case _ if op.regions:
                for region in op.regions:
                    self.lower_blocks(list(region.blocks))
            case _:
                pass

    def _add(self, op: Operation) -> None:
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        offset = builder.add(base.offset, builder.to_index(op.operands[1]))
        self.pairs[op.results[0]] = Pointer(base.memory, offset)

    def _bitcast(self, op: Operation) -> None:
        """The same memory seen as other elements; a cast of memrefs that LLVM does not see."""
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        before: Any = op.operands[0].type
        after: Any = op.results[0].type
        target = memory_type(after)
        memory = builder.value(builtin.UnrealizedConversionCastOp, (base.memory,), target)
        offset = base.offset
        sizes = before.pointee_type.compile_time_size, after.pointee_type.compile_time_size
        if sizes[0] != sizes[1]:
            offset = builder.multiply(offset, sizes[0])
            if isinstance(offset, int):
                offset //= sizes[1]
            else:
                size = builder.integer(sizes[1])
                offset = builder.value(arith.FloorDivSIOp, (offset, size), offset.type)
        self.pairs[op.results[0]] = Pointer(memory, offset)

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


def insert_first(block: Any, op: Operation) -> None:
    """Insert `op` at the beginning of a block."""
    first = block.first_op
    if first is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, first)


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
