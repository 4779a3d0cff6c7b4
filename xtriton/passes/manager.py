"""
Running pipelines.

A pass sees a module. Inside `tt.func(...)` it sees a module that holds one function at a
time, with the attributes of the real one, so that it cannot look at or change anything
else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from xtriton.errors import PassFailure, UserError, VerifyFailure
from xtriton.ir.limits import without_garbage_collection
from xtriton.passes.options import make_pass, pass_spec
from xtriton.passes.pipeline import Nested, PassSpec, Pipeline, pipeline_text, pipeline_tree
from xtriton.passes.plugins import author_line
from xtriton.universe import pass_class

if TYPE_CHECKING:
    from xdsl.passes import ModulePass


@dataclass(frozen=True)
class Step:
    """A pass ready to run, and the anchors around it, such as `("tt.func",)`."""

    instance: ModulePass
    anchors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.instance.name

    @property
    def class_name(self) -> str:
        return type(self.instance).__name__

    @property
    def is_ours(self) -> bool:
        """Whether the pass belongs to xtriton and not to a plug-in."""
        return type(self.instance).__module__.startswith("xtriton.")

    @property
    def tolerance(self) -> float:
        """The relative error of stored floats that the pass says it may make; 0 unless it does."""
        return float(getattr(self.instance, "tolerance", 0.0))


class PassCrash(Exception):
    """
    A pass raised something that is no `UserError`, or left a module that does not verify.

    That is a bug of the pass; `reason` says what happened, `__cause__` is the exception.
    `index` counts the steps that had run before.
    """

    def __init__(self, step: Step, index: int, reason: str):
        super().__init__(f"pass '{step.name}' {reason}")
        self.step = step
        self.index = index
        self.reason = reason


class PassMisbehaved(Exception):
    """Raised by `Instrument.after_verify` where a pass did what it must not, and what."""


class Instrument:
    """Watches a pipeline run; every method does nothing unless overridden."""

    def before_pass(self, step: Step, module: ModuleOp) -> None: ...

    def after_pass(self, step: Step, module: ModuleOp) -> None: ...

    def after_failed_pass(self, step: Step, module: ModuleOp) -> None: ...

    def before_verify(self, step: Step, module: ModuleOp) -> None: ...

    def after_verify(self, step: Step, module: ModuleOp) -> None: ...


def make_steps(pipeline: Pipeline, anchors: tuple[str, ...] = ()) -> list[Step]:
    """
    Return the passes of a pipeline in the order in which they run.

    Raises `UserError` for unknown passes and options, with the position in the pipeline.
    """
    steps: list[Step] = []
    for element in pipeline:
        if isinstance(element, Nested):
            steps += make_steps(element.elements, (*anchors, element.anchor))
        else:
            steps.append(Step(_make_pass(element), anchors))
    return steps


def steps_text(steps: Sequence[Step]) -> str:
    """Return the pipeline that runs `steps`."""
    return pipeline_text(_pipeline(steps))


def steps_tree(steps: Sequence[Step]) -> str:
    """Return the pipeline that runs `steps`, with a pass on each line."""
    return pipeline_tree(_pipeline(steps))


def _pipeline(steps: Sequence[Step]) -> Pipeline:
    return [_nest(pass_spec(step.instance), step.anchors) for step in steps]


@dataclass
class PassManager:
    """Runs steps over modules, verifies in between and tells its instruments."""

    context: Context
    steps: Sequence[Step]
    verify_each: bool = True
    instruments: Sequence[Instrument] = field(default_factory=tuple[Instrument, ...])

    def run(self, module: ModuleOp) -> None:
        """
        Run all steps on `module`, in place.

        Raises the `UserError` of a pass, or `PassCrash` where a pass has a bug.
        """
        # Each time that looking for garbage begins again all that is new is looked at.
        with without_garbage_collection():
            for index, step in enumerate(self.steps):
                self._run_step(index, step, module)

    def _run_step(self, index: int, step: Step, module: ModuleOp) -> None:
        for instrument in self.instruments:
            instrument.before_pass(step, module)
        try:
            apply_step(step, self.context, module)
        except UserError:
            self._tell_failed(step, module)
            raise
        except Exception as e:
            self._tell_failed(step, module)
            crash = PassCrash(step, index, f"raised {type(e).__name__}: {e}")
            if not step.is_ours and (place := author_line(e)) is not None:
                crash.add_note(f"raised at {place.file}:{place.line}: {place.source_line}")
            raise crash from e
        # Innermost first, as around a call: what was started last ends first.
        for instrument in reversed(self.instruments):
            instrument.after_pass(step, module)
        if self.verify_each:
            self._verify(index, step, module)

    def _tell_failed(self, step: Step, module: ModuleOp) -> None:
        for instrument in reversed(self.instruments):
            instrument.after_failed_pass(step, module)

    def _verify(self, index: int, step: Step, module: ModuleOp) -> None:
        from xtriton.ir.checking.verifier import verify

        for instrument in self.instruments:
            instrument.before_verify(step, module)
        try:
            verify(module)
        except VerifyFailure as e:
            raise PassCrash(step, index, f"left a module that is not valid: {e.message}") from e
        for instrument in reversed(self.instruments):
            try:
                instrument.after_verify(step, module)
            except PassMisbehaved as e:
                raise PassCrash(step, index, str(e)) from e


def apply_step(step: Step, context: Context, module: ModuleOp) -> None:
    """Run one pass on the module or on each of the ops that its anchors name."""
    try:
        for target in _targets(module, step.anchors):
            if target is module:
                step.instance.apply(context, module)
            else:
                _apply_alone(step.instance, context, module, target)
    except DiagnosticException as e:
        raise PassFailure(f"pass '{step.name}' failed: {e}") from e
    except SystemExit as e:
        if isinstance(e.__context__, BrokenPipeError):
            raise
        raise PassFailure(f"pass '{step.name}' ended the process with {e.code!r}") from e


def _make_pass(spec: PassSpec) -> ModulePass:
    try:
        return make_pass(pass_class(spec.name), spec.options)
    except UserError as e:
        raise UserError(e.message, e.position or spec.position, e.notes) from None


def _nest(spec: PassSpec, anchors: tuple[str, ...]) -> PassSpec | Nested:
    element: PassSpec | Nested = spec
    for anchor in reversed(anchors):
        element = Nested(anchor, (element,))
    return element


def _targets(module: ModuleOp, anchors: tuple[str, ...]) -> list[Operation]:
    targets: list[Operation] = [module]
    for anchor in anchors:
        targets = [
            op
            for target in targets
            for region in target.regions
            for block in region.blocks
            for op in block.ops
            if op.name == anchor
        ]
    return targets


def _apply_alone(
    instance: ModulePass, context: Context, module: ModuleOp, target: Operation
) -> None:
    """Run a pass on a module that holds nothing but `target`, and put the result back."""
    block = target.parent
    assert block is not None
    following = target.next_op
    target.detach()
    alone = ModuleOp([target], dict(module.attributes))
    try:
        instance.apply(context, alone)
    finally:
        for op in list(alone.body.block.ops):
            op.detach()
            if following is None:
                block.add_op(op)
            else:
                block.insert_op_before(op, following)
