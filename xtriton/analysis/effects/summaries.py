"""
What each op touches: by name where the op needs a word, by its declared effects else.

Upstream: the memory effects in `TritonOps.td`, `TritonGPUOps.td`, `TritonNvidiaGPUOps.td`,
`TritonIntelGPUOps.td` and `TritonAMDGPUOps.td`.
"""

from dataclasses import dataclass
from functools import lru_cache

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation
from xdsl.traits import MemoryEffectKind, Pure, get_effects

from xtriton.analysis.values import Sort, type_facts


@dataclass(frozen=True, slots=True)
class Touch:
    """One operand through which an op reaches memory."""

    operand: int
    read: bool = False
    write: bool = False
    atomic: bool = False


def _read(operand: int = 0) -> tuple[Touch, ...]:
    return (Touch(operand, read=True),)


def _write(operand: int = 0) -> tuple[Touch, ...]:
    return (Touch(operand, write=True),)


def _atomic(operand: int = 0) -> tuple[Touch, ...]:
    return (Touch(operand, read=True, write=True, atomic=True),)


TOUCHES: dict[str, tuple[Touch, ...]] = {
    "tt.load": _read(),
    "tt.store": _write(),
    "tt.atomic_rmw": _atomic(),
    "tt.atomic_cas": _atomic(),
    "tt.atomic_load": (Touch(0, read=True, atomic=True),),
    "tt.atomic_poll": (Touch(0, read=True, atomic=True),),
    "tt.atomic_store": (Touch(0, write=True, atomic=True),),
    "tt.descriptor_load": _read(),
    "tt.descriptor_gather": _read(),
    "tt.descriptor_store": _write(),
    "tt.descriptor_scatter": _write(),
    "tt.descriptor_reduce": _atomic(),
    "tt.experimental_descriptor_load": _read(),
    "tt.experimental_descriptor_store": _write(),
    "tt.experimental_descriptor_gather": _read(),
    "tt.experimental_descriptor_scatter": _write(),
    "tts.load": _read(),
    "tts.masked_load": _read(),
    "tts.gather": _read(),
    "tts.store": _write(),
    "tts.masked_store": _write(),
    "tts.scatter": _write(),
    "tts.atomic_rmw": _atomic(),
    "tts.atomic_cas": _atomic(),
    "tts.unstructured_atomic_rmw": _atomic(),
    "tts.unstructured_atomic_cas": _atomic(),
    "ttg.async_copy_global_to_local": _read(),
    "ttng.async_tma_copy_global_to_local": _read(),
    "ttng.async_tma_copy_local_to_global": _write(),
    "ttng.async_tma_gather": _read(),
    "ttng.async_tma_scatter": _write(),
    "ttng.async_tma_reduce": _atomic(),
    "ttig.descriptor_gather": _read(),
    "ttig.descriptor_scatter": _write(),
    "ttig.2d_block_load": _read(),
    "ttig.2d_block_load_from_ptr": _read(),
    "ttig.descriptor_prefetch": (),
    "ttig.prefetch": (),
    "triton_gen.2Dblockload": _read(),
    "triton_gen.2Dblockprefetch": (),
    "triton_gen.2Dblockstore": _write(),
    "triton_gen.predicated_load": _read(),
    "triton_gen.predicated_store": _write(),
    "triton_gen.simdblockread": _read(),
    "triton_gen.simdblockwrite": _write(),
    "triton_gen.sub_group_block_read": _read(),
    "triton_gen.sub_group_block_write": _write(),
    "triton_gen.sub_group_gather_load": _read(),
    "llvm.load": _read(),
    "llvm.store": (Touch(1, write=True),),
    "affine.load": _read(),
    "affine.store": (Touch(1, write=True),),
    "bufferization.to_tensor": _read(),
    "bufferization.materialize_in_destination": (Touch(1, write=True),),
    "memref.load": _read(),
    "memref.store": (Touch(1, write=True),),
    "memref.copy": (Touch(0, read=True), Touch(1, write=True)),
}
_AMD: dict[str, tuple[Touch, ...]] = {
    "buffer_load": _read(),
    "buffer_load_to_local": _read(1),
    "buffer_store": _write(1),
    "buffer_atomic_rmw": _atomic(1),
    "buffer_atomic_cas": _atomic(1),
    "async_tdm_copy_global_to_local": _read(),
    "async_tdm_copy_local_to_global": _write(),
    "masked_load": _read(),
    "masked_store": _write(),
}
TOUCHES.update({f"{d}.{name}": t for d in ("amdgpu", "amdg") for name, t in _AMD.items()})

DESCRIPTOR_WRITERS = frozenset(("tt.experimental_tensormap_create", "ttng.tensormap_create"))
"""`create desc_ptr, global_address, …`: puts a descriptor of the second into the first."""

