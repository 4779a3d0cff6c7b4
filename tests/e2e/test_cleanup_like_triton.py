"""
The cleanup passes do what the passes of the same name in real Triton do, byte for byte.

The input is what Triton's front end makes of the examples, before any pass: calls, dead
blocks, constants everywhere. Real Triton reads our result and prints it, locations included,
as it prints its own.
"""

import warnings
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import xtriton as xt
from xtriton.interop import triton as interop

triton = pytest.importorskip("triton")

EXAMPLES = Path(__file__).parents[2] / "examples"

REAL_PASSES = {
    "canonicalize": "add_canonicalizer",
    "cse": "add_cse",
    "inline": "add_inliner",
    "loop-invariant-code-motion": "add_licm",
    "symbol-dce": "add_symbol_dce",
}
PIPELINES = [*REAL_PASSES, "inline,canonicalize,cse,loop-invariant-code-motion,symbol-dce"]

KERNELS = {
    "fused_softmax": ("softmax_kernel", {"BLOCK_SIZE": 1024}),
    "matmul": (
        "matmul_kernel",
        {"BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32, "GROUP_SIZE_M": 8},
    ),
    "vector_add": ("add_kernel", {"BLOCK_SIZE": 1024}),
}


class RealTriton:
    """Triton's own parser, printer and passes; `context` keeps the module's types alive."""

    def __init__(self) -> None:
        libtriton: Any = import_module("triton._C.libtriton")
        compiler: Any = import_module("triton.compiler.compiler")
        self.ir = libtriton.ir
        self.passes = libtriton.passes
        self.target = interop._target()
        self.backend = compiler.make_backend(self.target)
        self.context = self.ir.context()
        self.ir.load_dialects(self.context)
        self.backend.load_dialects(self.context)

    def source_ir(self, kernel: Any, constexprs: dict[str, int]) -> str:
        """Return what the front end makes of a kernel, its pointers to f32, the rest i32."""
        types = {
            name: "*fp32" if name.endswith("ptr") else "i32"
            for name in kernel.arg_names
            if name not in constexprs
        }
        source = interop.source_of(kernel, interop.Specialization(types, constexprs, ()))
        options = self.backend.parse_options({})
        codegen = self.backend.get_codegen_implementation(options)
        module_map = self.backend.get_module_map()
        with interop.stub_driver():
            return str(source.make_ir(self.target, options, codegen, module_map, self.context))

    def run(self, text: str, names: list[str], folder: Path) -> str:
        """Return what real Triton prints of `text` after its passes."""
        path = folder / "in.ttir"
        path.write_text(text)
        module = self.ir.parse_mlir_module(str(path), self.context)
        module.context = self.context
        if names:
            manager = self.ir.pass_manager(self.context)
            for name in names:
                getattr(self.passes.common, REAL_PASSES[name])(manager)
            manager.run(module, "cleanup")
        return str(module)


@pytest.fixture(scope="module")
def real() -> RealTriton:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return RealTriton()


@pytest.fixture(scope="module", params=sorted(KERNELS))
def source(request: pytest.FixtureRequest, real: RealTriton) -> str:
    name = request.param
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    kernel, constexprs = KERNELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return real.source_ir(getattr(module, kernel), constexprs)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_like_real_triton(source: str, pipeline: str, real: RealTriton, tmp_path: Path):
    module = xt.run_passes(xt.parse(source), pipeline)
    ours = real.run(xt.print(module, debug_info=True), [], tmp_path)
    # Locations of a loop's arguments are not written: read both once more.
    theirs = real.run(real.run(source, pipeline.split(","), tmp_path), [], tmp_path)
    assert ours == theirs
