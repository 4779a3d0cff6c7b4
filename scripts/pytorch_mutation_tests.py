"""
Run PyTorch's own tests of what a kernel mutates, with xtriton's answers in place of PyTorch's.

    python scripts/pytorch_mutation_tests.py test/inductor/test_triton_kernels.py [--theirs]

The file is that of a PyTorch checkout and runs as it is: its class `MutationTests` asks for the
accesses of some 35 kernels and looks at names only, so it needs no GPU, only one by name. Tests
that launch a kernel are left out. `--theirs` asks PyTorch itself. The Triton is the one that is
installed; for another, name its folder in PYTHONPATH. Exit code 1 if a test fails that is not
among the documented differences.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import types
import unittest
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console

DOCUMENTED = {
    "test_mutations_inline_asm_kernel_is_pure_false": (
        "impure assembly without an instruction on memory writes no tensor; the launch is kept"
    ),
}
"""Where xtriton means to answer something else (docs/effects.md)."""

NEED_A_GPU = frozenset(("test_triton_kernel_inference_mode",))
"""Tests of the class that launch a kernel."""


class Driver:
    """Stands for a GPU: only its name is asked."""

    def get_current_target(self) -> Any:
        """Return the target that TTIR is made for."""
        from triton.backends.compiler import GPUTarget

        return GPUTarget("cuda", 90, 32)

    def get_current_device(self) -> int:
        """Return the number of the only device."""
        return 0

    def get_current_stream(self, device: int) -> int:
        """Return the number of the only stream."""
        return 0

    def get_active_torch_device(self) -> Any:
        """Return where tensors live."""
        import torch

        return torch.device("cpu")

    def get_benchmarker(self) -> None:
        """Return nothing: nothing is timed (Triton up to 3.3 asks for it)."""


class Recorder(unittest.TestResult):
    """Remembers how each test ended."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: dict[str, tuple[str, str]] = {}

    def addSuccess(self, test: unittest.TestCase) -> None:
        """Note that a test passed."""
        self._note(test, "passed", "")

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        """Note that a test failed."""
        self._note(test, "failed", str(err[1]).partition("\n")[0])

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        """Note that a test ended with an exception, which is a failure."""
        self._note(test, "failed", f"{type(err[1]).__name__}: {err[1]}".partition("\n")[0])

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """Note that the class itself skips a test."""
        self._note(test, "skipped", reason)

    def _note(self, test: unittest.TestCase, end: str, why: str) -> None:
        self.ends[test.id().rpartition(".")[2]] = end, why


def main() -> int:
    """Run the class and say how each test ended."""
    parser = argparse.ArgumentParser(description="PyTorch's MutationTests with our answers.")
    parser.add_argument("file", type=Path, help="test/inductor/test_triton_kernels.py")
    parser.add_argument("--theirs", action="store_true", help="ask PyTorch itself")
    parser.add_argument("--unskip", action="store_true", help="run what the class skips, too")
    parser.add_argument("--json", action="store_true", help="print the ends as JSON")
    arguments = parser.parse_args()
    ends = run(arguments.file, theirs=arguments.theirs, unskip=arguments.unskip)
    if arguments.json:
        print(json.dumps(ends))
    else:
        report(ends)
    return int(any(e == "failed" and name not in DOCUMENTED for name, (e, _) in ends.items()))


def run(file: Path, *, theirs: bool = False, unskip: bool = False) -> dict[str, tuple[str, str]]:
    """Return how each test of the class ended ("passed", "failed", "skipped"), and why."""
    pretend_gpu()
    module = load(file)
    from xtriton.interop import torch as ours

    if unskip:
        take_back_skips(module.MutationTests)
    suite = unittest.TestSuite(
        test for test in tests_of(module.MutationTests) if _name(test) not in NEED_A_GPU
    )
    recorder = Recorder()
    with nullcontext() if theirs else ours.installed():
        suite.run(recorder)
    return recorder.ends


def tests_of(case: type[unittest.TestCase]) -> Iterator[unittest.TestCase]:
    """Yield the tests of a class."""
    for name in unittest.defaultTestLoader.getTestCaseNames(case):
        yield case(name)


def take_back_skips(case: type[unittest.TestCase]) -> None:
    """Let tests run that are skipped for another reason than what they require."""
    for name, test in list(vars(case).items()):
        if "requires" not in getattr(test, "__unittest_skip_why__", "requires"):
            setattr(case, name, test.__wrapped__)


def _name(test: unittest.TestCase) -> str:
    return test.id().rpartition(".")[2]


def pretend_gpu() -> None:
    """Let PyTorch and Triton believe that there is a GPU, whose name is all that is asked."""
    import triton

    triton.runtime.driver.set_active(Driver())  # pyright: ignore[reportArgumentType]
    sys.modules.setdefault("expecttest", _stub("expecttest", TestCase=unittest.TestCase))
    import torch.utils._triton as utils

    patched: Any = utils
    patched.has_triton = lambda: True
    patched._device_supports_tma = lambda: True
    import torch.testing._internal.inductor_utils as flags

    patched = flags
    patched.HAS_CUDA_AND_TRITON = patched.HAS_GPU = patched.HAS_GPU_AND_TRITON = True
    patched.GPU_TYPE = "cuda"


def _stub(name: str, **members: object) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(members)
    return module


def load(file: Path) -> Any:
    """Return the test file as a module."""
    specification = importlib.util.spec_from_file_location("pytorch_test_triton_kernels", file)
    if specification is None or specification.loader is None:
        raise SystemExit(f"error: {file} is no Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


def report(ends: dict[str, tuple[str, str]]) -> None:
    """Print what did not pass, and the counts."""
    import torch
    import triton

    console = Console(soft_wrap=True, highlight=False)
    for name, (end, why) in sorted(ends.items()):
        known = DOCUMENTED.get(name) if end == "failed" else None
        if end != "passed":
            console.print(f"{name}: {end}: {why}" + (f" (documented: {known})" if known else ""))
    counts = {e: sum(end == e for end, _ in ends.values()) for e in ("passed", "failed", "skipped")}
    said = ", ".join(f"{n} {e}" for e, n in counts.items())
    console.print(f"{said} with torch {torch.__version__}, Triton {triton.__version__}")


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # libtriton prints a long list of leaks otherwise
