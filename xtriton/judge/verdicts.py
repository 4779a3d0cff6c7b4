"""What a comparison of two kernels is asked, and what it says."""

from dataclasses import dataclass, field
from typing import Any

from xtriton.interpreter.machine import describe_location
from xtriton.judge.differing import Trace
from xtriton.judge.launches.draws import Draw
from xtriton.showing import Shown

MOST_DOUBTS = 3
"""Of more ops that were not put to the test, a verdict gives the number."""


@dataclass
class Difference:
    """One place where the kernels differ; `message` is a sentence, `details` more lines."""

    draw: Draw
    message: str
    details: list[str] = field(default_factory=list[str])

    def render(self) -> str:
        return "\n  ".join([self.message, *self.details, f"with {self.draw.describe()}"])


@dataclass
class Equivalence(Shown):
    """
    The verdict on two kernels: true where no difference was found.

    draws: on how many launches they were compared; proved: whether a solver proved that there is
    no difference on any launch; notes: what the verdict is worth less for.
    coverage: the original's accesses to memory, and whether each was made with some lane on.
    differing: the ops that differ, with what the launches showed of each; vacuous: whether
    nothing was stored that could have differed.
    """

    kernel: str
    differences: list[Difference] = field(default_factory=list[Difference])
    draws: int = 0
    proved: bool = False
    vacuous: bool = False
    notes: list[str] = field(default_factory=list[str])
    coverage: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    differing: list[Trace] = field(default_factory=list[Trace])

    def __bool__(self) -> bool:
        return not self.differences

    @property
    def confidence(self) -> str:
        """
        How sure the verdict is: "different", "proved", "reached" or "neither".

        "reached" says that every op that differs was proved to be right, or ran on inputs on
        which it gave more than one value, if it can; "neither" that some were not, or nothing was
        stored.
        """
        if self.differences:
            return "different"
        if self.proved:
            return "proved"
        weak = self.vacuous or any(trace.status == "neither" for trace in self.differing)
        return "neither" if weak else "reached"

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as what JSON can hold."""
        return {
            "kernel": self.kernel,
            "confidence": self.confidence,
            "draws": self.draws,
            "differences": [difference.render() for difference in self.differences],
            "differing": [
                {
                    "kernel": "rewritten" if trace.rewritten else "original",
                    "op": trace.op.name,
                    "place": describe_location(trace.op),
                    "status": trace.status,
                }
                for trace in self.differing
            ],
            "notes": self.notes,
        }

    def render(self) -> str:
        """Return the verdict as text, the first difference in full."""
        if not self.differences:
            draws = "1 draw" if self.draws == 1 else f"{self.draws} draws"
            head = f"{self.kernel}: no difference in {draws}"
        else:
            head = f"{self.kernel}: {self.differences[0].render()}"
        return "\n".join([head, *(f"  note: {n}" for n in (*self.notes, *self._doubts()))])

    def _doubts(self) -> list[str]:
        """Return why a verdict of no difference is worth little."""
        if self.confidence != "neither":
            return []
        weak = [trace for trace in self.differing if trace.status == "neither"]
        places = {f"'{t.op.name}' at {describe_location(t.op) or '?'}": None for t in weak}
        shown = [f"not put to the test: {place}" for place in [*places][:MOST_DOUBTS]]
        if len(places) > MOST_DOUBTS:
            shown.append(f"not put to the test: {len(places) - MOST_DOUBTS} more ops")
        return shown

    def coverage_list(self) -> str:
        """Return a line for each access of the original to memory: was it made?"""
        made = sum(reached for _, reached in self.coverage)
        head = f"{self.kernel}: {made} of {len(self.coverage)} accesses were made"
        return "\n".join(
            [head, *(f"  {'made ' if reached else 'never'}  {op}" for op, reached in self.coverage)]
        )


@dataclass(frozen=True)
class Options:
    """
    How strictly to compare.

    tolerance: relative error allowed in stored floats, for passes that reassociate.
    reads: whether the rewritten kernel may read nowhere else than the original.
    poison: whether undefined values are tracked, at the cost of running everything twice.
    count: draws to compare on, to which from three on come those at the edges of what the
    kernel can take; thorough: also draws with extreme integer arguments.
    budget: ops that a kernel may run in a draw.
    solver: seconds that a solver (the extra `solver`) may look for launches on which the kernels
    differ, or prove that there are none; many times as long if `thorough`.
    sampled: whether launches are sought among thousands where nothing else tells; at_random:
    whether they are drawn at random there, which most differences do not need.
    seconds: after which no further launch is made; a note says so.
    confidence: whether the ops that differ are followed, for `Equivalence.confidence`.
    """

    tolerance: float = 0.0
    reads: bool = True
    poison: bool = True
    count: int = 3
    thorough: bool = False
    budget: int = 100_000
    solver: float = 1.0
    sampled: bool = True
    at_random: bool = True
    seconds: float = 600.0
    confidence: bool = False
