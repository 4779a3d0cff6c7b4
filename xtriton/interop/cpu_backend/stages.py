"""The stages from TTIR to machine code, as Triton runs them one by one."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.launch import Launch
from xtriton.cpu.objects import digest
from xtriton.cpu.target import host
from xtriton.interop.cpu_backend.compiler import BINARY, RECORD, CpuOptions
from xtriton.interop.native import PIPELINE, WITHOUT_DESCRIPTORS
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.lowering.descriptors import by_pointers
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline


def add_stages(stages: dict[str, Any], options: CpuOptions) -> None:
    """Add all stages; each hands the module on, and its text where one asks for it."""
    lowering = Lowering(options)
    stages["ttir"] = lowering.ttir
    for name, passes in PIPELINE:
        stages[name] = lowering.step(name, passes)
    stages["llir"] = lowering.llvm_ir
    stages[BINARY] = lowering.machine_code


class Stage:
    """A module between two stages; its text is written when it is asked for."""

    def __init__(self, module: ModuleOp):
        self.module = module

    def __str__(self) -> str:
        return print_module(self.module)


class Lowering:
    """The stages of one compilation."""

    def __init__(self, options: CpuOptions):
        self.options = options
        self.context = universe.context()

    def ttir(self, module: Any, metadata: dict[str, Any]) -> Any:
        """Simplify as Triton does for every target; descriptor arguments become pointers."""
        bindings = import_module("triton._C.libtriton")
        passes, manager = bindings.passes, bindings.ir.pass_manager(module.context)
        manager.enable_debug()
        passes.common.add_inliner(manager)
        if "tt.tensordesc" in _signature(str(module)):
            passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
        passes.common.add_canonicalizer(manager)
        passes.ttir.add_combine(manager)
        passes.ttir.add_reorder_broadcast(manager)
        passes.common.add_cse(manager)
        passes.common.add_symbol_dce(manager)
        passes.ttir.add_loop_unroll(manager)
        manager.run(module, "make_ttir")
        return module

    def step(self, name: str, passes: str) -> Callable[[Any, dict[str, Any]], Stage]:
        """Return a stage that runs passes on the module of the one before, or on a text."""

        def run(source: Any, metadata: dict[str, Any]) -> Stage:
            stage, own = self._stage(source, name), passes
            if by_pointers(stage.module):
                own = f"{WITHOUT_DESCRIPTORS},{passes}"
            PassManager(self.context, make_steps(parse_pipeline(own)), False).run(stage.module)
            return stage

        return run

    def _stage(self, source: Any, name: str) -> Stage:
        if isinstance(source, Stage):
            return source
        return Stage(parse_module(str(source), self.context, file=f"<{name}>"))

    def llvm_ir(self, source: Any, metadata: dict[str, Any]) -> str:
        """Return unoptimised LLVM IR; what launching it takes goes into the metadata."""
        source = self._stage(source, "memref")
        code = emit_kernel(source.module, host())
        metadata["name"], metadata["shared"] = code.name, 0
        metadata[RECORD] = Launch.of_code(code).record()
        return code.text

    def machine_code(self, source: Any, metadata: dict[str, Any]) -> bytes:
        """Return an object file."""
        code = jit.compile_object(str(source))
        metadata[RECORD]["sha256"] = digest(code)
        return code


def _signature(text: str) -> str:
    """Return the arguments of the functions of a module."""
    return "".join(line for line in text.splitlines() if "tt.func" in line)
