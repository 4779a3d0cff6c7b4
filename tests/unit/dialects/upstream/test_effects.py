"""Traits of upstream ops that dead code and common subexpression elimination rely on."""

import pytest
from xdsl.dialects import test as placeholder
from xdsl.dialects.builtin import MemRefType, TensorType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.traits import Commutative, MemoryEffectKind, Pure, get_effects

from xtriton.dialects.upstream import bufferization, linalg
from xtriton.universe import UPSTREAM_DIALECTS, dialect

PURE_DIALECTS = ("arith", "math", "index")
NOT_SPECULATABLE = {
    *("arith.divsi", "arith.divui", "arith.ceildivui", "arith.ceildivsi"),
    *("index.divs", "index.divu", "index.rems", "index.remu"),
    *("index.ceildivs", "index.ceildivu", "index.floordivs"),
}


def value(type: Attribute) -> SSAValue:
    return placeholder.TestOp(result_types=[type]).results[0]


@pytest.mark.parametrize("name", PURE_DIALECTS)
def test_arithmetic_is_pure(name: str):
    impure = {op.name for op in dialect(name).operations if not op.has_trait(Pure)}
    assert impure <= NOT_SPECULATABLE


def test_commutative():
    names = {op.name for op in dialect("arith").operations if op.has_trait(Commutative)}
    assert names == {
        f"arith.{name}"
        for name in (
            *("addi", "muli", "andi", "ori", "xori", "addf", "mulf"),
            *("maxsi", "maxui", "minsi", "minui"),
            *("maximumf", "maxnumf", "minimumf", "minnumf"),
            *("addui_extended", "mulsi_extended", "mului_extended"),
        )
    }


def test_structured_op_on_tensors_has_no_effect():
    t = TensorType(f32, [4])
    assert get_effects(linalg.AddOp([value(t), value(t)], [value(t)])) == set()


def test_structured_op_on_memory_reads_and_writes():
    m = MemRefType(f32, [4])
    a, out = value(m), value(m)
    effects = get_effects(linalg.ExpOp([a], [out]))
    assert effects is not None
    found = {(effect.kind, effect.value) for effect in effects}
    read, write = MemoryEffectKind.READ, MemoryEffectKind.WRITE
    assert found == {(read, a), (read, out), (write, out)}


def test_materialization_writes_memory_only():
    t, m = TensorType(f32, [4]), MemRefType(f32, [4])
    into_memory = bufferization.MaterializeInDestinationOp.create(operands=[value(t), value(m)])
    into_tensor = bufferization.MaterializeInDestinationOp.create(
        operands=[value(t), value(t)], result_types=[t]
    )
    effects = get_effects(into_memory)
    assert effects is not None
    assert {effect.kind for effect in effects} == {MemoryEffectKind.WRITE}
    assert get_effects(into_tensor) == set()


@pytest.mark.parametrize("name", sorted(UPSTREAM_DIALECTS))
def test_classes_are_those_of_xdsl_where_it_has_them(name: str):
    modules = {op.__module__.partition(".")[0] for op in dialect(name).operations}
    assert modules <= {"xdsl", "xtriton"}
    assert ("xdsl" in modules) == (name not in ("index", "nvvm", "rocdl"))
