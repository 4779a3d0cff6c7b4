"""Modules may lie in modules; each pass of this package handles every one by itself."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp


def modules(module: ModuleOp) -> Iterator[ModuleOp]:
    """Yield `module` and all modules directly or indirectly in it, outer ones first."""
    yield module
    for op in module.ops:
        if isinstance(op, ModuleOp):
            yield from modules(op)
