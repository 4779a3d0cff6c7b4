"""
How notebooks learn what an object looks like, without any room knowing pictures.

A class that derives from `Shown` has `_repr_html_`, which Jupyter, marimo and others ask for;
`xtriton.tools.notebook` draws, and is imported when somebody asks.
"""

from __future__ import annotations

from importlib import import_module

DRAWS = "xtriton.tools.notebook"


def html_of(shown: object) -> str:
    """Return an object as HTML: one element with its own style, legible on light and dark."""
    return import_module(DRAWS).html_of(shown)


class Shown:
    """An object that a notebook shows as a picture or a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html_of(self)
