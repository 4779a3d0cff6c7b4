"""Our passes inside Triton's own pipeline, compiled for a GPU that need not be there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32

import xtriton as xt
from xtriton import universe
from xtriton.dialects.upstream.arith import ConstantOp
from xtriton.errors import UserError
from xtriton.interop.triton import Specialization, source_of, stub_driver, triton_module
from xtriton.interop.triton_pipeline import (
    LAYOUT_PIPELINE,
    fresh,
    inside_triton,
    install,
    install_from_environment,
)
from xtriton.passes.sources import package_digest, source_digest

pytest.importorskip("triton")

from tests.unit.interop import kernels_for_pipeline as kernels

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Triton's cache is a folder of the test's own."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiled(num_warps: int = 2) -> Any:
    """Return what Triton makes of a kernel, for a Hopper GPU."""
    kernel = cast(Any, kernels).scale
    signature = {"x": "*fp32", "out": "*fp32", "n": "i32", "factor": "fp32"}
    specialization = Specialization(signature, {"BLOCK": 128}, ("x", "out", "n"))
    source = source_of(fresh(kernel), specialization)
    target = triton_module("backends.compiler").GPUTarget("cuda", 90, 32)
    options = {"num_warps": num_warps, "enable_fp_fusion": True}
    with stub_driver():
        return triton_module("compiler").compile(source, target=target, options=options)


def test_raised_inside_triton():
    with inside_triton("triton-raise-tensor-descriptor"):
        raised = compiled()
    assert raised.asm["ttir"].count("tt.descriptor_load") == 1
    assert "cp.async.bulk.tensor" in raised.asm["ptx"]
    # Locations are kept, and outside of the block all is as it was.
    assert "kernels_for_pipeline.py" in raised.asm["ttir"]
    assert "descriptor" not in compiled().asm["ttir"]


def test_layouts_inside_triton():
    ours: list[str] = []
    with inside_triton(LAYOUT_PIPELINE, layouts=True):
        ours.append(compiled(num_warps=8).asm["ttgir"])
    theirs = compiled(num_warps=8).asm["ttgir"]
    assert '"ttg.num-warps" = 8' in ours[0]
    assert [line for line in ours[0].splitlines() if "#blocked =" in line] == [
        line for line in theirs.splitlines() if "#blocked =" in line
    ]


def test_each_pipeline_has_a_cache(cache: Path):
    with inside_triton("cse"):
        compiled()
    with inside_triton("canonicalize"):
        compiled()
    assert len(list(cache.glob("xtriton-*"))) == 2


def test_triton_cleans_up_behind_the_passes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})

    @xt.module_pass("leave-waste")
    def leave_waste(module: ModuleOp) -> None:
        (function,) = module.body.block.ops
        block = function.regions[0].block
        assert block.first_op is not None
        block.insert_op_before(ConstantOp(IntegerAttr(4242, i32)), block.first_op)
        ran.append(module)

    ran: list[ModuleOp] = []
    with inside_triton("leave-waste"):
        text = compiled().asm["ttir"]
    assert len(ran) == 1
    assert "4242" not in text


def test_errors_reach_the_user():
    with pytest.raises(UserError, match="no-such-pass"), inside_triton("no-such-pass"):
        pass
    with (
        pytest.raises(UserError, match="has no option 'x'"),
        inside_triton("cse{x=1}", layouts=True),
    ):
        pass


@pytest.fixture
def scope() -> Iterator[None]:
    """Nothing stays installed behind the test."""
    knobs = triton_module("knobs")
    with knobs.runtime.scope(), knobs.cache.scope():
        yield


RAISED = "tt.descriptor_load"


@pytest.mark.usefixtures("scope")
def test_installed_until_removed():
    installed = xt.install("triton-raise-tensor-descriptor")
    assert RAISED in compiled().asm["ttir"]
    installed.remove()
    installed.remove()
    assert RAISED not in compiled().asm["ttir"]
    assert triton_module("knobs").runtime.add_stages_inspection_hook is None


@pytest.mark.usefixtures("scope")
@pytest.mark.parametrize("kernels, hit", [("sc*", True), (["other", "scale"], True), ("x*", False)])
def test_installed_for_some_kernels(kernels: Any, hit: bool):
    install("triton-raise-tensor-descriptor", kernels=kernels)
    assert (RAISED in compiled().asm["ttir"]) == hit


@pytest.mark.usefixtures("scope")
@pytest.mark.parametrize("at, has_layouts", [
    ("before-ttir", False), ("ttir", False), ("before-ttgir", False), ("ttgir", True),
])  # fmt: skip
def test_installed_at_a_place(monkeypatch: pytest.MonkeyPatch, at: Any, has_layouts: bool):
    monkeypatch.setattr(universe, "_registered", {})
    seen: list[str] = []

    @xt.module_pass("look")
    def look(module: ModuleOp) -> None:
        seen.append(xt.print(module))

    install("look", at=at)
    assert "cubin" in compiled().asm
    assert ["ttg.num-warps" in text for text in seen] == [has_layouts]


@pytest.mark.usefixtures("scope")
def test_a_pass_that_fails_leaves_the_kernel_as_it_was(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})

    @xt.module_pass("fail-halfway")
    def fail(module: ModuleOp) -> None:
        for op in list(module.walk()):
            if op.name == "tt.store":
                op.detach()
                op.erase()
        raise ValueError("no idea")

    installed = install("fail-halfway")
    with pytest.warns(UserWarning, match="leaves a kernel as it was.*no idea"):
        assert "tt.store" in compiled().asm["ttir"]
    installed.remove()
    install("fail-halfway", on_error="raise")
    with pytest.raises(Exception, match="no idea"):
        compiled()


@pytest.mark.usefixtures("scope")
def test_the_cache_knows_the_source_of_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(universe, "_registered", {})
    plugin = tmp_path / "plugin.py"
    text = 'import xtriton as xt\n@xt.module_pass("mine")\ndef mine(module):\n    "{}"\n'
    plugin.write_text(text.format("one"))
    monkeypatch.setenv("XTRITON_PASSES", "mine")
    monkeypatch.setenv("XTRITON_PASSES_PLUGINS", str(plugin))
    (installed,) = install_from_environment()
    before = installed.key()
    assert installed.key() == before
    plugin.write_text(text.format("two"))
    assert installed.key() != before


@pytest.mark.usefixtures("scope")
def test_the_cache_knows_what_a_pass_uses_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(universe, "_registered", {})
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in ("helper_of_mine", "stranger_of_mine"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        (tmp_path / f"{name}.py").write_text("def help(module):\n    pass\n")
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "import xtriton as xt\nfrom helper_of_mine import help\n"
        '@xt.module_pass("mine")\ndef mine(module):\n    "one"\n    help(module)\n'
    )
    monkeypatch.setenv("XTRITON_PASSES", "mine")
    monkeypatch.setenv("XTRITON_PASSES_PLUGINS", str(plugin))
    (installed,) = install_from_environment()
    before = installed.key()
    (tmp_path / "stranger_of_mine.py").write_text("")
    assert installed.key() == before
    (tmp_path / "helper_of_mine.py").write_text("def help(module):\n    print(module)\n")
    assert installed.key() != before


def test_a_pass_of_a_package_is_known_by_all_of_it(tmp_path: Path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "b.py").write_text("2")
    digests = [package_digest.__wrapped__(tmp_path), package_digest.__wrapped__(tmp_path, "tools")]
    (tmp_path / "tools" / "b.py").write_text("3")
    again = [package_digest.__wrapped__(tmp_path), package_digest.__wrapped__(tmp_path, "tools")]
    assert [a == b for a, b in zip(digests, again, strict=True)] == [False, True]
    root = Path(xt.__file__).parent
    assert source_digest(universe.pass_class("triton-to-structured")) == package_digest(root)


def test_a_mistake_in_the_environment_names_the_variable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XTRITON_PASSES", "no-such")
    with pytest.raises(UserError, match=r"unknown pass 'no-such'.* \(XTRITON_PASSES=no-such\)"):
        install_from_environment()


@pytest.mark.usefixtures("scope")
def test_the_environment_names_places(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XTRITON_PASSES", "cse,canonicalize{max-iterations=2}; before-ttgir: cse")
    monkeypatch.setenv("XTRITON_PASSES_KERNELS", "a*, b")
    monkeypatch.setenv("XTRITON_PASSES_ON_ERROR", "raise")
    first, second = install_from_environment()
    assert (first.pipeline, first.at) == ("cse,canonicalize{max-iterations=2}", "ttir")
    assert (second.pipeline, second.at) == ("cse", "before-ttgir")
    assert (first.kernels, first.on_error) == (("a*", "b"), "raise")


PROGRAM = """
import numpy as np, triton, triton.language as tl

