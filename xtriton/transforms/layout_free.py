"""Passes for modules whose tensors have no layouts yet say so where they meet others."""

from xdsl.dialects.builtin import ModuleOp

from xtriton.errors import PassFailure

LAYOUTS = "ttg.num-warps"
"""An attribute that modules have as soon as their tensors have layouts."""


def refuse_layouts(module: ModuleOp, name: str) -> None:
    """Raise `PassFailure` if the tensors of a module have layouts, which pass `name` takes away."""
    if LAYOUTS in module.attributes:
        raise PassFailure(
            f"'{name}' takes modules without layouts, and this one has {LAYOUTS}; "
            "run it before convert-triton-to-tritongpu"
        )
