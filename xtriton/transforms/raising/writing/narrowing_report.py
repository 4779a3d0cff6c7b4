"""What is narrowed, with its proof: the section `narrowings` of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xtriton.diagnostics import position_of, record

if TYPE_CHECKING:
    from xtriton.analysis.indexing import Expr


def record_narrowing(e: Expr | str, bits: int, proof: str, op: Operation) -> None:
    """Put a narrowing and its proof into the report."""
    place = position_of(op)
    record(
        "narrowings",
        {
            "expression": str(e),
            "bits": bits,
            "proof": proof,
            "place": None if place is None else str(place),
        },
    )
