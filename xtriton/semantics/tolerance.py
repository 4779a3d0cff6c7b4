"""What a pass may change of a stored float: the class variable `tolerance` of the pass."""

SUM_TOLERANCE = 2e-5
"""Relative error that the other order of a sum may make, for checks of what a pass did."""
