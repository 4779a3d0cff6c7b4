"""
What ops do besides what `memory_ops` says: side effects, and effects that traits declare.
"""

from functools import lru_cache

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType, UnregisteredOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import MemoryEffectKind, Pure, get_effects

from xtriton.analysis.memory_ops import ATOMIC_OPS, Touch
from xtriton.analysis.values import Sort, type_facts

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

SYNCHRONIZING = ATOMIC_OPS | {
    "tt.elementwise_inline_asm",
    "ttg.inline_asm",
    "tt.extern_elementwise",
    "tt.grid_dependency_wait",
}
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
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


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
    """Return what an op that `MEMORY_OPS` does not name does to its operands, by its traits."""
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
