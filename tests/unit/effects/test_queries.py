"""Queries on a record: byte ranges, storages, programs apart, JSON, cache, configurations."""

from __future__ import annotations

import json

import numpy as np
import pytest
from xdsl.dialects.builtin import i32

from tests.growth import calls_in
from tests.unit.effects import kernels_adversarial, kernels_control, kernels_memory
from tests.unit.effects.kernels import KERNELS, P4, P
from xtriton import effect_records, effects, universe
from xtriton.budget import Budget, spending
from xtriton.effects import KernelEffects
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module

__all__ = ["kernels_adversarial", "kernels_control", "kernels_memory"]

TEXTS = {k.name: k.text for k in KERNELS}


def record(name: str) -> KernelEffects:
    return effects.analyze(TEXTS[name])


# --- bytes ----------------------------------------------------------------------------


def test_bytes_of_a_launch():
    found = record("masked_copy").at(4, {"n": 10})
    assert found["x"].reads == ((0, 40),)
    assert found["x"].writes == ()
    assert found["out"].writes == ((0, 40),)
    assert found["out"].exact


def test_bytes_are_limited_by_the_grid():
    assert record("masked_copy").at((2,), {"n": 100})["out"].writes == ((0, 32),)


def test_bytes_of_no_launch():
    assert record("copy").at((0,))["out"].writes == ()


def test_unknown_scalars_give_bounds_only():
    found = record("masked_copy").at(4)["out"]
    assert found.writes == ((0, 64),)
    assert not found.exact


def test_scalars_by_position():
    assert record("masked_copy").at(4, {2: 3})["out"].writes == ((0, 12),)


def test_large_launches_get_bounds():
    found = record("masked_copy").at(1 << 20, {"n": 1000})["out"]
    assert found.writes == ((0, 4000),)
    assert not found.exact


def test_data_dependent_addresses_are_not_bounded():
    found = record("offset_does_not_taint").at(1)["out"]
    assert found.writes is None
    assert not found.exact


def test_loops_count():
    found = record("loop_moves_pointer").at(1, {"n": 3})["p"]
    assert found.writes == ((0, 12),)
    assert found.exact


def test_bytes_through_calls():
    """Offsets of a callee count from what it is handed, in terms of the kernel."""
    text = f"""module {{
      tt.func public @k(%p: {P}, %q: {P}, %n: i32) {{
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %c8 = arith.constant 8 : i32
        %x = tt.get_program_id x : i32
        %o = arith.muli %x, %c8 : i32
        %a = tt.addptr %p, %o : {P}, i32
        scf.for %i = %c0 to %n step %c1 : i32 {{
          tt.call @put(%a, %i) : ({P}, i32) -> ()
        }}
        tt.call @put(%q, %c8) : ({P}, i32) -> ()
        tt.return
      }}
      tt.func private @put(%a: {P}, %j: i32) attributes {{noinline = true}} {{
        %f = arith.constant 1.0 : f32
        %r = tt.make_range {{end = 4 : i32, start = 0 : i32}} : tensor<4xi32>
        %s = tt.splat %j : i32 -> tensor<4xi32>
        %o = arith.addi %r, %s : tensor<4xi32>
        %t = tt.splat %a : {P} -> {P4}
        %u = tt.addptr %t, %o : {P4}, tensor<4xi32>
        %v = arith.constant dense<1.0> : tensor<4xf32>
        tt.store %u, %v : {P4}
        tt.return
      }}
    }}"""
    for inline in (True, False):
        found = effects.analyze(text, inline=inline)
        launch = found.at(2, {"n": 3})
        assert launch["p"].writes == ((0, 24), (32, 56)), inline
        assert launch["q"].writes == ((32, 48),), inline
        assert launch["p"].exact
        assert launch["q"].exact
        assert found.disjoint_over_programs("p", 2, {"n": 3}) is True


