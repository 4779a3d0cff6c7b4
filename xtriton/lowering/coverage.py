"""Which ops of Triton's dialects are lowered to linalg, memref and scf, and why others are not."""

from xtriton.lowering.descriptors import ROWS
from xtriton.lowering.leftovers import REASONS
from xtriton.lowering.linalg_rules.registry import OP_RULES, SCALAR_RULES
from xtriton.lowering.structured_to_memref import ACCESSES, POINTER_NAMES
from xtriton.lowering.triton_arith_to_linalg import TritonArithToLinalgPass
from xtriton.lowering.triton_to_unstructured import VISITS
from xtriton.lowering.unstructured_to_memref import RULES
from xtriton.transforms.raising.structured.structured import RAISED

_GPU = "says how a GPU keeps or moves data; whole programs are lowered from before that"
_ORDER = "memref has no atomic that only loads, stores or waits"
_LAUNCH = "orders launches on one GPU"
_IN_MEMORY = "a descriptor that lies in memory has no base that a memref could have"

NOT_LOWERED = {
    **REASONS,
    **dict.fromkeys(("ttg", "ttng", "ttig", "gluon", "triton_gen"), _GPU),
    **dict.fromkeys(("tt.atomic_load", "tt.atomic_poll", "tt.atomic_store"), _ORDER),
    **dict.fromkeys(("tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents"), _LAUNCH),
    **dict.fromkeys(
        (
            "tt.experimental_descriptor_gather",
            "tt.experimental_descriptor_load",
            "tt.experimental_descriptor_scatter",
            "tt.experimental_descriptor_store",
            "tt.experimental_tensormap_create",
            "tt.experimental_tensormap_fenceproxy_acquire",
            "tt.reinterpret_tensor_descriptor",
        ),
        _IN_MEMORY,
    ),
    "tts.get_structured_state": "a placeholder of one pass, gone after it",
}
"""Why an op, or the ops of a dialect, are not lowered."""

_WITH_THEIR_OPS = (
    "tt.func", "tt.map_elementwise.return", "tt.reduce.return", "tt.scan.return"
)  # fmt: skip
_MAKERS = ("tt.advance", "tt.make_tensor_descriptor", "tt.make_tensor_ptr")
"""What they make disappears when the accesses through it become structured."""


def lowered_ops() -> frozenset[str]:
    """Return the names of all ops that raising to `tts` and lowering leave nothing of."""
    assert TritonArithToLinalgPass  # whose module registers the rules
    raised = (*RAISED, *_MAKERS, *ROWS)
    rules = (*OP_RULES, *SCALAR_RULES, *VISITS, *RULES)
    return frozenset((*raised, *rules, *ACCESSES, *POINTER_NAMES, *_WITH_THEIR_OPS))
