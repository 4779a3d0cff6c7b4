"""Passes for modules whose tensors have no layouts yet say so where they meet others."""

from xdsl.dialects.builtin import ModuleOp

from xtriton.dialects.ttg.context import NUM_WARPS
from xtriton.errors import PassFailure


def refuse_layouts(module: ModuleOp, name: str) -> None:
    """Raise `PassFailure` if the tensors of a module have layouts, which pass `name` takes away."""
    if NUM_WARPS in module.attributes:
        raise PassFailure(
            f"'{name}' takes modules without layouts, and this one has {NUM_WARPS}; "
            "run it before convert-triton-to-tritongpu"
        )
