"""The steps of removing layout conversions, in their order."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.transforms.cleanup.canonicalization import scf
from xtriton.transforms.cleanup.canonicalization.ttg import PATTERNS
from xtriton.transforms.triton_gpu.layout_conversions.dead_iteration_arguments import (
    DeadIterationArgumentPattern,
)
from xtriton.transforms.triton_gpu.layout_conversions.hoisting import (
    hoist_into_branch,
    hoist_over_extension,
    hoist_to_load,
)
from xtriton.transforms.triton_gpu.layout_conversions.propagation import Propagation
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import Rematerialization
from xtriton.transforms.triton_gpu.layout_conversions.target import Target
from xtriton.transforms.triton_gpu.simplification import simplify


def remove_layout_conversions(module: ModuleOp, target: Target) -> None:
    """Remove the conversions of a module, or move them to where they cost least."""
    functions = [op for op in module.walk() if op.name == "tt.func" and op.regions[0].blocks]
    for function in functions:
        Propagation(function, target).run()
    simplify(module, PATTERNS)
    rounds = 0
    while rematerialise(functions, target):
        simplify(module, PATTERNS)
        rounds += 1
        if rounds == target.most_rounds:
            break
    for function in functions:
        hoist(function, target)
    if target.cleans_up_in_steps:
        simplify(module, (DeadIterationArgumentPattern(),))
        simplify(module, PATTERNS)
        simplify(module, scf.PATTERNS)
    else:
        simplify(module, (*PATTERNS, *scf.PATTERNS, DeadIterationArgumentPattern()))


def _rematerialization(function: Operation, target: Target) -> Rematerialization:
    own = target.rematerialization(function)
    if own is None:
        return Rematerialization(function, target)
    assert isinstance(own, Rematerialization)
    return own


def rematerialise(functions: list[Operation], target: Target) -> bool:
    """Rematerialise in all functions; return whether a conversion went."""
    changed = False
    for function in functions:
        step = _rematerialization(function, target)
        changed |= step.run()
        target.after_rematerialisation(step)
        step.cleanup()
    return changed


def hoist(function: Operation, target: Target) -> None:
    """Move the conversions that remain to cheaper places."""
    for action in (hoist_over_extension, hoist_into_branch, hoist_to_load)[: target.hoists]:
        step = _rematerialization(function, target)
        step.for_each(lambda conversion, s=step, a=action: a(s, conversion))
        step.cleanup()
