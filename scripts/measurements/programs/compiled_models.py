"""
`torch.compile` of a model on Triton's backend for the CPU, forward and backward, against eager.

    python -m measurements.programs.compiled_models NAME

prints the largest difference of the result and of the gradients, relative to the largest value of
each.
"""

from __future__ import annotations

import copy
import sys
from typing import Any

import torch
import torch._inductor.config

from measurements.programs.models import models


def main(name: str) -> None:
    """Compile, run and compare."""
    torch._inductor.config.cpu_backend = "triton"
    model, x = models()[name]
    plain = copy.deepcopy(model)
    expected = plain(x)
    expected.square().sum().backward()
    compiler: Any = torch
    result = compiler.compile(model)(x)
    result.square().sum().backward()
    pairs: dict[str, Any] = {"result": (result, expected)}
    for (parameter, found), (_, wanted) in zip(
        model.named_parameters(), plain.named_parameters(), strict=True
    ):
        pairs[parameter] = found.grad, wanted.grad
    largest, where = max(
        (((a - b).abs().max() / b.abs().max().clamp(min=1e-8)).item(), n)
        for n, (a, b) in pairs.items()
    )
    print(f"{name}: {len(pairs)} tensors, largest difference {largest:.2g}, of {where}")


if __name__ == "__main__":
    main(sys.argv[1])
