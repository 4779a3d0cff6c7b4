"""Watching a pipeline: dumps of the IR between passes and the time that each takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp

from xtriton.passes.manager import Instrument, Step

Print = Callable[[ModuleOp], str]


@dataclass
class IRDumper(Instrument):
    """
    Writes the IR before and after passes, in MLIR's layout.

    `before` and `after` are names of passes, or None for all of them.
    """

    stream: TextIO
    print: Print
    before: Collection[str] | None = ()
    after: Collection[str] | None = ()
    only_changes: bool = False
    after_failure: bool = False
    _text_before: str = ""

    def before_pass(self, step: Step, module: ModuleOp) -> None:
        if self.only_changes:
            self._text_before = self.print(module)
        if _selects(self.before, step):
            self._dump("Before", step, self.print(module))

    def after_pass(self, step: Step, module: ModuleOp) -> None:
        if not _selects(self.after, step):
            return
        text = self.print(module)
        if not self.only_changes or text != self._text_before:
            self._dump("After", step, text)

    def after_failed_pass(self, step: Step, module: ModuleOp) -> None:
        if self.after_failure or _selects(self.after, step):
            self._dump("After", step, self.print(module), " Failed")

    def _dump(self, when: str, step: Step, text: str, remark: str = "") -> None:
        header = f"IR Dump {when} {step.class_name}{remark} ({step.name})"
        self.stream.write(f"// -----// {header} //----- //\n{text.rstrip()}\n\n\n")


def _selects(names: Collection[str] | None, step: Step) -> bool:
    return names is None or step.name in names


@dataclass
class Timer(Instrument):
    """Adds up wall time by name: of passes, and of whatever `measure` is put around."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    _started: float = 0.0

    @contextmanager
    def measure(self, name: str) -> Generator[None]:
        """Count the time spent inside the `with` under `name`."""
        start = perf_counter()
        try:
            yield
        finally:
            self._add(name, perf_counter() - start)

    def before_pass(self, step: Step, module: ModuleOp) -> None:
        self._started = perf_counter()

    def after_pass(self, step: Step, module: ModuleOp) -> None:
        self._add(step.class_name, perf_counter() - self._started)

    def after_failed_pass(self, step: Step, module: ModuleOp) -> None:
        self.after_pass(step, module)

    def before_verify(self, step: Step, module: ModuleOp) -> None:
        self._started = perf_counter()

    def after_verify(self, step: Step, module: ModuleOp) -> None:
        self._add("(V) Verifier", perf_counter() - self._started)

    def report(self, total: float) -> str:
        """Return MLIR's table of execution times; `total` is the time of everything."""
        rule = f"==={'-' * 73}==="
        title = "... Execution time report ..."
        rows = {**self.seconds, "Rest": max(total - sum(self.seconds.values()), 0.0)}
        rows["Total"] = total
        lines = [rule, title.center(len(rule)).rstrip(), rule]
        lines += [f"  Total Execution Time: {total:.4f} seconds", ""]
        lines += ["  ----Wall Time----  ----Name----"]
        for name, seconds in rows.items():
            share = 100 * seconds / total if total else 0.0
            lines.append(f"  {seconds:8.4f} ({share:5.1f}%)  {name}")
        return "\n".join(lines) + "\n"

    def _add(self, name: str, seconds: float) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
