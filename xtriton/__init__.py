"""
xtriton: a Triton middle-end in pure Python.

    import xtriton as xt

    module = xt.parse(open("kernel.ttir").read())
    xt.run_passes(module, "triton-to-structured,cse")
    print(xt.print(module))

Importing this package costs next to nothing: what a name needs is imported when the name
is first used. Triton is needed by `xt.ttir`, `xt.install` and `xt.inside_triton` alone, torch
by nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xtriton.api import parse as parse
    from xtriton.api import print as print
    from xtriton.api import run_passes as run_passes
    from xtriton.api import verify as verify
    from xtriton.diagnostics import remark as remark
    from xtriton.diagnostics import warning as warning
    from xtriton.errors import UserError as UserError
    from xtriton.interop.triton import ttir as ttir
    from xtriton.interop.triton_pipeline import inside_triton as inside_triton
    from xtriton.interop.triton_pipeline import install as install
    from xtriton.passes.authoring import apply_patterns as apply_patterns
    from xtriton.passes.authoring import module_pass as module_pass
    from xtriton.passes.authoring import rewrite_pattern as rewrite_pattern
    from xtriton.passes.rewriting import PatternRewriter as PatternRewriter
    from xtriton.universe import context as context

__version__ = "0.2.0"

_HOMES = {
    "PatternRewriter": "xtriton.passes.rewriting",
    "UserError": "xtriton.errors",
    "apply_patterns": "xtriton.passes.authoring",
    "context": "xtriton.universe",
    "inside_triton": "xtriton.interop.triton_pipeline",
    "install": "xtriton.interop.triton_pipeline",
    "module_pass": "xtriton.passes.authoring",
    "parse": "xtriton.api",
    "print": "xtriton.api",
    "remark": "xtriton.diagnostics",
    "rewrite_pattern": "xtriton.passes.authoring",
    "run_passes": "xtriton.api",
    "ttir": "xtriton.interop.triton",
    "verify": "xtriton.api",
    "warning": "xtriton.diagnostics",
}

__all__ = [
    "PatternRewriter",
    "UserError",
    "__version__",
    "apply_patterns",
    "context",
    "inside_triton",
    "install",
    "module_pass",
    "parse",
    "print",
    "remark",
    "rewrite_pattern",
    "run_passes",
    "ttir",
    "verify",
    "warning",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'xtriton' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
