"""Finding the folds and patterns of an op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import ClassVar

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Commutative, HasCanonicalizationPatternsTrait, HasFolder

from xtriton.dialects.tt.hooks import Folds
from xtriton.ir.op_facts import class_has
from xtriton.passes.rewriting import LatePatterns, PatternGroup
from xtriton.transforms.cleanup.canonicalization.where import OWN_FOLDS, at
from xtriton.transforms.cleanup.constants import Constant

Folded = SSAValue | Attribute
Fold = Callable[[Operation, Sequence[Constant | None]], Folded | None]
"""
Gives what the only result of an op is: a value that exists, or a constant of its type.

The second argument holds the operands' constants. None means that nothing is known.
"""

UPSTREAM = ("arith", "cf", "scf")
"""Upstream dialects that have a module here."""


@cache
def mirror_of(op_type: type[Operation]) -> Callable[[Operation], None] | None:
    """Return what keeps the meaning of ops when two operands are exchanged; None if nothing."""
    if class_has(op_type, Commutative):
        return _keep
    return getattr(_tables(op_type), "MIRRORS", {}).get(op_type.name)


def _keep(op: Operation) -> None:
    """Leave a commutative op as it is."""


@cache
def fold_of(op_type: type[Operation]) -> Fold | None:
    """Return the fold of an op class, if it has one."""
    tables = _tables(op_type)
    if tables is not None:
        return getattr(tables, "FOLDS", {}).get(op_type.name)
    trait = op_type.get_trait(HasFolder)
    if trait is None or _is_xdsls(type(trait)):
        return None
    # Folds are tried on each op time and again: one call less.
    find = getattr(op_type, "fold") if type(trait) is Folds else trait.fold  # noqa: B009

    def fold(op: Operation, constants: Sequence[Constant | None]) -> Folded | None:
        results = find(op)
        return None if results is None else results[0]

    where = OWN_FOLDS.get(op_type.name)
    return fold if where is None else at(where)(fold)


def reads_constants(op_type: type[Operation]) -> bool:
    """Return whether the fold of an op class looks at what its operands' constants are."""
    return _tables(op_type) is not None


@cache
def patterns_of(op_type: type[Operation]) -> tuple[RewritePattern, ...]:
    """Return the canonicalization patterns of an op class."""
    tables = _tables(op_type)
    if tables is not None:
        return tuple(
            pattern
            for pattern in tables.PATTERNS
            if issubclass(op_type, getattr(pattern, "op_types", Operation))
        )
    own = tuple(
        pattern
        for trait in op_type.get_traits_of_type(HasCanonicalizationPatternsTrait)
        if not _is_xdsls(type(trait))
        for pattern in trait.get_patterns(op_type)
    )
    return (*own, *_CONVERSIONS.patterns_for(op_type))


def _tables(op_type: type[Operation]) -> ModuleType | None:
    dialect = op_type.name.partition(".")[0]
    return import_module(f"{__package__}.{dialect}") if dialect in UPSTREAM else None


def _is_xdsls(cls: type) -> bool:
    return cls.__module__.startswith("xdsl.")


class _OwnPatterns(PatternGroup):
    """The patterns of an op's own class."""

    def patterns_for(self, op_type: type[Operation]) -> Sequence[RewritePattern]:
        return patterns_of(op_type)


class ConversionPatterns(LatePatterns):
    """The patterns of conversions, and of ops that take operands in another layout."""

    HOMES: ClassVar = {
        **dict.fromkeys(
            ("tt.gather", "tt.histogram", "tt.reshape", "tt.split", "tt.trans"),
            f"{__package__}.ttg",
        ),
        **dict.fromkeys(
            ("ttg.convert_layout", "ttg.local_alloc", "ttg.local_store"), f"{__package__}.ttg"
        ),
        "ttng.tmem_store": f"{__package__}.ttng",
    }


OWN_PATTERNS = (_OwnPatterns(),)

_CONVERSIONS = ConversionPatterns()

CONVERSION_PATTERNS = (_CONVERSIONS,)
"""All that move conversions; upstream counts them as those of the conversion."""
