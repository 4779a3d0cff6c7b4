# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
"""
Arrays that know which of their lanes are undefined.

A run that follows what is undefined computes with them. They pass through NumPy: what
computes gives lanes that are undefined where an operand's is, what moves lanes moves the
knowledge too. To ask for a decision on an undefined lane is `UndefinedBehaviour`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from xtriton.semantics.elements import Array


class UndefinedBehaviour(Exception):
    """A decision or an address depends on an undefined value: the kernel may do anything."""


_FIRST_MOVES = frozenset(
    ("broadcast_to", "expand_dims", "flip", "moveaxis", "ravel", "repeat", "reshape", "roll",
     "squeeze", "swapaxes", "take", "take_along_axis", "tile", "transpose")
)  # fmt: skip
"""Functions of NumPy that move the lanes of their first argument."""

_SEQUENCE_MOVES = frozenset(("concatenate", "stack"))
_DECIDED_BY: dict[Any, int] = {np.bitwise_and: 0, np.multiply: 0, np.bitwise_or: -1}
"""What an integer operand has to be for the result to be that, whatever the other one is."""


class Partial(np.ndarray[Any, Any]):
    """Values of which the lanes in `undefined`, of the same shape, stand for anything."""

    undefined: Array

    def __array_finalize__(self, obj: Any) -> None:
        """Start with all lanes defined: whoever makes one says which are not."""
        self.undefined = np.zeros(self.shape, np.bool_)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Compute on the values; a lane of the result is undefined if one of an operand is."""
        values = [defined(x) for x in inputs]
        if "out" in kwargs:
            kwargs["out"] = tuple(defined(x) for x in kwargs["out"])
        result = getattr(ufunc, method)(*values, **kwargs)
        if method in ("reduce", "accumulate"):
            axes = {k: v for k, v in kwargs.items() if k in ("axis", "keepdims")}
            return partial(result, getattr(np.logical_or, method)(lanes(inputs[0]), **axes))
        if method != "__call__":
            return partial(result, any(lanes(x).any() for x in inputs))
        if ufunc is np.matmul:
            left, right = (lanes(x).astype(np.float32) for x in inputs)
            ones = [np.ones(np.shape(x)[-2:], np.float32) for x in inputs]
            return partial(result, (left @ ones[1] + ones[0] @ right) > 0)
        mask = either(ufunc, inputs)
        if isinstance(result, tuple):
            return tuple(partial(r, mask) for r in result)
        return partial(result, mask)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Move undefined lanes as values are moved; of other functions all may be undefined."""
        result = func(*_plain(args), **_plain(kwargs))
        name = func.__name__
        if name == "where" and len(args) == 3:
            chosen = np.where(defined(args[0]), lanes(args[1]), lanes(args[2]))
            return partial(result, chosen | lanes(args[0]))
        if name in _FIRST_MOVES:
            return partial(result, func(lanes(args[0]), *_plain(args[1:]), **_plain(kwargs)))
        if name in _SEQUENCE_MOVES:
            masks = [lanes(x) for x in args[0]]
            return partial(result, func(masks, *args[1:], **kwargs))
        if name == "broadcast_arrays":
            shape = np.shape(result[0])
            masks = [np.broadcast_to(lanes(x), shape) for x in args]
            return tuple(partial(r, m) for r, m in zip(result, masks, strict=True))
        if isinstance(result, (np.ndarray, np.generic)):
            return partial(result, True)
        return result

    def _moved(self, move: Callable[[Array], Any]) -> Any:
        return partial(move(defined(self)), move(self.undefined))

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        return partial(defined(self).astype(dtype, *args, **kwargs), self.undefined)

    def view(self, *args: Any, **kwargs: Any) -> Any:
        result = defined(self).view(*args, **kwargs)
        return partial(result, self.undefined if result.shape == self.shape else True)

    def copy(self, *args: Any, **kwargs: Any) -> Any:
        return self._moved(np.copy)

    def reshape(self, *args: Any, **kwargs: Any) -> Any:
        return self._moved(lambda x: x.reshape(*args, **kwargs))

    def transpose(self, *args: Any) -> Any:
        return self._moved(lambda x: x.transpose(*args))

    def take(self, indices: Any, *args: Any, **kwargs: Any) -> Any:
        return self._moved(lambda x: x.take(defined(indices), *args, **kwargs))

    def __getitem__(self, key: Any) -> Any:
        return self._moved(lambda x: x[_plain(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        defined(self)[key] = defined(value)
        self.undefined[key] = lanes(value)

    def _decision(self) -> Array:
        if self.undefined.any():
            raise UndefinedBehaviour
        return defined(self)

    def __bool__(self) -> bool:
        return bool(self._decision())

    def __int__(self) -> int:
        return int(self._decision())

    def __index__(self) -> int:
        return int(self._decision())

    def __float__(self) -> float:
        return float(self._decision())

    def item(self, *args: Any) -> Any:
        return self._decision().item(*args)

    def any(self, *args: Any, **kwargs: Any) -> Any:
        return self._decision().any(*args, **kwargs)

    def all(self, *args: Any, **kwargs: Any) -> Any:
        return self._decision().all(*args, **kwargs)


def partial(values: Any, undefined: Any) -> Any:
    """Return `values` with the lanes in `undefined`, which broadcasts, marked; see `Partial`."""
    undefined = np.asarray(undefined)
    if not undefined.any():
        return values
    values, undefined = np.broadcast_arrays(defined(values), undefined)
    made: Any = np.array(values).view(Partial)
    made.undefined = np.array(undefined)
    return made


def defined(x: Any) -> Any:
    """Return the values of `x`, whatever they stand for."""
    return np.ndarray.view(x, np.ndarray) if isinstance(x, Partial) else x


def lanes(x: Any) -> Array:
    """Return which lanes of a value are undefined."""
    return x.undefined if isinstance(x, Partial) else np.zeros(np.shape(x), np.bool_)


def is_undefined(x: Any) -> bool:
    """Whether some lane of a value is undefined."""
    return isinstance(x, Partial) and bool(x.undefined.any())


def _plain(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(_plain(one) for one in x)
    if isinstance(x, dict):
        return {key: _plain(one) for key, one in x.items()}
    return defined(x)


def either(ufunc: Any, inputs: Sequence[Any]) -> Array:
    """Return the lanes of an elementwise result that undefined operands leave undefined."""
    masks = [lanes(x) for x in inputs]
    decided = _DECIDED_BY.get(ufunc)
    if decided is not None and all(np.asarray(defined(x)).dtype.kind in "biu" for x in inputs):
        (a, b), (p, q) = (np.asarray(defined(x)) for x in inputs), masks
        return (p & (q | ~_is(b, decided))) | (q & (p | ~_is(a, decided)))
    result = masks[0]
    for mask in masks[1:]:
        result = result | mask
    return result


def _is(x: Array, value: int) -> Array:
    return x if x.dtype == np.bool_ and value else x == np.asarray(value).astype(x.dtype)
