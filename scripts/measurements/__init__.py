"""The figures that xtriton is held to, one module a topic; `scripts/measure.py` runs them."""
