"""
Which kinds of ops are known to verify, in any module.

Equal attributes are told apart by identity within one module, which is quick; here they are
made one, so that the next kernel need not check again what this one has in common with it.
"""

from collections.abc import Hashable, Iterable
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, Region

from xtriton.ir.versions import release

_LIMIT = 20_000
"""
Kinds of ops that are remembered; then everything is forgotten. 835 kernels have 4,400 of them.
"""

_NUMBERS = (IntegerAttr, FloatAttr, DenseIntOrFPElementsAttr)

_one_of_each: dict[Attribute, Attribute] = {}
"""Of each attribute seen the first object, which its entry keeps alive."""

_sound: set[Hashable] = set()


def type_of_number(attribute: Attribute) -> Attribute:
    """Return of what type a number is, or several; anything else as it is."""
    return attribute.get_type() if isinstance(attribute, _NUMBERS) else attribute


class SoundOps:
    """What one run of the verifier knows of sound ops."""

    def __init__(self) -> None:
        if len(_sound) > _LIMIT:
            _sound.clear()
            _one_of_each.clear()
        self.release = release()
        self.ids: dict[int, int] = {}
        """For the identity of an attribute, that of the first one equal to it."""
        self.kept: list[Attribute] = []
        self.around: dict[Region, tuple[Hashable, ...]] = {}
        """The surroundings of regions that were met."""

    def id_of(self, attribute: Attribute) -> int:
        """Return the identity of the first attribute that is equal to this one."""
        found = self.ids.get(id(attribute))
        if found is None:
            found = id(_one_of_each.setdefault(attribute, attribute))
            self.ids[id(attribute)] = found
            self.kept.append(attribute)
        return found

    def kind_of(self, op: Operation, surroundings: Hashable, is_constant: bool) -> Hashable:
        """Return what sound ops have in common with `op`."""
        types = [value._type for value in (*op._operands, *op.results)]
        attributes: dict[str, Any] = {**op.properties, **op.attributes}
        values = list(attributes.values())
        if is_constant:
            values = [*map(type_of_number, values)]
        return (
            op.__class__,
            self.release,
            surroundings,
            len(op._operands),
            len(op._successors),
            *map(self.id_of, types),
            *attributes,
            *map(type, attributes.values()),
            *map(self.id_of, values),
        )

    def is_known(self, kind: Hashable) -> bool:
        """Return whether ops of this kind are sound."""
        return kind in _sound

    def remember(self, kind: Hashable) -> None:
        """Note that ops of this kind are sound."""
        _sound.add(kind)

    def surroundings(self, region: Region | None) -> tuple[Hashable, ...]:
        """
        Return what the ops around a region say that ops inside may depend on.

        Most loops and branches say nothing; modules and functions have attributes, and some
        ops with regions have parameters.
        """
        if region is None or (op := region.parent) is None:
            return ()
        found = self.around.get(region)
        if found is None:
            said = dict(op.attributes)
            if "sym_name" not in op.properties:
                said |= op.properties
            found = self.surroundings(op.parent_region())
            if said:
                index = op.regions.index(region) if len(op.regions) > 1 else 0
                found = ((op.__class__, index, *self._items(said.items())), *found)
            self.around[region] = found
        return found

    def _items(self, items: Iterable[tuple[str, Attribute]]) -> Iterable[Hashable]:
        for name, attribute in items:
            yield name
            yield self.id_of(attribute)