@triton.jit
def add_one(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) + 1.0)

x, out = np.ones(16, np.float32), np.zeros(16, np.float32)
add_one[(1,)](x, out, BLOCK=16)
print(out[0])
"""

PLUGIN = """
import xtriton as xt
from xtriton.dialects.upstream.arith import AddfOp, SubfOp

@xt.rewrite_pattern
def swap(op: AddfOp, rewriter: xt.PatternRewriter) -> None:
    rewriter.replace(op, SubfOp(op.lhs, op.rhs))

@xt.module_pass("swap")
def swap_all(module):
    xt.apply_patterns(module, swap)
"""


def test_a_program_is_not_edited(tmp_path: Path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    variables = {**os.environ, "TRITON_DEFAULT_BACKEND": "cpu", "XTRITON_PASSES": "swap"}
    variables |= {"XTRITON_PASSES_PLUGINS": str(tmp_path / "plugin.py")}
    command = [sys.executable, "program.py"]
    for passes, expected in (("swap", "0.0"), ("", "2.0")):
        variables["XTRITON_PASSES"] = passes
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
        assert done.stdout.strip() == expected, done.stderr


TUNED = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np, triton, triton.language as tl

@triton.autotune(configs=[triton.Config({"BLOCK": n}) for n in (16, 32)], key=["n"])
@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)

def first(n):
    x, out = np.ones(n, np.float32), np.zeros(n, np.float32)
    add_one[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, n)
    return float(out[0])

if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        print(first(48), pool.submit(first, 40).result())
"""


