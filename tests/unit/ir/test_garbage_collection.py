"""The garbage collector is held still, and what was made meanwhile is looked through later on."""

import gc
from collections.abc import Generator
from typing import Any
from weakref import ref

import pytest

from xtriton.ir import limits
from xtriton.ir.limits import without_garbage_collection


class Circle:
    """What only the garbage collector finds to be of no use."""

    def __init__(self) -> None:
        self.itself = self


tells_of_memory = pytest.mark.skipif(
    limits._bytes_in_use() is None, reason="only Linux tells of memory"
)


@pytest.fixture
def collections() -> Generator[list[int]]:
    """Give the generations that the collector looks through."""
    found: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop":
            found.append(info["generation"])

    gc.collect()
    gc.callbacks.append(note)
    yield found
    gc.callbacks.remove(note)


def make(count: int) -> list[Circle]:
    """Return so many objects."""
    with without_garbage_collection():
        return [Circle() for _ in range(count)]


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing have been made so far."""
    monkeypatch.setattr(limits, "_old", limits._Old())


@tells_of_memory
def test_what_was_made_is_not_looked_through_at_once(collections: list[int]) -> None:
    kept = make(10_000)
    del kept[:100]
    after = [[number] for number in range(100)]
    assert gc.isenabled()
    assert not collections
    assert len(kept) == 9_900
    assert len(after) == 100


@tells_of_memory
def test_garbage_is_found_now_and_then(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_MANY", 5_000)
    first = ref(make(2_000)[0])
    make(2_000)
    assert first() is not None
    assert not collections
    make(2_000)
    assert first() is None
    assert collections == [2]
    # Whatever it takes, there is time for other things before it is done again.
    make(10_000)
    assert collections == [2]
    limits._old.not_before = 0.0
    make(1)
    assert collections == [2, 2]


@tells_of_memory
def test_memory_in_use_is_that_which_was_touched() -> None:
    touched = bytes(1) * (1 << 26)
    assert (limits._bytes_in_use() or 0) >= len(touched)


def test_garbage_is_found_where_memory_grows(
    collections: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few objects there are, and however long it took."""
    monkeypatch.setattr(limits, "_GROWN", (1, 1 << 25))
    limits._old.not_before = float("inf")
    # The system may take memory away at any time that has not been used for long.
    in_use = 1 << 28
    monkeypatch.setattr(limits, "_bytes_in_use", lambda: in_use)
    first = make(1)[0]
    gone = ref(first)
    del first
    in_use += 1 << 25
    make(1)
    assert gone() is not None
    assert not collections
    in_use += 1
    make(1)
    assert gone() is None
    assert collections == [2]
    make(1)
    assert collections == [2]


@pytest.mark.usefixtures("collections")
def test_python_does_as_usual_where_memory_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MEMORY", "/nowhere")
    make(10_000)
    assert limits._old.made == 0


def test_what_is_frozen_stays_so(collections: list[int]) -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        make(1)
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
    assert not collections


def test_a_collector_that_is_off_stays_off(collections: list[int]) -> None:
    gc.disable()
    try:
        make(10_000)
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert limits._old.made == 0
    assert not collections


def test_the_collector_goes_on_after_an_error() -> None:
    with pytest.raises(KeyError), without_garbage_collection():
        raise KeyError
    assert gc.isenabled()
