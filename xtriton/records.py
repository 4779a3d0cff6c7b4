"""
Records: dataclasses whose fields nobody sets anew, made as quickly as those that anybody may.

A frozen dataclass sets each field of a new object by a call that checks who sets it, which takes
three times as long, and analyses make dozens of records for each op that they look at. Type
checkers hold records to be frozen; they are compared and hashed by their fields.
"""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

RecordT = TypeVar("RecordT")


@dataclass_transform(frozen_default=True)
def record(cls: type[RecordT]) -> type[RecordT]:
    """Make a record of the fields that a class names."""
    return dataclass(unsafe_hash=True)(cls)


@dataclass_transform(frozen_default=True)
def slotted_record(cls: type[RecordT]) -> type[RecordT]:
    """Make a record that has no room for anything but its fields."""
    return dataclass(unsafe_hash=True, slots=True)(cls)