def test_loops_whose_length_is_the_programs():
    """The trip count of the outer loop has one shape, that of the inner one another."""
    text = f"""tt.func public @k(%p: {P}, %n: i32) {{
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %f = arith.constant 1.0 : f32
      %x = tt.get_program_id x : i32
      %y = tt.get_program_id y : i32
      scf.for %i = %x to %c2 step %c1 : i32 {{
        scf.for %j = %y to %n step %c1 : i32 {{
          %ten = arith.muli %j, %c2 : i32
          %o = arith.addi %ten, %i : i32
          %q = tt.addptr %p, %o : {P}, i32
          tt.store %q, %f : {P}
        }}
      }}
      tt.return
    }}"""
    found = effects.analyze(text)
    assert found.at((2, 2), {"n": 3})["p"].writes == ((0, 24),)
    assert found.at((3, 1), {"n": 0})["p"].writes == ()


def test_block_pointers_stay_inside():
    assert record("block_pointer").at(1)["x"].reads is not None


# --- programs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, path, expected",
    [
        ("copy", "out", True),
        ("masked_copy", "out", True),
        ("in_place", "x", True),
        ("mask_always_true", "x", True),
        ("loop_runs", "p", None),
        ("atomic_cas", "lock", None),
        ("offset_does_not_taint", "out", None),
    ],
)
def test_programs_apart_in_every_launch(name: str, path: str, expected: bool | None):
    assert record(name).disjoint_over_programs(path) is expected


def test_programs_in_another_dimension_are_not_apart():
    """Where the kernel asks for its place in y, programs that differ only there meet."""
    text = TEXTS["copy"]
    assert effects.analyze(text).disjoint_over_programs() is True
    other = "    %there = tt.get_program_id y : i32\n    tt.return"
    found = effects.analyze(text.replace("    tt.return", other))
    assert found.axes == (0, 1)
    assert found.disjoint_over_programs() is None
    assert found.disjoint_over_programs(grid=(4, 1)) is True
    assert found.disjoint_over_programs(grid=(4, 2)) is False


def test_programs_apart_in_a_launch():
    assert record("loop_runs").disjoint_over_programs("p", 1) is True
    assert record("loop_runs").disjoint_over_programs("p", 2) is False
    assert record("masked_copy").disjoint_over_programs(None, 4, {"n": 16}) is True


# --- storages -------------------------------------------------------------------------


def test_storages():
    memory = np.zeros(64, np.float32)
    apart = record("copy").on({"x": memory[:16], "out": memory[32:48]}, 4)
    assert [o.paths for o in apart] == [("x",), ("out",)]
    assert all(o.conflicts == () for o in apart)
    (together,) = record("copy").on({"x": memory[:16], "out": memory[8:24]}, 4)
    assert together.paths == ("x", "out")
    assert together.conflicts == (("out", "x"),)
    assert together.writes == ((32, 96),)


def test_storages_that_a_launch_keeps_apart():
    memory = np.zeros(64, np.float32)
    (found,) = record("masked_copy").on({"x": memory, "out": memory[32:]}, 4, {"n": 16})
    assert found.conflicts == ()
    (found,) = record("masked_copy").on({"x": memory, "out": memory[32:]})
    assert found.conflicts == (("out", "x"),)


# --- the record -----------------------------------------------------------------------


@pytest.mark.parametrize("name", list(TEXTS))
def test_json_and_back(name: str):
    one = record(name)
    data = one.to_json()
    again = KernelEffects.from_json(json.loads(json.dumps(data)))
    assert json.dumps(again.to_json()) == json.dumps(data)
    assert (again.mutated(), again.read()) == (one.mutated(), one.read())
    assert again.at(2, {"n": 5}) == one.at(2, {"n": 5})
    effects.clear_cache()
    assert json.dumps(record(name).to_json()) == json.dumps(data), "deterministic"


