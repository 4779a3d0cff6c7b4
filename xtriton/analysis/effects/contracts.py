"""
What external functions do to the memory that they are handed.

Facts from the CUDA Libdevice User's Guide, ROCm's device library OCML, Intel's IMF and the
NVSHMEM API (`nvshmem_putmem(dest, source, nelems, pe)` and so on). A function that no
entry names may read and write everything that it is handed.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Contract:
    """
    Operands (by position) that a function reads, writes or updates atomically.

    `result` is the operand that a returned address points into; `effect` what else the
    launch does that somebody can notice, None for nothing.
    """

    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    atomics: tuple[int, ...] = ()
    result: int | None = None
    effect: str | None = None


PURE = Contract()

_TABLE: tuple[tuple[str, Contract], ...] = (
    (r"__nv_(modf|frexp|sincos|sincospi|remquo)f?$", Contract(writes=(1, 2))),
    (r"__nv_\w+$", PURE),
    (r"__ocml_(modf|frexp|sincos|sincospi|remquo)_\w+$", Contract(writes=(1, 2))),
    (r"__(ocml|imf|devicelib_imf)_\w+$", PURE),
    (r"_Z\d+__spirv_ocl_\w+$", PURE),
    (r"_Z\d+__imf_\w+$", PURE),
    (r"nvshmem_(my_pe|n_pes|team_my_pe|team_n_pes|team_translate_pe)$", PURE),
    (r"nvshmemx?_(ptr|mc_ptr|remote_ptr)$", Contract(result=0)),
    (
        r"nvshmemx?_\w*put\w*_signal\w*$",
        Contract(reads=(1,), writes=(0,), atomics=(3,), effect="network"),
    ),
    (r"nvshmemx?_(\w+_)?i?put(mem)?\w*$", Contract(reads=(1,), writes=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?i?get(mem)?\w*$", Contract(reads=(1,), writes=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?p$", Contract(writes=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?g$", Contract(reads=(0,), effect="network")),
    (r"nvshmemx?_signal_op$", Contract(atomics=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?(wait|test)\w*$", Contract(reads=(0,), effect="network")),
    (r"nvshmemx?_signal_wait\w*$", Contract(reads=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?atomic_\w+$", Contract(atomics=(0,), effect="network")),
    (r"nvshmemx?_(\w+_)?(quiet|fence|barrier|sync)\w*$", Contract(effect="network")),
    (
        r"nvshmemx?_(\w+_)?(broadcast|fcollect|alltoall|\w*reduce)\w*$",
        Contract(reads=(2,), writes=(1,), effect="network"),
    ),
)
_PATTERNS = [(re.compile(pattern), contract) for pattern, contract in _TABLE]


def contract_of(symbol: str) -> Contract | None:
    """Return what a function does, or None for one that nobody has described."""
    for pattern, contract in _PATTERNS:
        if pattern.match(symbol):
            return contract
    return None


_STORES = re.compile(
    r"\b(st|red|atom|cp|multimem|stg|stmatrix|discard|prefetchu)\b|st\.|red\.|atom\.|cp\.|"
    r"(global|flat|buffer|scratch|ds|lsc)_?(store|atomic)|(store|atomic)_?(ugm|slm)|\bsend\b|"
    r"\bcall\b"
)
_LOADS = re.compile(
    r"\b(ld|ldg|ldu|ldmatrix|tex|suld)\b|ld\.|ldu\.|"
    r"(global|flat|buffer|scratch|ds|s|lsc)_?load|load_?(ugm|slm)"
)


def assembly_may_store(text: str) -> bool:
    """Tell whether an instruction of PTX, GCN or Intel assembly may store to memory."""
    return bool(_STORES.search(text))


def assembly_may_load(text: str) -> bool:
    """Tell whether an instruction of PTX, GCN or Intel assembly may load from memory."""
    return bool(_LOADS.search(text)) or assembly_may_store(text)
