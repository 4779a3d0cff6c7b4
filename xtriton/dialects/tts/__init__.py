"""
The `tts` dialect: structured accesses to memory.

The ops of microsoft/triton-shared at 1c203ca with their text and meaning
(`make_tptr`, `make_gather_scatter_tptr`, `get_structured_state`, `load`, `store`, `gather`,
`scatter`), and ops of ours for what these cannot say: affine pointers, windows, atomics.
"""

from xtriton.dialects.tts.affine import (
    MakeAffineTensorPtrOp as MakeAffineTensorPtrOp,
    MaskedLoadOp as MaskedLoadOp,
    MaskedStoreOp as MaskedStoreOp,
)
from xtriton.dialects.tts.atomics import (
    AtomicCASOp as AtomicCASOp,
    AtomicRMWOp as AtomicRMWOp,
    UnstructuredAtomicCASOp as UnstructuredAtomicCASOp,
    UnstructuredAtomicRMWOp as UnstructuredAtomicRMWOp,
)
from xtriton.dialects.tts.memory import (
    GatherOp as GatherOp,
    LoadOp as LoadOp,
    ScatterOp as ScatterOp,
    StoreOp as StoreOp,
)
from xtriton.dialects.tts.pointers import (
    MakeGatherScatterTensorPtrOp as MakeGatherScatterTensorPtrOp,
    MakeTensorPtrOp as MakeTensorPtrOp,
)
from xtriton.dialects.tts.structured_state import (
    GetStructuredStateOp as GetStructuredStateOp,
)
from xtriton.dialects.utils.contents import dialect_of

TTS = dialect_of(globals(), "tts")
