"""
Names that ops suggest for their results and block arguments, as MLIR's `OpAsmOpInterface`.

    %c0_i32 = arith.constant 0 : i32
    %extracted = tensor.extract %t[%i] : tensor<4xf32>

An op class of our own says the same with `RESULT_NAMES: ClassVar`, in the form of the
values of `RESULT_NAMES` here.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, Region

ResultNames = str | Callable[[Operation], Sequence[tuple[int, str]]]
"""The name of the first result; or (index, name) of each result that starts a group."""

_NAMED = {
    "arith.constant": "cst",
    "bufferization.clone": "",
    "complex.constant": "cst",
    "func.constant": "f",
    "index.bool.constant": "",
    "memref.alloc": "alloc",
    "memref.alloca": "alloca",
    "memref.cast": "cast",
    "memref.collapse_shape": "collapse_shape",
    "memref.dim": "dim",
    "memref.expand_shape": "expand_shape",
    "memref.extract_aligned_pointer_as_index": "intptr",
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
}
_PLACEHOLDER = _NAMED


def _constant(op: Operation) -> Sequence[tuple[int, str]]:
    value = op.properties.get("value", op.attributes.get("value"))
    return [(0, _constant_name(value))]


def _constant_name(value: Attribute | None) -> str:
    if not isinstance(value, IntegerAttr):
        return "cst"
    type: Attribute = value.type
    if isinstance(type, IndexType):
        return f"c{value.value.data}"
    assert isinstance(type, IntegerType)
    if type.width.data == 1:
        return "true" if value.value.data else "false"
    return f"c{value.value.data}_i{type.width.data}"
