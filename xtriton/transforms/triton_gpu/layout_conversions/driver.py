"""The steps of removing layout conversions, in their order."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from xtriton.budget import current
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import classes_of, nested_ops, ops_with_regions
from xtriton.transforms.cleanup.canonicalization import scf
from xtriton.transforms.cleanup.canonicalization.tables import CONVERSION_PATTERNS
from xtriton.transforms.cleanup.settled import settled_still
from xtriton.transforms.triton_gpu.layout_conversions.dead_iteration_arguments import (
    DeadIterationArgumentPattern,
)
from xtriton.transforms.triton_gpu.layout_conversions.hoisting import (
    has_branch_in_loop,
    hoist_into_branch,
    hoist_over_extension,
    hoist_to_load,
)
from xtriton.transforms.triton_gpu.layout_conversions.propagation import Propagation
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import Rematerialization
from xtriton.transforms.triton_gpu.layout_conversions.target import Target
from xtriton.transforms.triton_gpu.retyping import encoding_of
from xtriton.transforms.triton_gpu.simplification import simplify

_DEAD_ARGUMENTS = (DeadIterationArgumentPattern(),)
_ALL = (*CONVERSION_PATTERNS, *scf.PATTERNS, *_DEAD_ARGUMENTS)


def remove_layout_conversions(module: ModuleOp, target: Target) -> None:
    """Remove the conversions of a module, or move them to where they cost least."""
    functions = [
        op for op in ops_with_regions(module) if op.name == "tt.func" and op.regions[0].blocks
    ]
    if _have_a_choice(module, functions):
        _move(module, functions, target)
    else:
        simplify(module, CONVERSION_PATTERNS)
    if target.cleans_up_in_steps:
        simplify(module, _DEAD_ARGUMENTS)
        simplify(module, CONVERSION_PATTERNS)
        simplify(module, scf.PATTERNS)
    else:
        simplify(module, _ALL)


_NO_CHOICE = (Propagation,)
"""Stands for modules without conversions in which no layout may spread."""


def _have_a_choice(module: ModuleOp, functions: list[Operation]) -> bool:
    known = settled_still(module)
    if known is not None and known.knows(_NO_CHOICE):
        return False
    if any(map(_has_a_choice, functions)):
        return True
    if known is not None:
        known.note(_NO_CHOICE)
    return False


def _has_a_choice(function: Operation) -> bool:
    """Return whether there are conversions, or several layouts of which some may spread."""
    types: set[Attribute] = set()
    if any(kind.name == "ttg.convert_layout" for kind in classes_of(function)):
        return True
    for op in nested_ops(function):
        types.update([result.type for result in op.results])
        for region in op.regions:
            types.update(argument.type for block in region.blocks for argument in block.args)
    pointed_to = [t.pointee_type if isinstance(t, PtrType) else t for t in types]
    return len({encoding_of(type) for type in pointed_to if is_tensor(type)}) > 1


def _move(module: ModuleOp, functions: list[Operation], target: Target) -> None:
    for function in functions:
        Propagation(function, target).run()
    simplify(module, CONVERSION_PATTERNS)
    # Where loops feed each other what goes may come back at another place, on and on.
    most = current().rounds if target.most_rounds is None else target.most_rounds
    for _ in range(most):
        if not rematerialise(functions, target):
            break
        simplify(module, CONVERSION_PATTERNS)
    for function in functions:
        hoist(function, target)


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
        if action is hoist_into_branch and not has_branch_in_loop(function):
            continue
        step = _rematerialization(function, target)
        step.for_each(lambda conversion, s=step, a=action: a(s, conversion))
        step.cleanup()
