"""What the demo finds out, for the tables to show."""

from dataclasses import dataclass, field

from xtriton.interop.native import CompiledKernel
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
    compiled: dict[str, CompiledKernel] = field(default_factory=dict[str, CompiledKernel])
    one_thread: tuple[float, float] | None = None
    """Seconds of the matmul 512 x 512 x 512 on one thread: native and torch.mm."""

    def note(self, case: Case, compiled: CompiledKernel) -> None:
        """Keep what compiling took where the most was done: later objects come from the cache."""
        known = self.compiled.get(case.name)
        if known is None or known.seconds["llvm"] < compiled.seconds["llvm"]:
            self.compiled[case.name] = compiled

    @property
    def right(self) -> bool:
        verdicts = [verdict for stages in self.verdicts.values() for verdict in stages]
        return all(m.right for m in self.measurements) and all(v.right for v in verdicts)
