"""Machine code in memory: equal code once, for as long as anybody may call it."""

import time
from threading import RLock
from typing import Any
from weakref import WeakValueDictionary

from xtriton.cpu import claims, jit
from xtriton.cpu.job import launcher_name
from xtriton.cpu.objects import digest
from xtriton.cpu.threads import prototype

PATIENCE = 60
"""Seconds until another thread must have loaded what it said it would."""

_loaded: WeakValueDictionary[str, Any] = WeakValueDictionary()
_lock = RLock()


def load(name: str, code: bytes) -> Any:
    """
    Return the function that launches kernel `name` of an object file.

    It keeps the code alive: Triton drops a module when a second thread has compiled the same
    kernel, while the first still runs it.
    """
    key = digest(code)
    with _lock:
        function: Any = _loaded.get(key)
        if function is None:
            library = jit.link(code, [launcher_name(name)], symbols=claims.symbols())
            address = library.addresses[launcher_name(name)]
            function = prototype(address)
            function.library, function.address = library, address
            _loaded[key] = function
        return function


def awaited(key: str) -> Any:
    """
    Return the function of the code of this checksum once it has been loaded.

    Triton lets a thread launch a kernel while another one is still loading it.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        function = _loaded.get(key)
        if function is not None:
            return function
        time.sleep(1e-4)
    raise RuntimeError("the machine code of a kernel was never loaded")
