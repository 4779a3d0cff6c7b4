"""
Members of a class, as an `Enum` has them, that are found as quickly as any attribute.

Python 3.11 asks the class of an `Enum` for each member, which takes five times as long, and who
works with formulas asks for kinds a thousand times a kernel. A member is equal to itself only.
"""

from enum import auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enum import Enum as Members
else:

    class Members:
        """Each `auto()` in the body of a class becomes a member; nobody makes any others."""

        def __init_subclass__(cls):
            for name, value in list(vars(cls).items()):
                if isinstance(value, auto):
                    member = object.__new__(cls)
                    member.name = name
                    setattr(cls, name, member)

        def __init__(self):
            raise TypeError(f"{type(self).__name__} has no other members")

        def __repr__(self):
            return f"{type(self).__name__}.{self.name}"

        def __reduce__(self):
            return getattr, (type(self), self.name)


__all__ = ["Members", "auto"]
