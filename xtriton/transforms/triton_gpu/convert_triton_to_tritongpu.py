"""
Give every tensor a layout.

Before:

    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>

After:

    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], ...}>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = ttg.convert_layout %0 : ... -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : ... -> tensor<128x1xi32, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<128x1xi32, #blocked1> -> tensor<128x1xi32, #blocked2>

Each shape has one layout; ops that need others, or give others, are surrounded by
conversions. Later passes choose better layouts and remove conversions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.encodings.blocked import default_encoding
from xtriton.dialects.encodings.inference import joined, split, transposed
from xtriton.dialects.encodings.linear_layouts import elements_per_thread
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.ttg.cga import CGAEncodingAttr
from xtriton.dialects.ttg.context import NUM_CTAS, NUM_WARPS, TARGET, THREADS_PER_WARP
from xtriton.dialects.ttg.distributed import (
    BlockedEncodingAttr,
    DotOperandEncodingAttr,
    SliceEncodingAttr,
)
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import PassFailure, Position
from xtriton.ir.attributes import integer, integers
from xtriton.ir.listings import ops_of_block
from xtriton.ir.locations import file_position
from xtriton.ir.noted_edits import set_attribute
from xtriton.ir.versions import Version, release
from xtriton.transforms.triton_gpu.retyping import (
    encoding_of,
    set_encoding,
    set_type,
    tensor_of,
    with_encoding,
)

_FIRST_RELEASE_OF_CONVERSIONS_FOR_EACH: Version = (3, 9)
"""Since then each use has a conversion of its own, which later passes merge."""

_DIALECTS = ("tt", "ttg", "ttng", "ttig", "arith", "math", "scf", "cf", "ub")
"""Those whose tensors have layouts; of all others nothing is known."""


@dataclass(frozen=True)
class ConvertTritonToTritonGPUPass(ModulePass):
    """
    Give every tensor the default blocked layout of its shape.

    `target` is that of the GPU, such as `cuda:90`, `hip:gfx942` or `xpu`.
    """

    name = "convert-triton-to-tritongpu"

    target: str = ""
    num_warps: int = 4
    threads_per_warp: int = 32
    num_ctas: int = 1
    enable_source_remat: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.target:
            raise PassFailure("'convert-triton-to-tritongpu' requires 'target' option to be set")
        numbers = {
            NUM_WARPS: self.num_warps,
            THREADS_PER_WARP: self.threads_per_warp,
            NUM_CTAS: self.num_ctas,
        }
        for name, number in numbers.items():
            known = integer(op, name, None)
            if known not in (None, number) and any(map(_is_for_one_launch, op.walk())):
                raise PassFailure(f"the module has {name} = {known}, not {number}")
            set_attribute(op, name, IntegerAttr(number, i32))
        set_attribute(op, TARGET, StringAttr(self.target))
        _Conversion(self.num_warps, self.threads_per_warp, self.num_ctas).convert(op)


@dataclass
class _Conversion:
    num_warps: int
    threads_per_warp: int
    num_ctas: int
    _defaults: dict[tuple[int, ...], BlockedEncodingAttr] = field(
        default_factory=dict[tuple[int, ...], BlockedEncodingAttr]
    )
    _wanted: dict[SSAValue, Attribute] = field(default_factory=dict[SSAValue, Attribute])
    """The types in which ops expect results that have become something else."""

    def default(self, shape: tuple[int, ...]) -> BlockedEncodingAttr:
        """Return the layout that tensors of `shape` have outside of special ops."""
        found = self._defaults.get(shape)
        if found is None:
            found = default_encoding(shape, self.num_warps, self.threads_per_warp, self.num_ctas)
            self._defaults[shape] = found
        return found

    def type(self, type: Attribute) -> Attribute:
        """Return a type with the default layout, unless it has one."""
        tensor = tensor_of(type)
        if tensor is None or not isinstance(tensor.encoding, NoneAttr):
            return type
        return with_encoding(type, self.default(tensor.get_shape()))

    def convert(self, root: Operation) -> None:
        """Convert all ops inside `root`; operands come before what uses them."""
        for region in root.regions:
            for block in region.blocks:
                if any(map(_lacks_layout, block.args)):
                    _check_is_known(root)
                for argument in block.args:
                    set_type(argument, self.type(argument.type))
            for block in region.blocks:
                for op in ops_of_block(block):
                    self.convert_op(op)
                    if op.regions:
                        self.convert(op)
                    if isinstance(op, FuncOp):
                        self.convert_signature(op)

    def convert_signature(self, function: FuncOp) -> None:
        """Let the type of a function say what its arguments and results are now."""
        old = function.function_type
        inputs = ArrayAttr(self.type(t) for t in old.inputs)
        outputs = ArrayAttr(self.type(t) for t in old.outputs)
        function.function_type = FunctionType(inputs, outputs)

    def convert_op(self, op: Operation) -> None:
        """Give layouts to the results of an op, with the conversions that this takes."""
        if self._wanted:
            self.convert_operands(op)
        scatters = op.name == "tt.descriptor_scatter"
        if not scatters and not any(_lacks_layout(result) for result in op.results):
            return
        _check_is_known(op)
        special = _SPECIAL.get(op.name)
        if special is None:
            for result in op.results:
                set_type(result, self.type(result.type))
            return
        wanted = [self.type(result.type) for result in op.results]
        special(self, op)
        block, following = op.parent, op.next_op
        assert block is not None
        each = release() >= _FIRST_RELEASE_OF_CONVERSIONS_FOR_EACH
        for result, type in zip(op.results, wanted, strict=True):
            if result.type != type and each:
                self._wanted[result] = type
            elif result.type != type and result.first_use is not None:
                conversion = _conversion(result, type, op)
                result.replace_uses_with_if(
                    conversion.result, lambda use, c=conversion: use.operation is not c
                )
                _insert(block, conversion, following)

    def convert_operands(self, op: Operation) -> None:
        """Convert each operand with a layout of its own right behind what makes it."""
        for i, operand in enumerate(op.operands):
            type = self._wanted.get(operand)
            if type is None:
                continue
            assert isinstance(operand, OpResult)
            conversion = _conversion(operand, type, operand.op)
            assert operand.op.parent is not None
            operand.op.parent.insert_op_after(conversion, operand.op)
            op.operands[i] = conversion.result

    # --- ops whose layouts depend on each other -------------------------------------------

    def convert_operand(self, op: Operation, i: int, encoding: Attribute) -> None:
        """Put a conversion of operand `i` in front of `op`."""
        operand = op.operands[i]
        conversion = _conversion(operand, with_encoding(operand.type, encoding), op)
        assert op.parent is not None
        op.parent.insert_op_before(conversion, op)
        op.operands[i] = conversion.result

    def expand_dims(self, op: Operation) -> None:
        """The operand becomes a slice of the result's layout."""
        encoding = encoding_of(op.operands[0].type)
        assert isinstance(encoding, BlockedEncodingAttr)
        result, part = _expanded(encoding, _axis(op))
        self.convert_operand(op, 0, part)
        set_encoding(op.results[0], result)

    def dot(self, op: Operation) -> None:
        """Up to 4x4 elements a thread; operands as the result's layout asks."""
        type = op.results[0].type
        assert is_tensor(type)
        shape = type.get_shape()
        per_thread = prod(shape) // (self.num_warps * self.threads_per_warp)
        size = 4 if per_thread >= 16 else 2 if per_thread >= 4 else 1
        sizes = [1] * (len(shape) - 2) + [min(size, shape[-2]), min(size, shape[-1])]
        result = default_encoding(
            shape, self.num_warps, self.threads_per_warp, self.num_ctas, sizes
        )
        for i in (0, 1):
            if not isinstance(encoding_of(op.operands[i].type), DotOperandEncodingAttr):
                self.convert_operand(op, i, DotOperandEncodingAttr(i, result))
        self.convert_operand(op, 2, result)
        set_encoding(op.results[0], result)

    def cat(self, op: Operation) -> None:
        """The result has room for the elements of both operands."""
        type = self.type(op.results[0].type)
        encoding = encoding_of(type)
        assert is_tensor(type) and isinstance(encoding, BlockedEncodingAttr)
        needed = sum(_per_thread(operand.type) for operand in op.operands)
        sizes = list(encoding.size_per_thread)
        # The next power of two.
        sizes[encoding.order[0]] *= (1 << (needed - 1).bit_length()) // _per_thread(type)
        result = BlockedEncodingAttr(
            sizes,
            encoding.threads_per_warp,
            encoding.warps_per_cta,
            encoding.order,
            encoding.cga,
        )
        set_encoding(op.results[0], result)

    def join(self, op: Operation) -> None:
        """A thread has both elements of each pair."""
        type = op.operands[0].type
        assert is_tensor(type)
        self.set_inferred(op, joined(type.encoding, type.get_shape()))

    def split(self, op: Operation) -> None:
        """The operand gets a layout in which a thread has both elements of each pair."""
        type = op.operands[0].type
        assert is_tensor(type)
        shape, encoding = type.get_shape(), type.encoding
        assert isinstance(encoding, BlockedEncodingAttr)
        if encoding.size_per_thread[-1] != 2 or encoding.order[0] != len(shape) - 1:
            encoding = self.default(shape[:-1]).infer_join(shape[:-1])
            self.convert_operand(op, 0, encoding)
        self.set_inferred(op, split(encoding, shape))

    def trans(self, op: Operation) -> None:
        """Threads keep their elements."""
        type = op.operands[0].type
        assert is_tensor(type)
        order = integers(op, "order")
        self.set_inferred(op, transposed(type.encoding, type.get_shape(), order))

    def broadcast(self, op: Operation) -> None:
        """The layout of the operand, repeated."""
        self.set_inferred(op, encoding_of(op.operands[0].type))

    def reduce(self, op: Operation) -> None:
        """A slice of the operand's layout."""
        encoding = encoding_of(op.operands[0].type)
        assert encoding is not None
        self.set_inferred(op, SliceEncodingAttr(_axis(op), encoding))

    def gather_rows(self, op: Operation) -> None:
        """Every thread that issues a gather has four neighbouring row numbers."""
        index = 1
        cga = CGAEncodingAttr.from_split((1, self.num_ctas), (1, self.num_ctas), (1, 0))
        parent = BlockedEncodingAttr(
            (1, 4), (self.threads_per_warp, 1), (1, self.num_warps), (1, 0), cga
        )
        self.convert_operand(op, index, SliceEncodingAttr(0, parent))
        for result in op.results:
            set_type(result, self.type(result.type))

    def set_inferred(self, op: Operation, encoding: Attribute | None) -> None:
        """Give all results of `op` an encoding; the default one where there is none."""
        for result in op.results:
            type = with_encoding(result.type, encoding) if encoding else self.type(result.type)
            set_type(result, type)


