"""The table of memory ops agrees with what the ops themselves declare, and misses none."""

from typing import Any

import pytest
from xdsl.ir import Operation

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.classify import Tier
from xtriton.analysis.memory_ops import ATOMIC_OPS, MEMORY_OPS, READING, TRITON_ACCESSES
from xtriton.dialects.tt.traits import GlobalEffects
from xtriton.dialects.ttig.effects import PrefetchEffects
from xtriton.dialects.utils.effects import OperandEffects
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import DIALECTS, context, dialect

NO_ACCESS = {
    "tt.assert",
    "tt.print",
    "tt.grid_dependency_launch_dependents",
    "tt.grid_dependency_wait",
    "tt.experimental_tensormap_create",
    "tt.experimental_tensormap_fenceproxy_acquire",
    "ttng.tensormap_create",
    "ttng.tensormap_fenceproxy_acquire",
}
"""Ops with effects on global memory that no access describes: side effects, fences, descriptors."""

CLASSES: dict[str, type[Operation]] = {
    op.name: op for name in sorted(DIALECTS) for op in dialect(name).operations
}

NOT_REGISTERED = ("amdgpu.", "amdg.", "tt.experimental_descriptor_")
"""Ops of other backends, and names that the parser replaces by newer ones."""


def declared(cls: type[Operation]) -> list[GlobalEffects | OperandEffects | PrefetchEffects]:
    return [
        trait
        for trait in cls.traits.traits
        if isinstance(trait, GlobalEffects | PrefetchEffects) or type(trait) is OperandEffects
    ]


def operand_names(cls: Any) -> list[str]:
    return [name for name, _ in cls.get_irdl_definition().operands]


def test_no_op_with_effects_on_memory_is_missing():
    missing = {name for name, cls in CLASSES.items() if declared(cls)} - set(MEMORY_OPS)
    assert missing == NO_ACCESS


@pytest.mark.parametrize("name", sorted(MEMORY_OPS))
def test_entry_agrees_with_the_op(name: str):
    if name not in CLASSES:
        assert name.startswith(NOT_REGISTERED)
        return
    operands = operand_names(CLASSES[name])
    if not operands:
        return  # an op of old releases, read in its generic form only
    for touch in MEMORY_OPS[name].touches:
        assert touch.operand < len(operands)
    for trait in declared(CLASSES[name]):
        if isinstance(trait, PrefetchEffects):
            assert MEMORY_OPS[name].touches == ()
            continue
        for touch in MEMORY_OPS[name].touches:
            told = [trait.read] * touch.read + [trait.write] * touch.write
            assert set(told) <= {operands[touch.operand], ""}


def test_every_atomic_op_of_triton_is_an_access_and_synchronizes():
    atomics = {name for name in CLASSES if name.startswith("tt.atomic_")}
    assert atomics == {name for name, kind in TRITON_ACCESSES.items() if kind == "atomic"}
    assert atomics <= ATOMIC_OPS
    assert {"tt.atomic_load", "tt.atomic_poll"} <= READING


def replace(load: Operation, cls: type[Operation]) -> None:
    """Put an op of another class, with nothing but a pointer and a result, in place of a load."""
    other = cls.create(operands=load.operands, result_types=[load.results[0].type])
    block = load.parent
    assert block is not None
    block.insert_op_before(other, load)
    load.results[0].replace_all_uses_with(other.results[0])
    load.detach()
    load.erase()


@pytest.mark.parametrize("name", sorted(n for n in READING if n.startswith(("tt.", "tts."))))
def test_what_is_loaded_makes_a_gather(name: str):
    """Whichever op loads an index, an access with it is a gather and not opaque."""
    text = """
        tt.func @k(%x: !tt.ptr<i32>, %o: !tt.ptr<f32>) {
          %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
          %s = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
          %p = tt.addptr %s, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
          %i = tt.load %p : tensor<16x!tt.ptr<i32>>
          %q = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
          %a = tt.addptr %q, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
          %v = tt.load %a : tensor<16x!tt.ptr<f32>>
          tt.return
        }"""
    module = parse_module(text, context())
    function = next(iter(module.ops))
    load = next(op for op in function.walk() if op.name == "tt.load")
    if name != "tt.load":
        replace(load, CLASSES[name])
    last = [access for access in Accesses(function).all if access.op.name == "tt.load"][-1]
    assert last.tier is Tier.GATHER
