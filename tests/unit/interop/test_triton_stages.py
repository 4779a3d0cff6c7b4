"""Triton's own stages on text, here and in a child process that may die."""

from __future__ import annotations

import pytest

from xtriton.interop.triton_batch import Job, compile_all
from xtriton.interop.triton_stages import compile_text

pytest.importorskip("triton")

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

COPY = """
module {
  tt.func public @copy(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %as = tt.splat %a : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %bs = tt.splat %b : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %p = tt.addptr %as, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %q = tt.addptr %bs, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %x = tt.load %p : tensor<128x!tt.ptr<f32>>
    tt.store %q, %x : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""
BROKEN = "module { tt.func public @f() { tt.no_such_op tt.return } }"


def test_stages_run_in_order():
    result = compile_text(COPY, options={"num_warps": 2})
    assert list(result.texts) == ["ttir", "ttgir", "llir", "ptx"]
    assert '"ttg.num-warps" = 2' in result.texts["ttgir"]
    assert ".visible .entry copy" in result.texts["ptx"]
    assert "shared" in result.metadata


def test_a_module_with_layouts_keeps_them():
    ttgir = compile_text(COPY, last="ttgir").texts["ttgir"]
    # A layout that Triton would not choose.
    ours = ttgir.replace("sizePerThread = [1]", "sizePerThread = [4]")
    assert ours != ttgir
    again = compile_text(ours, first="ttgir", last="ttgir", has_layouts=True).texts["ttgir"]
    assert "sizePerThread = [4]" in again
    assert "sizePerThread = [1]" in compile_text(COPY, last="ttgir").texts["ttgir"]


def test_a_child_answers_each_job():
    patterns = {"stores": ("ptx", r"st\.global")}
    jobs = [Job("copy", COPY), Job("broken", BROKEN), Job("again", COPY, last="ttir")]
    copy, broken, again = compile_all(jobs, patterns=patterns)
    assert copy.accepted
    assert copy.counts["stores"] > 0
    assert "no_such_op" in broken.error
    assert again.accepted
    assert again.counts == {"stores": 0}


def test_a_child_that_takes_too_long_is_given_up():
    first, second = compile_all([Job("copy", COPY), Job("copy", COPY)], timeout=0.0)
    assert first.error == "took more than 0 s"
    assert second.error == "took more than 0 s"


def test_a_child_that_dies_is_replaced():
    # Triton asserts that there is a kernel.
    died, after = compile_all([Job("empty", "module {}"), Job("copy", COPY)])
    assert died.error.startswith("aborted: ")
    assert after.accepted
