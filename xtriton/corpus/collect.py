"""
Keeps the kernels that a program compiles.

The program runs with fresh caches of Triton and of Inductor, in which Triton leaves each kernel
that it compiles, whatever process compiles it; what is new there is kept afterwards.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from xtriton.corpus.sources import LEVELS, Kernel, kernels_of
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context


def collect_from_program(command: Sequence[str], folder: Path) -> tuple[int, list[Path]]:
    """
    Run a program; return its exit code and the kernels that it compiled, written to `folder`.

    Raises `UserError` for a program that cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="xtriton-corpus-") as caches:
        environment = os.environ | {
            "TRITON_CACHE_DIR": str(Path(caches, "triton")),
            "TORCHINDUCTOR_CACHE_DIR": str(Path(caches, "inductor")),
            # What Inductor finds in a cache it does not compile.
            "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1",
        }
        try:
            code = subprocess.run(command, env=environment, check=False).returncode
        except OSError as error:
            raise UserError(f"'{command[0]}' cannot be run: {error.strerror}") from error
        return code, keep(kernels_of([caches]), folder)


def keep(kernels: Iterable[Kernel], folder: Path) -> list[Path]:
    """
    Write kernels that `folder` does not have yet; return the new files.

    Kernels that differ in locations only are the same. A name is made of the kernel's own, a
    digest, and its warps.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = {_digest(k.text, k.num_warps) for k in kernels_of([str(folder)])}
    new: list[Path] = []
    for kernel in kernels:
        digest = _digest(kernel.text, kernel.num_warps)
        if digest in known:
            continue
        known.add(digest)
        name = PurePosixPath(kernel.name)
        suffix = name.suffix if name.suffix in LEVELS else LEVELS[0]
        path = folder / f"{name.stem}.{digest[:12]}.w{kernel.num_warps}{suffix}"
        path.write_text(kernel.text)
        new.append(path)
    return new


def _digest(text: str, num_warps: int) -> str:
    # What cannot be read is told apart by its text.
    with suppress(UserError):
        text = print_module(parse_module(text, context(allow_unregistered=True)))
    return sha256(f"{num_warps}\n{text}".encode()).hexdigest()
