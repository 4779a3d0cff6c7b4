"""PyTorch with our answers: its own tests' kernels, and the graphs that `torch.compile` makes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.effects.graphs import EXPECTED
from xtriton.effect_records import analyze_all
from xtriton.interop import torch as xtriton_torch

pytestmark = [
    pytest.mark.skipif(find_spec("torch") is None, reason="needs torch"),
    pytest.mark.skipif(find_spec("triton") is None, reason="needs Triton"),
    pytest.mark.slow,
]

SCRIPT = Path(__file__).parent / "mutation_kernels.py"

LOST = {"ping_pong", "chosen_before_return", "descriptor_adds", "descriptor_scatters", "tuned"}
"""Kernels of which PyTorch alone misses a write."""

ASM = "inline_asm_kernel_is_pure_false"
"""Impure assembly without memory instructions: we keep the launch, PyTorch takes all as written."""


def run(*arguments: str) -> Any:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return run()


def test_writes_are_true(answers: list[dict[str, Any]]):
    assert len(answers) >= 32
    assert [(a["name"], a["ours"]) for a in answers] == [(a["name"], a["truth"]) for a in answers]


def test_writes_agree_with_pytorch_where_it_is_right(answers: list[dict[str, Any]]):
    differing = {a["name"] for a in answers if set(a["ours"]) != set(a["its"])}
    assert differing - {ASM} <= LOST
    assert "ping_pong" in differing


def test_reads_differ_by_atomics_only(answers: list[dict[str, Any]]):
    # old descriptors: PyTorch finds no read through them at all
    old = "add_kernel_on_device_tma_old_api"
    atomics = {"atomic_add_kernel", "descriptor_adds", *LOST, ASM, old}
    differing = {a["name"] for a in answers if set(a["reads"]) != set(a["its_reads"])}
    assert differing <= atomics


def test_result_types(answers: list[dict[str, Any]]):
    assert {a["result"] for a in answers} == {"TensorAccesses"}
    assert all(a["mutated"] == a["ours"] for a in answers)


def test_graphs_have_the_launch_and_the_right_clones():
    graphs = run("graphs")
    assert {name: g["ours"] for name, g in graphs.items()} == EXPECTED
    # what makes the difference: PyTorch drops these launches
    assert [n for n, g in graphs.items() if g["its"] == []] == [
        "chosen_before_return",
        "descriptor_adds",
        "descriptor_scatters",
        "table",
    ]


@pytest.mark.parametrize(
    "body, fusible",
    [
        ("tt.store %out, %v : !tt.ptr<f32>", True),
        ("tt.store %out, %v : !tt.ptr<f32>\n  tt.store %out, %v : !tt.ptr<f32>", False),
        ("tt.store %x, %v : !tt.ptr<f32>", False),
        ("tt.store %out, %v : !tt.ptr<f32>\n  tt.store %x, %v : !tt.ptr<f32>", False),
        ("%o = tt.atomic_rmw fadd, acq_rel, gpu, %out, %v : (!tt.ptr<f32>, f32) -> f32", False),
    ],
)
def test_what_an_epilogue_can_be_fused_with(body: str, fusible: bool):
    head = "tt.func public @f(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n"
    load = "  %v = tt.load %x : !tt.ptr<f32>\n"
    record = analyze_all(f"{head}{load}  {body}\n  tt.return\n}}")["f"]
    assert xtriton_torch._fusible(record) is fusible
