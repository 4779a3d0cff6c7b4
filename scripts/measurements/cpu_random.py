"""
Do random kernels store what the interpreter stores?

The generators of `tests/e2e/lowering` write kernels that move blocks, and kernels around products.
Each is compiled with an empty cache and launched on one thread and on two, in a process of its
own. `XTRITON_SEEDS` gives the seeds as `first:last`, of which the last is left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from array_launches import in_child

from measurements.figures import Bar, Figure, progress
from xtriton.cpu import compile_module

SEEDS = "0:300"
SECONDS = 120
"""After which a kernel counts as wrong, since it does not end."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how many kernels are right, and print what is to know of the others."""
    first, last = map(int, os.environ.get("XTRITON_SEEDS", SEEDS).split(":"))
    found: Counter[str] = Counter()
    kernels = [(kind, seed) for seed in range(first, last) for kind in ("blocks", "products")]
    with TemporaryDirectory() as folder:
        os.environ["XTRITON_CACHE_DIR"] = folder
        check = _check()
        for kind, seed in progress(kernels, "kernels"):
            verdict = in_child(lambda kind=kind, seed=seed: check(kind, seed))
            found[verdict.partition(":")[0]] += 1
            if verdict != "right":
                print(f"{kind}, seed {seed}: {verdict}")
    yield Figure("kernels", len(kernels))
    yield Figure("refused", found["refused"], "", 0, Bar.AT_MOST)
    yield Figure("wrong", found["wrong"], "", 0, Bar.AT_MOST)
    yield Figure("right", found["right"])


def _check() -> Callable[[str, int], str]:
    """Return what says how a kernel comes out; tests are imported when it is measured."""
    import signal

    from tests.e2e.lowering.native_modules import lowered
    from tests.e2e.lowering.random_blocks import RandomBlocks
    from tests.e2e.lowering.random_launches import verdict
    from tests.e2e.lowering.random_products import RandomProducts

    generators: dict[str, Any] = {"blocks": RandomBlocks, "products": RandomProducts}
    # Whatever is made once for all kernels, processes then have from this one.
    compile_module(lowered(RandomBlocks(0).text()))

    def check(kind: str, seed: int) -> str:
        signal.alarm(SECONDS)
        try:
            return verdict(generators[kind](seed), seed)
        except Exception as error:
            return f"wrong: {type(error).__name__}: {error}"

    return check
