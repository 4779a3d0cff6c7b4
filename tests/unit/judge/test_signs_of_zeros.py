"""Launches that differ in the sign of a zero are two: what is remembered of one is not the other's."""

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.judge.launches.draws import Draw


def draw(value: object) -> Draw:
    return Draw("a launch", (Endless(), value), (1, 1, 1), (0,))


def test_zeros_in_memory():
    assert Contents(only=(0.0,)) == Contents(only=(0.0,))
    assert Contents(only=(0.0,)) != Contents(only=(-0.0,))


def test_zeros_as_arguments():
    assert draw(0.0) == draw(0.0)
    assert draw(0.0) != draw(-0.0)
