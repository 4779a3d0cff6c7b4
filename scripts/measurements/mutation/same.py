"""Mutants that are no mutants: proofs that two modules do the same."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from xtriton.ir.printer import print_module
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.cleanup.cse import CSEPass
from xtriton.universe import context


def why_the_same(original: ModuleOp, rewritten: ModuleOp) -> str:
    """Return why two modules do the same, or "" if that is not known."""
    if clean(original) == clean(rewritten):
        return "the same when cleaned up"
    return ""


def clean(module: ModuleOp) -> str:
    """Return the text of a module without what cleaning up takes away."""
    copy = module.clone()
    for step in (CanonicalizePass(), CSEPass(), CanonicalizePass()):
        step.apply(context(), copy)
    return print_module(copy)