@lru_cache(maxsize=1024)
def _expanded(
    encoding: BlockedEncodingAttr, axis: int
) -> tuple[BlockedEncodingAttr, SliceEncodingAttr]:
    """Return a layout with a dimension more, and the slice of it without that dimension."""

    def inserted(values: tuple[int, ...], new: int) -> tuple[int, ...]:
        return (*values[:axis], new, *values[axis:])

    rank = encoding.rank + 1
    result = BlockedEncodingAttr(
        inserted(encoding.size_per_thread, 1),
        inserted(encoding.threads_per_warp, 1),
        inserted(encoding.warps_per_cta, 1),
        range(rank),
        CGAEncodingAttr([inserted(b, 0) for b in encoding.cga.block_bases], rank),
    )
    return result, SliceEncodingAttr(axis, result)


def _check_is_known(op: Operation) -> None:
    """Raise `PassFailure` if tensors with layouts mean nothing to the dialect of an op."""
    if op.name.partition(".")[0] not in _DIALECTS and op.dialect_name() not in _DIALECTS:
        place = file_position(op.location)
        position = None if place is None else Position(*place)
        raise PassFailure(f"failed to legalize operation '{op.name}': no layouts there", position)


def _is_for_one_launch(op: Operation) -> bool:
    """Return whether an op is of those below Triton's, or uses or makes a tensor with a layout."""
    if op.name.startswith(("ttg.", "ttng.", "ttig.")):
        return True
    tensors = [tensor_of(value.type) for value in (*op.operands, *op.results)]
    return any(tensor and not isinstance(tensor.encoding, NoneAttr) for tensor in tensors)


