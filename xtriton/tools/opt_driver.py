"""What `xtriton-opt` does with its input, chunk by chunk."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.diagnostics import Collected, Diagnostic, collect, of_error
from xtriton.errors import UserError, VerifyFailure
from xtriton.ir.checking.verifier import verify_all
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.reading.parser import parse_module, position_of
from xtriton.ir.versions import Version, parse_mlir_version, parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.tools import chunks
from xtriton.tools.command_line import OPTIONS, CommandLine, PassArgument
from xtriton.tools.files import read_input, shown_name, write_file
from xtriton.tools.locate import Locator
from xtriton.tools.outcome import OUR_BUG, USER_ERROR

if TYPE_CHECKING:
    from xdsl.context import Context

    from xtriton.passes.instruments import Timer
    from xtriton.passes.manager import Instrument, Step
    from xtriton.passes.pipeline import PassSpec

# What runs passes, and what tells of bugs, is imported where it is needed: many runs only read,
# check and print.


@dataclass
class Driver:
    """One run of the tool: reads, transforms, writes, and tells what went wrong."""

    line: CommandLine
    report: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    exit_code: int = 0

    @property
    def file(self) -> str:
        return shown_name(self.line.input)

    @cached_property
    def timer(self) -> Timer:
        from xtriton.passes.instruments import Timer

        return Timer()

    def measure(self, name: str) -> AbstractContextManager[None]:
        """Count the time spent inside the `with` under `name`, where somebody wants to know."""
        return self.timer.measure(name) if self.line.flag("mlir-timing") else nullcontext()

    @cached_property
    def version(self) -> Version | None:
        text = self.line.values.get("triton-version")
        mlir = self.line.values.get("mlir-version")
        if text is not None and mlir is not None:
            raise UserError("--triton-version cannot be combined with --mlir-version")
        if text is not None:
            return parse_version(text)
        return None if mlir is None else parse_mlir_version(mlir)

    def run(self) -> int:
        """Do everything and return the exit code; raise `UserError` for a bad command line."""
        start = perf_counter()
        _ = self.version
        for plugin in self.line.plugins:
            from xtriton.passes.plugins import load_plugin

            load_plugin(plugin)
        self._check_names()
        text = read_input(self.line.input)
        steps = self._steps(text)
        if self.line.flag("dump-pass-pipeline"):
            from xtriton.passes.manager import steps_tree

            print(f"Pass Manager with {len(steps)} passes:", file=sys.stderr)
            print(steps_tree(steps), file=sys.stderr)
        if "mlir_reproducer" in text:
            from xtriton.tools.reproducer import without_pipeline

            text = without_pipeline(text)
        if self.line.flag("run-reproducer"):
            # What a pass made of the module, if it is there, is for people to see.
            text = chunks.split(text)[0]
        with without_garbage_collection():
            outputs = self._run_chunks(text, steps)
            self._write(outputs)
        if self.line.flag("mlir-timing"):
            sys.stderr.write(self.timer.report(perf_counter() - start))
        return self.exit_code

    def _check_names(self) -> None:
        for option in ("mlir-print-ir-before", "mlir-print-ir-after"):
            for name in self.line.names(option):
                if not universe.is_pass(name):
                    near = universe.suggestion(name, universe.pass_names())
                    raise UserError(f"--{option}: unknown pass '{name}'{near}")

    def _steps(self, text: str) -> list[Step]:
        pipeline = self.line.values.get("pass-pipeline")
        is_reproducer = self.line.flag("run-reproducer")
        if pipeline is None and not is_reproducer and not self.line.passes:
            return []
        from xtriton.passes.manager import make_steps
        from xtriton.passes.pipeline import parse_pipeline

        if is_reproducer:
            from xtriton.tools.reproducer import pipeline_of

            return make_steps(parse_pipeline(pipeline_of(text, self.file)))
        elements = [_pass_spec(argument) for argument in self.line.passes]
        if pipeline is None:
            return make_steps(elements)
        if elements:
            raise UserError("--pass-pipeline cannot be combined with passes as options")
        return make_steps(parse_pipeline(pipeline))

    def _run_chunks(self, text: str, steps: Sequence[Step]) -> list[str]:
        marker = self.line.values.get("split-input-file")
        if marker is None:
            parts = [text]
        else:
            parts = chunks.split(text, chunks.DEFAULT_MARKER if marker == "true" else marker)
        outputs = [self._run_chunk(part, steps) for part in parts]
        return [output for output in outputs if output is not None]

    def _run_chunk(self, text: str, steps: Sequence[Step]) -> str | None:
        """Return the output of one chunk, None if there is none because of an error."""
        chunk = Chunk(self, text, steps)
        output: str | None = None
        errors: list[UserError] = []
        with collect(chunk.locator) as collected:
            try:
                output = chunk.transform()
            except UserError as e:
                errors = [chunk.with_source_line(error) for error in (e, *chunk.further_errors)]
            except Exception as e:
                from xtriton.tools.bug_report import Failed, describe_bug

                self.exit_code = OUR_BUG
                print(describe_bug(Failed(self.line, text, steps), e), file=sys.stderr)
                return None
        self._add_to_report(collected)
        if "verify-diagnostics" in self.line.values:
            told = [diagnostic for error in errors for diagnostic in of_error(error)]
            self._compare(text, [*collected.diagnostics, *told])
        else:
            self._show(collected.diagnostics, errors)
        return output

    def _compare(self, text: str, diagnostics: Sequence[Diagnostic]) -> None:
        from xtriton.tools import expected

        asked_for = expected.find_expected(text, self.file)
        only = self.line.values["verify-diagnostics"] == "only-expected"
        problems = expected.compare(asked_for, diagnostics, only_expected=only)
        if problems:
            self.exit_code = max(self.exit_code, USER_ERROR)
            print("\n".join(problems), file=sys.stderr)

    def _show(self, diagnostics: Sequence[Diagnostic], errors: Sequence[UserError]) -> None:
        for diagnostic in diagnostics:
            print(diagnostic.render(), file=sys.stderr)
        for error in errors:
            self.exit_code = max(self.exit_code, USER_ERROR)
            print(error.render(), file=sys.stderr)

    def _add_to_report(self, collected: Collected) -> None:
        for section, facts in collected.report.items():
            self.report.setdefault(section, []).extend(facts)
        for diagnostic in collected.diagnostics:
            place = None if diagnostic.position is None else str(diagnostic.position)
            fact = {"message": diagnostic.message, "place": place}
            self.report.setdefault(f"{diagnostic.severity}s", []).append(fact)

    def _write(self, outputs: Sequence[str]) -> None:
        text = f"\n{chunks.DEFAULT_MARKER}\n".join(output.rstrip("\n") + "\n" for output in outputs)
        target = self.line.values.get("o", "-")
        if target == "-":
            sys.stdout.write(text)
        elif self.exit_code == 0:
            write_file(target, text)
        report = self.line.values.get("xtriton-report")
        if report is not None:
            write_file(report, json.dumps(self.report, indent=1) + "\n")


@dataclass
class Chunk:
    """One module of the input on its way."""

    driver: Driver
    text: str
    steps: Sequence[Step]
    further_errors: list[VerifyFailure] = field(default_factory=list[VerifyFailure])
    """What is wrong with functions behind the first one that is wrong."""

    @property
    def line(self) -> CommandLine:
        return self.driver.line

    def transform(self) -> str:
        """Return the text of the transformed module."""
        driver, file = self.driver, self.driver.file
        context = universe.context(self.line.flag("allow-unregistered-dialect"))
        with driver.measure("Parser"):
            module = parse_module(self.text, context, file=file)
        with driver.measure("(V) Verifier"):
            locate = partial(position_of, text=self.text, context=context, file=file)
            if errors := verify_all(module, locate):
                self.further_errors = errors[1:]
                raise errors[0]
        if "xtriton-report" in self.line.values:
            from xtriton.analysis.report import module_report

            kernels = module_report(module)["kernels"]
            driver.report.setdefault("kernels", []).extend(kernels)
        if self.steps:
            self._run_passes(module, context)
        with driver.measure("Output"):
            return self.print(module)

    def _run_passes(self, module: ModuleOp, context: Context) -> None:
        from xtriton.passes.manager import PassManager

        self.locator.remember(module)
        instruments = list(self._instruments())
        # Only a valid module can be executed.
        verify_each = self.line.flag("verify-each", default=True) or self.line.flag(
            "xtriton-check-semantics"
        )
        PassManager(context, self.steps, verify_each, instruments).run(module)

    @cached_property
    def locator(self) -> Locator:
        """Knows where the ops of the chunk are."""
        unregistered = self.line.flag("allow-unregistered-dialect")
        return Locator(self.text, self.driver.file, unregistered)

    def with_source_line(self, error: UserError) -> UserError:
        """Return an error that can show the line at which it is."""
        if error.position is not None:
            error.position = self.locator.with_source_line(error.position)
        return error

    def print(self, module: ModuleOp) -> str:
        """Return the text of a module as the options want it."""
        return print_module(
            module,
            version=self.driver.version,
            debug_info=self.line.flag("mlir-print-debuginfo"),
            generic=self.line.flag("mlir-print-op-generic"),
        )

    def _instruments(self) -> Generator[Instrument]:
        line = self.line
        before = (
            None if line.flag("mlir-print-ir-before-all") else line.names("mlir-print-ir-before")
        )
        only_changes = line.flag("mlir-print-ir-after-change")
        after_all = line.flag("mlir-print-ir-after-all") or only_changes
        after = None if after_all else line.names("mlir-print-ir-after")
        after_failure = line.flag("mlir-print-ir-after-failure")
        if before is None or after is None or before or after or after_failure:
            from xtriton.passes.instruments import IRDumper

            yield IRDumper(sys.stderr, self.print, before, after, only_changes, after_failure)
        if line.flag("xtriton-check-semantics"):
            yield universe.load("xtriton.tools.semantics_check:SemanticsCheck")(
                context=universe.context(line.flag("allow-unregistered-dialect"))
            )
        if line.flag("mlir-timing"):
            yield self.driver.timer


def _pass_spec(argument: PassArgument) -> PassSpec:
    from xtriton.passes.pipeline import PassSpec, parse_options

    if not universe.is_pass(argument.name):
        near = universe.suggestion(argument.name, [*OPTIONS, *universe.pass_names()])
        lists = "--help lists the options, --show-passes the passes"
        raise UserError(f"unknown pass or option '--{argument.name}'{near}", notes=[lists])
    return PassSpec(argument.name, parse_options(argument.options))
