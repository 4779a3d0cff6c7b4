"""Builders of `tt` and `tts` ops infer result types and make ops that verify."""

from collections.abc import Callable

import pytest
from xdsl.builder import Builder
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, ModuleOp, TensorType, f16, f32, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint
from xdsl.traits import MemoryEffectKind, get_effects, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from xtriton import universe
from xtriton.dialects import tt, tts
from xtriton.dialects.tt.cache_policy import CachePolicyAttr
from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.type_relations import pointee_type, pointer_to
from xtriton.dialects.ttg.distributed import BlockedEncodingAttr
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr
from xtriton.dialects.utils.affine import floordiv, mod, product
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module

P = tt.PtrType(f32)
X = TensorType(f32, [16, 32])


def value(type: Attribute) -> SSAValue:
    return test.TestOp(result_types=[type]).results[0]


def types_of(op: Operation) -> list[Attribute]:
    op.verify()
    return [result.type for result in op.results]


def pointers(*shape: int) -> SSAValue:
    return value(TensorType(P, shape))


INDICES = value(TensorType(i32, [8, 32]))
DESCRIPTOR = tt.TensorDescType(f16, [16, 32])


@pytest.mark.parametrize(
    "op, results",
    [
        (tt.AddPtrOp(pointers(8), value(TensorType(i32, [8]))), [TensorType(P, [8])]),
        (tt.LoadOp(value(P)), [f32]),
        (tt.LoadOp(pointers(8), value(TensorType(i1, [8]))), [TensorType(f32, [8])]),
        (tt.LoadOp(value(tt.PtrType(X)), boundary_check=[0, 1]), [X]),
        (tt.StoreOp(value(P), value(f32)), []),
        (tt.AtomicRMWOp(tt.RMWOp.fadd, value(P), value(f32)), [f32]),
        (tt.AtomicCASOp(value(P), value(f32), value(f32)), [f32]),
        (tt.AtomicLoadOp(pointers(8)), [TensorType(f32, [8])]),
        (tt.AtomicPollOp(value(tt.PtrType(i32)), value(i32)), [i1]),
        (tt.SplatOp(value(f32), [8, 4]), [TensorType(f32, [8, 4])]),
        (tt.UnsplatOp(value(TensorType(f32, [1, 1]))), [f32]),
        (tt.ExpandDimsOp(value(X), 1), [TensorType(f32, [16, 1, 32])]),
        (tt.ReshapeOp(value(X), [512], allow_reorder=True), [TensorType(f32, [512])]),
        (tt.BroadcastOp(value(TensorType(f32, [16, 1])), [16, 32]), [X]),
        (tt.CatOp(value(X), value(X)), [TensorType(f32, [32, 32])]),
        (tt.JoinOp(value(X), value(X)), [TensorType(f32, [16, 32, 2])]),
        (tt.SplitOp(value(TensorType(f32, [16, 32, 2]))), [X, X]),
        (tt.TransOp(value(X), [1, 0]), [TensorType(f32, [32, 16])]),
        (tt.MakeRangeOp(0, 8), [TensorType(i32, [8])]),
        (tt.GetProgramIdOp(2), [i32]),
        (tt.FpToFpOp(value(X), f16, tt.RoundingMode.rtne), [TensorType(f16, [16, 32])]),
        (tt.IntToPtrOp(value(i64), P), [P]),
        (tt.PtrToIntOp(pointers(8)), [TensorType(i64, [8])]),
        (tt.BitcastOp(value(X), i32), [TensorType(i32, [16, 32])]),
        (
            tt.DotOp(value(X), value(TensorType(f32, [32, 8])), value(TensorType(f32, [16, 8]))),
            [TensorType(f32, [16, 8])],
        ),
        (tt.GatherOp(value(TensorType(f32, [16, 32])), INDICES, 0), [TensorType(f32, [8, 32])]),
        (tt.DescriptorLoadOp(value(DESCRIPTOR), [value(i32)] * 2), [TensorType(f16, [16, 32])]),
        (tts.MakeTensorPtrOp(value(P), [4, 8], [8, 1], [0, 0]), [TensorType(P, [4, 8])]),
        (
            tts.MakeTensorPtrOp(value(P), [4], [1], [0], [4], [0]),
            [tt.PtrType(TensorType(f32, [4]))],
        ),
        (
            tts.LoadOp(pointers(4, 8), [4, value(IndexType())], value(f32)),
            [TensorType(f32, [4, 8])],
        ),
        (tts.GatherOp(value(P), value(TensorType(i32, [8]))), [TensorType(f32, [8])]),
        (tts.GetStructuredStateOp(value(P)), [P, IndexType()]),
        (tts.MaskedLoadOp(pointers(8), [0], [value(IndexType())]), [TensorType(f32, [8])]),
        (
            tts.AtomicRMWOp(tt.RMWOp.fadd, pointers(8), value(TensorType(f32, [8]))),
            [TensorType(f32, [8])],
        ),
    ],
    ids=lambda x: x.name if isinstance(x, Operation) else "",
)
def test_result_types(op: Operation, results: list[Attribute]) -> None:
    assert types_of(op) == results


def test_make_tensor_descriptor_keeps_signedness() -> None:
    op = tt.MakeTensorDescOp(value(tt.PtrType(i32)), [value(i32)], [value(i64)], [64], signed=False)
    op.verify()
    assert str(op.result.type) == "!tt.tensordesc<64xui32>"
    assert tt.TensorDescType(i32, [64]).signless_block_type == TensorType(i32, [64])


