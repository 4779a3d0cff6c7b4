"""Traits that find an op's folder and its canonicalization patterns when asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import HasCanonicalizationPatternsTrait, HasFolder

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern


class Folds(HasFolder):
    """The op has a method `fold`, which returns a value for each result, or None."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        return op.fold()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]


@dataclass(frozen=True)
class Canonicalizes(HasCanonicalizationPatternsTrait):
    """
    The op has canonicalization patterns: those in the tuple that `patterns` names.

    `patterns` is "package.module:NAME". It is imported at the first use, so that a dialect
    does not load the passes.
    """

    patterns: str

    def get_patterns(self, op: type[Operation]) -> tuple["RewritePattern", ...]:
        module, _, name = self.patterns.partition(":")
        return getattr(import_module(module), name)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple["RewritePattern", ...]:
        raise NotImplementedError("the patterns depend on the op")
