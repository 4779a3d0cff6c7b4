"""What `xtriton-opt` tells of a bug, in it or in a pass, and the file that shows it again."""

from __future__ import annotations

import pathlib
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Operation

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import PassCrash, PassManager, PassMisbehaved, Step, steps_text
from xtriton.passes.plugins import author_line, raised_at
from xtriton.tools import chunks, reproducer
from xtriton.tools.command_line import CommandLine
from xtriton.tools.files import shown_name

if TYPE_CHECKING:
    from xtriton.tools.semantics_check import ChangedMeaning, Pair


@dataclass(frozen=True)
class Failed:
    """What failed: the command line, the text of a module and the passes that were to run."""

    line: CommandLine
    text: str
    steps: Sequence[Step]


def describe_bug(failed: Failed, error: Exception) -> str:
    """Return what to tell the user about an exception, and leave a reproducer."""
    lines = [f"error: {error}" if isinstance(error, PassCrash) else _internal_error(error)]
    culprit = "xtriton"
    if isinstance(error, PassCrash) and not error.step.is_ours:
        culprit = f"the pass '{error.step.name}'"
        if error.__cause__ and not isinstance(error.__cause__, PassMisbehaved):
            place = author_line(error.__cause__) or raised_at(error.__cause__)
            lines += [] if place is None else [f"raised at {place.file}:{place.line}"]
    lines.append(f"This is a bug of {culprit}, not of your input.")
    path = _write_reproducer(failed, error)
    check = "--xtriton-check-semantics " if is_changed_meaning(error.__cause__) else ""
    lines.append(f"To see it again: xtriton-opt {check}--run-reproducer {path}")
    if isinstance(error, PassCrash) and is_changed_meaning(error.__cause__):
        lines += _describe_pair(error, error.__cause__, path)
    if failed.line.flag("traceback"):
        lines += traceback.format_exception(error)
    return "\n".join(lines)


def _write_reproducer(failed: Failed, error: Exception) -> pathlib.Path:
    name = error.step.name if isinstance(error, PassCrash) else "xtriton"
    stem = "stdin" if failed.line.input == "-" else pathlib.Path(failed.line.input).stem
    default = f"{stem}.{name}.reproducer.mlir"
    path = pathlib.Path(failed.line.values.get("mlir-pass-pipeline-crash-reproducer", default))
    if isinstance(error, PassCrash) and is_changed_meaning(error.__cause__):
        return _write_pair(error, error.__cause__.whole, path)
    ir, steps = _minimal(failed, error)
    reason = "".join(traceback.format_exception(error))
    return reproducer.write_reproducer(
        reproducer.reproducer_text(ir, steps_text(steps), reason), path
    )


def _write_pair(error: PassCrash, pair: Pair, path: pathlib.Path) -> pathlib.Path:
    """Write a module and what a pass made of it, with the pass as pipeline."""
    debug_info = any(is_located(op) for op in pair.before.walk())
    before, after = (print_module(m, debug_info=debug_info) for m in (pair.before, pair.after))
    reason = f"pass '{error.step.name}' changes what a kernel does\n{pair.verdict.render()}"
    ir = f"{before.rstrip()}\n\n{chunks.DEFAULT_MARKER}\n\n// After '{error.step.name}':\n\n{after}"
    return reproducer.write_reproducer(
        reproducer.reproducer_text(ir, steps_text([error.step]), reason), path
    )


def _describe_pair(error: PassCrash, changed: ChangedMeaning, path: pathlib.Path) -> list[str]:
    lines = [f"The two modules are there; to compare them: xtriton-check {path}"]
    if changed.small is not changed.whole:
        small = path.with_name(f"{path.stem}.small{path.suffix}")
        small = _write_pair(error, changed.small, small)
        lines.append(
            f"A smaller kernel that shows it ({changed.small.size} ops of "
            f"{changed.whole.size}): {small}"
        )
        lines.append(changed.small.verdict.render())
    return lines


def _minimal(failed: Failed, error: Exception) -> tuple[str, Sequence[Step]]:
    """Return the IR before the pass that failed, and that pass; or all if that fails too."""
    if not isinstance(error, PassCrash) or error.index == 0:
        return failed.text, failed.steps
    try:
        context = universe.context(failed.line.flag("allow-unregistered-dialect"))
        module = parse_module(failed.text, context, file=shown_name(failed.line.input))
        PassManager(context, failed.steps[: error.index]).run(module)
        return print_module(module, debug_info=True), [failed.steps[error.index]]
    except Exception:
        return failed.text, failed.steps


def is_changed_meaning(error: BaseException | None) -> TypeGuard[ChangedMeaning]:
    """Return whether `--xtriton-check-semantics` raised `error`."""
    # By name: the interpreter is imported only by those who use it.
    return type(error).__name__ == "ChangedMeaning" and isinstance(error, PassMisbehaved)


def is_located(op: Operation) -> bool:
    """Return whether something is known of where an op comes from."""
    return not isinstance(op.location, UnknownLoc)


def _internal_error(error: Exception) -> str:
    return f"error: internal error: {type(error).__name__}: {error}"
