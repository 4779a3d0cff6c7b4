"""
PyTorch's question "what does this kernel read and write", answered by `xtriton.effects`.

    from xtriton.interop import torch as xtriton_torch

    xtriton_torch.install()          # torch.compile uses our answers from now on
    with xtriton_torch.installed():  # or for a while
        ...

`identify_accessed_tensors` (torch 2.12 and later) and `identify_mutated_tensors` (before) have
PyTorch's signatures and result types. TTIR comes from PyTorch's own `generate_ttir`, for each
configuration of an autotuner. A launch that must not go away although it writes no tensor that it
is given (a table of pointers, a print) is kept by naming a tensor as written: the table, or
else the first tensor.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from xtriton.analysis.effects import KernelEffects
from xtriton.effect_records import analyze_all
from xtriton.errors import UserError
from xtriton.interop.configurations import (
    argument_names,
    config_name,
    config_options,
    layers_of,
)
from xtriton.interop.triton import (
    is_gluon,
    launch_options,
    specialize,
    stub_driver,
    triton_module,
    ttir_of,
)

log = logging.getLogger(__name__)

WRAPPER = "torch._higher_order_ops.triton_kernel_wrap"

REMEMBERED = 512


@dataclass(frozen=True)
class Accesses:
    """Names of tensor arguments: what a launch may read, may write, and the records behind."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    can_fuse_epilogue: bool
    records: tuple[KernelEffects, ...] = ()


_remembered: OrderedDict[object, tuple[Accesses, Any]] = OrderedDict()
"""Answers, with the kernel that they are for: as long as it lives its identity is its own."""

_originals: dict[str, Any] = {}


def _wrapper() -> Any:
    try:
        return import_module(WRAPPER)
    except ImportError as error:
        raise UserError("this needs PyTorch: pip install torch") from error


