"""Compiling a kernel once more, in bands, as Triton compiles and caches any other."""

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from importlib import import_module
from typing import Any

from xtriton.errors import UserError
from xtriton.interop.cpu_backend.compiler import RECORD, CpuOptions


def compiling_bands(source: Any, metadata: Any) -> Callable[[int], tuple[Any, int] | None] | None:
    """
    Return what compiles the kernel in so many bands and returns its function and its arena's size.

    None where a stage is not made from the source: in bands it would be another kernel.
    """
    knobs = import_module("triton.knobs").compilation
    is_overridden = metadata.ir_override is not None or knobs.override
    if metadata.xtriton_bands > 1 or is_overridden or not hasattr(source, "fn"):
        return None
    return partial(_compiled, source, metadata)


def _compiled(source: Any, metadata: Any, bands: int) -> tuple[Any, int] | None:
    given = {field.name: getattr(metadata, field.name) for field in fields(CpuOptions)}
    compiler = import_module("triton.compiler")
    not_split = import_module("xtriton.transforms.triton.bands.order").NotSplit
    try:
        kernel = compiler.compile(source, metadata.target, {**given, "xtriton_bands": bands})
    except (not_split, UserError):
        # Whatever bands cannot be compiled for, whole programs were.
        return None
    load = import_module("xtriton.interop.cpu_backend.loading").load
    return load(kernel.name, kernel.kernel), getattr(kernel.metadata, RECORD)["arena_bytes"]
