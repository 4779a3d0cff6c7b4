"""
What arithmetic means, bit for bit: one truth for folding, ranges, interpreting.

On NumPy arrays, which are imported when a name of this package is first used; `scalars` does
without them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xtriton.semantics.elements import Element, element
    from xtriton.semantics.operations import OPERATIONS, fold, function

__all__ = ["OPERATIONS", "Element", "element", "fold", "function"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'xtriton.semantics' has no attribute '{name}'")
    home = "elements" if name in ("Element", "element") else "operations"
    value = getattr(import_module(f"xtriton.semantics.{home}"), name)
    globals()[name] = value
    return value
