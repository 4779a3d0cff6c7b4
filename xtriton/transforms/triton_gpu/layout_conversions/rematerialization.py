"""
Computing a value once more in the layout in which it is wanted, instead of converting it.

A conversion goes if all that its operand depends on can be computed in the layout wanted,
or exists in it, at a lower cost than moving the data through shared memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from xtriton.dialects.encodings.linear_layouts import layout_of_type
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.listings import ops_of
from xtriton.ir.order import Order
from xtriton.ir.value_flow import initial_values
from xtriton.layouts.shaping import threads_per_warp, warps_per_cta
from xtriton.transforms.loop_rewriting import (
    terminator,
    with_more_initial_values,
    with_more_results,
)
from xtriton.transforms.triton_gpu.layout_conversions.backward_slice import (
    Accepts,
    BackwardSlice,
    OpOperand,
    Stop,
    accepts_all,
    extend_slice,
)
from xtriton.transforms.triton_gpu.layout_conversions.target import Target, defining_op
from xtriton.transforms.triton_gpu.retyping import (
    layout_of_value,
    set_type,
    with_encoding,
)

SHARED_MEMORY_COST = 32
"""Of a byte that goes through shared memory: stored, loaded, and doubled for the barrier."""

LEAST_ELEMENTS = 32
LEAST_BITS = 32

EXPENSIVE_MATH = frozenset(
    f"math.{name}"
    for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh",
        "ctlz", "ctpop", "cttz", "erf", "erfc", "exp", "exp2", "expm1", "log", "log10",
        "log1p", "log2", "powf", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
    )
) | {"arith.divf"}  # fmt: skip

Mapping = dict[SSAValue, SSAValue]


class Rematerialization:
    """The values of one function that exist in several layouts."""

    def __init__(self, function: Operation, target: Target):
        self.function = function
        self.target = target
        self.order = Order()
        self.known: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        """Values that exist in another layout as well."""

        self._encodings: dict[SSAValue, list[Attribute]] = defaultdict(list)
        self.deleted: dict[Operation, None] = {}

    # --- what exists --------------------------------------------------------------------

    def conversions(self) -> list[ConvertLayoutOp]:
        """Return the conversions of the function."""
        return ops_of(self.function, ConvertLayoutOp)

    def for_each(self, action: Callable[[ConvertLayoutOp], None]) -> bool:
        """Try to get rid of each conversion by `action`; return whether that worked for any."""
        changed = False
        for conversion in self.conversions():
            action(conversion)
            if conversion in self.deleted:
                changed = True
            else:
                # Another slice may use it.
                (source,), (result,) = conversion._operands, conversion.results
                self.remember(source, layout_of_value(result), result)
        return changed

    def remember(self, old: SSAValue, encoding: Attribute, new: SSAValue) -> None:
        """Note that `new` is `old` in another layout."""
        self.known[old, encoding] = new
        self._encodings[old].append(encoding)

    def cleanup(self) -> None:
        """Erase what has been replaced."""
        for op in reversed(self.deleted):
            op.detach()
            op.erase(safe_erase=False)
        self.deleted.clear()

    def existing(self, use: OpOperand, encoding: Attribute) -> SSAValue | None:
        """Return an operand in another layout, if it exists where it is used."""
        op, index = use
        value = op._operands[index]
        if value not in self._encodings:
            return None
        found = self.known.get((value, encoding))
        if found is None or not self.order.dominates(found, op):
            return None
        return found

    def slice(
        self,
        root: OpOperand,
        encoding: Attribute,
        stop: Stop | None = None,
        known: BackwardSlice | None = None,
        accepts: Accepts = accepts_all,
    ) -> BackwardSlice | None:
        """
        Return what changes for an operand to have `encoding`; None if that is impossible.

        It is where something would have to change that is made by an op that is not accepted.
        """
        found = BackwardSlice() if known is None else known.copy()
        if not extend_slice(found, root, encoding, self.target, stop, self.existing, accepts):
            return None
        return found if found.members else None

    def rematerialisable_slice(
        self,
        root: OpOperand,
        encoding: Attribute,
        stop: Stop | None = None,
        known: BackwardSlice | None = None,
    ) -> BackwardSlice | None:
        """Return what `slice` does if all ops in it may be computed once more."""
        return self.slice(root, encoding, stop, known, self.target.can_be_rematerialised)

    # --- the cost -----------------------------------------------------------------------

    def run(self) -> bool:
        """Rematerialise what pays; return whether a conversion went."""
        return self.for_each(self.rematerialise)

    def rematerialise(self, conversion: ConvertLayoutOp) -> None:
        """Compute the operand of a conversion in the layout wanted, if that is cheaper."""
        encoding = layout_of_value(conversion.result)
        if self.target.stays(conversion):
            return
        existing = self.known.get((conversion.src, encoding))
        if existing is not None and self.order.dominates(existing, conversion):
            conversion.result.replace_all_uses_with(existing)
            self.deleted[conversion] = None
            return
        found = self.rematerialisable_slice((conversion, 0), encoding)
        if found is not None and self.pays(conversion, found):
            self.rewrite(conversion, found, {})

    def pays_to_hoist(
        self,
        conversion: ConvertLayoutOp,
        found: BackwardSlice,
        made: tuple[SSAValue, Attribute] | None = None,
    ) -> bool:
        """
        Return whether a slice is to change for a conversion to move up.

        `made` is what will be converted instead and to which layout; None if that costs nothing.
        """
        return True

    def pays(self, conversion: ConvertLayoutOp, found: BackwardSlice) -> bool:
        """Return whether computing a slice once more costs no more than the conversion."""
        ops = dict.fromkeys(op for v in found.members if (op := defining_op(v)) is not None)
        single_use = _SingleUse(conversion, ops)
        cost = 0
        for op in ops:
            if op.name == "arith.constant" or single_use(op):
                # It is not duplicated but moves.
                continue
            added = cost_of(op)
            if added is None:
                return False
            cost += added
        size = size_in_bytes(conversion.src, LEAST_ELEMENTS, LEAST_BITS)
        return cost <= SHARED_MEMORY_COST * self.target.conversion_cost_factor * size

    # --- rewriting ----------------------------------------------------------------------

    def rewrite(self, conversion: ConvertLayoutOp, found: BackwardSlice, mapping: Mapping) -> None:
        """
        Compute a slice in the layouts wanted; users of the conversion use the result.

        `mapping` has values that exist in their new layout.
        """
        source = conversion.src
        SliceRewriter(self, found, mapping, conversion).run()
        replacement = mapping.get(source, source)
        conversion.result.replace_all_uses_with(replacement)
        self.deleted[conversion] = None

    def replace(self, pairs: list[tuple[SSAValue, SSAValue]]) -> None:
        """Let `new` stand for `old` in all that is known, for each pair of these."""
        replaced = dict(pairs)
        for old, new in pairs:
            for encoding in self._encodings.pop(old, ()):
                value = self.known.pop((old, encoding), None)
                if value is None:
                    continue
                self.known[new, encoding] = replaced.get(value, value)
                self._encodings[new].append(encoding)


def _maker(value: SSAValue) -> tuple[Operation, int]:
    """Return the op that makes or carries a value, and which of its values it is."""
    if isinstance(value, OpResult):
        return value.op, value.index
    assert isinstance(value, BlockArgument)
    op = value.block.parent_op()
    assert op is not None
    return op, value.index - 1


def _rewritten(op: Operation) -> list[Operation]:
    """Return what is rewritten when a value that `op` makes or carries is computed anew."""
    if op.name not in ("scf.for", "scf.if"):
        return [op]
    return [op, *map(terminator, op.regions)]


class _SingleUse:
    """Whether an op is used for nothing but one conversion."""

    def __init__(self, conversion: Operation, ops: dict[Operation, None]):
        self._conversion = conversion
        self._ops = ops
        self._found: dict[Operation, bool] = {}

    def __call__(self, op: Operation) -> bool:
        # Users first, without recursion: slices can be long.
        stack = [op]
        pending = {op}
        while stack:
            current = stack[-1]
            if current in self._found:
                pending.discard(stack.pop())
                continue
            users = self._users(current)
            if users is None:
                self._found[current] = False
                continue
            open_users = [user for user in users if user not in self._found]
            if open_users and pending.isdisjoint(open_users):
                stack += open_users
                pending.update(open_users)
                continue
            self._found[current] = all(self._found.get(user, False) for user in users)
        return self._found[op]

    def _users(self, op: Operation) -> list[Operation] | None:
        """Return the users of an op but the conversion; None if one is not among the ops."""
        users: list[Operation] = []
        for result in op.results:
            use = result.first_use
            while use is not None:
                user = use._operation
                if user is not self._conversion:
                    # A value can have thousands of uses; the first one elsewhere settles it.
                    if user not in self._ops:
                        return None
                    users.append(user)
                use = use._next_use
        return users


def size_in_bytes(value: SSAValue, least_elements: int = 0, least_bits: int = 0) -> int:
    count = bits = 0
    if is_tensor(value.type):
        count = prod(value.type.get_shape())
        element = value.type.element_type
        if isinstance(element, FixedBitwidthType):
            bits = element.bitwidth
    return max(count, least_elements) * max(bits, least_bits) >> 3


def cost_of(op: Operation) -> int | None:
    """Return what computing an op costs; None if it must not be computed twice."""
    dialect = op.name.partition(".")[0]
    size = sum(size_in_bytes(result) for result in op.results)
    if op.name in ("tt.load", "ttg.local_load"):
        # The data is likely to be in the cache.
        return 8 * size
    if dialect in ("arith", "math"):
        return (8 if op.name in EXPENSIVE_MATH else 1) * size
    if op.name == "tt.reduce":
        return _cost_of_reduction(op)
    return 0


def _cost_of_reduction(op: Operation) -> int | None:
    type = op.operands[0].type
    assert is_tensor(type)
    axis: int = integer(op, "axis")
    rounds = any(inner.name in ("arith.addf", "arith.mulf") for inner in op.walk())
    floating = not isinstance(type.element_type, IntegerType)
    if floating and type.get_shape()[axis] > 2 and rounds:
        # Two such sums, added in different orders, would be different.
        return None
    layout = layout_of_type(type)
    return threads_per_warp(layout)[axis] + 8 * warps_per_cta(layout)[axis]


class SliceRewriter:
    """Computes one slice in new layouts."""

    def __init__(
        self,
        owner: Rematerialization,
        found: BackwardSlice,
        mapping: Mapping,
        conversion: ConvertLayoutOp,
    ):
        self.owner = owner
        self.conversion = conversion
        self.layouts = found.layouts
        self.mapping = mapping
        self.members = dict(found.members)
        self._slice = found
        self.yielded: dict[Operation, set[int]] = defaultdict(set)
        """Operands of terminators that are yielded in their new layout as well."""

        self.replacements: list[tuple[SSAValue, SSAValue]] = []

    def run(self) -> None:
        ops = self._collect()
        replaced: list[Operation] = []
        for op in self.owner.order.sorted(ops):
            match op.name:
                case "scf.for":
                    self._loop(op)
                    replaced.append(op)
                case "scf.if":
                    self._branch(op)
                    replaced.append(op)
                case "scf.yield":
                    self._terminator(op)
                case "arith.constant":
                    self._constant(op)
                case _:
                    self._clone(op)
        self.owner.replace(self.replacements)
        for old, new in self.replacements:
            old.replace_all_uses_with(new)
        for op in replaced:
            self.owner.deleted[op] = None

    def _collect(self) -> dict[Operation, None]:
        """Return the ops to compute in new layouts; the other values of the slice exist in them."""
        ops: dict[Operation, None] = {}
        existing = self.existing()
        for value in list(self.members):
            if value in existing:
                self.mapping[value] = existing[value]
                del self.members[value]
                continue
            op, index = _maker(value)
            ops.update((user, None) for user in _rewritten(op))
            if op.name in ("scf.for", "scf.if"):
                for region in op.regions:
                    self.yielded[terminator(region)].add(index)
        return ops

    def existing(self) -> dict[SSAValue, SSAValue]:
        """
        Return the values of the slice that need not be computed, in their new layouts.

        They must be there wherever what is computed uses them, of which upstream does not make
        sure.
        """
        known = self.owner.known
        found = {v: k for v in self.members if (k := known.get((v, self.layouts[v]))) is not None}
        if not found:
            return found
        users: list[Operation] = [self.conversion]
        users += (op for v in self.members if v not in found for op in _rewritten(_maker(v)[0]))
        seen = set(users)
        for user in users:
            for operand in user.operands:
                other = found.get(operand)
                if other is None or self._is_in_front(other, user):
                    continue
                del found[operand]
                added = [op for op in _rewritten(_maker(operand)[0]) if op not in seen]
                users += added
                seen.update(added)
        return found

    def _is_in_front(self, value: SSAValue, user: Operation) -> bool:
        """Return whether a value is there for an op of the slice, or for what uses a conversion."""
        if self.owner.order.dominates(value, user):
            return True
        if user is self.conversion or not isinstance(user, ConvertLayoutOp):
            return False
        # In its new layout a conversion is what it converts.
        return all(self._is_in_front(value, use.operation) for use in user.result.uses)

    def _mapped(self, value: SSAValue) -> SSAValue:
        return self.mapping.get(value, value)

    def _loop(self, op: Operation) -> None:
        body = op.regions[0].block
        carried = sorted(self.yielded[terminator(op.regions[0])])
        initial = [self._mapped(initial_values(op)[i]) for i in carried]
        old_count = len(op.results)
        new = with_more_initial_values(op, initial)
        self.replacements += zip(op.results, new.results[:old_count], strict=True)
        for i, old in enumerate(carried):
            argument, new_argument = body.args[1 + old], body.args[1 + old_count + i]
            result = new.results[old_count + i]
            self.mapping[op.results[old]] = result
            self.mapping[argument] = new_argument
            encoding = self.layouts.get(argument) or self.layouts[op.results[old]]
            self.owner.remember(new.results[old], encoding, result)
            self.owner.remember(argument, encoding, new_argument)

    def _branch(self, op: Operation) -> None:
        wanted = [result for result in op.results if result in self.members]
        types = [with_encoding(result.type, self.layouts[result]) for result in wanted]
        new = with_more_results(op, types)
        count = len(op.results)
        self.replacements += zip(op.results, new.results[:count], strict=True)
        for old, result in zip(wanted, new.results[count:], strict=True):
            self.mapping[old] = result
            self.owner.remember(old, self.layouts[old], result)

    def _terminator(self, op: Operation) -> None:
        added = [self._mapped(op.operands[i]) for i in sorted(self.yielded[op])]
        op.operands = [*op.operands, *added]

    def _insert(self, new: Operation, before: Operation) -> None:
        assert before.parent is not None
        new.location = before.location
        before.parent.insert_op_before(new, before)

    def _constant(self, op: Operation) -> None:
        clone = op.clone()
        self._insert(clone, op)
        encoding = self.layouts[op.results[0]]
        type = with_encoding(op.results[0].type, encoding)
        conversion = ConvertLayoutOp(clone.results[0], type)
        self._insert(conversion, op)
        self.mapping[op.results[0]] = conversion.result
        self.owner.remember(op.results[0], encoding, conversion.result)

    def _clone(self, op: Operation) -> None:
        if isinstance(op, ConvertLayoutOp):
            source, encoding = self._mapped(op.src), self.layouts[op.result]
            if layout_of_value(source) == encoding:
                self.mapping[op.result] = source
                self.owner.remember(op.result, encoding, source)
                return
        clone = op.clone(value_mapper=dict(self.mapping) if op.regions else self.mapping)
        self._insert(clone, op)
        for old, new in zip(op.results, clone.results, strict=True):
            self.mapping[old] = new
            encoding = self.layouts.get(old)
            if encoding is not None:
                set_type(new, with_encoding(old.type, encoding))
                self.owner.remember(old, encoding, new)
