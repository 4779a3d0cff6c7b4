"""
Finds the first pass that changed a kernel's meaning, in what somebody's compiler printed.

`MLIR_ENABLE_DUMP=1` in stock Triton and `--mlir-print-ir-before-all` print the IR before
each pass, `--mlir-print-ir-after-all` the IR after it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from xtriton.errors import UserError
from xtriton.interpreter.machine import Program
from xtriton.judge.equivalence import Equivalence, Options, check_equivalent, shared

_HEADER = re.compile(
    r"^.*// -----// IR Dump (?P<when>Before|After) (?P<name>\S+)(?P<failed> Failed)?"
    r"(?: \((?P<flag>[^)\n]*)\))?.*//----- //.*$",
    re.MULTILINE,
)

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Dump:
    """IR that was printed `when` ("Before" or "After") a pass ran; `line` is its header's."""

    when: str
    name: str
    text: str
    line: int

    @property
    def is_module(self) -> bool:
        """Whether it is a whole module; some passes run on, and print, single functions."""
        return re.search(r"^(\"builtin\.module\"|module\b)", self.text, re.MULTILINE) is not None


@dataclass
class Stage:
    """A pass, and how the kernels before and after it compare; or why they were not compared."""

    name: str
    line: int
    verdicts: list[Equivalence] = field(default_factory=list[Equivalence])
    skipped: str = ""

    @property
    def broken(self) -> bool:
        return any(not v for v in self.verdicts)


def split_dumps(text: str) -> list[Dump]:
    """Return the dumps in a compiler's output, in order; raise `UserError` if there is none."""
    headers = list(_HEADER.finditer(text))
    if not headers:
        raise UserError("this holds no IR dumps: set MLIR_ENABLE_DUMP=1 and save standard error")
    dumps: list[Dump] = []
    for k, header in enumerate(headers):
        end = headers[k + 1].start() if k + 1 < len(headers) else len(text)
        name = header["flag"] or header["name"]
        name = re.sub(r"\{.*", "", name).strip()
        body = text[header.end() : end]
        line = text.count("\n", 0, header.start()) + 1
        dumps.append(Dump(header["when"], name, body, line))
    return dumps


def check_dumps(
    text: str,
    parse: Callable[[str], ModuleOp],
    options: Options | None = None,
    progress: Progress | None = None,
) -> list[Stage]:
    """
    Compare the kernels of consecutive dumps; return a stage for each pass.

    `parse` makes a module of IR text. Stages after a broken one are still compared, each
    with the one before it.
    """
    dumps = split_dumps(text)
    stages: list[Stage] = []
    before: tuple[Dump, Program] | None = None
    for k, dump in enumerate(dumps):
        if progress is not None:
            progress(k, len(dumps), dump.name)
        if not dump.is_module:
            stages.append(Stage(dump.name, dump.line, skipped="printed a single function"))
            continue
        stage = Stage(dump.name, dump.line)
        if before is not None and before[0].when == "Before":
            stage = Stage(before[0].name, before[0].line)
        if before is not None and before[0].text.strip() == dump.text.strip():
            stage.skipped = "changed nothing"
            stages.append(stage)
            before = (dump, before[1])
            continue
        try:
            program = shared(parse(dump.text))
        except UserError as error:
            stage.skipped = f"cannot be read: {error.message}"
            stages.append(stage)
            before = None
            continue
        if before is not None:
            _compare(before[1], program, stage, options)
            stages.append(stage)
        elif dump.when == "After":
            stage.skipped = "nothing to compare it with"
            stages.append(stage)
        before = (dump, program)
    return stages


def _compare(before: Program, after: Program, stage: Stage, options: Options | None) -> None:
    common = [k for k in before.kernels() if k in after.symbols]
    if not common:
        stage.skipped = "has no kernel in common with the dump before"
    for kernel in common:
        try:
            stage.verdicts.append(check_equivalent(before, after, kernel=kernel, options=options))
        except UserError as error:
            stage.skipped = f"'{kernel}': {error.message}"


def first_broken(stages: list[Stage]) -> Stage | None:
    """Return the first pass that changed what a kernel does."""
    return next((s for s in stages if s.broken), None)


def report(stages: list[Stage]) -> str:
    """Return a line for each pass that was compared, and the first difference in full."""
    lines: list[str] = []
    for stage in stages:
        if stage.broken:
            lines.append(f"line {stage.line}: {stage.name}: CHANGES WHAT THE KERNEL DOES")
            bad = next(v for v in stage.verdicts if not v)
            lines += ["  " + line for line in bad.render().splitlines()]
        elif stage.verdicts:
            lines.append(f"line {stage.line}: {stage.name}: same")
        elif stage.skipped not in ("changed nothing", "printed a single function"):
            lines.append(f"line {stage.line}: {stage.name}: not compared, {stage.skipped}")
    broken = first_broken(stages)
    compared = sum(1 for s in stages if s.verdicts)
    unchanged = sum(1 for s in stages if s.skipped == "changed nothing")
    lines.append(f"{len(stages)} passes: {compared} compared, {unchanged} changed nothing")
    lines.append(
        "no pass changed what the kernels do"
        if broken is None
        else f"the first pass to break a kernel is {broken.name}"
    )
    return "\n".join(lines)
