"""
Triton's releases as syntaxes: one IR in memory, many texts.

A `Version` is a release of Triton, `(3, 6)` for 3.6. The parser accepts the text of every
release; the printer writes the text of one. Which release a module was read from is
remembered beside the module, so that output never depends on what is installed.
"""

import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar
from weakref import WeakKeyDictionary

from xdsl.ir import Operation

from xtriton.errors import UserError

Version = tuple[int, int]
OpT = TypeVar("OpT", bound=Operation)

OLDEST: Version = (3, 1)
NEWEST: Version = (3, 9)

FIRST_VERSION_OF_NAMES_FROM_LOCATIONS: Version = (3, 5)
"""From here on Triton names values as their name locations say, when it prints these."""

RENAMED_DIALECTS = {
    "triton_gpu": "ttg",
    "triton_nvidia_gpu": "ttng",
    "triton_intel_gpu": "ttig",
}
"""Dialect names of early releases and what later ones call them."""

OLD_DIALECT_NAMES_UNTIL: dict[str, Version] = {
    "triton_gpu": (3, 2),
    "triton_nvidia_gpu": (3, 2),
    "triton_intel_gpu": (3, 3),
}
"""The last release with the old name of a dialect."""


def dialect_names(version: Version) -> dict[str, str]:
    """Return what `version` calls the dialects that it does not call as today."""
    return {
        new: old for old, new in RENAMED_DIALECTS.items() if version <= OLD_DIALECT_NAMES_UNTIL[old]
    }


MLIR_RELEASES: dict[int, Version] = {19: (3, 1), 20: (3, 3), 21: (3, 4), 22: (3, 6)}
"""For each release of LLVM, a release of Triton whose MLIR has the same syntax."""


_NUMBER = re.compile(r"\d{1,4}", re.ASCII)


def parse_mlir_version(text: str) -> Version:
    """Return the release of Triton whose MLIR is release `text` of LLVM, such as "19"."""
    release = MLIR_RELEASES.get(int(text)) if _NUMBER.fullmatch(text) else None
    if release is None:
        known = ", ".join(map(str, MLIR_RELEASES))
        raise UserError(f"cannot write for MLIR '{text}', expected one of {known}")
    return release


_versions_read: WeakKeyDictionary[Operation, Version] = WeakKeyDictionary()


def parse_version(text: str) -> Version:
    """Return the version that `text` names, such as "3.6"; raise `UserError` if none."""
    parts = text.split(".")
    if len(parts) in (2, 3) and all(map(_NUMBER.fullmatch, parts)):
        version = (int(parts[0]), int(parts[1]))
        if OLDEST <= version <= NEWEST:
            return version
    raise UserError(
        f"unknown Triton version '{text}', expected one of "
        + ", ".join(f"3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1))
    )


def version_text(version: Version) -> str:
    """Return a version as users write it."""
    return ".".join(map(str, version))


def version_read(module: Operation) -> Version:
    """Return the newest release in whose syntax `module` was read, `NEWEST` if it was made."""
    return _versions_read.get(module, NEWEST)


def remember_version(module: Operation, version: Version) -> None:
    """Record that `module` was read from the syntax of `version`."""
    _versions_read[module] = version


def copied(module: OpT) -> OpT:
    """Return a copy of `module`, read in the syntax that `module` was read in."""
    copy = module.clone()
    if module in _versions_read:
        remember_version(copy, _versions_read[module])
    return copy


_release: ContextVar[Version] = ContextVar("release", default=NEWEST)


def release() -> Version:
    """Return the release whose rules hold; verifiers ask where the rules have changed."""
    return _release.get()


LAST_RELEASE_OF_EARLY_RULES: Version = (3, 4)
"""Since then layouts, descriptors and memory are checked much more strictly."""


def early_rules() -> bool:
    """Return whether the rules of Triton 3.1 to 3.4 hold."""
    return release() <= LAST_RELEASE_OF_EARLY_RULES


@contextmanager
def rules_of(version: Version) -> Generator[None]:
    """Read and verify by the rules of `version`, instead of those of the newest release."""
    token = _release.set(version)
    try:
        yield
    finally:
        _release.reset(token)
