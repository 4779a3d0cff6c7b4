"""How Intel's backend is called, on a stand-in that asks for what the real one asks for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from xtriton.errors import UserError
from xtriton.interop import intel_backend, triton_stages

LLIR = """
  call void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1viiiDv2_iPv(i32 2)
  tail call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x2cPU3AS1v(ptr %a)
  call void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPvPU3AS1viiiDv2_i(i32 4)
  call void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1viiiDv2_i(i32 2)
declare void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1viiiDv2_i(i32)
"""


@dataclass
class Options:
    """The options of the stand-in; the stage `ttgir` changes one, as in the real backend."""

    num_warps: int = 4
    warp_size: int = 32
    enable_fp_fusion: bool = True


class Module:
    def __init__(self, text: str) -> None:
        self.text = text
        self.context: object = None

    def __str__(self) -> str:
        return self.text

    def then(self, stage: str) -> Module:
        """Change in place, as passes do."""
        self.text += f" -> {stage}"
        return self


@dataclass
class Target:
    backend: str
    arch: Any
    warp_size: int


class Backend:
    """Does what `XPUBackend` of January 2026 does before it compiles anything."""

    def __init__(self, target: Target) -> None:
        assert target.backend == "xpu"
        assert isinstance(target.arch, dict)
        # Without it the real one runs a SYCL compiler.
        self.device_arch = os.environ["TRITON_INTEL_DEVICE_ARCH"]
        self.target = target

    def parse_options(self, options: dict[str, Any]) -> Options:
        return Options(**options)

    def load_dialects(self, context: object) -> None:
        assert context is not None

    def add_stages(self, stages: dict[str, Any], options: Options, language: object) -> None:
        assert language == "TRITON"
        properties: dict[str, Any] = self.target.arch

        def ttgir(module: Module, metadata: dict[str, Any]) -> Module:
            assert module.context is not None
            metadata["target"].arch.get("driver_version")
            options.warp_size = min(properties["sub_group_sizes"])
            assert options.num_warps <= properties["max_num_sub_groups"]
            for key in ("has_subgroup_2d_block_io", "has_subgroup_matrix_multiply_accumulate"):
                assert properties[key] is True
            return module.then(f"ttgir for {self.device_arch}")

        def spv(module: str, metadata: dict[str, Any]) -> bytes:
            os.environ["STAND_IN"] = metadata["target"].arch.get("driver_version")
            return b"\x03\x02\x23\x07"

        stages["ttir"] = lambda module, metadata: module.then("ttir")  # pyright: ignore[reportUnknownLambdaType, reportUnknownMemberType]
        stages["ttgir"] = ttgir
        stages["llir"] = lambda module, metadata: f"{module}{LLIR}"  # pyright: ignore[reportUnknownLambdaType]
        stages["spv"] = spv


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stand-in where Triton would be."""
    modules: dict[str, object] = {
        "compiler.compiler": SimpleNamespace(make_backend=Backend),
        "backends.compiler": SimpleNamespace(
            GPUTarget=Target,
            Language=SimpleNamespace(TRITON="TRITON"),
        ),
        "_C.libtriton": SimpleNamespace(
            ir=SimpleNamespace(
                context=object,
                load_dialects=lambda context: None,  # pyright: ignore[reportUnknownLambdaType]
                parse_mlir_module=lambda path, context: Module(Path(path).read_text()),  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]
            )
        ),
    }
    monkeypatch.setattr(triton_stages, "triton_module", modules.__getitem__)
    monkeypatch.setattr(intel_backend, "is_installed", lambda: True)
    monkeypatch.delenv("TRITON_INTEL_DEVICE_ARCH", raising=False)
    monkeypatch.setenv("STAND_IN", "")


@pytest.mark.usefixtures("backend")
def test_all_stages_run_without_a_device():
    result = intel_backend.compile_for_xpu("module", options={"num_warps": 32}, device="bmg")
    assert result.texts["ttgir"] == "module -> ttir -> ttgir for bmg"
    assert list(result.texts) == ["ttir", "ttgir", "llir"]
    assert result.binaries == {"spv": b"\x03\x02\x23\x07"}
    assert result.metadata["num_warps"] == 32
    assert "TRITON_INTEL_DEVICE_ARCH" not in os.environ


@pytest.mark.usefixtures("backend")
def test_ttgir_enters_behind_its_stage(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRITON_INTEL_DEVICE_ARCH", "lnl")
    result = intel_backend.compile_for_xpu("module", first="llir")
    assert result.texts["llir"] == f"module{LLIR}"
    assert os.environ["TRITON_INTEL_DEVICE_ARCH"] == "lnl"


def test_block_operations_are_calls_not_declarations():
    counts = intel_backend.block_operations(LLIR)
    assert counts == {"loads": 2, "stores": 1, "prefetches": 1}


def test_without_the_backend_it_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(intel_backend, "is_installed", lambda: False)
    with pytest.raises(UserError, match="intel backend is not installed"):
        intel_backend.compile_for_xpu("module")
