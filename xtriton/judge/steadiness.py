"""
What a kernel stores in whatever order it reduces.

A sum that cancels, or a combiner that divides by one, may give anything in another order. No order
is the right one, so that decides nothing about a kernel that reduces in another.
"""

from dataclasses import replace

from xtriton.interpreter.effects import Effects, result_types
from xtriton.interpreter.machine import StepBudgetExceeded
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.orders import Order
from xtriton.judge.launches.draws import Draw
from xtriton.judge.runs import Runs
from xtriton.judge.written import steady
from xtriton.semantics import element


def steady_effects(runs: Runs, effects: Effects, draw: Draw) -> Effects:
    """Return what the original does on a launch in every order, of its `effects` in one."""
    if not any(op.name == "tt.reduce" for op in runs.a.program.module.walk()):
        return effects
    for order in Order:
        if order is draw.order:
            continue
        try:
            other = runs.execute(runs.a, replace(draw, order=order, smaller=()), 0)
        except (StepBudgetExceeded, MemoryFault):
            continue
        effects = _steady(runs, effects, other)
    return effects


def _steady(runs: Runs, effects: Effects, other: Effects) -> Effects:
    tolerance = runs.options.tolerance
    stored = [parameter.stored or element("i8") for parameter in runs.a.parameters]
    returned = [known.scalar for known in result_types(runs.a.function)]
    written = {
        k: steady(mine, other.written.get(k), stored[k], tolerance)
        if 0 <= k < len(stored)
        else mine
        for k, mine in effects.written.items()
    }
    results = {
        k: steady(mine, other.results.get(k), returned[k], tolerance)
        for k, mine in effects.results.items()
    }
    return replace(effects, written=written, results=results)