def test_initial_content():
    assert record("write_then_read")["x"].reads_initial == "none"
    assert record("in_place")["x"].reads_initial == "must"
    assert record("masked_copy")["x"].reads_initial == "may"


def test_initial_content_after_a_write():
    """A loop that may have filled the place before: it may be seen, no more."""
    assert record("filled_in_a_loop")["tab"].reads_initial == "may"
    assert record("after_a_meeting")["lock"].reads_initial == "must"


def test_covers():
    assert record("copy")["out"].covers
    assert record("masked_copy")["out"].covers
    assert not record("mask_does_not_taint")["out"].covers
    assert not record("atomic_add")["out"].covers


def test_atomics():
    (add,) = record("atomic_add")["out"].atomics
    assert (add.op, add.order, add.scope) == ("fadd", "acq_rel", "gpu")
    assert not add.commutes
    assert not record("atomic_add").deterministic
    (reduce,) = record("descriptor_reduce")["out"].atomics
    assert (reduce.op, reduce.result_used) == ("add", False)


def test_purity():
    assert record("nothing").pure
    assert not record("print_and_assert").pure
    assert record("print_and_assert").must_keep
    assert record("pointer_table").must_keep
    assert not record("copy").must_keep
    assert record("asm_impure_without_memory").must_keep


def test_escapes():
    assert record("pointer_spilled")["p"].escapes
    assert not record("copy")["x"].escapes


def test_strict_queries():
    found = effects.analyze(TEXTS["pointer_table"])
    assert found.mutated() == []
    assert found.mutated(strict=True) == ["tab"]
    assert found["*tab"].write == "must"


def test_locations():
    text = TEXTS["masked_copy"].replace(
        f"tt.store %outs, %v, %m : {P4}", f'tt.store %outs, %v, %m : {P4} loc("k.py":7:3)'
    )
    found = effects.analyze(text)
    (reason,) = found["out"].reasons
    assert str(reason) == "k.py:7:3: tt.store: its mask may be false"


def test_cache_is_fast():
    text = TEXTS["copy"]
    first = effects.analyze(text)

    def again() -> None:
        assert effects.analyze(text) is first

    assert calls_in(again) < 100


def test_modules_are_remembered_by_their_hash():
    context = universe.context()
    one, two = (parse_module(TEXTS["masked_copy"], context) for _ in "ab")
    assert effects.fingerprint(one) == effects.fingerprint(two)
    first = effects.analyze(one, remember=True)
    assert effects.analyze(two, remember=True) is first
    assert first.ir_hash == effects.fingerprint(two)
    assert effects.analyze(one) is not first, "nobody asked"
    before = first.at(4, {"n": 10})
    (kernel,) = two.body.block.ops
    for op in kernel.walk():
        if op.name == "tt.store":
            op.detach()
            op.erase()
            break
    assert effects.fingerprint(one) != effects.fingerprint(two)
    assert effects.analyze(two, remember=True).mutated() == []
    assert first.at(4, {"n": 10}) == before


@pytest.mark.parametrize("name", list(TEXTS))
def test_what_differs_has_another_hash(name: str):
    context = universe.context(allow_unregistered=True)
    text = TEXTS[name]
    others = [text, text.replace("4 : i32", "8 : i32", 1), text.replace("%pid", "%id")]
    others.append(text.replace(" x : i32", " y : i32", 1))
    hashes = {effects.fingerprint(parse_module(t, context)) for t in others}
    assert len(hashes) == len(set(others))


def test_what_is_not_asked_yet_stays_as_it_was():
    """A pass may change a module between an analysis and a question about it."""
    module = parse_module(TEXTS["masked_copy"], universe.context())
    found = effects.analyze(module)
    (kernel,) = module.body.block.ops
    kernel.regions[0].block.insert_arg(i32, 0)
    assert found.at(4, {"n": 10}) == record("masked_copy").at(4, {"n": 10})


