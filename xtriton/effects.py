"""
What a kernel reads and writes.

    from xtriton import effects

    record = effects.analyze(open("kernel.ttir").read())
    record.mutated()                          # ['out']
    record.at(grid=(4,), scalars={"n": 1000})  # byte ranges
    print(record.reasons)

Sound: what is not listed does not happen. Every answer that is not exact has a reason with
the op and its source line. `docs/effects.md` says what is assumed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.analysis.effects import (
    AccessEffect,
    ArgumentEffects,
    AtomicEffect,
    KernelEffects,
    Reason,
    SideEffect,
    Union,
    analyze_module,
    union,
)
from xtriton.analysis.effects.analyze import FUNCTIONS, analyze_function, kernels_of
from xtriton.analysis.effects.fingerprint import fingerprint
from xtriton.errors import UserError
from xtriton.ir.parser import parse_module

if TYPE_CHECKING:
    from xdsl.context import Context

__all__ = [
    "AccessEffect",
    "ArgumentEffects",
    "AtomicEffect",
    "KernelEffects",
    "Reason",
    "SideEffect",
    "Union",
    "analyze",
    "analyze_all",
    "analyze_configurations",
    "clear_cache",
    "fingerprint",
    "union",
]

REMEMBERED = 512
"""How many texts and modules the cache holds."""

_records: OrderedDict[tuple[str, bool], dict[str, KernelEffects]] = OrderedDict()
_context: list[Context] = []


def analyze(
    source: object,
    *,
    kernel: str | None = None,
    signature: Mapping[str, str] | None = None,
    constexprs: Mapping[str, object] | None = None,
    arguments: Mapping[str, object] | None = None,
    inline: bool = True,
    remember: bool = False,
) -> KernelEffects:
    """
    Return what a kernel does.

    `source` is IR as text of any Triton since 3.1, a module, a function, or a `@triton.jit`
    kernel. A kernel needs `signature` and `constexprs` (see `xtriton.interop.triton.ttir`)
    or `arguments` to specialise it for; the configurations of `@autotune` are put together.
    `kernel` names one of several in a module, by default the first. With `inline`, calls are
    inlined where they can be, which makes byte offsets in them known.

    Records of texts are remembered. Those of modules are with `remember`: it takes a hash of
    the module, half as long as an analysis, and finds what an equal module had as a record.

    Raises `UserError` for text that is no IR and for a kernel that does not compile or is
    not there; the analysis itself never fails.
    """
    if _is_source(source):
        return _chosen(analyze_all(source, inline=inline, remember=remember), kernel)
    return analyze_configurations(
        source, signature=signature, constexprs=constexprs, arguments=arguments, inline=inline
    ).merged()


def analyze_all(
    source: object, *, inline: bool = True, remember: bool = False
) -> dict[str, KernelEffects]:
    """Return the records of all kernels of a module, or of its text, by name; see `analyze`."""
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


def analyze_configurations(
    kernel: object,
    *,
    signature: Mapping[str, str] | None = None,
    constexprs: Mapping[str, object] | None = None,
    arguments: Mapping[str, object] | None = None,
    inline: bool = True,
) -> Union:
    """
    Return what each configuration of an `@autotune`d kernel does, and all together.

    `@heuristics` are applied; arguments are as in `analyze`.
    """
    interop: Any = import_module("xtriton.interop.configurations")
    texts: Mapping[str, tuple[str, list[str]]] = interop.ttir_of_configurations(
        kernel, signature=signature, constexprs=constexprs, arguments=arguments
    )
    return union(
        {
            configuration: _chosen(analyze_all(text, inline=inline), None).named(names)
            for configuration, (text, names) in texts.items()
        }
    )


def _is_source(source: object) -> bool:
    return isinstance(source, (str, Operation))


def _chosen(records: Mapping[str, KernelEffects], kernel: str | None) -> KernelEffects:
    if kernel is None and records:
        return next(iter(records.values()))
    if kernel is None or kernel not in records:
        what = "no kernel" if kernel is None else f"no kernel '{kernel}'"
        raise UserError(f"the module has {what}", None, [f"it has: {', '.join(records)}"])
    return records[kernel]


def _of_text(text: str, inline: bool) -> dict[str, KernelEffects]:
    digest = sha256(text.encode()).hexdigest()

    def analyzed() -> dict[str, KernelEffects]:
        if not _context:
            _context.append(universe.context(allow_unregistered=True))
        module = parse_module(text, _context[0])
        return analyze_module(_inlined(module, own=True) if inline and ".call" in text else module)

    return _cached(digest, inline, analyzed)


def _of_module(module: ModuleOp, inline: bool) -> dict[str, KernelEffects]:
    return analyze_module(_inlined(module, own=False) if inline else module)


def _cached(
    digest: str, inline: bool, analyzed: Callable[[], dict[str, KernelEffects]]
) -> dict[str, KernelEffects]:
    key = digest, inline
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
        from xtriton.transforms.cleanup.inline import inline_calls

        copy = module if own else module.clone()
        inline_calls(copy, simplify=False, forced=True)
    except Exception:  # inlining is for precision only
        return module
    return copy if kernels_of(copy).keys() >= kernels.keys() else module


def clear_cache() -> None:
    """Forget all records."""
    _records.clear()