def _lacks_layout(value: SSAValue) -> bool:
    tensor = tensor_of(value.type)
    return tensor is not None and isinstance(tensor.encoding, NoneAttr)


def _axis(op: Operation) -> int:
    axis = op.properties["axis"]
    assert isinstance(axis, IntegerAttr)
    return axis.value.data


def _per_thread(type: Attribute) -> int:
    assert is_tensor(type)
    return elements_per_thread(type.encoding, type.get_shape())


def _conversion(value: SSAValue, type: Attribute, near: Operation) -> ConvertLayoutOp:
    conversion = ConvertLayoutOp(value, type)
    conversion.location = near.location
    return conversion


def _insert(block: Block, op: Operation, before: Operation | None) -> None:
    if before is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, before)


_SPECIAL: dict[str, Callable[[_Conversion, Operation], None]] = {
    "tt.expand_dims": _Conversion.expand_dims,
    "tt.dot": _Conversion.dot,
    "tt.cat": _Conversion.cat,
    "tt.join": _Conversion.join,
    "tt.split": _Conversion.split,
    "tt.trans": _Conversion.trans,
    "tt.broadcast": _Conversion.broadcast,
    "tt.reduce": _Conversion.reduce,
    "tt.descriptor_gather": _Conversion.gather_rows,
    "tt.descriptor_scatter": _Conversion.gather_rows,
}
