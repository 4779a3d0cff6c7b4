"""What propagation of layouts leaves as it is, and in which order it leaves uses."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.upstream.arith import AddfOp
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import edits_are_noted
from xtriton.ir.quick_edits import use_first
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.states import state_of
from xtriton.transforms.cleanup.settled import settled_still
from xtriton.transforms.triton_gpu.layout_conversions.driver import (
    _NO_CHOICE,
    remove_layout_conversions,
)
from xtriton.transforms.triton_gpu.layout_conversions.propagation import Propagation
from xtriton.transforms.triton_gpu.layout_conversions.target import CORE
from xtriton.universe import context

KERNEL = """
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @k(%p: tensor<512x!tt.ptr<f32>, #a>, %q: tensor<512x!tt.ptr<f32>, #b>) {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #a>
    %y = ttg.convert_layout %x : tensor<512xf32, #a> -> tensor<512xf32, #b>
    USERS
    tt.return
  }
}
"""
STORE = "tt.store %q, %y : tensor<512x!tt.ptr<f32>, #b>"


def module_with(*users: str) -> ModuleOp:
    return parse_module(KERNEL.replace("USERS", "\n".join(users)), context())


def propagate(module: ModuleOp) -> None:
    (function,) = module.ops
    Propagation(function, CORE).run()


def test_a_conversion_stays_whose_only_user_wants_what_it_gives():
    module = module_with(STORE)
    state = state_of(module)
    propagate(module)
    assert state_of(module, state) is state


def test_each_of_several_users_gets_a_conversion_of_its_own():
    module = module_with(STORE, STORE)
    (old,) = ops_of(module, ConvertLayoutOp)
    propagate(module)
    # Each is made right behind the old one, which serves the last user.
    assert ops_of(module, ConvertLayoutOp)[0] is old
    stores = ops_of(module, StoreOp)
    assert [store.operands[1].owner for store in reversed(stores)] == ops_of(
        module, ConvertLayoutOp
    )


def test_a_use_comes_first_as_if_it_was_set():
    module = module_with(*(f"%z{i} = arith.addf %y, %y : tensor<512xf32, #b>" for i in range(3)))
    value = ops_of(module, ConvertLayoutOp)[0].result
    first = ops_of(module, AddfOp)[0]

    def uses() -> list[tuple[object, int]]:
        return [(use.operation, use.index) for use in value.uses]

    before = uses()
    use_first(first, 0)
    assert uses() == [(first, 0), *(use for use in before if use != (first, 0))]
    first.operands[0] = value
    assert uses()[0] == (first, 0)
    assert len(uses()) == len(before)


ONE_LAYOUT = """
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @k(%p: tensor<512x!tt.ptr<f32>, #a>) {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #a>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #a>
    tt.return
  }
}
"""


def test_that_no_layout_may_spread_is_forgotten_when_a_conversion_comes():
    module = parse_module(ONE_LAYOUT, context())
    with edits_are_noted():
        # It is remembered of a module that was looked at before.
        for _ in range(2):
            remove_layout_conversions(module, CORE)
        known = settled_still(module)
        assert known is not None
        assert known.knows(_NO_CHOICE)
        (load,) = ops_of(module, LoadOp)
        (store,) = ops_of(module, StoreOp)
        wide = parse_module(KERNEL.replace("USERS", STORE), context())
        (other,) = ops_of(wide, ConvertLayoutOp)
        there = ConvertLayoutOp.create(operands=[load.result], result_types=[other.result.type])
        back = ConvertLayoutOp.create(operands=[there.result], result_types=[load.result.type])
        block = store.parent
        assert block is not None
        block.insert_ops_before([there, back], store)
        store.operands[1] = back.result
        remove_layout_conversions(module, CORE)
    assert ops_of(module, ConvertLayoutOp) == []
    assert store.operands[1] is load.result
