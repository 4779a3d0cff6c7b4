"""
Scalar pointers as pairs: the memory that they point into, and an offset in elements.

A pointer argument becomes a memref argument; `tt.addptr` adds to the offset, nothing
else, so that a chain of them sums into one offset that every access applies itself to the
same memref. Through control flow a pointer becomes an `index`, beside a memref only where
the memory itself differs from path to path.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, UnrankedMemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xtriton.analysis.values import byte_width
from xtriton.dialects import tt
from xtriton.dialects.upstream import arith, builtin, memref
from xtriton.ir.listings import classes_of
from xtriton.ir.noted_edits import set_value_type
from xtriton.ir.walking import ops_in
from xtriton.lowering.attributes import memref_type
from xtriton.lowering.builder import INDEX, Builder, Extent
from xtriton.lowering.signatures import set_signature
from xtriton.passes.rewriting import replace
from xtriton.records import record


@record
class MemRefPointer:
    """`offset` elements into `memory`."""

    memory: SSAValue
    """A memref, unranked for an argument."""
    offset: Extent


def is_pointer(kind: Attribute) -> bool:
    """
    Return whether a type is a scalar pointer to elements.

    Not one to pointers: these are addresses in memory, of which no memref can be made.
    """
    # Types that are none are told apart sooner than by `isinstance`.
    if type(kind) is not tt.PtrType:
        return False
    pointee = kind.pointee_type
    return not (hasattr(pointee, "get_shape") or isinstance(pointee, tt.PtrType))


def memory_type(kind: Any) -> Any:
    """Return `memref<*xT>` for `!tt.ptr<T>`."""
    return _unranked(kind.pointee_type)


@lru_cache
def _unranked(element: Attribute) -> UnrankedMemRefType:
    return UnrankedMemRefType.from_type(element)


def _accessed_as(argument: BlockArgument) -> Attribute:
    """Return the pointer type that all users of an argument cast it to, or its own."""
    casts = [use.operation for use in argument.uses]
    targets = {cast.results[0].type for cast in casts if isinstance(cast, tt.BitcastOp)}
    if len(targets) != 1 or not all(isinstance(cast, tt.BitcastOp) for cast in casts):
        return argument.type
    (target,) = targets
    for cast in casts:
        replace(cast, (argument,))
    return target


class Pointers:
    """The pairs of one function, found from the top down."""

    def __init__(self) -> None:
        self.pairs: dict[SSAValue, MemRefPointer] = {}

    def get(self, value: SSAValue) -> MemRefPointer | None:
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
        entry = function.regions[0].blocks[0]
        retype = function.name == "func.func"
        moved = offset_places(function)
        offsets = dict(zip(moved, entry.args[len(entry.args) - len(moved) :], strict=True))
        pointers = [argument for argument in entry.args if is_pointer(argument.type)]
        if retype:
            for argument in pointers:
                self._lower_argument(argument, offsets.get(argument.index))
            set_signature(function, [argument.type for argument in entry.args])
        else:
            for argument in by_first_use(function, pointers):
                self._cast_argument(argument)
        self.lower_blocks(list(function.regions[0].blocks))

    def _lower_argument(self, argument: BlockArgument, offset: SSAValue | None) -> None:
        """Let a pointer argument be a memref, an unrealized cast standing for the pointer."""
        kind = _accessed_as(argument)
        if argument.first_use is None:
            set_value_type(argument, memory_type(kind))
            return
        cast = builtin.UnrealizedConversionCastOp.create(operands=(), result_types=(kind,))
        argument.replace_all_uses_with(cast.results[0])
        cast.operands = (argument,) if offset is None else (argument, offset)
        set_value_type(argument, memory_type(kind))
        insert_first(argument.owner, cast)
        self.pairs[cast.results[0]] = MemRefPointer(argument, 0 if offset is None else offset)

    def _cast_argument(self, argument: BlockArgument) -> None:
        for use in argument.uses:
            known = use.operation
            if isinstance(known, builtin.UnrealizedConversionCastOp) and len(known.results) == 1:
                self.pairs[argument] = MemRefPointer(known.results[0], 0)
                return
        target = memory_type(argument.type)
        cast = builtin.UnrealizedConversionCastOp.create(
            operands=(argument,), result_types=(target,)
        )
        insert_first(argument.owner, cast)
        self.pairs[argument] = MemRefPointer(cast.results[0], 0)

    # --- ops ----------------------------------------------------------------------------

    def lower_blocks(self, blocks: Sequence[Block]) -> None:
        """Lower the blocks of a region, which may branch to each other."""
        if len(blocks) > 1:
            FLOW[BRANCHING](self, blocks)
            return
        for block in blocks:
            self.lower_block(block)

    def lower_block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            following = op._next_op
            rule, regions = FLOW.get(op.name), op.regions
            if rule is not None:
                rule(self, op)
            elif regions and op.name not in _WITHOUT_POINTERS:
                for region in regions:
                    self.lower_blocks(list(region.blocks))
            if rule is None or op.parent is block:
                for result in op.results:
                    # Most are no pointers, which is asked of each op.
                    if type(result._type) is tt.PtrType:
                        self.begin_memory(op, result)
            op = following

    def begin_memory(self, op: Operation, result: OpResult) -> None:
        """Let a pointer that comes from no other (an integer, memory) begin memory of its own."""
        if is_pointer(result.type) and result not in self.pairs and result.first_use:
            builder = Builder(before=op.next_op)
            target = memory_type(result.type)
            memory = builder.value(builtin.UnrealizedConversionCastOp, (result,), target)
            self.pairs[result] = MemRefPointer(memory, 0)

    def add(self, op: Operation) -> None:
        """Record the pair of a `tt.addptr`."""
        if not is_pointer(op.results[0].type):
            return
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        offset = builder.add(base.offset, builder.to_index(op.operands[1]))
        self.pairs[op.results[0]] = MemRefPointer(base.memory, offset)

    def bitcast(self, op: Operation) -> None:
        """The same memory seen as other elements; a cast of memrefs that LLVM does not see."""
        if not is_pointer(op.results[0].type):
            return
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        before: Any = op.operands[0].type
        after: Any = op.results[0].type
        target = memory_type(after)
        memory = builder.value(builtin.UnrealizedConversionCastOp, (base.memory,), target)
        offset = base.offset
        sizes = byte_width(before.pointee_type), byte_width(after.pointee_type)
        if sizes[0] != sizes[1]:
            offset = builder.multiply(offset, sizes[0])
            if isinstance(offset, int):
                offset //= sizes[1]
            else:
                size = builder.integer(sizes[1])
                offset = builder.value(arith.FloorDivSIOp, (offset, size), offset.type)
        self.pairs[op.results[0]] = MemRefPointer(memory, offset)

    def address(self, op: Operation) -> None:
        """Where the memory begins, plus the offset in bytes."""
        base = self.get(op.operands[0])
        if base is None:
            return
        builder = Builder(before=op)
        begin = builder.value(memref.ExtractAlignedPointerAsIndexOp, (flat(builder, base),), INDEX)
        kind: Any = op.operands[0].type
        octets = builder.multiply(base.offset, byte_width(kind.pointee_type))
        total = builder.materialise(builder.add(begin, octets))
        replace(op, (builder.from_index(total, op.results[0].type),))

    def cast(self, op: Operation) -> None:
        """A cast from memory, and maybe an offset, that an earlier pass left behind."""
        if len(op.results) == 1 and is_pointer(op.results[0].type):
            memory, *offset = op.operands
            self.pairs[op.results[0]] = MemRefPointer(memory, offset[0] if offset else 0)

    def select(self, op: Operation) -> None:
        """Select offsets, and memory where it differs."""
        if not is_pointer(op.results[0].type):
            return
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
        self.pairs[op.results[0]] = MemRefPointer(memory, offset)


OFFSET_PLACES = "xtriton.offset_places"
"""Attribute of a function: the pointer arguments whose offsets come behind the arguments."""


def offset_places(function: Operation) -> list[int]:
    """Return the places of the pointer arguments whose offset comes along."""
    places = function.attributes.get(OFFSET_PLACES)
    return list(places.get_values()) if isinstance(places, DenseArrayBase) else []


def by_first_use(function: Operation, values: Sequence[BlockArgument]) -> list[BlockArgument]:
    """Return `values` in the order in which the ops of `function` use them; first the unused."""
    order = dict.fromkeys(
        operand for op in ops_in(function) for operand in op.operands if operand in values
    )
    used = [value for value in order if isinstance(value, BlockArgument)]
    return [*(value for value in values if value not in order), *used]


def may_hold_pointers(function: Operation) -> bool:
    """
    Return whether there may be pointers in a function, as values or in memory and tensors.

    Ops of upstream dialects only hand on those that they are given.
    """
    arguments = function.regions[0].blocks[0].args
    if any(is_pointer(getattr(a.type, "element_type", a.type)) for a in arguments):
        return True
    return any(map(_may_begin_pointers, classes_of(function)))


@cache
def _may_begin_pointers(kind: type[Operation]) -> bool:
    dialect = kind.name.partition(".")[0]
    return dialect not in _HANDING_ON and kind.name not in ("func.func", "func.return")


_HANDING_ON = frozenset(
    (
        "affine",
        "arith",
        "bufferization",
        "cf",
        "linalg",
        "math",
        "memref",
        "scf",
        "tensor",
    )
)
"""Dialects whose ops make no pointer of what is none."""


def insert_first(block: Any, op: Operation) -> None:
    """Insert `op` at the beginning of a block."""
    Rewriter.insert_op(op, InsertPoint.at_start(block))


def flat(builder: Builder, base: MemRefPointer) -> SSAValue:
    """Return the memory of a pointer as `memref<?xT>`."""
    kind: Any = base.memory.type
    target = memref_type(kind.element_type, (DYNAMIC_INDEX,))
    if kind == target:
        return base.memory
    return builder.value(memref.CastOp, (base.memory,), target)


def drop_dead(root: Operation) -> None:
    """Erase what makes, moves, casts or chooses pointers and nobody uses any more, users first."""
    for region in root.regions:
        block = region._last_block
        while block is not None:
            op = block._last_op
            while op is not None:
                before = op._prev_op
                if op.regions:
                    drop_dead(op)
                if is_erasable(type(op)) and all(r.first_use is None for r in op.results):
                    Rewriter.erase_op(op)
                op = before
            block = block._prev_block


@cache
def is_erasable(kind: type[Operation]) -> bool:
    """Return whether `drop_dead` looks at ops of a class."""
    return kind.name in _ERASABLE


_ERASABLE = frozenset(
    (
        "tt.addptr",
        "tt.bitcast",
        "tt.splat",
        "tt.broadcast",
        "tt.expand_dims",
        "tt.reshape",
        "tt.trans",
        "arith.select",
        "builtin.unrealized_conversion_cast",
    )
)
_WITHOUT_POINTERS = frozenset(("linalg.generic", "linalg.reduce", "linalg.fill", "linalg.matmul"))

BRANCHING = "blocks that branch"

FLOW: dict[str, Callable[[Any, Any], None]] = {
    "tt.addptr": Pointers.add,
    "tt.bitcast": Pointers.bitcast,
    "arith.select": Pointers.select,
    "tt.ptr_to_int": Pointers.address,
    "builtin.unrealized_conversion_cast": Pointers.cast,
}
"""What happens to the ops that make or carry pointers; `pointer_flow` adds control flow."""
