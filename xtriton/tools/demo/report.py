"""What the demo finds out, for the tables to show."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from xtriton.tools.demo.cases import Case, Size


@dataclass
class Measurement:
    """One kernel on one size; seconds."""

    case: Case
    size: Size
    error: float
    right: bool
    one_thread: float
    all_threads: float
    torch: float
    """On one thread: more only make small launches slower, and noisy."""
    interpreted: float | None = None
    scaled: bool = False


@dataclass
class Verdict:
    """What the interpreter says of one stage."""

    stage: str
    error: float | None
    reason: str = ""
    right: bool = True


@dataclass
class Report:
    """All that the demo found."""

    measurements: list[Measurement] = field(default_factory=list[Measurement])
    verdicts: dict[str, list[Verdict]] = field(default_factory=dict[str, list[Verdict]])
    seconds: dict[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    """What each stage of compiling took, by case; none where all came from the cache."""
    one_thread: tuple[float, float] | None = None
    """Seconds of the matmul 512 x 512 x 512 on one thread: native and torch.mm."""

    def note(self, case: Case, seconds: Mapping[str, float] | None) -> None:
        """Keep what compiling took where the most was done: later objects come from the cache."""
        known = self.seconds.get(case.name)
        if seconds is not None and (known is None or known["llvm"] < seconds["llvm"]):
            self.seconds[case.name] = seconds

    @property
    def right(self) -> bool:
        verdicts = [verdict for stages in self.verdicts.values() for verdict in stages]
        return all(m.right for m in self.measurements) and all(v.right for v in verdicts)
