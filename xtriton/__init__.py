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

TYPE_CHECKING = False  # `typing` takes as long to import as all else that is here.

if TYPE_CHECKING:
    from xtriton import effects as effects
    from xtriton.api import (
        accesses as accesses,
        axis_info as axis_info,
        check as check,
        parse as parse,
        print as print,
        run_passes as run_passes,
        verify as verify,
    )
    from xtriton.diagnostics import remark as remark, warning as warning
    from xtriton.errors import UserError as UserError
    from xtriton.interop.debugging import debug as debug
    from xtriton.interop.triton import ttir as ttir
    from xtriton.interop.triton_pipeline import inside_triton as inside_triton, install as install
    from xtriton.matching import (
        Matcher as Matcher,
        constant_value as constant_value,
        m_any as m_any,
        m_constant as m_constant,
        m_either as m_either,
        m_op as m_op,
        m_range as m_range,
        m_splat as m_splat,
        make as make,
        make_constant as make_constant,
        match as match,
    )
    from xtriton.passes.authoring import (
        apply_patterns as apply_patterns,
        module_pass as module_pass,
        rewrite_pattern as rewrite_pattern,
    )
    from xtriton.passes.rewriting import PatternRewriter as PatternRewriter
    from xtriton.tools.notebook import load_ipython_extension as load_ipython_extension
    from xtriton.universe import context as context

__version__ = "0.2.0"

_HOMES = {
    "Matcher": "xtriton.matching",
    "PatternRewriter": "xtriton.passes.rewriting",
    "UserError": "xtriton.errors",
    "accesses": "xtriton.api",
    "apply_patterns": "xtriton.passes.authoring",
    "axis_info": "xtriton.api",
    "check": "xtriton.api",
    "constant_value": "xtriton.matching",
    "context": "xtriton.universe",
    "debug": "xtriton.interop.debugging",
    "effects": "xtriton.effects",
    "inside_triton": "xtriton.interop.triton_pipeline",
    "install": "xtriton.interop.triton_pipeline",
    "load_ipython_extension": "xtriton.tools.notebook",
    "m_any": "xtriton.matching",
    "m_constant": "xtriton.matching",
    "m_either": "xtriton.matching",
    "m_op": "xtriton.matching",
    "m_range": "xtriton.matching",
    "m_splat": "xtriton.matching",
    "make": "xtriton.matching",
    "make_constant": "xtriton.matching",
    "match": "xtriton.matching",
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
    "Matcher",
    "PatternRewriter",
    "UserError",
    "__version__",
    "accesses",
    "apply_patterns",
    "axis_info",
    "check",
    "constant_value",
    "context",
    "debug",
    "effects",
    "inside_triton",
    "install",
    "load_ipython_extension",
    "m_any",
    "m_constant",
    "m_either",
    "m_op",
    "m_range",
    "m_splat",
    "make",
    "make_constant",
    "match",
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
    from importlib import import_module

    home = import_module(_HOMES[name])
    value = home if name == "effects" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
