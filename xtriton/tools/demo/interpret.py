"""
What `TRITON_INTERPRET=1` takes, in a process of its own: the variable is read on import.

Its cost grows with the number of programs, so only the first few are run and the time is
scaled to the whole grid.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from xtriton.errors import UserError

PROGRAMS = 16


def interpreted_seconds(name: str, sizes: list[tuple[int, ...]]) -> list[tuple[float, bool]]:
    """Return, for each size, the seconds of a launch and whether they are scaled."""
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    command = [sys.executable, "-m", "xtriton.tools.demo.interpret", name, json.dumps(sizes)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines()[-3:]
        raise UserError(f"TRITON_INTERPRET=1 fails on '{name}'", notes=lines)
    return [(seconds, scaled) for seconds, scaled in json.loads(result.stdout.splitlines()[-1])]


def _measure(name: str, sizes: list[list[int]]) -> list[tuple[float, bool]]:
    from xtriton.tools.demo.cases import case_named

    case = case_named(name)
    found: list[tuple[float, bool]] = []

    def launch(kernel: Any, grid: tuple[int, ...]) -> Callable[..., None]:
        def run(*arguments: object, **named: object) -> None:
            programs = min(grid[0], PROGRAMS)
            start = time.perf_counter()
            kernel[(programs,)](*arguments, **named)
            seconds = time.perf_counter() - start
            found.append((seconds * grid[0] / programs, programs < grid[0]))

        return run

    for size in sizes:
        inputs = case.inputs(tuple(size))
        case.call(inputs, case.output(tuple(size)), launch)
    return found


if __name__ == "__main__":
    # The first launch pays for imports.
    _measure(sys.argv[1], json.loads(sys.argv[2])[:1])
    print(json.dumps(_measure(sys.argv[1], json.loads(sys.argv[2]))))
    sys.stdout.flush()
    # Triton's library lists what it thinks are leaks at exit.
    os._exit(0)
