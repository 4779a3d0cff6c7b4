"""
Every op that reads or writes global memory: through which operands, how, under which mask.

    for touch in MEMORY_OPS["tt.store"].touches:
        print(touch.operand, touch.read, touch.write)

Accesses, effects and passes ask here, so that a new op is understood by all of them.

Upstream: the memory effects in `TritonOps.td`, `TritonGPUOps.td`, `TritonNvidiaGPUOps.td`,
`TritonIntelGPUOps.td` and `TritonAMDGPUOps.td`.
"""

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue


@dataclass(frozen=True, slots=True)
class Touch:
    """One operand through which an op reaches memory."""

    operand: int
    read: bool = False
    write: bool = False
    atomic: bool = False


@dataclass(frozen=True, slots=True)
class MemoryOp:
    """What is known of all ops of one name."""

    touches: tuple[Touch, ...] = ()

    @property
    def reads(self) -> bool:
        """Whether it reads; what it then returns is loaded data."""
        return any(touch.read for touch in self.touches)

    @property
    def writes(self) -> bool:
        return any(touch.write for touch in self.touches)

    @property
    def is_atomic(self) -> bool:
        return any(touch.atomic for touch in self.touches)

    @property
    def kind(self) -> str:
        """`load`, `store`, `atomic`, or `copy`."""
        if self.is_atomic:
            return "atomic"
        return ("load", "copy")[self.writes] if self.reads else "store"


def _reads(operand: int = 0, *, atomic: bool = False) -> MemoryOp:
    return MemoryOp((Touch(operand, read=True, atomic=atomic),))


def _writes(operand: int = 0, *, atomic: bool = False) -> MemoryOp:
    return MemoryOp((Touch(operand, write=True, atomic=atomic),))


def _updates(operand: int = 0) -> MemoryOp:
    return MemoryOp((Touch(operand, read=True, write=True, atomic=True),))


_NOTHING = MemoryOp()
"""A prefetch: fills a cache."""

MEMORY_OPS: dict[str, MemoryOp] = {
    "tt.load": _reads(),
    "tt.store": _writes(),
    "tt.atomic_rmw": _updates(),
    "tt.atomic_cas": _updates(),
    "tt.atomic_load": _reads(atomic=True),
    "tt.atomic_poll": _reads(atomic=True),
    "tt.atomic_store": _writes(atomic=True),
    "tt.descriptor_load": _reads(),
    "tt.descriptor_gather": _reads(),
    "tt.descriptor_store": _writes(),
    "tt.descriptor_scatter": _writes(),
    "tt.descriptor_reduce": _updates(),
    "tt.experimental_descriptor_load": _reads(),
    "tt.experimental_descriptor_store": _writes(),
    "tt.experimental_descriptor_gather": _reads(),
    "tt.experimental_descriptor_scatter": _writes(),
    "tts.load": _reads(),
    "tts.masked_load": _reads(),
    "tts.gather": _reads(),
    "tts.store": _writes(),
    "tts.masked_store": _writes(),
    "tts.scatter": _writes(),
    "tts.atomic_rmw": _updates(),
    "tts.atomic_cas": _updates(),
    "tts.unstructured_atomic_rmw": _updates(),
    "tts.unstructured_atomic_cas": _updates(),
    "ttg.async_copy_global_to_local": _reads(),
    "ttng.async_tma_copy_global_to_local": _reads(),
    "ttng.async_tma_copy_local_to_global": _writes(),
    "ttng.async_tma_gather": _reads(),
    "ttng.async_tma_scatter": _writes(),
    "ttng.async_tma_reduce": _updates(),
    "ttig.descriptor_gather": _reads(),
    "ttig.descriptor_scatter": _writes(),
    "ttig.2d_block_load": _reads(),
    "ttig.2d_block_load_from_ptr": _reads(),
    "ttig.descriptor_prefetch": _NOTHING,
    "ttig.prefetch": _NOTHING,
    "triton_gen.2Dblockload": _reads(),
    "triton_gen.2Dblockprefetch": _NOTHING,
    "triton_gen.2Dblockstore": _writes(),
    "triton_gen.predicated_load": _reads(),
    "triton_gen.predicated_store": _writes(),
    "triton_gen.simdblockread": _reads(),
    "triton_gen.simdblockwrite": _writes(),
    "triton_gen.sub_group_block_read": _reads(),
    "triton_gen.sub_group_block_write": _writes(),
    "triton_gen.sub_group_gather_load": _reads(),
    "llvm.load": _reads(),
    "llvm.store": _writes(1),
    "affine.load": _reads(),
    "affine.store": _writes(1),
    "bufferization.to_tensor": _reads(),
    "bufferization.materialize_in_destination": _writes(1),
    "memref.load": _reads(),
    "memref.store": _writes(1),
    "memref.copy": MemoryOp((Touch(0, read=True), Touch(1, write=True))),
}
_AMD: dict[str, MemoryOp] = {
    "buffer_load": _reads(),
    "buffer_load_to_local": _reads(1),
    "buffer_store": _writes(1),
    "buffer_atomic_rmw": _updates(1),
    "buffer_atomic_cas": _updates(1),
    "async_tdm_copy_global_to_local": _reads(),
    "async_tdm_copy_local_to_global": _writes(),
    "masked_load": _reads(),
    "masked_store": _writes(),
}
MEMORY_OPS.update({f"{d}.{name}": op for d in ("amdgpu", "amdg") for name, op in _AMD.items()})

READING = frozenset(name for name, op in MEMORY_OPS.items() if op.reads)
"""Ops whose results, if they have any, are loaded data."""

TRITON_ACCESSES = {
    name: MEMORY_OPS[name].kind
    for name in (
        "tt.load",
        "tt.store",
        "tt.atomic_rmw",
        "tt.atomic_cas",
        "tt.atomic_load",
        "tt.atomic_poll",
        "tt.atomic_store",
        "tt.descriptor_load",
        "tt.descriptor_store",
    )
}
"""What kernels access memory with, through a pointer or descriptor of their own, and the kind."""

ATOMIC_OPS = frozenset(
    name for name, op in MEMORY_OPS.items() if op.is_atomic and "atomic_" in name
)
"""After these, what another program stored may be seen in place of one's own."""

WAITING = frozenset(("tt.atomic_cas", "tt.atomic_poll"))
"""With these a program may wait for another one: what they address are locks."""


def mask_of(op: Operation) -> SSAValue | None:
    """Return the mask operand of a memory operation."""
    return getattr(op, "mask", None)


def pointer_operand(op: Operation) -> SSAValue:
    """Return the operand that says where a memory operation goes."""
    return op.operands[MEMORY_OPS[op.name].touches[0].operand]
