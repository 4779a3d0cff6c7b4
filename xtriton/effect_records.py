"""
Records of what kernels read and write, for texts and modules, remembered.

`xtriton.effects` is what people import; it knows `@triton.jit` kernels as well.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.analysis.effects import KernelEffects, analyze_module
from xtriton.analysis.effects.analyze import FUNCTIONS, analyze_function, kernels_of
from xtriton.analysis.effects.fingerprint import fingerprint
from xtriton.budget import Budget, current
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import copied
from xtriton.ir.walking import ops_in

if TYPE_CHECKING:
    from xdsl.context import Context

REMEMBERED = 512
"""How many texts and modules the cache holds."""

_records: OrderedDict[tuple[str, bool, Budget], dict[str, KernelEffects]] = OrderedDict()
_context: list[Context] = []


def analyze_all(
    source: object, *, inline: bool = True, remember: bool = False
) -> dict[str, KernelEffects]:
    """
    Return the records of all kernels of a module, or of its text, by name.

    See `xtriton.effects.analyze`.
    """
    if isinstance(source, str):
        return _of_text(source, inline)
    if not isinstance(source, Operation):
        raise UserError(f"neither IR nor a module: {source!r:.60}")
    if source.name != "builtin.module":
        record = analyze_function(source)
        return {record.kernel: record}
    module = cast(ModuleOp, source)
    if not remember:
        return _of_module(module, inline)
    return _cached(fingerprint(module), inline, lambda: _of_module(module, inline))


def _of_text(text: str, inline: bool) -> dict[str, KernelEffects]:
    digest = sha256(text.encode()).hexdigest()

    def analyzed() -> dict[str, KernelEffects]:
        if not _context:
            _context.append(universe.context(allow_unregistered=True))
        module = parse_module(text, _context[0], file="<string>")
        return analyze_module(_inlined(module, own=True) if inline and ".call" in text else module)

    return _cached(digest, inline, analyzed)


def _of_module(module: ModuleOp, inline: bool) -> dict[str, KernelEffects]:
    return analyze_module(_inlined(module, own=False) if inline else module)


def _cached(
    digest: str, inline: bool, analyzed: Callable[[], dict[str, KernelEffects]]
) -> dict[str, KernelEffects]:
    key = digest, inline, current()
    found = _records.get(key)
    if found is not None:
        _records.move_to_end(key)
        return found
    found = _records[key] = analyzed()
    for record in found.values():
        record.ir_hash = digest
    if len(_records) > REMEMBERED:
        _records.popitem(last=False)
    return found


def _inlined(module: ModuleOp, *, own: bool) -> ModuleOp:
    """Return the module with calls inlined, itself where there are none or where it fails."""
    if sum(op.name in FUNCTIONS for op in module.body.block.ops) < 2:
        return module
    kernels = kernels_of(module)
    try:
        from xtriton.transforms.cleanup.inline import inline_calls, inlined_size

        if inlined_size(module) > len(ops_in(module)) + current().inlined:
            # Many copies of few functions: the functions themselves are quicker to follow.
            return module
        copy = module if own else copied(module)
        inline_calls(copy, simplify=False, forced=True)
    except Exception:  # inlining is for precision only
        return module
    return copy if kernels_of(copy).keys() >= kernels.keys() else module


def clear_cache() -> None:
    """Forget all records."""
    _records.clear()
