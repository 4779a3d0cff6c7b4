"""The configurations that `@autotune` and `@heuristics` make of a kernel, as TTIR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xtriton.errors import UserError
from xtriton.interop.triton import (
    LAUNCH_OPTIONS,
    Specialization,
    check_signature,
    jit_function,
    launch_options,
    specialize,
    ttir_of,
)


def layers_of(kernel: Any) -> tuple[list[Any], list[Mapping[str, Any]]]:
    """
    Return what is wrapped around a `JITFunction`: configurations and heuristics.

    Configurations are Triton's `Config` objects, of all tuners; heuristics are given from
    the outermost inwards.
    """
    configs: list[Any] = []
    heuristics: list[Mapping[str, Any]] = []
    while kernel is not None:
        configs += list(getattr(kernel, "configs", None) or ())
        values = getattr(kernel, "values", None)
        if isinstance(values, Mapping):
            heuristics.append(values)  # pyright: ignore[reportUnknownArgumentType]
        kernel = getattr(kernel, "fn", None) if type(kernel).__name__ != "JITFunction" else None
    return configs, heuristics


def configurations(kernel: Any) -> dict[str, dict[str, object]]:
    """Return the constexprs of each configuration by a name such as `BLOCK=64, num_warps=4`."""
    found: dict[str, dict[str, object]] = {}
    for config in layers_of(kernel)[0]:
        found.setdefault(config_name(config), dict(config.kwargs))
    return found or {"": {}}


def config_name(config: Any) -> str:
    """Return a configuration as `BLOCK=64, num_warps=4, num_stages=2`."""
    parts = [f"{k}={v}" for k, v in config.kwargs.items()]
    parts += [f"{k}={getattr(config, k)}" for k in ("num_warps", "num_stages")]
    return ", ".join(parts)


def config_options(config: Any) -> dict[str, object]:
    """Return what a configuration says of a launch besides constexprs."""
    return {k: value for k in LAUNCH_OPTIONS if (value := getattr(config, k, None)) is not None}


def ttir_of_configurations(
    kernel: Any,
    *,
    signature: Mapping[str, str] | None = None,
    constexprs: Mapping[str, object] | None = None,
    arguments: Mapping[str, object] | None = None,
) -> dict[str, tuple[str, list[str]]]:
    """
    Return TTIR and argument names of each configuration; one named "" where there are none.

    Either `signature` and `constexprs` are given or `arguments`, by name, to specialise for;
    `constexprs` and `arguments` may have a `num_warps`, on which layouts of Gluon depend.
    """
    function = jit_function(kernel)
    fixed = launch_options(function, {**(constexprs or {}), **(arguments or {})})
    tuned = {config_name(config): config for config in layers_of(kernel)[0]}
    heuristics = layers_of(kernel)[1]
    texts: dict[str, tuple[str, list[str]]] = {}
    for name, chosen in configurations(kernel).items():
        if arguments is not None:
            given = {**arguments, **chosen}
            for values in heuristics:
                given |= {key: heuristic(given) for key, heuristic in values.items()}
            specialization = specialize(kernel, given)
        else:
            if signature is None:
                raise UserError("a kernel needs a signature or arguments to be specialised for")
            check_signature(signature, function.arg_names)
            known = {k: v for k, v in (constexprs or {}).items() if k not in fixed} | chosen
            for values in heuristics:
                for key, heuristic in values.items():
                    if key not in known:
                        known[key] = _heuristic(key, heuristic, known)
            types = {k: v for k, v in signature.items() if k not in known}
            specialization = Specialization(types, known)
        names = argument_names(function, specialization)
        options = {**config_options(tuned[name]), **fixed} if name in tuned else fixed
        texts[name] = ttir_of(function, specialization, options), names
    return texts


def argument_names(function: Any, specialization: Specialization) -> list[str]:
    """
    Return the paths of the arguments that a kernel has in TTIR, in their order.

    TTIR itself calls an argument by the variable that it was last assigned to.
    """
    found: list[str] = []
    for name in function.arg_names:
        if name in specialization.signature:
            found += _paths(name, specialization.signature[name])
    return found


def _paths(name: str, type: object) -> list[str]:
    if isinstance(type, (tuple, list)):
        parts = list[object](type)  # pyright: ignore[reportUnknownArgumentType]
        return [p for k, part in enumerate(parts) for p in _paths(f"{name}[{k}]", part)]
    if isinstance(type, str) and type.startswith("tensordesc<"):
        rank = type.partition("[")[2].partition("]")[0].count(",") + 1
        fields = [f"{name}.{field}[{k}]" for field in ("shape", "stride") for k in range(rank)]
        return [name, *fields]
    return [] if type == "constexpr" else [name]


def _heuristic(key: str, function: Any, known: Mapping[str, object]) -> object:
    try:
        return function(known)
    except KeyError as error:
        raise UserError(
            f"the heuristic of '{key}' asks for {error}: give 'arguments' or the value itself"
        ) from error