def test_reduce_of_one_dimension_is_scalar() -> None:
    op = tt.ReduceOp([value(TensorType(f32, [8]))], 0)
    block = op.combineOp.block
    assert [arg.type for arg in block.args] == [f32, f32]
    block.add_op(tt.ReduceReturnOp(block.args[0]))
    assert types_of(op) == [f32]
    assert op.single_combiner is None


def test_function_and_call() -> None:
    callee = tt.FuncOp("helper", ([f32], [f32]), visibility="private")
    Builder(InsertPoint.at_end(callee.body.block)).insert(tt.ReturnOp(callee.args[0]))
    kernel = tt.FuncOp(
        "kernel", ([P], []), arg_attrs=[{"tt.divisibility": tt.LoadOp(value(P)).cache}]
    )
    builder = Builder(InsertPoint.at_end(kernel.body.block))
    loaded = builder.insert(tt.LoadOp(kernel.args[0]))
    called = builder.insert(tt.CallOp(callee, [loaded]))
    builder.insert(tt.StoreOp(kernel.args[0], called.results[0]))
    builder.insert(tt.ReturnOp())
    module = ModuleOp([callee, kernel])
    module.verify()
    again = parse_module(print_module(module), universe.context())
    assert again.is_structurally_equivalent(module)
    assert kernel.is_kernel
    assert not callee.is_kernel


def test_types_that_do_not_fit_are_refused() -> None:
    with pytest.raises(VerifyException, match="pointer"):
        tt.LoadOp(value(f32))
    with pytest.raises(VerifyException, match="permutation"):
        tt.TransOp(value(X), [0, 0])
    with pytest.raises(VerifyException, match="last dimension"):
        tt.SplitOp(value(X))


def test_pointer_relations_are_inverse() -> None:
    for type in (f32, X):
        assert pointee_type(pointer_to(type)) == type


def kinds(op: Operation) -> set[MemoryEffectKind]:
    effects = get_effects(op)
    assert effects is not None
    return {effect.kind for effect in effects}


def test_effects() -> None:
    read, write = MemoryEffectKind.READ, MemoryEffectKind.WRITE
    assert kinds(tt.LoadOp(value(P))) == {read}
    assert kinds(tt.LoadOp(value(P), is_volatile=True)) == {read, write}
    assert kinds(tt.StoreOp(value(P), value(f32))) == {write}
    assert kinds(tt.AtomicRMWOp(tt.RMWOp.fadd, value(P), value(f32))) == {read, write}
    assert is_side_effect_free(tt.ElementwiseInlineAsmOp("", "=r", [], [i32], pure=True))
    assert kinds(tt.ElementwiseInlineAsmOp("", "=r", [], [i32], pure=False)) == {read, write}
    effects = get_effects(tt.LoadOp(value(P))) or frozenset()
    assert [effect.resource.name() for effect in effects] == ["GlobalMemory"]


def test_affine_pointer_evaluates_with_symbolic_divisor() -> None:
    i, row, rows, stride = (
        AffineExpr.dimension(0),
        *(AffineExpr.symbol(n) for n in range(3)),
    )
    map = AffineMap(1, 3, (product(mod(i + row, rows), stride),))
    op = tts.MakeAffineTensorPtrOp(value(P), [value(IndexType())] * 3, [8], map)
    op.verify()
    assert op.map.data.eval([5], [4, 7, 100]) == (200,)
    assert floordiv(i, rows).eval([9], [0, 4, 0]) == 2


def test_what_a_release_cannot_say_is_an_error() -> None:
    text = "tt.func @f(%p: !tt.ptr<f32, 3>) {\n  tt.return\n}\n"
    module = parse_module(text, universe.context())
    assert "!tt.ptr<f32, 3>" in print_module(module)
    with pytest.raises(UserError, match="no pointers of address space 3"):
        print_module(module, version=(3, 9))


LINE = BlockedEncodingAttr([1], [32], [4], [0])
BAD_OPERANDS: list[tuple[Callable[[], object], str]] = [
    (lambda: tt.ReshapeOp(value(f32), [1]), "expected a ranked tensor, got 'f32'"),
    (
        lambda: tt.MakeTensorDescOp(value(f32), [], [], [8]),
        "operand 'base' must be ptr, but got 'f32'",
    ),
    (
        lambda: tt.MakeTensorPtrOp(value(f32), [], [], [], [8], [0]),
        "operand 'base' must be ptr, but got 'f32'",
    ),
    (lambda: tts.GatherOp(value(f32), INDICES), "operand 'ptr' must be ptr, but got 'f32'"),
    (lambda: tts.GetStructuredStateOp(value(X)), "has no structured state"),
    (
        lambda: tt.TransOp(value(TensorType(f32, [8, 8], LINE)), [1, 0]),
        "rank of encoding does not match order: 1 vs 2",
    ),
    (lambda: PaddedSharedEncodingAttr([4], [4, 8], [[1]]), "intervals size (1) must match"),
    (lambda: CachePolicyAttr(i32_attr(99)), "is no value of CacheModifier"),
]


@pytest.mark.parametrize(("make", "message"), BAD_OPERANDS)
def test_what_builders_refuse(make: Callable[[], object], message: str):
    with pytest.raises(VerifyException) as raised:
        make()
    assert message in str(raised.value)
