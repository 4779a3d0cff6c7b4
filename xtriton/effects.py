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

from collections.abc import Mapping

from xdsl.ir import Operation

from xtriton.analysis.effects import (
    AccessEffect,
    ArgumentEffects,
    AtomicEffect,
    KernelEffects,
    Reason,
    SideEffect,
    Union,
    union,
)
from xtriton.analysis.effects.fingerprint import fingerprint
from xtriton.effect_records import analyze_all, clear_cache
from xtriton.errors import UserError
from xtriton.interop.configurations import ttir_of_configurations

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
    if isinstance(source, (str, Operation)):
        return _chosen(analyze_all(source, inline=inline, remember=remember), kernel)
    return analyze_configurations(
        source, signature=signature, constexprs=constexprs, arguments=arguments, inline=inline
    ).merged()


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
    texts = ttir_of_configurations(
        kernel, signature=signature, constexprs=constexprs, arguments=arguments
    )
    return union(
        {
            configuration: _chosen(analyze_all(text, inline=inline), None).named(names)
            for configuration, (text, names) in texts.items()
        }
    )


def _chosen(records: Mapping[str, KernelEffects], kernel: str | None) -> KernelEffects:
    if kernel is None and records:
        return next(iter(records.values()))
    if kernel is None or kernel not in records:
        what = "no kernel" if kernel is None else f"no kernel '{kernel}'"
        raise UserError(f"the module has {what}", None, [f"it has: {', '.join(records)}"])
    return records[kernel]
