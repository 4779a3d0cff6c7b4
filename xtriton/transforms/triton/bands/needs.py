"""What a band needs of each value of a program: all of it, or the band's part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.dialects.encodings.inference import is_elementwise_class
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer, integers
from xtriton.ir.dense import is_splat
from xtriton.ir.value_flow import deciding, is_inside, sources
from xtriton.transforms.triton.bands.order import NotSplit

LEAST_ROWS = 16
"""Elements of a band along the dimension that is split, at least: those of the smallest product."""

Form = int | None
"""How a value is needed: the part of a band along a dimension, or the whole."""

_COSTLY = ("tt.dot", "tt.dot_scaled", "tt.reduce", "tt.scan")
"""What no two bands should compute."""


def first_possible(function: Operation, stores: Sequence[Operation], bands: int) -> Needs:
    """Return what bands along the first dimension need along which all stores can be split."""
    reasons: list[str] = []
    for dim in range(max(len(_shape(store.operands[0])) for store in stores)):
        needs = Needs(bands)
        try:
            needs.follow(function, stores, dim)
        except NotSplit as reason:
            reasons.append(f"dimension {dim}: {reason}")
        else:
            return needs
    raise NotSplit("; ".join(reasons) or "a store is of one element")


@dataclass
class Needs:
    """In which forms each value is needed, and along which dimension each store is split."""

    bands: int
    forms: dict[SSAValue, set[Form]] = field(
        default_factory=lambda: defaultdict[SSAValue, set[Form]](set)
    )
    stores: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _pending: list[tuple[SSAValue, Form]] = field(default_factory=list[tuple[SSAValue, Form]])

    def follow(self, function: Operation, stores: Sequence[Operation], dim: int) -> None:
        """Find what stores need that are split along `dim`, or their last one if they have less."""
        for store in stores:
            rank = len(_shape(store.operands[0]))
            if rank == 0:
                raise NotSplit("a store is of one element")
            own = self.stores[store] = min(dim, rank - 1)
            self._ask_operands(store, own)
        for op in function.walk():
            values = op.operands if op.name == "llvm.intr.assume" else deciding(op)
            for value in values:
                self._ask(value, None)
        while self._pending:
            self._follow(*self._pending.pop())

    def of_results(self, op: Operation) -> list[Form]:
        """Return the forms in which any result of `op` is needed."""
        return _ordered({form for result in op.results for form in self.forms[result]})

    def of_carried(self, op: Operation) -> list[tuple[int, Form]]:
        """Return what a loop or a condition hands on: numbers of results, each with a form."""
        arguments = op.regions[0].block.args[1:] if isinstance(op, ForOp) else op.results
        return [
            (number, form)
            for number, pair in enumerate(zip(op.results, arguments, strict=True))
            for form in _ordered({form for value in pair for form in self.forms[value]})
        ]

    def _ask(self, value: SSAValue, form: Form) -> None:
        if form is not None:
            size = _shape(value)[form]
            if size % self.bands or size // self.bands < LEAST_ROWS:
                raise NotSplit(f"{size} rows are too few")
        if form not in self.forms[value]:
            self.forms[value].add(form)
            self._pending.append((value, form))

    def _ask_operands(self, op: Operation, form: Form) -> None:
        for operand, own in zip(op.operands, forms_of_operands(op, form), strict=True):
            self._ask(operand, own)
        for value in captured(op):
            self._ask(value, None)

    def _follow(self, value: SSAValue, form: Form) -> None:
        handed_on = sources(value)
        if handed_on is not None:
            for source in handed_on:
                self._ask(source, form)
        elif isinstance(value.owner, Operation):
            self._ask_operands(value.owner, form)


def forms_of_operands(op: Operation, form: Form) -> Sequence[Form]:
    """Return how `op` takes its operands to make a part of its results, or to store one."""
    if form is None:
        if op.name in _COSTLY:
            raise NotSplit(f"each band needs all of a '{op.name}'")
        return [None] * len(op.operands)
    match op.name:
        case "arith.constant" if is_splat(op.properties["value"]):
            return ()
        case "tt.make_range":
            return ()
        case "tt.splat":
            return (None,)
        case "tt.expand_dims":
            return (form - (integer(op, "axis") < form),)
        case "tt.broadcast":
            return (None if _shape(op.operands[0])[form] == 1 else form,)
        case "tt.trans":
            return (integers(op, "order")[form],)
        case "tt.reduce":
            return [form + (integer(op, "axis") <= form)] * len(op.operands)
        case "tt.scan" if integer(op, "axis") != form:
            return [form] * len(op.operands)
        case "tt.dot":
            row, column = len(_shape(op.results[0])) - 2, len(_shape(op.results[0])) - 1
            return (None if form == column else form, None if form == row else form, form)
        case _:
            if is_elementwise_class(type(op)) or _is_access_of_tensors(op):
                return [form if is_tensor(operand.type) else None for operand in op.operands]
    raise NotSplit(f"no part of a '{op.name}' is known")


def _is_access_of_tensors(op: Operation) -> bool:
    return isinstance(op, LoadOp | StoreOp) and is_tensor(op.ptr.type)


def captured(op: Operation) -> list[SSAValue]:
    """Return what the regions of an op that is no loop or condition use of what is outside."""
    inner = (nested for region in op.regions for nested in region.walk())
    return [v for nested in inner for v in nested.operands if not is_inside(v, op)]


def _shape(value: SSAValue) -> Sequence[int]:
    return value.type.get_shape() if is_tensor(value.type) else ()


def _ordered(forms: set[Form]) -> list[Form]:
    return sorted(forms, key=lambda form: -1 if form is None else form)
