"""Making and inserting ops quickly, see `xtriton.ir.making`."""

from xtriton.ir.making import append, create, erase, insert_before, replace, replace_uses

__all__ = ["append", "create", "erase", "insert_before", "replace", "replace_uses"]
