"""
Index expressions over positions written as tensors.

Each part is computed in the dimensions that it depends on, with size 1 in the others, and
broadcast only where parts meet, as a person would write it.
"""

from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, TensorType, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.indexing import Atom, Cond, CondKind, Expr, Kind
from xtriton.analysis.values import Sort, integer_width, is_tensor, tensor_type, type_facts
from xtriton.dialects.tt import BroadcastOp, ExpandDimsOp, MakeRangeOp, ReshapeOp, SplatOp
from xtriton.dialects.upstream.arith import (
    AddiOp,
    AndIOp,
    CmpiOp,
    ConstantOp,
    DivSIOp,
    ExtSIOp,
    ExtUIOp,
    FloorDivSIOp,
    MaxSIOp,
    MinSIOp,
    MuliOp,
    OrIOp,
    SelectOp,
    XOrIOp,
)
from xtriton.ir import dense
from xtriton.transforms.raising.writing.emitter import Binary, CannotEmit, ExprEmitter, conversion


def has_wide_tensors(op: Operation, narrow: set[Operation]) -> bool:
    """
    Tell whether the operands of an op are computed by tensors of more than 32 bits.

    What such tensors hold need not fit into 32, even where what comes of it does. `narrow` are ops
    known to have none, and gets more.
    """
    seen: set[Operation] = set()
    worklist = [op]
    while worklist:
        for value in worklist.pop().operands:
            facts = type_facts(value.type)
            if facts.sort not in (Sort.INTEGER, Sort.BOOLEAN, Sort.POINTER):
                continue
            if facts.sort is Sort.INTEGER and facts.shape is not None and facts.width > 32:
                return True
            owner = value.owner
            if facts.shape is None or not isinstance(owner, Operation):
                continue
            if owner in seen or owner in narrow:
                continue
            seen.add(owner)
            worklist += [owner, *_lasts(owner)]
    narrow |= seen
    return False


def _lasts(op: Operation) -> list[Operation]:
    """Return the ends of the regions of an op, whose operands become its results."""
    blocks = [block for region in op.regions for block in region.blocks]
    return [block.ops.last for block in blocks if block.ops.last is not None]


@dataclass(frozen=True)
class BroadcastTensor:
    """A tensor of the sizes of the dimensions in `dims`, 1 in the others; 0 is a scalar."""

    value: SSAValue
    dims: int