def identify_accessed_tensors(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> Any:
    """Return PyTorch's `TensorAccesses` of a kernel for these arguments (torch 2.12, 2.13)."""
    found = accesses(kernel, kwargs, tma_descriptor_metadata)
    dependencies: Any = import_module("torch._inductor.dependencies")
    ordered_set: Any = import_module("torch.utils._ordered_set").OrderedSet
    reads = ordered_set(dependencies.StarDep(name) for name in found.reads)
    writes = ordered_set(dependencies.StarDep(name) for name in found.writes)
    both = dependencies.ReadWrites(reads=reads, writes=writes, index_exprs=ordered_set())
    return _wrapper().TensorAccesses(read_writes=both, can_fuse_epilogue=found.can_fuse_epilogue)


def identify_mutated_tensors(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> list[str]:
    """Return the names of the tensors that a launch may write (torch 2.9 to 2.11)."""
    return list(accesses(kernel, kwargs, tma_descriptor_metadata).writes)


def accesses(kernel: Any, kwargs: Mapping[str, Any], metadata: Any) -> Accesses:
    """
    Return what a launch may read and write, over all configurations of the kernel.

    Where no TTIR can be had, everything, with a warning.
    """
    key = _key(kernel, kwargs, metadata)
    if key is not None and key in _remembered:
        _remembered.move_to_end(key)
        return _remembered[key][0]
    try:
        found = _accesses(kernel, kwargs, metadata)
    except Exception as error:  # generate_ttir raises whatever Triton does
        log.warning(
            "xtriton: no TTIR of this kernel, so every tensor counts as read and written: %s",
            error,
            exc_info=log.isEnabledFor(logging.DEBUG),
        )
        tensors = tuple(name for name, value in kwargs.items() if is_tensor(value))
        return Accesses(tensors, tensors, False)
    if key is not None:
        _remembered[key] = found, kernel
        if len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return found


def _accesses(kernel: Any, kwargs: Mapping[str, Any], metadata: Any) -> Accesses:
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    order: list[str] = []
    records: list[KernelEffects] = []
    for function, given, options in _variants(kernel, kwargs):
        text, names = _ttir(function, given, metadata, options)
        record = _kernel_of(analyze_all(text), function)
        order = [n for n in dict.fromkeys(names) if is_tensor(given.get(n))]
        tensors = _tensors(record, names, order)
        for argument in record.arguments:
            name = tensors.get(argument.index)
            if name is None:
                continue
            if argument.read != "none":
                reads[name] = None
            if argument.write != "none":
                writes[name] = None
        if record.must_keep and not any(n in writes for n in order):
            writes.update(dict.fromkeys(_keepers(record, tensors, order)))
        records.append(record)
    return Accesses(
        tuple(n for n in order if n in reads),
        tuple(n for n in order if n in writes),
        all(_fusible(r) for r in records)
        and not any(r.must_keep for r in records)
        and not any(isinstance(value, (tuple, list)) for value in kwargs.values()),
        tuple(records),
    )


def _ttir(
    function: Any, given: Mapping[str, Any], metadata: Any, options: Mapping[str, object]
) -> tuple[str, list[str]]:
    """Return TTIR for some arguments, and the names of those that it has."""
    with _some_driver():
        tupled = any(isinstance(value, (tuple, list)) for value in given.values())
        if not tupled and not is_gluon(function):
            with _symbols_at_run_time(function, given):
                module, names = _wrapper().generate_ttir(function, dict(given), metadata)
            return str(module), list(names)
        # PyTorch's function names a tuple once, however many arguments it is in TTIR, and
        # knows no Gluon.
        known = {name: _stand_in(value) for name, value in given.items()}
        specialization = specialize(function, known)
        names = argument_names(function, specialization)
        text = ttir_of(function, specialization, options)
        return text, [name.partition("[")[0] for name in names]


@contextmanager
def _some_driver() -> Generator[None]:
    """Let PyTorch's `generate_ttir`, which asks Triton for a GPU's driver, find one."""
    driver = triton_module("runtime.driver").driver
    try:
        driver.active.get_current_target()
    except Exception:  # whatever a machine without a driver makes of the question
        with stub_driver():
            yield
    else:
        yield


def _stand_in(value: Any) -> Any:
    """Return what Triton specialises for in place of fake tensors and symbolic numbers."""
    if isinstance(value, (tuple, list)):
        return tuple(map(_stand_in, value))  # pyright: ignore[reportUnknownArgumentType]
    if is_tensor(value):
        torch: Any = import_module("torch")
        with torch._C._DisableTorchDispatch():
            return torch.empty(2, dtype=value.dtype)
    return 2 if _is_symbolic(value) else value


def _tensors(record: KernelEffects, names: list[str], order: list[str]) -> dict[int, str]:
    """
    Return the tensors by the position of their argument in TTIR.

    PyTorch names all arguments since 2.12 and before only those that are tensors.
    """
    if len(names) == len(record.scalars):
        return {k: name for k, name in enumerate(names) if name in order}
    pointers = [a.index for a in record.arguments if a.kind in ("pointer", "descriptor")]
    pointers = list(dict.fromkeys(pointers))
    if len(pointers) != len(order):
        raise UserError(f"TTIR has {len(pointers)} pointers, the launch {len(order)} tensors")
    return dict(zip(pointers, order, strict=True))


@contextmanager
def _symbols_at_run_time(function: Any, given: Mapping[str, Any]) -> Generator[None]:
    """
    Let symbolic numbers stay arguments of TTIR.

    PyTorch before 2.12 makes each scalar a constant of the kernel, a symbolic one the number 2,
    so that branches which other numbers take would be gone.
    """
    symbols = {name for name, value in given.items() if _is_symbolic(value)}
    if not symbols or not hasattr(_wrapper(), "identify_mutated_tensors"):
        yield
        return
    compiler: Any = import_module("triton.compiler.compiler")
    original = compiler.ASTSource

    def source(fn: Any, signature: Any, constexprs: Any = None, attrs: Any = None) -> Any:
        given_constants: dict[str, Any] = constexprs or {}
        known = {k: v for k, v in given_constants.items() if k not in symbols}
        return original(fn, signature, known, attrs)

    symbols -= {p.name for p in function.params if p.is_constexpr}
    compiler.ASTSource = source
    try:
        yield
    finally:
        compiler.ASTSource = original


def _is_symbolic(value: object) -> bool:
    names = {c.__name__ for c in type(value).__mro__}
    if names & {"SymInt", "SymFloat", "SymBool"}:
        return True
    return "Expr" in names and type(value).__module__.startswith("sympy")


def _keepers(record: KernelEffects, tensors: Mapping[int, str], order: list[str]) -> list[str]:
    """Return the tensors to name as written so that a launch is kept."""
    tables = [tensors[a.index] for a in record.indirect if a.write != "none" and a.index in tensors]
    return tables or order[:1]


def _kernel_of(records: Mapping[str, KernelEffects], function: Any) -> KernelEffects:
    name = getattr(getattr(function, "fn", function), "__name__", "")
    for kernel, record in records.items():
        if name and name in kernel:
            return record
    return next(iter(records.values()))


def _variants(
    kernel: Any, kwargs: Mapping[str, Any]
) -> Iterator[tuple[Any, dict[str, Any], dict[str, object]]]:
    """Yield the `JITFunction` with arguments and options of each configuration, each set once."""
    configs, heuristics = layers_of(kernel)
    function = kernel
    while type(function).__name__ != "JITFunction" and hasattr(function, "fn"):
        inner = function.fn
        if not hasattr(inner, "fn") and type(inner).__name__ == "function":
            break
        function = inner
    seen: set[str] = set()
    for config in configs or [None]:
        given = dict(kwargs)
        options = launch_options(function, given) if is_gluon(function) else {}
        if config is not None:
            if is_gluon(function):
                options = config_options(config) | options
            if (name := repr((sorted(config.kwargs.items(), key=repr), options))) in seen:
                continue
            seen.add(name)
            given |= config.kwargs
            log.debug("xtriton: configuration %s", config_name(config))
        for values in heuristics:
            given |= {key: value(given) for key, value in values.items()}
        yield function, given, options


def _fusible(record: KernelEffects) -> bool:
    """Tell whether the kernel stores one tensor, once, without reading it."""
    written = [a for a in record.arguments if a.write != "none"]
    if len(written) != 1 or not record.complete or written[0].read != "none":
        return False
    stores = [x for x in written[0].accesses if x.writes]
    return len(stores) == 1 and stores[0].kind == "write" and len(written[0].accesses) == 1


def is_tensor(value: object) -> bool:
    """Tell whether a value is a tensor, what stands for one in Inductor, or a tuple with one."""
    if isinstance(value, (tuple, list)):
        return any(map(is_tensor, value))  # pyright: ignore[reportUnknownArgumentType]
    return any(c.__name__ in ("Tensor", "TensorBox") for c in type(value).__mro__)


def _key(kernel: Any, kwargs: Mapping[str, Any], metadata: Any) -> object | None:
    """Return what the TTIR depends on, None where that cannot be told."""
    parts: list[object] = [id(kernel), _source_key(kernel), repr(metadata)]
    for name, value in kwargs.items():
        if isinstance(value, (tuple, list)):
            return None
        if is_tensor(value):
            dtype = getattr(value, "dtype", None)
            if dtype is None:
                return None
            # only of a real tensor does the address matter
            real = type(value).__name__ in ("Tensor", "Parameter") and value.data_ptr() % 16
            parts.append((name, "tensor", str(dtype), real))
        elif value is None or isinstance(value, (bool, int, float, str)):
            parts.append((name, type(value).__name__, value))
        elif type(value).__name__ in ("SymInt", "SymFloat", "SymBool"):
            parts.append((name, type(value).__name__))
        else:
            return None
    return tuple(parts)


def _source_key(kernel: Any) -> object:
    function = kernel
    while function is not None and not hasattr(function, "cache_key"):
        function = getattr(function, "fn", None)
    return getattr(function, "cache_key", None)


# --- installing -----------------------------------------------------------------------


def install() -> None:
    """Let PyTorch use these functions; twice is once."""
    wrapper = _wrapper()
    replacements: dict[str, Callable[..., Any]] = {
        "identify_accessed_tensors": identify_accessed_tensors,
        "identify_mutated_tensors": identify_mutated_tensors,
    }
    there = [name for name in replacements if hasattr(wrapper, name)]
    if not there:
        raise UserError("this PyTorch has neither of the functions that xtriton replaces")
    for name in there:
        if name not in _originals:
            _originals[name] = getattr(wrapper, name)
            setattr(wrapper, name, replacements[name])


def uninstall() -> None:
    """Give PyTorch its own functions back."""
    wrapper = _wrapper()
    for name, original in _originals.items():
        setattr(wrapper, name, original)
    _originals.clear()


@contextmanager
def installed() -> Generator[None]:
    """Let PyTorch use these functions inside the context."""
    before = bool(_originals)
    install()
    try:
        yield
    finally:
        if not before:
            uninstall()
