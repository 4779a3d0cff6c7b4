"""
Whose rules Intel's passes follow: the backend of January or that of August 2026.

Its state of January goes with Triton up to 3.8, that of August with 3.9.
"""

from __future__ import annotations

from xdsl.ir import Operation

from xtriton.analysis.intel.module import module_of
from xtriton.ir.versions import Version, release, version_read

_SINCE: Version = (3, 9)

_LAST_WITH_BLOCK_POINTERS: Version = (3, 7)


def of_august(op: Operation) -> bool:
    """
    Return whether the rules of August 2026 hold for the module around `op`.

    They do unless an earlier release's rules are asked for, or the module was read from text of
    a time with block pointers, of which these rules know nothing.
    """
    return release() >= _SINCE and version_read(module_of(op)) > _LAST_WITH_BLOCK_POINTERS
