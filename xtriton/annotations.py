"""What the body of a class annotates, in every release of Python."""

import sys
from importlib import import_module
from typing import Any


def own_annotations(cls: type[Any]) -> dict[str, Any]:
    """
    Return the annotations by name, without those of bases.

    A name that is not defined yet, as one that is imported for checkers of types alone, stands
    as `annotationlib.ForwardRef`.
    """
    known: dict[str, Any] | None = vars(cls).get("__annotations__")
    if known is not None:
        return known
    if sys.version_info < (3, 14):
        return {}
    # A function makes them (PEP 649), unless the module wants texts.
    try:
        return getattr(cls, "__annotations__", {})
    except NameError:
        library: Any = import_module("annotationlib")
        return library.get_annotations(cls, format=library.Format.FORWARDREF)
