"""Launching functions as Python's own kind of function."""

import ctypes
import gc
import threading
from typing import Any

import pytest

from xtriton.cpu import calls
from xtriton.cpu.threads import prototype


def _function(body: Any) -> tuple[Any, int]:
    function = prototype(body)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return function, address


def test_job_arena_and_status_arrive():
    seen: list[tuple[bytes, int | None]] = []

    def body(job: bytes, arena: int | None) -> int:
        seen.append((job, arena))
        return -3

    function, address = _function(body)
    call = calls.quick(function, address)
    assert call is not function
    assert call(b"job", 0) == -3
    assert call(b"other", 1 << 40) == -3
    assert seen == [(b"job", None), (b"other", 1 << 40)]


def test_what_is_no_job_is_refused():
    function, address = _function(lambda job, arena: 0)  # pyright: ignore[reportUnknownLambdaType]
    call: Any = calls.quick(function, address)
    with pytest.raises(TypeError):
        call("text", 0)


def test_other_threads_run_during_a_call():
    begun, ended = threading.Event(), threading.Event()

    def body(job: bytes, arena: int | None) -> int:
        begun.set()
        return 0 if ended.wait(20) else 1

    function, address = _function(body)
    call = calls.quick(function, address)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(call(b"", 0)))
    thread.start()
    assert begun.wait(20)
    ended.set()
    thread.join()
    assert found == [0]


def test_without_the_interface_ctypes_calls(monkeypatch: pytest.MonkeyPatch):
    def missing(*_: object) -> None:
        raise RuntimeError("symbol not found")

    calls._maker.cache_clear()
    monkeypatch.setattr(calls.jit, "load", missing)
    function, address = _function(lambda job, arena: 0)  # pyright: ignore[reportUnknownLambdaType]
    assert calls.quick(function, address) is function
    calls._maker.cache_clear()


def test_functions_outlive_what_made_them():
    """What they look into stays: this crashed when the garbage of a whole run was collected."""
    function, address = _function(lambda job, arena: 5)  # pyright: ignore[reportUnknownLambdaType]
    made = [calls.quick(function, address) for _ in range(50)]
    calls._maker.cache_clear()
    gc.collect()
    others = [ctypes.create_string_buffer(b"\xff" * 32, 32) for _ in range(1000)]
    assert made[0](b"", 0) == 5
    made.clear()
    gc.collect()
    assert len(others) == 1000
