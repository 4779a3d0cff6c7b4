"""Kernels as text become what native code is made of."""

from xdsl.dialects.builtin import ModuleOp

import xtriton
from xtriton.interop.native import PIPELINE
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context


def lowered(text: str) -> ModuleOp:
    """Return Triton IR behind all stages of the CPU's pipeline."""
    module = xtriton.parse(text)
    for _, passes in PIPELINE:
        PassManager(context(), make_steps(parse_pipeline(passes))).run(module)
    return module
