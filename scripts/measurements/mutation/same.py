"""
Mutants that are no mutants: proofs that two modules do the same.

Either they are the same text when cleaned up, or z3 proves it, see `xtriton.judge.proofs.proofs`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.ir.versions import copied
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.cleanup.cse import CSEPass
from xtriton.universe import context

SECONDS = 10
"""For a proof: ten times what the default effort has."""


def why_the_same(original: ModuleOp, rewritten: ModuleOp, launched: ModuleOp | None = None) -> str:
    """
    Return why two modules do the same, or "" if that is not known.

    If the first was made of a kernel, `launched`, launches that this one permits are enough.
    """
    if clean(original) == clean(rewritten):
        return "the same when cleaned up"
    try:
        from xtriton.judge.proofs.proofs import compare
    except ImportError:
        return ""
    one, other = kernel(original), kernel(rewritten)
    if one is None or other is None:
        return ""
    first = None if launched is None else kernel(launched)
    return "proved by z3" if compare(one, other, SECONDS, first).equal else ""


def kernel(module: ModuleOp) -> Operation | None:
    """Return the function of a module that has only one."""
    found = [op for op in module.walk() if op.name == "tt.func"]
    return found[0] if len(found) == 1 else None


def clean(module: ModuleOp) -> str:
    """Return the text of a module without what cleaning up takes away."""
    copy = copied(module)
    for step in (CanonicalizePass(), CSEPass(), CanonicalizePass()):
        step.apply(context(), copy)
    return print_module(copy)
