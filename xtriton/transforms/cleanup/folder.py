"""
Folding inside the greedy rewriter: dead ops, known results, constants kept once.

As in MLIR, constants stand at the beginning of the function (the nearest op that is
isolated from above), each value once. One that stands for ops at several places, or that
was made or moved there from another block, has no location: none would be right for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property

from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint
from xdsl.traits import ConstantLike

from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.ir.locations import UNKNOWN
from xtriton.ir.op_facts import (
    class_has,
    constants_in,
    is_constant,
    is_dead,
    is_isolated,
    is_never_dead,
    makes_constants,
)
from xtriton.transforms.cleanup.canonicalization.tables import (
    Fold,
    Folded,
    fold_of,
    mirror_of,
    reads_constants,
)
from xtriton.transforms.cleanup.constants import Constant, constant_of, type_of
from xtriton.transforms.cleanup.elementwise_folds import FOLDED, fold_constants

Key = tuple[Attribute, Attribute]
"""Value and type of a constant."""


@dataclass
class Folder:
    """Knows the constants of each function; `simplify` is called on every op."""

    constants: dict[Block, dict[Key, Operation]] = field(
        default_factory=dict[Block, dict[Key, Operation]]
    )
    _homes: dict[Operation, Block] = field(default_factory=dict[Operation, Block])
    _root: Operation | None = None

    def collect_constants(self, root: Operation) -> None:
        """Move the constants in `root` to the front of their functions and merge them."""
        homes: dict[Block, Block] = {}
        for op in constants_in(root):
            block = _block_of(op)
            home = homes.get(block)
            if home is None:
                home = homes[block] = home_of(block)
            known = self.constants.setdefault(home, {})
            key = _key(op)
            other = known.setdefault(key, op)
            if other is not op:
                _share_location(other, op)
                op.results[0].replace_all_uses_with(other.results[0])
                op.detach()
                op.erase()
                continue
            self._place(op, home)

    def collect_later(self, root: Operation) -> None:
        """Collect the constants in `root` when the first op is to be simplified."""
        self._root = root

    def simplify(self, op: Operation, rewriter: PatternRewriter) -> bool:
        """Erase `op` if it is dead, or replace it by what it is known to be."""
        if self._root is not None:
            root, self._root = self._root, None
            self.collect_constants(root)
        kind = kind_of(type(op))
        if not kind.is_never_dead and is_dead(op):
            self._forget(op)
            rewriter.erase(op)
            return True
        if kind.is_plain or len(op.results) != 1:
            return False
        if kind.is_constant:
            return self._merge_constant(op, rewriter)
        if kind.mirror is not None and _has_constant_on_the_left(op):
            op.operands = op.operands[::-1]
            kind.mirror(op)
            rewriter.notify_op_modified(op)
        folded = _fold(op, kind)
        if folded is None or folded is op.results[0]:
            return False
        value = folded if isinstance(folded, SSAValue) else self._materialize(op, folded, rewriter)
        if value is None:
            return False
        rewriter.replace(op, [], [value])
        return True

    def constant(self, value: Attribute, type: Attribute, near: Block) -> Operation | None:
        """
        Return the constant op of the function around `near`, made if there is none yet.

        None is returned for a value that no constant of `type` can have.
        """
        home = home_of(near)
        known = self.constants.setdefault(home, {})
        found = known.get((value, type))
        if found is None or found.parent is None:
            if type_of(value) != type:  # pyright: ignore[reportArgumentType]
                return None
            found = ConstantOp.create(properties={"value": value}, result_types=[type])
            known[value, type] = found
            self._homes[found] = home
            _insert_at_front(found, home)
        return found

    def _materialize(
        self, op: Operation, value: Attribute, rewriter: PatternRewriter
    ) -> SSAValue | None:
        """
        Return the constant `value` for the result of `op`, made in front of it.

        As in MLIR it moves or merges when its turn comes, after those that use it.
        """
        if type_of(value) != op.results[0].type:  # pyright: ignore[reportArgumentType]
            return None
        found = ConstantOp.create(
            properties={"value": value}, result_types=[op.results[0].type], location=op.location
        )
        rewriter.insert(found, InsertPoint.before(op))
        return found.results[0]

    def _merge_constant(self, op: Operation, rewriter: PatternRewriter) -> bool:
        """Replace a constant that a pattern made by the one that stands in front."""
        home = home_of(_block_of(op))
        if op in self._homes:
            self._place(op, home)
            return False
        known = self.constants.setdefault(home, {})
        other = known.setdefault(_key(op), op)
        if other is not op:
            _share_location(other, op)
            rewriter.replace(op, [], [other.results[0]])
            return True
        self._place(op, home)
        return False

    def _place(self, op: Operation, home: Block) -> None:
        """Move a constant to the front of `home`, unless it follows one that stands there."""
        self._homes[op] = home
        previous = op.prev_op
        if op.parent is not home:
            op.location = UNKNOWN
        if op.parent is not home or (previous is not None and previous not in self._homes):
            op.detach()
            _insert_at_front(op, home)

    def _forget(self, op: Operation) -> None:
        home = self._homes.pop(op, None)
        if home is not None:
            self.constants[home].pop(_key(op), None)


def _block_of(op: Operation) -> Block:
    block = op.parent
    assert block is not None
    return block


def home_of(block: Block) -> Block:
    """Return the block at whose beginning the constants for `block` stand."""
    while (parent := block.parent_op()) is not None and not is_isolated(parent):
        outer = parent.parent
        if outer is None:
            break
        block = outer
    region = block.parent
    first = None if region is None else region.first_block
    return block if first is None else first


def _key(op: Operation) -> Key:
    value = op.get_attr_or_prop("value")
    (result,) = op.results
    # Constants of other dialects have values that mean something only to their op.
    return (value if value is not None else result.type, result.type)


def _share_location(constant: Operation, op: Operation) -> None:
    """Let `constant` stand for `op` as well."""
    if constant.location != op.location:
        constant.location = UNKNOWN


def _insert_at_front(op: Operation, block: Block) -> None:
    first = block.first_op
    if first is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, first)


@dataclass(frozen=True)
class Kind:
    """What folding has to know of a class of ops."""

    is_never_dead: bool
    is_constant: bool
    mirror: Callable[[Operation], None] | None
    """What keeps their meaning when their two operands are exchanged."""

    fold: Fold | None
    is_computed: bool
    """Whether such ops are computed where all operands are constants."""

    reads_constants: bool
    """Whether folding looks at what operands are that are constants."""

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing can be done with such ops, but to erase those that are dead."""
        can_fold = self.fold is not None or self.is_computed
        return not (self.is_constant or self.mirror is not None or can_fold)


@cache
def kind_of(op_type: type[Operation]) -> Kind:
    return Kind(
        is_never_dead(op_type),
        class_has(op_type, ConstantLike),
        mirror_of(op_type),
        fold_of(op_type),
        op_type.name in FOLDED,
        op_type.name in FOLDED or reads_constants(op_type),
    )


def _fold(op: Operation, kind: Kind) -> Folded | None:
    constants: list[Constant | None] = []
    if kind.reads_constants:
        # Most operands are none, which needs no call.
        constants = [
            constant_of(v) if type(v) is OpResult and makes_constants(type(v.op)) else None
            for v in op._operands
        ]
    folded = None if kind.fold is None else kind.fold(op, constants)
    if folded is None and constants and None not in constants:
        return fold_constants(op, constants)
    return folded


def _has_constant_on_the_left(op: Operation) -> bool:
    if len(op._operands) != 2:
        return False
    lhs, rhs = op._operands
    return _is_constant_value(lhs) and not _is_constant_value(rhs)


def _is_constant_value(value: SSAValue) -> bool:
    return type(value) is OpResult and is_constant(value.op)
