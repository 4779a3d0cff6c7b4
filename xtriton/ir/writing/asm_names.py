"""
Names that ops suggest for their values, as MLIR's `OpAsmOpInterface` has them.

    %c0_i32 = arith.constant 0 : i32
    %extracted = tensor.extract %t[%i] : tensor<4xf32>

An op class of our own says the same with `RESULT_NAMES: ClassVar`, in the form of the
values of `RESULT_NAMES` here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, Region

Groups = Sequence[tuple[int, str]]
"""Index and name of each result that starts a group of results under one name."""

ResultNames = str | tuple[str, ...] | Callable[[Operation], Groups]
"""The name of the first result; the name of each; or what computes the groups."""


def _value(op: Operation) -> Attribute | None:
    return op.properties.get("value", op.attributes.get("value"))


def _constant(op: Operation) -> Groups:
    value: Any = _value(op)
    if not isinstance(value, IntegerAttr):
        return ((0, "cst"),)
    number: int = value.value.data
    kind: Attribute = value.get_type()
    width: Any = getattr(kind, "width", None)
    if width is None:
        return ((0, f"c{number}"),)
    if width.data == 1:
        return ((0, "true" if number else "false"),)
    return ((0, f"c{number}_i{width.data}"),)


def _index_constant(op: Operation) -> Groups:
    value = _value(op)
    return ((0, f"idx{value.value.data}" if isinstance(value, IntegerAttr) else "idx"),)


def _truth(op: Operation) -> Groups:
    value = _value(op)
    return ((0, "true" if isinstance(value, IntegerAttr) and value.value.data else "false"),)


def _strided_metadata(op: Operation) -> Groups:
    rank = (len(op.results) - 2) // 2
    groups = [(0, "base_buffer"), (1, "offset")]
    if rank > 0:
        groups += [(2, "sizes"), (2 + rank, "strides")]
    return groups


def _dimension_name(op: Operation) -> Groups:
    dimension = op.properties.get("dimension", op.attributes.get("dimension"))
    suffix = getattr(dimension, "data", "")
    return ((0, f"{op.name.partition('.')[2]}_{suffix}"),)


_GPU_IDS = (
    *("thread_id", "block_id", "block_dim", "grid_dim", "global_id"),
    *("cluster_id", "cluster_dim", "cluster_dim_blocks", "cluster_block_id"),
)

RESULT_NAMES: dict[str, ResultNames] = {
    "arith.addui_extended": ("sum", "overflow"),
    "arith.constant": _constant,
    "arith.mulsi_extended": ("low", "high"),
    "arith.mului_extended": ("low", "high"),
    "complex.constant": "cst",
    "func.constant": "f",
    "index.bool.constant": _truth,
    "index.constant": _index_constant,
    "linalg.broadcast": "broadcasted",
    "linalg.map": "mapped",
    "linalg.pack": "pack",
    "linalg.reduce": "reduced",
    "linalg.transpose": "transposed",
    "linalg.unpack": "unpack",
    "memref.alloc": "alloc",
    "memref.alloca": "alloca",
    "memref.cast": "cast",
    "memref.collapse_shape": "collapse_shape",
    "memref.dim": "dim",
    "memref.expand_shape": "expand_shape",
    "memref.extract_aligned_pointer_as_index": "intptr",
    "memref.extract_strided_metadata": _strided_metadata,
    "memref.memory_space_cast": "memspacecast",
    "memref.reinterpret_cast": "reinterpret_cast",
    "memref.reshape": "reshape",
    "memref.subview": "subview",
    "memref.transpose": "transpose",
    "memref.view": "view",
    "tensor.cast": "cast",
    "tensor.collapse_shape": "collapsed",
    "tensor.concat": "concat",
    "tensor.dim": "dim",
    "tensor.expand_shape": "expanded",
    "tensor.extract": "extracted",
    "tensor.extract_slice": "extracted_slice",
    "tensor.from_elements": "from_elements",
    "tensor.gather": "gather",
    "tensor.generate": "generated",
    "tensor.insert": "inserted",
    "tensor.insert_slice": "inserted_slice",
    "tensor.pad": "padded",
    "tensor.rank": "rank",
    "tensor.reshape": "reshape",
    "tensor.scatter": "scatter",
    "tensor.splat": "splat",
    "vector.deinterleave": ("res1", "res2"),
    "vector.vscale": "vscale",
    **{f"gpu.{name}": _dimension_name for name in _GPU_IDS},
}


def result_names_of(cls: type[Operation]) -> ResultNames | None:
    """Return how the results of ops of this class are named, None for numbers."""
    own: ResultNames | None = getattr(cls, "RESULT_NAMES", None)
    return own if own is not None else RESULT_NAMES.get(cls.name)


def name_groups(rule: ResultNames, op: Operation) -> Groups:
    """Return the groups of results of `op` that `rule` names."""
    if isinstance(rule, str):
        return ((0, rule),)
    return rule(op) if callable(rule) else tuple(enumerate(rule))


_IN_AND_INIT = frozenset({"linalg.map", "linalg.reduce"})


def entry_argument_names(op: Operation, region: Region) -> Sequence[str] | None:
    """Return the names of the arguments of a region's first block, None for `%arg0` ..."""
    if not op.name.startswith("linalg.") or region.first_block is None:
        return None
    outputs = _linalg_output_count(op)
    inputs = len(region.first_block.args) - outputs
    last = "init" if op.name in _IN_AND_INIT else "out"
    return ("in",) * inputs + (last,) * outputs


def _linalg_output_count(op: Operation) -> int:
    segments: Any = op.properties.get("operandSegmentSizes")
    if segments is not None:
        return segments.get_values()[-1]
    if op.name == "linalg.reduce":
        return len(op.operand_types) // 2
    return 1