def test_tuned_kernels_and_other_processes_get_the_passes(tmp_path: Path):
    (tmp_path / "program.py").write_text(TUNED)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    variables = {**os.environ, "TRITON_DEFAULT_BACKEND": "cpu", "XTRITON_PASSES": "swap"}
    variables |= {"XTRITON_PASSES_PLUGINS": str(tmp_path / "plugin.py")}
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.stdout.strip() == "0.0 0.0", done.stderr


@pytest.mark.usefixtures("scope")
def test_somebody_elses_hook_stays():
    calls: list[int] = []
    runtime: Any = triton_module("knobs").runtime

    def other(*arguments: object) -> tuple[str, str]:
        calls.append(len(arguments))
        return "k", "h"

    runtime.add_stages_inspection_hook = other
    installed = install("triton-raise-tensor-descriptor")
    assert RAISED in compiled().asm["ttir"]
    assert set(calls) == {0, 5}
    installed.remove()
    assert runtime.add_stages_inspection_hook is other


@pytest.mark.parametrize("arguments, message", [
    ({"pipeline": "no-such"}, "no-such"), ({"pipeline": "cse", "at": "llir"}, "no place for passes"),
    ({"pipeline": "cse", "on_error": "ignore"}, "neither 'warn' nor 'raise'"),
])  # fmt: skip
def test_install_refuses(arguments: Any, message: str):
    with pytest.raises(UserError, match=message):
        install(**arguments)
