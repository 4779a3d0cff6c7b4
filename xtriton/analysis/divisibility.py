"""What the arguments of a kernel are promised to be multiples of."""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue


def divisor_of_argument(value: SSAValue) -> int:
    """Return the `tt.divisibility` of a function's argument: of a number, or of bytes."""
    if not isinstance(value, BlockArgument):
        return 1
    function = value.owner.parent_op()
    attributes = function.properties.get("arg_attrs") if function is not None else None
    if not isinstance(function, Operation) or not isinstance(attributes, ArrayAttr):
        return 1
    if value.owner is not function.regions[0]._first_block:
        return 1
    own = cast("ArrayAttr[Attribute]", attributes).data[value.index]
    found = own.data.get("tt.divisibility") if isinstance(own, DictionaryAttr) else None
    return found.value.data if isinstance(found, IntegerAttr) else 1
