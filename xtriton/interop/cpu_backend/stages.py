"""The stages from TTIR to machine code, as Triton runs them one by one."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.analysis.report import kernels
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.launch import Launch
from xtriton.cpu.objects import digest
from xtriton.cpu.records import checks_are_wanted
from xtriton.cpu.target import host
from xtriton.interop.cpu_backend.compiler import BINARY, RECORD, CpuOptions, settings
from xtriton.interop.native import PIPELINE, WITHOUT_DESCRIPTORS
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.lowering.combiner_checks import drop_assertions_of_combiners
from xtriton.lowering.descriptors import by_pointers
from xtriton.lowering.promises import assert_promises
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.transforms.triton.split_programs import split_programs


def add_stages(stages: dict[str, Any], options: CpuOptions) -> None:
    """Add all stages; each hands the module on, and its text where one asks for it."""
    lowering = Lowering(options)
    stages["ttir"] = lowering.ttir
    for name, passes in PIPELINE:
        stages[name] = lowering.step(name, passes)
    stages["llir"] = lowering.llvm_ir
    stages[BINARY] = lowering.machine_code


@dataclass
class Made:
    """What became of one TTIR: configurations that differ in what is for GPUs only share it."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    record: dict[str, Any] = field(default_factory=dict[str, Any])
    code: bytes = b""


_made: OrderedDict[str, Made] = OrderedDict()
"""By the checksum of the TTIR and the settings of code generation; the latest are last."""
MADE_AT_MOST = 64


class Stage:
    """What a stage hands on; its text is written when it is asked for, and then kept."""

    def __init__(self, module: ModuleOp | None, name: str, made: Made):
        self.module = module
        """None if everything has been made before."""
        self.name = name
        self.made = made

    def __str__(self) -> str:
        texts = self.made.texts
        if self.name not in texts and self.module is not None:
            texts[self.name] = print_module(self.module)
        return texts[self.name]


class Lowering:
    """The stages of one compilation."""

    def __init__(self, options: CpuOptions):
        self.options = options
        self.context = universe.context()
        self.key = ""
        """Of what is made here; empty if a text came in between."""

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
            stage = self._begun(source, name)
            if stage.module is not None:
                if name == PIPELINE[0][0] and self.options.xtriton_bands > 1:
                    self._split(stage.module)
                own = f"{WITHOUT_DESCRIPTORS},{passes}" if by_pointers(stage.module) else passes
                PassManager(self.context, make_steps(parse_pipeline(own)), False).run(stage.module)
            return stage

        return run

    def _split(self, module: ModuleOp) -> None:
        for function in kernels(module):
            split_programs(function, self.options.xtriton_bands)

    def _begun(self, source: Any, name: str) -> Stage:
        """Return where a stage begins: at the module of the one before, or at a text."""
        if isinstance(source, Stage):
            return Stage(source.module, name, source.made)
        text = str(source)
        of_text = "\0".join([text, str(self.options.xtriton_bands), *settings()])
        self.key = digest(of_text.encode()) if name == PIPELINE[0][0] else ""
        if self.key in _made:
            _made.move_to_end(self.key)
            return Stage(None, name, _made[self.key])
        module = parse_module(text, self.context, file=f"<{name}>")
        drop_assertions_of_combiners(module)
        if name == PIPELINE[0][0] and checks_are_wanted():
            assert_promises(module)
        return Stage(module, name, Made())

    def llvm_ir(self, source: Any, metadata: dict[str, Any]) -> Stage:
        """Return unoptimised LLVM IR; what launching it takes goes into the metadata."""
        stage = self._begun(source, "llir")
        made = stage.made
        if stage.module is not None:
            code = emit_kernel(stage.module, host())
            made.texts["llir"], made.record = code.text, Launch.of_code(code).record()
        # A byte that there is not: programs divide by it to find out how many run at a time.
        metadata["name"], metadata["shared"] = made.record["name"], 1
        metadata[RECORD] = made.record
        return stage

    def machine_code(self, source: Any, metadata: dict[str, Any]) -> bytes:
        """Return an object file."""
        made = source.made if isinstance(source, Stage) else Made(record=metadata[RECORD])
        if not made.code:
            made.code = jit.compile_object(str(source))
            made.record["sha256"] = digest(made.code)
        # Without the texts, which Triton asks for unless it was told not to keep them, a second
        # compilation would lack them.
        if self.key and len(made.texts) > len(PIPELINE) and isinstance(source, Stage):
            _made[self.key] = made
            if len(_made) > MADE_AT_MOST:
                _made.popitem(last=False)
        return made.code


def _signature(text: str) -> str:
    """Return the arguments of the functions of a module."""
    return "".join(line for line in text.splitlines() if "tt.func" in line)