DESCRIPTOR_READERS = frozenset(
    ("tt.reinterpret_tensor_descriptor", "ttng.reinterpret_tensor_descriptor")
)
"""Take the descriptor that lies at an address."""

THROUGH_MEMORY = frozenset(
    (
        "tt.experimental_descriptor_load",
        "tt.experimental_descriptor_store",
        "tt.experimental_descriptor_gather",
        "tt.experimental_descriptor_scatter",
        "tt.descriptor_load",
        "tt.descriptor_store",
    )
)
"""Given a plain pointer, these go through the descriptor that lies there."""

SIDE_EFFECTS = {
    "tt.print": "print",
    "gpu.printf": "print",
    "ttg.print": "print",
    "tt.assert": "assert",
    "ttg.assert": "assert",
    "tt.grid_dependency_wait": "launch control",
    "tt.grid_dependency_launch_dependents": "launch control",
    "llvm.intr.trap": "trap",
    "llvm.unreachable": "trap",
    "ttng.clc_try_cancel": "launch control",
    "ttng.clc_try_cancel_sync": "launch control",
}

KEEPING = frozenset(
    (
        "print",
        "assert",
        "launch control",
        "trap",
        "inline asm",
        "external call",
        "network",
        "unknown op",
        "volatile",
        "call",
    )
)
"""Side effects for which a launch must not be removed; a barrier is none of them."""

SYNCHRONIZING = frozenset(
    (
        "tt.atomic_rmw",
        "tt.atomic_cas",
        "tt.atomic_load",
        "tt.atomic_poll",
        "tt.atomic_store",
        "tt.elementwise_inline_asm",
        "ttg.inline_asm",
        "tt.extern_elementwise",
        "tts.atomic_rmw",
        "tts.atomic_cas",
        "tts.unstructured_atomic_rmw",
        "tts.unstructured_atomic_cas",
        "tt.grid_dependency_wait",
    )
)
"""After these, what another program stored may be seen in place of one's own."""

_QUIET_DIALECTS = frozenset(
    (
        "arith",
        "math",
        "tt",
        "ttg",
        "ttng",
        "ttig",
        "gluon",
        "tts",
        "scf",
        "cf",
        "ub",
        "gpu",
        "nvvm",
        "rocdl",
        "triton_gen",
        "index",
        "func",
        "amdgpu",
        "amdg",
        "vector",
        "tensor",
        "affine",
        "linalg",
        "bufferization",
    )
)
"""Dialects whose ops do nothing beyond the operands that they are handed."""


def name_of(op: Operation) -> str:
    """Return an op's name, also where no dialect has registered it."""
    name = op.name
    return op.op_name.data if name == "builtin.unregistered" else name  # pyright: ignore


def is_address(type: Attribute) -> bool:
    """Tell whether a type is that of pointers, descriptors or buffers, or a tensor of them."""
    sort = type_facts(type).sort
    if sort is Sort.OTHER:
        return isinstance(type, (MemRefType, UnrankedMemRefType)) or "llvm.ptr" in type.name
    return sort is Sort.POINTER or sort is Sort.BLOCK


@lru_cache(maxsize=4096)
def _is_pure_class(cls: type[Operation]) -> bool:
    return cls.has_trait(Pure, value_if_unregistered=False)


def is_pure(op: Operation) -> bool:
    """Tell whether an op's class says that it has no effect."""
    return _is_pure_class(type(op))


def is_quiet(op: Operation) -> bool:
    """Tell whether an op that is handed no address can do nothing that anybody notices."""
    return name_of(op).partition(".")[0] in _QUIET_DIALECTS or _is_pure_class(type(op))


def declared_touches(op: Operation) -> tuple[Touch, ...]:
    """Return what an op that `TOUCHES` does not name does to its operands, by its traits."""
    if _is_pure_class(type(op)):
        return ()
    try:
        effects = get_effects(op)
    except Exception:  # an op that is not well-formed has no effects to ask for
        effects = None
    everything = range(len(op.operands))
    if effects is None:
        if name_of(op).partition(".")[0] in ("ttg", "ttng", "gpu", "rocdl", "nvvm", "gluon"):
            return tuple(
                Touch(i, read=True, write=True)
                for i in everything
                if is_address(op.operands[i].type)
            )
        return tuple(Touch(i, read=True, write=True) for i in everything)
    found: dict[int, tuple[bool, bool]] = {}
    for effect in effects:
        read = effect.kind is MemoryEffectKind.READ
        write = effect.kind is MemoryEffectKind.WRITE
        if not read and not write:
            continue
        for i in everything:
            if effect.value is op.operands[i] or (
                effect.value is None and is_address(op.operands[i].type)
            ):
                old = found.get(i, (False, False))
                found[i] = old[0] or read, old[1] or write
    return tuple(Touch(i, read=r, write=w) for i, (r, w) in sorted(found.items()))
