"""Who has atomic ops enters before, and one that may be alone keeps the others out."""

import os
import threading
from collections.abc import Iterator

import pytest

from tests.unit.cpu.doors import Door


@pytest.fixture
def door() -> Iterator[Door]:
    yield (door := Door())
    # Nobody is inside now, or this does not return.
    assert door.enter() == 1
    door.leave(1)


def test_the_only_one_is_alone(door: Door):
    for _ in range(2):
        assert door.enter() == 1
        door.leave(1)


def test_only_who_asks_and_has_the_whole_launch_is_alone(door: Door):
    for asks, total, chunk in ((False, 6, 6), (True, 3, 6), (True, 6, 3), (True, 3, 3)):
        assert door.enter(asks=asks, total=total, chunk=chunk) == 0
        door.leave(0)


def test_who_is_not_the_first_is_not_alone(door: Door):
    assert [door.enter(asks=False), door.enter(), door.enter(asks=False)] == [0, 0, 0]
    for _ in range(3):
        assert door.enter() == 0
        door.leave(0)
        door.leave(0)


@pytest.mark.parametrize("asks", [False, True])
def test_others_wait_for_one_that_is_alone(door: Door, asks: bool):
    assert door.enter() == 1
    entered = threading.Event()

    def other() -> None:
        # Another may be alone too, once the first one has left.
        found.append(door.enter(asks=asks))
        entered.set()
        door.leave(found[0])

    found: list[int] = []
    thread = threading.Thread(target=other)
    thread.start()
    assert not entered.wait(0.1)
    door.leave(1)
    thread.join()
    assert found == [0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_nobody_is_inside_in_a_child(door: Door):
    assert door.enter() == 1
    child = os.fork()
    if not child:
        os._exit(door.enter())
    door.leave(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
