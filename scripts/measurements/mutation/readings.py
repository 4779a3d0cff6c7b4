"""
What somebody found by reading about mutants that survive: `docs/judge_survivors.md`.

A mutant that was read to be equal is no wrong one; the reason is beside it, for whoever doubts it.
One that was read to be wrong counts as missed, as all do that nobody has read.
"""

from __future__ import annotations

from pathlib import Path

from measurements.mutation.lowered import AFTER, FORMS
from measurements.mutation.operators import Mutation

PAGE = Path(__file__).parents[3] / "docs" / "judge_survivors.md"

FORM_NAMES: dict[str, str] = dict(zip(("front end", "structured", "layouts"), FORMS, strict=True))
"""What the page calls the forms of a kernel."""

EQUAL, WRONG = "equal", "wrong"

Key = tuple[str, str]


def key_of(kernel: str, mutation: Mutation) -> Key:
    """Return what a mutant is found by: its kernel with the form, and the slip."""
    return kernel, mutation.describe()


def readings(text: str) -> dict[Key, str]:
    """Return the verdicts of the rows `| kernel | form | mutation | verdict | reason |`."""
    found: dict[Key, str] = {}
    for line in text.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[3] in (EQUAL, WRONG):
            kernel, form, mutation, verdict, reason = cells
            if not reason:
                raise ValueError(f"no reason is given for '{mutation}' of {kernel}")
            after = FORM_NAMES[form]
            found[kernel + (AFTER + after if after else ""), mutation] = verdict
    return found


def equal_by_reading() -> set[Key]:
    """Return the mutants that the page calls equal."""
    text = PAGE.read_text()
    return {key for key, verdict in readings(text).items() if verdict == EQUAL}
