"""What arithmetic means, on NumPy, bit for bit: one truth for folding, ranges, interpreting."""

from xtriton.semantics.elements import Element, element
from xtriton.semantics.operations import OPERATIONS, fold, function

__all__ = ["OPERATIONS", "Element", "element", "fold", "function"]
