"""
Blocks that products gather, put into panels by the loop that makes another one of them.

    weights = exp(a @ b - sums)
    values_grad += weights @ grads
    inner = weights * (c @ d - deltas)
    keys_grad += inner @ queries

Two products gather the weights, and what is made of them. A loop of its own for that would read
the weights again, from the second cache, while units that compute wait. So the weights are only
made with it, in one loop that stores both: products that loops add up are multiplied later anyway,
see `panels`.
"""

from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Tensor, View


def made_with(e: Emitter, op: object) -> list[tuple[View, Tensor]]:
    """Return what goes to which places where the result of `op` is made, and counts as there."""
    found: list[tuple[View, Tensor]] = []
    for value, (maker, place) in [*e.late_panels.items()]:
        if maker is op:
            found.append((place, e.tensor(value)))
            del e.late_panels[value]
            e.bind(value, place)
    return found
