"""
Encodings across ops: what an op's result has, given its operand, and the other way round.

`ReshapeOp` and its like move no data if the encodings on both sides fit: the same thread has
the same elements. None is returned where no encoding fits.
Source: `inferDstEncoding`, `inferSrcEncoding` and `TritonGPUInferLayoutInterface` in Triton's
`Transforms/Utility.cpp` and `Dialect.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import prod

from xdsl.dialects.builtin import DenseArrayBase, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of
from xtriton.dialects.encodings.reshaping import reshaped_blocked
from xtriton.dialects.tt.traits import Elementwise, SameOperandsAndResultEncoding
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.interfaces import UNKNOWN
from xtriton.dialects.ttg.linear import GenericLinearEncodingAttr, LinearEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.op_facts import class_has
from xtriton.ir.versions import Version, release
from xtriton.layouts import shaping
from xtriton.layouts.algebra import divide_left
from xtriton.layouts.conversion import is_expensive_view
from xtriton.layouts.linear import LinearLayout

Shape = tuple[int, ...]
Infer = Callable[[Operation, Attribute], Attribute | None]

_LAST_RELEASE_OF_PAIRS_ANYWHERE: Version = (3, 7)
"""Up to here any register may tell the elements of an unpacked pair apart, now the first."""

_LAST_RELEASE_OF_UPRIGHT_DPAS: Version = (3, 8)
"""Since then, in August 2026, what DPAS gives can be transposed in place."""

_FIRST_RELEASE_OF_HINTS: Version = (3, 9)
"""Since then a reshape that may reorder keeps its layout if it can, and a slice is split where
only copies differ."""

_ONE_ENCODING: dict[type[Operation], bool] = {}

_PASS_ON = frozenset(("scf.condition", "scf.while", "scf.yield", "ttng.warp_group_dot_wait"))


def has_one_encoding(op: Operation) -> bool:
    """Return whether all tensors of an op have to have the same encoding."""
    found = _ONE_ENCODING.get(type(op))
    if found is None:
        found = is_elementwise(op) or op.has_trait(
            SameOperandsAndResultEncoding, value_if_unregistered=False
        )
        _ONE_ENCODING[type(op)] = found
    return found


def is_elementwise(op: Operation) -> bool:
    """Return whether an op computes each element from the elements at the same index."""
    return is_elementwise_class(type(op))


@cache
def is_elementwise_class(op_type: type[Operation]) -> bool:
    """Return whether `is_elementwise` holds for ops of a class."""
    dialect = op_type.name.partition(".")[0]
    if dialect in ("arith", "math"):
        return op_type.name != "arith.constant"
    return class_has(op_type, Elementwise)


def infer_result(op: Operation, encoding: Attribute) -> Attribute | None:
    """Return the encoding of the results of `op` if its operands have `encoding`."""
    return _infer(op, encoding, _RESULT, also=("scf.for",))


def infer_operand(op: Operation, encoding: Attribute) -> Attribute | None:
    """Return the encoding that operands of `op` need for its results to have `encoding`."""
    return _infer(op, encoding, _OPERAND)


def _infer(
    op: Operation, encoding: Attribute, rules: dict[str, Infer], also: Sequence[str] = ()
) -> Attribute | None:
    if op.name == "tt.scan" and not isinstance(encoding, BlockedEncodingAttr):
        return None
    if has_one_encoding(op) or op.name in _PASS_ON or op.name in also:
        return encoding
    rule = rules.get(op.name)
    if rule is None:
        return None
    try:
        return rule(op, encoding)
    except (NoLinearLayout, VerifyException):
        return None


def linear_encoding(layout: LinearLayout, source: Attribute) -> Attribute:
    """Return the encoding that is just this layout, of the kind that follows `source`."""
    kind = GenericLinearEncodingAttr if _is_generic(source) else LinearEncodingAttr
    return kind(*(layout.bases_of.get(name, ()) for name in _LINEAR_DIMS))


def _is_generic(encoding: Attribute) -> bool:
    """Return whether bases may move in several dimensions; that of WMMA is not asked."""
    if isinstance(encoding, DotOperandEncodingAttr | SliceEncodingAttr):
        return _is_generic(encoding.parent)
    return isinstance(encoding, GenericLinearEncodingAttr)


_LINEAR_DIMS = ("register", "lane", "warp", "block")


def inferred_or(
    default: Attribute, rule: str, encoding: Attribute, *arguments: tuple[int, ...]
) -> Attribute:
    """Return what `transposed`, `reshaped`, ... give for `encoding`, or `default`."""
    rules: dict[str, Callable[..., Attribute | None]] = {
        "transposed": transposed,
        "reshaped": reshaped,
        "joined": joined,
        "split": split,
    }
    try:
        found = rules[rule](encoding, *arguments)
    except (NoLinearLayout, ValueError):
        return default
    if found is None and rule == "split" and not isinstance(encoding, DpasEncodingAttr):
        raise VerifyException(
            "Fp4ToFpOp/SplitOp requires at least 2 elements per thread in the axis/last dimension"
        )
    return default if found is None else found


# --- reductions and their opposite ------------------------------------------------------


def _sliced(op: Operation, encoding: Attribute) -> Attribute | None:
    return slice_of(integer(op, "axis"), encoding)


@lru_cache(maxsize=4096)
def slice_of(axis: int, encoding: Attribute) -> SliceEncodingAttr:
    """Return the encoding of what a reduction along `axis` leaves."""
    return SliceEncodingAttr(axis, encoding)


def _parent(op: Operation, encoding: Attribute) -> Attribute | None:
    if isinstance(encoding, SliceEncodingAttr) and encoding.dim == integer(op, "axis"):
        return encoding.parent
    return None


# --- transposition ----------------------------------------------------------------------


def _shape(type: Attribute) -> Shape:
    assert isinstance(type, TensorType)
    return type.get_shape()


def _order(op: Operation) -> tuple[int, ...]:
    order = op.properties["order"]
    assert isinstance(order, DenseArrayBase)
    return tuple(int(d) for d in order.iter_values())


def transposed(encoding: Attribute, shape: Shape, order: tuple[int, ...]) -> Attribute | None:
    """Return the encoding of the transpose whose dimension `i` is `order[i]`."""
    if list(order) == list(range(len(order))):
        return encoding
    if isinstance(encoding, DpasEncodingAttr) and release() <= _LAST_RELEASE_OF_UPRIGHT_DPAS:
        return None
    return _transposed_tensor(encoding, shape, order)


@lru_cache(maxsize=4096)
def _transposed_tensor(
    encoding: Attribute, shape: Shape, order: tuple[int, ...]
) -> Attribute | None:
    if isinstance(encoding, BlockedEncodingAttr):
        return encoding.infer_trans(shape, order)
    return linear_encoding(shaping.transpose(layout_of(encoding, shape), order), encoding)


def _transposed(op: Operation, encoding: Attribute) -> Attribute | None:
    return transposed(encoding, _shape(op.operands[0].type), _order(op))


def _transposed_back(op: Operation, encoding: Attribute) -> Attribute | None:
    order = _order(op)
    inverse = tuple(order.index(d) for d in range(len(order)))
    return transposed(encoding, _shape(op.results[0].type), inverse)


# --- reshape ----------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def reshaped(encoding: Attribute, source: Shape, target: Shape) -> Attribute | None:
    """Return the encoding of a tensor of shape `source` seen as `target`."""
    if isinstance(encoding, BlockedEncodingAttr):
        found = reshaped_blocked(encoding, source, target)
        if found is not None:
            return found
    if prod(source) != prod(target):
        return None
    return linear_encoding(shaping.reshape(layout_of(encoding, source), target), encoding)


def _allows_reorder(op: Operation) -> bool:
    return "allow_reorder" in op.properties


def _reshaped(op: Operation, encoding: Attribute) -> Attribute | None:
    return _reshaped_to(op, encoding, op.operands[0].type, op.results[0].type)


def _reshaped_back(op: Operation, encoding: Attribute) -> Attribute | None:
    return _reshaped_to(op, encoding, op.results[0].type, op.operands[0].type)


def _reshaped_to(
    op: Operation, encoding: Attribute, source: Attribute, target: Attribute
) -> Attribute | None:
    """Return what a reshape from `source`, with `encoding`, to `target` gives."""
    if _allows_reorder(op):
        if release() < _FIRST_RELEASE_OF_HINTS:
            return None
        assert is_tensor(target)
        if not _is_expensive(encoding, _shape(source), target):
            return target.encoding
    return reshaped(encoding, _shape(source), _shape(target))


def _is_expensive(encoding: Attribute, shape: Shape, target: TensorType[Attribute]) -> bool:
    layouts = layout_of(encoding, shape), layout_of(target.encoding, target.get_shape())
    return is_expensive_view(*layouts)


# --- join and split ---------------------------------------------------------------------


def joined(encoding: Attribute, shape: Shape) -> Attribute | None:
    """Return the encoding of two tensors of `shape` joined along a new, last dimension."""
    return _joined_tensors(encoding, shape, release() >= _FIRST_RELEASE_OF_HINTS)


def _are_equal(a: LinearLayout, b: LinearLayout, but_for_copies: bool) -> bool:
    if but_for_copies:
        a, b = (layout.remove_zero_bases(shaping.REGISTER) for layout in (a, b))
    return a == b


@lru_cache(maxsize=4096)
def _joined_tensors(encoding: Attribute, shape: Shape, copies: bool) -> Attribute | None:
    if isinstance(encoding, DpasEncodingAttr):
        return None
    if isinstance(encoding, SliceEncodingAttr) and encoding.dim == len(shape):
        halves = split(encoding.parent, (*shape, 2))
        if halves is not None and _are_equal(
            layout_of(halves, shape), layout_of(encoding, shape), copies
        ):
            return encoding.parent
    elif isinstance(encoding, BlockedEncodingAttr):
        return encoding.infer_join(shape)
    layout = layout_of(encoding, shape)
    names = shaping.dims(len(shape) + 1)
    layout = layout.reshape_outs(tuple(zip(names, (*shape, 1), strict=True)))
    pair = LinearLayout.identity(2, shaping.REGISTER, names[-1])
    return linear_encoding((pair * layout).transpose_outs(names), encoding)


@lru_cache(maxsize=4096)
def split(encoding: Attribute, shape: Shape) -> Attribute | None:
    """Return the encoding of the halves of a tensor of `shape`, whose last size is 2."""
    if isinstance(encoding, DpasEncodingAttr) or shape[-1] != 2:
        return None
    if isinstance(encoding, BlockedEncodingAttr) and (halves := encoding.halves()) is not None:
        return halves
    layout = _halved(layout_of(encoding, shape), len(shape) - 1)
    if layout is None:
        return None
    pairs = tuple(zip(shaping.dims(len(shape) - 1), shape, strict=False))
    return linear_encoding(layout.reshape_outs(pairs), encoding)


def _halved(layout: LinearLayout, axis: int) -> LinearLayout | None:
    """Return the layout with half the size along `axis`; a thread has to have both halves."""
    found = False
    bases: dict[str, list[tuple[int, ...]]] = {}
    for name, images in layout.bases:
        bases[name] = []
        for basis in images:
            if name == shaping.REGISTER and basis[axis] == 1:
                found = True
                continue
            bases[name].append((*basis[:axis], basis[axis] // 2, *basis[axis + 1 :]))
    return LinearLayout.of(bases, layout.out_names) if found else None


def _joined(op: Operation, encoding: Attribute) -> Attribute | None:
    return joined(encoding, _shape(op.operands[0].type))


def _joined_back(op: Operation, encoding: Attribute) -> Attribute | None:
    return split(encoding, _shape(op.results[0].type))


def _split(op: Operation, encoding: Attribute) -> Attribute | None:
    return split(encoding, _shape(op.operands[0].type))


def _split_back(op: Operation, encoding: Attribute) -> Attribute | None:
    return joined(encoding, _shape(op.results[0].type))


# --- unpacking of 4-bit floats ----------------------------------------------------------


def packed_encoding(encoding: Attribute, shape: Shape, axis: int) -> Attribute | None:
    """
    Return the encoding that packed pairs along `axis` need to unpack to `encoding`.

    None if there is none; `UNKNOWN` where only a linear layout could tell.
    """
    try:
        return unpacked(encoding, shape, axis, forward=False)
    except NoLinearLayout:
        return UNKNOWN


def unpacked(encoding: Attribute, shape: Shape, axis: int, forward: bool) -> Attribute | None:
    """Return the encoding with twice as many elements along `axis`, or half as many."""
    layout = layout_of(encoding, shape)
    fastest = shaping.register_order(layout)[axis] == 0
    if fastest and isinstance(encoding, DotOperandEncodingAttr):
        return _unpacked_operand(encoding, forward)
    if fastest and isinstance(encoding, BlockedEncodingAttr):
        sizes = list(encoding.size_per_thread)
        if not forward and sizes[axis] <= 1:
            return None
        sizes[axis] = sizes[axis] * 2 if forward else sizes[axis] // 2
        return BlockedEncodingAttr(
            sizes,
            encoding.threads_per_warp,
            encoding.warps_per_cta,
            encoding.order,
            encoding.cga,
        )
    pair = LinearLayout.identity(2, shaping.REGISTER, f"dim{axis}")
    if forward:
        return linear_encoding((pair * layout).transpose_outs(layout.out_names), encoding)
    anywhere = release() <= _LAST_RELEASE_OF_PAIRS_ANYWHERE
    half = _halved(layout, axis) if anywhere else divide_left(layout, pair)
    return None if half is None else linear_encoding(half, encoding)


def _unpacked_operand(encoding: DotOperandEncodingAttr, forward: bool) -> Attribute | None:
    width, parent = encoding.k_width, encoding.parent
    if not forward and width <= 1:
        return None
    if isinstance(parent, DpasEncodingAttr):
        packed = parent.ops_per_channel
        parent = DpasEncodingAttr(
            parent.repeat_count,
            parent.systolic_depth,
            parent.execution_size,
            packed * 2 if forward else packed // 2,
            parent.warps_per_cta,
            parent.rep_cluster,
            parent.threads_per_warp,
        )
    return DotOperandEncodingAttr(encoding.op_idx, parent, width * 2 if forward else width // 2)


def _unpacked(op: Operation, encoding: Attribute) -> Attribute | None:
    return unpacked(encoding, _shape(op.operands[0].type), integer(op, "axis"), forward=True)


def _unpacked_back(op: Operation, encoding: Attribute) -> Attribute | None:
    return unpacked(encoding, _shape(op.results[0].type), integer(op, "axis"), forward=False)


def _same(op: Operation, encoding: Attribute) -> Attribute | None:
    return encoding


_RESULT: dict[str, Infer] = {
    "tt.reduce": _sliced,
    "tt.expand_dims": _parent,
    "tt.trans": _transposed,
    "tt.reshape": _reshaped,
    "tt.join": _joined,
    "tt.split": _split,
    "tt.gather": _same,
    "ttg.fp4_to_fp": _unpacked,
}

_OPERAND: dict[str, Infer] = {
    "tt.reduce": _parent,
    "tt.expand_dims": _sliced,
    "tt.trans": _transposed_back,
    "tt.reshape": _reshaped_back,
    "tt.join": _joined_back,
    "tt.split": _split_back,
    "tt.gather": _same,
    "ttg.fp4_to_fp": _unpacked_back,
}

__all__ = [
    "has_one_encoding",
    "infer_operand",
    "infer_result",
    "inferred_or",
    "is_elementwise",
    "joined",
    "linear_encoding",
    "reshaped",
    "split",
    "transposed",
    "unpacked",
]
