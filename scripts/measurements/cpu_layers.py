"""
Are kernels that Inductor writes for Triton as fast natively as those that it writes in C++?

`torch.compile` compiles each function of `programs.layers`, `other_layers`, `training_layers` and
`varied_layers` twice, with `cpu_backend` set to "triton" and to "cpp", which takes a C++ compiler.
The kernels of both are repeated without the Python around them, and the function in eager torch as
it is called, in turns on one thread, in CPU time; the best of each is kept. An op that Inductor
leaves to torch counts if it does so for one of both alone; where there is no C++ at all, there is
nothing to compare with. `XTRITON_LAYERS` is a regular expression for the names of those to measure.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from measurements.figures import Bar, Figure, progress
from measurements.programs import recorded

TURNS = 7
SECONDS = 0.01
"""That each is repeated for in a turn."""


def measure(data: Path) -> Iterator[Figure]:
    """Yield how fast each is beside C++ and eager torch, and the means of all."""
    os.environ["TRITON_DEFAULT_BACKEND"] = "cpu"
    import torch

    from xtriton.cpu.threads import limited_threads

    torch.set_num_threads(1)
    layers: Any = import_module("measurements.programs.layers")
    others: Any = import_module("measurements.programs.other_layers")
    training: Any = import_module("measurements.programs.training_layers")
    varied: Any = import_module("measurements.programs.varied_layers")
    wanted = re.compile(os.environ.get("XTRITON_LAYERS", ""))
    every = (
        *layers.layers(),
        *others.other_layers(),
        *training.training_layers(),
        *varied.varied_layers(),
    )
    chosen = [layer for layer in every if wanted.search(layer.name)]
    if not chosen:
        raise SystemExit(f"error: no layer is called '{wanted.pattern}'")
    beside: dict[str, list[float]] = {"cpp": [], "eager": []}
    launches = 0
    for layer in progress(chosen, "layers"):
        with limited_threads(1):
            calls, count = _calls(layer)
            seconds = _timed(calls)
        launches += count
        ours = seconds.pop("triton")
        for name, peer in seconds.items():
            beside[name].append(peer / ours)
        note = f"{ours * 1e6:.0f} µs, {beside['eager'][-1]:.2f} beside eager"
        if "cpp" in seconds:
            yield Figure(layer.name, beside["cpp"][-1], "x", 0.6, Bar.AT_LEAST, note)
        else:
            yield Figure(layer.name, beside["eager"][-1], "x", 0.6, Bar.AT_LEAST, "beside eager")
    yield Figure("kernels", launches, "", 100, Bar.AT_LEAST)
    for name, least in (("cpp", 0.9), ("eager", 1.0)):
        if found := beside[name]:
            yield Figure(f"beside {name}, geometric mean", geometric_mean(found), "x", least)


def _calls(layer: Any) -> tuple[dict[str, Callable[[], object]], int]:
    """Return what runs a layer each way, and how many Triton kernels it is."""
    ours = recorded.launches(_compiled(layer, "triton"))
    theirs = recorded.functions(_compiled(layer, "cpp"))
    calls = {
        "triton": recorded.repeated(ours.beyond(theirs)),
        "eager": _call(layer, layer.function),
    }
    if theirs.kernels:
        calls["cpp"] = recorded.repeated(theirs.beyond(ours))
    return calls, len(ours.kernels)


def _compare(layer: Any, found: Any) -> None:
    """Raise `AssertionError` if a result is not that of eager torch in f32."""
    import torch

    wide = [x.float() if x.is_floating_point() else x for x in layer.inputs]
    expected = layer.function(*wide)
    tolerance = 2e-2 if found.dtype == torch.bfloat16 else 1e-3
    torch.testing.assert_close(
        found.to(expected.dtype), expected, rtol=tolerance, atol=tolerance, equal_nan=True
    )


def _call(layer: Any, function: Callable[..., Any]) -> Callable[[], object]:
    """Return what runs a function on the inputs of a layer, and backward if it says so."""
    if not layer.backward:
        return lambda: function(*layer.inputs)
    import torch

    upstream = torch.ones_like(layer.function(*layer.inputs))
    inputs = [x for x in layer.inputs if x.requires_grad]
    gradient: Any = torch.autograd.grad
    return lambda: gradient(function(*layer.inputs), inputs, upstream)


def _compiled(layer: Any, backend: str) -> Callable[[], object]:
    """Return a layer compiled for a backend, once it has run and was right."""
    import torch
    import torch._inductor.config

    def fresh(*inputs: Any) -> Any:
        return layer.function(*inputs)

    # What is compiled is kept by the code object, whatever the backend.
    fresh.__code__ = fresh.__code__.replace(co_name=backend)
    compiler: Any = torch
    compiled = compiler.compile(fresh, dynamic=False)
    call = _call(layer, compiled)
    config: Any = torch._inductor.config
    with config.patch(cpu_backend=backend):
        _compare(layer, compiled(*layer.inputs))
        call()
    return call


def _timed(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the seconds of CPU that each call takes, the best of its turns."""
    best = {name: float("inf") for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            best[name] = min(best[name], _seconds(call))
    return best


def _seconds(call: Callable[[], object]) -> float:
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        call()
        count += 1
    return spent / count