def test_kernel_by_name():
    with pytest.raises(UserError, match="the module has no kernel 'other'"):
        effects.analyze(TEXTS["copy"], kernel="other")
    with pytest.raises(UserError):
        effects.analyze("no IR at all")


def test_union():
    together = effects.union({"a": record("select_constant"), "b": record("select_pointers")})
    assert together.mutated() == ["p", "q"]
    assert together.always_mutated() == []
    assert (together.write_of("p"), together.write_of("q")) == ("may", "may")
    assert together.depends == {"q": {"write": ("b",)}}
    merged = together.merged()
    assert merged["q"].write == "may"
    assert any(n.code == "configuration" for n in merged.notes)
    assert json.dumps(together.to_json())


def test_gives_up_safely():
    """A kernel beyond the budget gives the safe answer with a reason, and is not remembered."""
    assert record("copy").complete
    with spending(Budget(visits=3)):
        found = record("copy")
    assert record("copy").complete
    assert not found.complete
    assert (found["x"].read, found["x"].write, found["out"].write) == ("may", "may", "may")
    assert found.must_keep
    notes = [n.text for n in found.notes if n.code == "gave up"]
    assert notes == ["more than 3 steps to follow it"]


def test_without_index_analysis(monkeypatch: pytest.MonkeyPatch):
    """Without closed forms the same arguments, only less sure."""
    from xtriton.analysis.effects import indices

    def fail(function: object) -> None:
        raise ValueError("no")

    monkeypatch.setattr(indices, "Accesses", fail)
    for name in ("copy", "ping_pong", "select_pointers", "pointer_spilled_somewhere"):
        effects.clear_cache()
        found = record(name)
        monkeypatch.undo()
        effects.clear_cache()
        exact = record(name)
        assert set(exact.mutated()) <= set(found.mutated())
        assert set(exact.read()) <= set(found.read())
        monkeypatch.setattr(indices, "Accesses", fail)
    effects.clear_cache()


def test_the_cache_forgets_what_was_asked_for_longest_ago(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(effect_records, "REMEMBERED", 2)
    effects.clear_cache()
    one, two, three = (
        f"tt.func @{name}(%p: !tt.ptr<i32>) {{ tt.return }}" for name in ("one", "two", "three")
    )
    first, second = effects.analyze(one), effects.analyze(two)
    assert effects.analyze(one) is first
    effects.analyze(three)
    assert effects.analyze(one) is first
    assert effects.analyze(two) is not second
    effects.clear_cache()


MAYBE = """
tt.func public @maybe(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %v = tt.load %q : !tt.ptr<i32>
  %c0 = arith.constant 0 : i32
  %on = arith.cmpi sgt, %v, %c0 : i32
  tt.store %p, %v, %on : !tt.ptr<i32>
  tt.return
}
"""


def test_what_may_not_happen_is_not_known_to_be_shared():
    record = effects.analyze(MAYBE)
    assert record.disjoint_over_programs("p", 4) is None
    assert record.disjoint_over_programs("p", 1) is True
    assert effects.analyze(MAYBE.replace(", %on :", " :")).disjoint_over_programs("p", 4) is False


def test_a_store_through_an_integer_is_kept():
    record = effects.analyze(
        "tt.func public @f(%a: i64, %v: i32) {\n"
        "  %p = tt.int_to_ptr %a : i64 -> !tt.ptr<i32>\n"
        "  tt.store %p, %v : !tt.ptr<i32>\n  tt.return\n}\n"
    )
    assert record.mutated() == ["a"]
    assert record.unknown_write == "none"
    assert record.must_keep


def test_neighbours_do_not_overlap():
    memory = np.zeros(8, np.int32)
    record = effects.analyze(MAYBE)
    apart = record.on({"p": memory[:4], "q": memory[4:]})
    together = record.on({"p": memory[:5], "q": memory[4:]})
    assert (len(apart), len(together)) == (2, 1)