class TensorEmitter:
    """
    Writes expressions over the positions of one shape, before one op, as integers of `width`
    bits.
    """

    def __init__(
        self, emitter: ExprEmitter, shape: tuple[int, ...], anchor: Operation, width: int = 64
    ):
        self.emitter = emitter
        self.space = emitter.space
        self.shape = shape
        self.anchor = anchor
        self.type = i64 if width == 64 else i32
        self._memo: dict[Expr | Cond | int, BroadcastTensor] = {}

    def tensor(self, e: Expr) -> SSAValue:
        """Return the expression as a tensor of the whole shape."""
        return self._widened(self.expr(e), (1 << len(self.shape)) - 1, self.type)

    def mask(self, c: Cond) -> SSAValue:
        """Return the condition as a tensor of booleans of the whole shape."""
        return self._widened(self.cond(c), (1 << len(self.shape)) - 1, i1)

    # --- parts ------------------------------------------------------------------------

    def expr(self, e: Expr) -> BroadcastTensor:
        if e not in self._memo:
            self._memo[e] = self._found(e) or self._expr(e)
        return self._memo[e]

    def _found(self, form: Expr | Cond) -> BroadcastTensor | None:
        """Return what the program has computed already, if positions are its own."""
        if len(self.shape) != 1 or not form.dims:
            return None
        found = self.emitter.find_vector(form, self.shape[0], self.anchor)
        if found is None:
            return None
        return BroadcastTensor(found if isinstance(form, Cond) else self._resized(found), 1)

    def _expr(self, e: Expr) -> BroadcastTensor:
        if not e.dims:
            return BroadcastTensor(self._scalar(e), 0)
        inside, rest = e.split(-1)
        total: BroadcastTensor | None = None
        for mono, c in inside.terms.items():
            term = self._term([self.space.atoms[u] for u in mono], c)
            total = term if total is None else self._binary(AddiOp, total, term)
        assert total is not None
        if rest.terms:
            total = self._binary(AddiOp, total, BroadcastTensor(self._scalar(rest), 0))
        return total

    def _term(self, atoms: list[Atom], c: int) -> BroadcastTensor:
        moving = [a for a in atoms if a.dims]
        scalar = self.space.make({tuple(sorted(a.uid for a in atoms if not a.dims)): c})
        product = self.atom(moving[0])
        for atom in moving[1:]:
            product = self._binary(MuliOp, product, self.atom(atom))
        if scalar is self.space.one:
            return product
        return self._binary(MuliOp, product, BroadcastTensor(self._scalar(scalar), 0))

    def _scalar(self, e: Expr) -> SSAValue:
        number = e.constant
        if number is not None:
            return self.emitter.constant(number, self.type)
        found = self.emitter.find(e, self.anchor)
        if found is not None and found.type == self.type:
            return found
        word = self.emitter.index(e, self.anchor)
        if word.type == self.type:
            return word
        self.emitter.prove(e, integer_width(self.type), self.anchor)
        return self._op(conversion(word, self.type))

    def atom(self, atom: Atom) -> BroadcastTensor:
        if atom.uid not in self._memo:
            self._memo[atom.uid] = self._atom(atom)
        return self._memo[atom.uid]

    def _atom(self, atom: Atom) -> BroadcastTensor:
        args = atom.args
        match atom.kind:
            case Kind.POSITION:
                return self._position(*atom.key)
            case Kind.NAMED:
                return self.expr(args[0])
            case Kind.FLOORDIV:
                kind = DivSIOp if args[0].interval[0] >= 0 else FloorDivSIOp
                return self._binary(kind, self.expr(args[0]), self.expr(args[1]))
            case Kind.TRUNCDIV:
                return self._binary(DivSIOp, self.expr(args[0]), self.expr(args[1]))
            case Kind.MIN | Kind.MAX:
                kind = MinSIOp if atom.kind is Kind.MIN else MaxSIOp
                total = self.expr(args[0])
                for arg in args[1:]:
                    total = self._binary(kind, total, self.expr(arg))
                return total
            case Kind.SELECT:
                c, x, y = self.cond(args[0]), self.expr(args[1]), self.expr(args[2])
                dims = c.dims | x.dims | y.dims
                values = (
                    self._widened(p, dims, t) for p, t in ((c, i1), (x, self.type), (y, self.type))
                )
                return BroadcastTensor(self._op(SelectOp(*values)), dims)
            case Kind.ELEMENT:
                return self._element(atom)
            case _:
                raise CannotEmit(f"no tensor for {atom.name}")

    def _position(self, dim: int, size: int) -> BroadcastTensor:
        if dim >= len(self.shape) or self.shape[dim] != size:
            raise CannotEmit("position of another shape")
        value = self._op(MakeRangeOp(0, size))
        for axis in range(len(self.shape)):
            if axis != dim:
                value = self._op(ExpandDimsOp(value, axis))
        return BroadcastTensor(self._resized(value), 1 << dim)

    def _element(self, atom: Atom) -> BroadcastTensor:
        """Return a tensor of the program, whose dimensions must be positions in order."""
        leaf: Atom = atom.args[0]
        value = self.emitter.analysis.leaf_values.get(leaf.uid)
        if value is None or not self.emitter.dominates(value, self.anchor):
            raise CannotEmit(f"no tensor for {leaf.name}")
        own = type_facts(value.type).shape or ()
        wanted = [1] * len(self.shape)
        dims, last = 0, -1
        for size, arg in zip(own, atom.args[1:], strict=True):
            if size == 1:
                continue
            position = arg.atom()
            if position is None or position.kind is not Kind.POSITION:
                raise CannotEmit(f"moved elements of {leaf.name}")
            dim = position.key[0]
            if dim <= last or position.key[1] != size or self.shape[dim] != size:
                raise CannotEmit(f"moved elements of {leaf.name}")
            wanted[dim], last = size, dim
            dims |= 1 << dim
        if tuple(wanted) != own:
            old = tensor_type(value.type)
            type = TensorType(old.element_type, wanted, old.encoding)
            value = self._op(ReshapeOp.create(operands=[value], result_types=[type]))
        return BroadcastTensor(self._resized(value), dims)

    # --- conditions -------------------------------------------------------------------

    def cond(self, c: Cond) -> BroadcastTensor:
        if c not in self._memo:
            self._memo[c] = self._found(c) or self._cond(c)
        return self._memo[c]

    def _cond(self, c: Cond) -> BroadcastTensor:
        if not c.dims:
            return BroadcastTensor(self.emitter.condition(c, self.anchor), 0)
        match c.kind:
            case CondKind.NONNEGATIVE:
                return self._compared(c.args[0], "sge")
            case CondKind.ZERO:
                return self._compared(c.args[0], "eq")
            case CondKind.NOT if c.args[0].kind is CondKind.ZERO:
                return self._compared(c.args[0].args[0], "ne")
            case CondKind.NOT:
                true = BroadcastTensor(self.emitter.constant(-1, i1), 0)
                return self._binary(XOrIOp, self.cond(c.args[0]), true, i1)
            case _:
                kind = AndIOp if c.kind is CondKind.AND else OrIOp
                total = self.cond(c.args[0])
                for arg in c.args[1:]:
                    total = self._binary(kind, total, self.cond(arg), i1)
                return total

    def _compared(self, e: Expr, predicate: str) -> BroadcastTensor:
        """
        Return a comparison of `e` with 0, as one of what is added with what is subtracted.

        So nothing is negated, and `n - 1 - i >= 0` is `n > i`: no new overflow.
        """
        space = self.space
        constant = e.terms.get((), 0)
        if predicate == "sge" and constant == -1:
            predicate, constant = "sgt", 0
        plus = space.make({m: c for m, c in e.terms.items() if m and c > 0})
        minus = space.make({m: -c for m, c in e.terms.items() if m and c < 0})
        x = self.expr(plus + max(constant, 0))
        y = self.expr(minus + max(-constant, 0))
        dims = x.dims | y.dims
        left, right = (self._widened(p, dims, self.type) for p in (x, y))
        return BroadcastTensor(self._op(CmpiOp(left, right, predicate)), dims)

    # --- shapes -----------------------------------------------------------------------

    def _op(self, op: Operation) -> SSAValue:
        return self.emitter.op(op, self.anchor)

    def _binary(
        self, kind: Binary, x: BroadcastTensor, y: BroadcastTensor, type: Attribute | None = None
    ) -> BroadcastTensor:
        dims = x.dims | y.dims
        element = type or self.type
        left, right = self._widened(x, dims, element), self._widened(y, dims, element)
        return BroadcastTensor(self._op(kind(left, right)), dims)

    def _sizes(self, dims: int) -> list[int]:
        return [n if dims >> d & 1 else 1 for d, n in enumerate(self.shape)]

    def _widened(self, part: BroadcastTensor, dims: int, element: Attribute) -> SSAValue:
        """Return a part in more dimensions."""
        type = TensorType(element, self._sizes(dims))
        owner = part.value.owner
        if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
            constant = ConstantOp(dense.splat(type, owner.value.value.data))
            return self.emitter.materialized(constant)
        if not is_tensor(part.value.type):
            return self._op(SplatOp.create(operands=[part.value], result_types=[type]))
        if part.value.type == type:
            return part.value
        return self._op(BroadcastOp.create(operands=[part.value], result_types=[type]))

    def _resized(self, value: SSAValue) -> SSAValue:
        """Return a tensor of integers of any width as integers of ours."""
        element = tensor_type(value.type).element_type
        type = TensorType(self.type, tensor_type(value.type).get_shape())
        if element == self.type:
            return value
        if element == i1:
            return self._op(ExtUIOp.create(operands=[value], result_types=[type]))
        if integer_width(element) > integer_width(self.type):
            raise CannotEmit("a tensor of more bits")
        return self._op(ExtSIOp.create(operands=[value], result_types=[type]))
