"""
The `tts` dialect: structured accesses to memory.

The ops of microsoft/triton-shared at 1c203ca with their text and meaning
(`make_tptr`, `make_gather_scatter_tptr`, `get_structured_state`, `load`, `store`, `gather`,
`scatter`), and ops of ours for what these cannot say: affine pointers, windows, atomics.
"""

from xdsl.ir import Dialect

from xtriton.dialects.tts.affine import (
    MakeAffineTensorPtrOp,
    MaskedLoadOp,
    MaskedStoreOp,
)
from xtriton.dialects.tts.atomics import (
    AtomicCASOp,
    AtomicRMWOp,
    UnstructuredAtomicCASOp,
    UnstructuredAtomicRMWOp,
)
from xtriton.dialects.tts.memory import GatherOp, LoadOp, ScatterOp, StoreOp
from xtriton.dialects.tts.pointers import MakeGatherScatterTensorPtrOp, MakeTensorPtrOp
from xtriton.dialects.tts.structured_state import GetStructuredStateOp

TTS = Dialect(
    "tts",
    [
        AtomicCASOp,
        AtomicRMWOp,
        GatherOp,
        GetStructuredStateOp,
        LoadOp,
        MakeAffineTensorPtrOp,
        MakeGatherScatterTensorPtrOp,
        MakeTensorPtrOp,
        MaskedLoadOp,
        MaskedStoreOp,
        ScatterOp,
        StoreOp,
        UnstructuredAtomicCASOp,
        UnstructuredAtomicRMWOp,
    ],
)
