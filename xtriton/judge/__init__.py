"""
Judges whether two kernels do the same.

    check_equivalent(before, after)   on made-up memory, for any shapes
    shared(before)                    to compare one original with several
"""

from xtriton.judge.equivalence import Equivalence, Options, check_equivalent, shared
from xtriton.judge.launches.draws import Draw

__all__ = ["Draw", "Equivalence", "Options", "check_equivalent", "shared"]
