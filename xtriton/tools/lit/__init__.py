"""
lit tests in one process: `RUN:` lines with xtriton's tools and FileCheck.

Starting Python costs more than most tests do, so tools are called as functions and hundreds
of files take seconds. What lit's own shell tests understand, as far as compilers' tests use
it, works: pipes, redirections, `&&`, `not`, `env`, `%s`, `%t`, `REQUIRES:`, `UNSUPPORTED:`,
`XFAIL:`. A command that is none of ours is run as a process.
"""

from xtriton.tools.lit.runner import Outcome as Outcome, run_test as run_test
from xtriton.tools.lit.script import Script as Script, read_script as read_script
