"""
xDSL's core, quicker: making attributes and checking them, step for step as xDSL does it.

`xtriton.ir` applies this when it is imported.
"""

from __future__ import annotations

from functools import cache
from struct import Struct
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, ArrayOfConstraint, FloatData, TensorType
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.irdl import AnyAttr, AttrConstraint, BaseAttr, InferenceContext, VerificationContext
from xdsl.utils.exceptions import VerifyException

_careful_parameters = ParametrizedAttribute.__init__


def _set_parameters(self: ParametrizedAttribute, *parameters: Any) -> None:
    fields = _fields(type(self))
    if len(fields) != len(parameters):
        _careful_parameters(self, *parameters)
        return
    own: dict[str, Any] = vars(self)
    for (name, converter), parameter in zip(fields, parameters, strict=True):
        own[name] = parameter if converter is None else converter(parameter)
    self.__post_init__()


@cache
def _fields(attr_type: type[ParametrizedAttribute]) -> list[tuple[str, Any]]:
    """Return the names of parameters and what converts them."""
    definition = attr_type.get_irdl_definition()
    return [(name, parameter.converter) for name, parameter in definition.parameters]


def _check(self: Attribute) -> None:
    self._verify()
    if not isinstance(self, (Data, ParametrizedAttribute)):
        raise TypeError("Attributes should only be Data or ParametrizedAttribute")


def _verify(self: ParametrizedAttribute) -> None:
    bases, others = _constraints(type(self))
    for name, base in bases:
        if not isinstance(getattr(self, name), base):
            type(self).get_irdl_definition().verify(self)
    if others:
        context = VerificationContext()
        try:
            for name, constraint in others:
                constraint.verify(getattr(self, name), context)
        except VerifyException:
            # Says which parameter is wrong.
            type(self).get_irdl_definition().verify(self)
            raise
    self.verify()


def _new_context(
    self: Any,
    _variables: dict[str, Any] | None = None,
    _range_variables: dict[str, Any] | None = None,
    _int_variables: dict[str, int] | None = None,
) -> None:
    """
    A context is made for each check; xDSL makes its dictionaries by their generic types.

    Those try in vain to tell a dictionary which one it was made by.
    """
    self._variables = {} if _variables is None else _variables
    self._range_variables = {} if _range_variables is None else _range_variables
    self._int_variables = {} if _int_variables is None else _int_variables


def _check_array(
    self: ArrayOfConstraint, attr: Attribute, constraint_context: VerificationContext
) -> None:
    if not isinstance(attr, ArrayAttr):
        raise VerifyException(f"expected ArrayAttr attribute, but got '{type(attr)}'")
    self.elem_range_constraint.verify(cast(Any, attr).data, constraint_context)


def _shape(self: TensorType[Attribute]) -> tuple[int, ...]:
    """A type does not change, and is asked for its shape by all that looks at layouts."""
    held = vars(self)
    found = held.get(_SHAPE)
    if found is None:
        found = held[_SHAPE] = tuple([size.data for size in self.shape.data])
    return found


_SHAPE = "_remembered_shape"


_double, _bits = Struct("=d"), Struct("=Q")


def _bits_of(data: FloatData) -> int:
    """xDSL does it with `ctypes`, which a tool needs for nothing else."""
    return _bits.unpack(_double.pack(data.data))[0]


def _equal_bits(self: FloatData, other: object) -> bool:
    return isinstance(other, FloatData) and _bits_of(self) == _bits_of(other)


def _hash_of_bits(self: FloatData) -> int:
    return hash(_bits_of(self))


Bases = list[tuple[str, type[Attribute]]]
Others = list[tuple[str, AttrConstraint]]


@cache
def _constraints(attr_type: type[ParametrizedAttribute]) -> tuple[Bases, Others]:
    """Return the classes that parameters have to be of, and what else is asked of others."""
    bases: Bases = []
    others: Others = []
    for name, parameter in attr_type.get_irdl_definition().parameters:
        constraint = parameter.constr
        if type(constraint) is BaseAttr:
            bases.append((name, cast(Any, constraint).attr))
        elif type(constraint) is not AnyAttr:
            others.append((name, constraint))
    return bases, others


_METHODS: dict[tuple[type, str], object] = {
    (Attribute, "__post_init__"): _check,
    (ParametrizedAttribute, "__init__"): _set_parameters,
    (ParametrizedAttribute, "_verify"): _verify,
    (InferenceContext, "__init__"): _new_context,
    (VerificationContext, "__init__"): _new_context,
    (ArrayOfConstraint, "verify"): _check_array,
    (TensorType, "get_shape"): _shape,
    (FloatData, "__eq__"): _equal_bits,
    (FloatData, "__hash__"): _hash_of_bits,
}


def _apply() -> None:
    for (cls, name), method in _METHODS.items():
        setattr(cls, name, method)


_apply()
