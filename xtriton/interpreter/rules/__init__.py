"""One rule per op, in a module per dialect or part of one; see `xtriton.interpreter.registry`."""
