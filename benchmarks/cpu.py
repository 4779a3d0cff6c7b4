"""
Speed of native code beside what the machine can do, torch, NumPy and Inductor's C++.

    python benchmarks/cpu.py [--json FILE] [--page]

Each row is measured in rounds, in which a kernel, its peers and the machine take turns: on one
thread (in CPU time), and on all (on the wall). Others may use the same memory for a second or for
minutes, and have a core go slower, so what took its turn in the same round is compared, and the
median of all rounds counts. Who comes after whom is another one in each round, as the caches, and
what a core reads ahead, are as the one before left them. `of the machine` is the share of what
`machine` measures: of the peak of multiply-adds for a product, of the triad's bandwidth where
vectors go through memory. Exit code 1 if a bar is missed.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import machine
import report
import torch
from cpu_cases import Case, Work, layers, product, products, vector_add
from threadpoolctl import threadpool_limits

from xtriton.cpu import activate
from xtriton.cpu.threads import limited_threads

ROUNDS = 7
SECONDS = 0.05
REST_SECONDS = 0.3
"""How long threads of torch and of NumPy look for more to do, on the cores that others need."""
LEAST_BEHIND = 0.8
"""Of its speed by itself, that of a kernel behind an op of torch, which has had the caches."""
LEAST_SECONDS = 0.001
"""What is timed at once, in one run or several."""
LEAST_RUNS = 3
"""What takes longer runs so often: the least disturbed one counts, as of what is short."""
OURS, MACHINE = "xtriton", "machine"


def best(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    """
    Return the shortest time of several runs.

    Short ones are timed together: a clock of CPU time may stand still for a moment.
    """
    runs, total, shortest, timed = 1, 0.0, float("inf"), 0
    while total < SECONDS or timed < LEAST_RUNS:
        start = clock()
        for _ in range(runs):
            work()
        seconds = clock() - start
        total += seconds
        timed += 1
        if seconds < LEAST_SECONDS:
            runs *= 2
        else:
            shortest = min(shortest, seconds / runs)
    return shortest


@dataclass
class Peaks:
    """What the machine does on some number of threads."""

    threads: int
    flops: float = field(init=False)
    bytes: float = field(init=False)

    def __post_init__(self) -> None:
        rounds = range(ROUNDS)
        self.flops = max(machine.fma_peak(self.threads) for _ in rounds)
        self.bytes = max(machine.triad(self.threads) for _ in rounds)


def rounds_of(
    work: Mapping[str, Work], peaks: Peaks, fastest: Callable[[], float]
) -> list[dict[str, float]]:
    """Return seconds by name, and those that the machine takes at its `fastest`, of each round."""
    clock, rounds = machine.clock_of(peaks.threads), list[dict[str, float]]()
    turns: dict[str, Callable[[], float]] = {MACHINE: fastest}
    turns |= {name: partial(best, each, clock) for name, each in work.items()}
    chance = random.Random(0)
    # NumPy's matrix products have threads of their own.
    with threadpool_limits(peaks.threads, user_api="blas"), limited_threads(peaks.threads):
        for _ in range(ROUNDS):
            seconds: dict[str, float] = {}
            for name in chance.sample(list(turns), len(turns)):
                if peaks.threads > 1:
                    time.sleep(REST_SECONDS)
                seconds[name] = turns[name]()
            rounds.append(seconds)
    return rounds


def measure(case: Case, peaks: Peaks, found: report.Report) -> None:
    """Time a kernel and its peers in turns, and add their row."""
    torch.set_num_threads(peaks.threads)
    work = {OURS: case.prepared.again(), **case.peers}
    done, unit, reach = case.flops, "GFLOP/s", machine.fma_peak
    if case.bytes:
        done, unit, reach = case.bytes, "GB/s", machine.triad
    rounds = rounds_of(work, peaks, lambda: done / reach(peaks.threads))
    times = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    speeds = {
        name: statistics.median(each[name] / each[OURS] for each in rounds) for name in rounds[0]
    }
    ours, share = times.pop(OURS), speeds.pop(MACHINE)
    rate, peak = done / ours, done / times.pop(MACHINE)
    name, faster = min(((name, speeds[name]) for name in case.peers), key=lambda item: item[1])
    least = case.of_peak if peaks.threads == 1 else case.of_peak_on_all
    bars = [f"{case.of_peers:.1f}x", *([f"{least:.0%}"] if least else [])]
    threads = "1 thread" if peaks.threads == 1 else f"{peaks.threads} threads"
    cells = (
        f"{case.name}, {threads}",
        f"{ours * 1e6:.0f} µs",
        f"{rate / 1e9:.0f} {unit}",
        f"{share:.0%}",
        f"{faster:.2f}x {name}",
        ", ".join(bars),
    )
    met = faster >= case.of_peers and (least is None or share >= least)
    figures = {"seconds": ours, "peers": times, "speeds": speeds, "rate": rate, "peak": peak}
    found.add(cells, met, **figures, share=share, threads=peaks.threads)


def behind(case: Case, peaks: Peaks, found: report.Report) -> None:
    """Time a kernel that follows an op of torch at once, on all threads, beside one that rests."""
    torch.set_num_threads(peaks.threads)
    x = torch.randn(1 << 20)
    work, resting, following = case.prepared.again(), list[float](), list[float]()
    with limited_threads(peaks.threads):
        for _ in range(ROUNDS):
            time.sleep(REST_SECONDS)
            resting.append(best(work))
            for _ in range(ROUNDS):
                torch.add(x, x, out=x)
                start = time.perf_counter()
                work()
                following.append(time.perf_counter() - start)
    ours, alone = statistics.median(following), statistics.median(resting)
    cells = (
        f"{case.name}, behind torch.add, {peaks.threads} threads",
        f"{ours * 1e6:.0f} µs",
        f"{case.flops / ours / 1e9:.0f} GFLOP/s",
        f"{case.flops / ours / peaks.flops:.0%}",
        f"{alone / ours:.2f}x by itself",
        f"{LEAST_BEHIND}x",
    )
    found.add(cells, alone >= LEAST_BEHIND * ours, seconds=ours, peers={"alone": alone})


def launch(found: report.Report) -> None:
    """Time `kernel[grid](...)` against the same launch with nothing behind Triton's own part."""
    x, y, out = torch.randn(1000), torch.randn(1000), torch.zeros(1000)

    def whole() -> Any:
        return vector_add.add_kernel[(1,)](x, y, out, 1000, BLOCK_SIZE=1024)

    kernel = whole()
    run = kernel._run

    def nothing(*_: object) -> None:
        pass

    ours = theirs = float("inf")
    for _ in range(ROUNDS):
        ours = min(ours, best(whole))
        kernel._run = nothing
        theirs = min(theirs, best(whole))
        kernel._run = run
    beyond = ours - theirs
    peer = best(lambda: torch.add(x, y, out=out))
    cells = (
        "launch of 1000 elements",
        f"{ours * 1e6:.1f} µs",
        f"{beyond * 1e6:.1f} µs beyond Triton's own part",
        "",
        f"{peer / ours:.2f}x torch",
        "3 µs beyond",
    )
    found.add(cells, beyond <= 3e-6, seconds=ours, triton=theirs, peers={"torch": peer})


def main() -> int:
    """Print the table; return the exit code."""
    chosen = report.options(__doc__)
    activate()
    cases = [*products(), *layers()]
    headings = ("kernel", "time", "rate", "of the machine", "beside", "at least")
    found = report.Report("cpu", "", headings)
    peaks = [Peaks(threads) for threads in sorted({1, machine.cores()})]
    rates = "; ".join(
        f"{p.flops / 1e9:.0f} GFLOP/s and {p.bytes / 1e9:.1f} GB/s on {p.threads}" for p in peaks
    )
    found.machine = f"{machine.name()}: {rates}"
    for each in peaks:
        for case in cases:
            measure(case, each, found)
    if peaks[-1].threads > 1:
        behind(product((512, 512, 512), (64, 64, 32)), peaks[-1], found)
    launch(found)
    return report.finish(found, chosen)


if __name__ == "__main__":
    sys.exit(main())
