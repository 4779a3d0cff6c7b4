"""
Layout mathematics beside Triton's own: layouts, what conversions need, bank conflicts.

All parameters from grids of small powers of two, with the installed Triton (3.8 or later) as
the judge: its linear layout of each encoding, the shared memory that its allocation gives to
each conversion, and the bank conflicts that it counts for each access to shared memory.
Conversions are as up to Triton 3.8; since 3.9 some from layouts of which all warps hold a copy
are done by shuffles.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

from measurements.figures import Bar, Figure, percent, progress
from xtriton.layouts import amd, distributed, nvidia, shared
from xtriton.layouts.conversion import scratch_bytes
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.swizzling import access_conflicts

Shape = Sequence[int]


@dataclass(frozen=True)
class Case:
    """An encoding on a shape: Triton's object, and what makes our layout of it."""

    encoding: Any
    shape: Shape
    layout: Callable[[], LinearLayout]
    text: str = ""
    """The encoding as MLIR writes it, where a conversion is to be judged."""


def measure(_: Path) -> Iterator[Figure]:
    """Yield the shares that are equal."""
    try:
        reference = Reference()
    except ImportError as error:
        yield Figure("layouts beside Triton's", 0, note=f"Triton is not installed: {error}")
        return
    for family in (
        _blocked, _slices, _fma_operands, _nvidia, _mfma, _wmma, _swizzled, _nvmma
    ):  # fmt: skip
        cases = list(family())
        name = (family.__doc__ or "").rstrip(".")
        equal = sum(reference.agrees(case) for case in progress(cases, name))
        yield _all_of(f"linear layouts of {name}", equal, len(cases))
    yield from _conversions(reference)
    yield from _conflicts(reference)


def _all_of(name: str, part: int, whole: int) -> Figure:
    note = f"{part:,} of {whole:,}"
    return Figure(name, percent(part, whole), "%", 100, Bar.AT_LEAST, note)


class Reference:
    """Triton's answers."""

    def __init__(self) -> None:
        import triton._C.libtriton as libtriton
        from triton.experimental.gluon.language import _layouts as encodings
        from triton.experimental.gluon.language.amd import _layouts as amd_encodings

        _TRITON.update(encodings=encodings, amd=amd_encodings)
        self.lib: Any = libtriton
        self.context: Any = self.lib.ir.context()
        self.lib.ir.load_dialects(self.context)
        if hasattr(self.lib.gluon_ir, "load_dialects"):
            self.lib.gluon_ir.load_dialects(self.context)
        self.builder: Any = self.lib.gluon_ir.GluonOpBuilder(self.context)
        self.module: Any = self._inside_a_kernel()
        _say_nothing_of_leaks()

    def _inside_a_kernel(self) -> Any:
        """Let the builder stand in a kernel of 4 warps, where it looks for the target."""
        builder = self.builder
        builder.set_loc("layouts_math", 1, 1)
        module = builder.create_module()
        kernel = builder.get_or_insert_function(
            module, "f", builder.get_function_ty([], []), "public", False
        )
        module.push_back(kernel)
        builder.set_insertion_point_to_start(kernel.add_entry_block())
        for name, value in (("num-warps", 4), ("threads-per-warp", 32), ("num-ctas", 1)):
            module.set_attr(f"ttg.{name}", builder.get_int32_attr(value))
        module.set_attr("ttg.target", builder.get_string_attr("cuda:80"))
        return module

    def agrees(self, case: Case) -> bool:
        """Return whether our layout has the bases of Triton's, copies in registers aside."""
        found = self.builder.to_linear_layout(case.encoding._to_ir(self.builder), list(case.shape))
        if hasattr(found, "reg_bases"):
            theirs = {
                "register": found.reg_bases,
                "lane": found.lane_bases,
                "warp": found.warp_bases,
                "block": found.block_bases,
            }
        else:
            theirs = {"offset": found.offset_bases, "block": found.block_bases}
        ours = {name: [list(basis) for basis in bases] for name, bases in case.layout().bases}
        return _without_copies(ours) == _without_copies(theirs)

    def scratch(self, a: Case, b: Case, type: str) -> int:
        """Return how many bytes Triton allocates for a conversion."""
        shape = "x".join(map(str, a.shape))
        text = _CONVERSION.format(a=a.text, b=b.text, t=f"{shape}x{type}")
        with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
            file.write(text)
            file.flush()
            module = self.lib.ir.parse_mlir_module(file.name, self.context)
        module.context = self.context
        passes = self.lib.ir.pass_manager(self.context)
        self.lib.passes.ttgpuir.add_allocate_shared_memory(passes)
        passes.run(module, "layouts_math")
        return module.get_int_attr("ttg.shared")

    def conflicts(self, registers: Case, memory: Case, bits: int) -> int:
        """Return by how many accesses Triton says that an access is delayed."""
        a, b = (case.encoding._to_ir(self.builder) for case in (registers, memory))
        return self.builder.get_shared_bank_conflicts(a, b, list(registers.shape), bits)


_TRITON: dict[str, Any] = {}
"""Triton's modules of encodings, once they are imported."""


def _encoding(name: str, *parameters: Any) -> Any:
    """Return an encoding by the name of Triton's class."""
    return getattr(_TRITON["amd" if name.startswith("AMD") else "encodings"], name)(*parameters)


_CONVERSION = """#a = {a}
#b = {b}
module attributes {{
  "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32,
  ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32
}} {{
  tt.func public @f(%x: tensor<{t}, #a>) {{
    %0 = ttg.convert_layout %x : tensor<{t}, #a> -> tensor<{t}, #b>
    tt.return
  }}
}}
"""


def _say_nothing_of_leaks() -> None:
    """`to_linear_layout` keeps objects for ever, of which nanobind prints pages at the end."""
    import atexit

    atexit.register(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2))


def _without_copies(images: dict[str, list[list[int]]]) -> dict[str, list[list[int]]]:
    if "register" not in images:
        return images
    return {**images, "register": [basis for basis in images["register"] if any(basis)]}


# --- grids ------------------------------------------------------------------------------


def _spreads(total: int, rank: int) -> Iterator[list[int]]:
    """Yield all powers of two, one for each dimension, with this product."""
    if rank == 1:
        yield [total]
        return
    first = 1
    while first <= total:
        yield from ([first, *rest] for rest in _spreads(total // first, rank - 1))
        first *= 2


def _cgas(rank: int) -> Iterator[list[list[int]]]:
    yield []
    yield from ([[int(i == dim) for i in range(rank)]] for dim in range(rank))


def _shapes(rank: int, *sizes: int) -> Iterator[tuple[int, ...]]:
    return product(sizes, repeat=rank)


def _warps(rank: int, *totals: int) -> Iterator[list[int]]:
    return (spread for total in totals for spread in _spreads(total, rank))


def _blocked_case(
    registers: Shape, lanes: Shape, warps: Shape, order: Shape, shape: Shape, cga: Any = ()
) -> Case:
    parts = [list(part) for part in (registers, lanes, warps, order)]
    return Case(
        _encoding("BlockedLayout", *parts, list(cga)),
        shape,
        partial(distributed.blocked, shape, *parts, cga),
        "#ttg.blocked<{{sizePerThread = {}, threadsPerWarp = {}, warpsPerCTA = {}, "
        "order = {}}}>".format(*parts),
    )


def _blocked() -> Iterator[Case]:
    """blocked encodings."""
    grids = (
        (1, (1, 2, 4), (1, 2, 4, 8), (1, 8, 32, 128, 1024)),
        (2, (1, 2, 4), (1, 2, 4, 8), (1, 8, 32, 128)),
        (3, (1, 2), (2,), (2, 32)),
    )
    for rank, registers, warps, sizes in grids:
        parts = product(
            product(registers, repeat=rank),
            _spreads(32, rank),
            _warps(rank, *warps),
            permutations(range(rank)),
            _shapes(rank, *sizes),
        )
        yield from (_blocked_case(*each) for each in parts)
    for cga in _cgas(2):
        for lanes, shape in product(_spreads(32, 2), _shapes(2, 2, 16, 64)):
            yield _blocked_case([1, 4], lanes, [2, 2], [1, 0], shape, cga)


def _slices() -> Iterator[Case]:
    """slices of blocked encodings."""
    parts = product(
        product((1, 4), repeat=2), _spreads(32, 2), _warps(2, 4), permutations(range(2)),
        (1, 16, 64, 256), (0, 1),
    )  # fmt: skip
    for registers, lanes, warps, order, size, dim in parts:
        whole = (1, size) if dim == 0 else (size, 1)
        parent = _blocked_case(registers, lanes, warps, order, whole)
        yield Case(
            _encoding("SliceLayout", dim, parent.encoding),
            (size,),
            lambda p=parent, d=dim: distributed.slice_of(p.layout(), d),
        )


def _fma_operands() -> Iterator[Case]:
    """operands of products without matrix instructions."""
    parts = product(
        product((1, 4), repeat=2), _spreads(32, 2), _warps(2, 4), permutations(range(2)),
        _shapes(2, 1, 8, 64), (0, 1),
    )  # fmt: skip
    for registers, lanes, warps, order, shape, operand in parts:
        parent = _blocked_case(registers, lanes, warps, order, shape)
        yield Case(
            _encoding("DotOperandLayout", operand, parent.encoding, 0),
            shape,
            partial(distributed.fma_operand, shape, operand, registers, lanes, warps, order, ()),
        )


def _nvidia() -> Iterator[Case]:
    """NVIDIA's matrix instructions, versions 2 and 3, and their operands."""
    second = ((2, warps, [16, 8]) for warps in _warps(2, 1, 2, 4, 8))
    third = (
        (3, warps, [16, n, 16])
        for warps in ([4, 1], [4, 2], [8, 1])
        for n in (8, 16, 32, 64, 128, 256)
    )
    for version, warps, instruction in (*second, *third):
        encoding = _encoding("NVMMADistributedLayout", [version, 0], warps, instruction, [])
        for shape in product((16, 32, 64, 128), (8, 16, 64, 256)):
            result = partial(nvidia.mma_result, shape, version, warps, instruction, ())
            yield Case(encoding, shape, result)
        operands = (0, 1) if version == 2 else (0,)
        for shape, operand, width in product(_shapes(2, 16, 32, 128), operands, (1, 2, 4)):
            yield Case(
                _encoding("DotOperandLayout", operand, encoding, width),
                shape,
                partial(nvidia.mma_operand, shape, operand, width, version, warps, ()),
            )


def _mfma() -> Iterator[Case]:
    """AMD's MFMA and its operands."""
    parts = product(
        ([32, 32], [16, 16]), (False, True), _warps(2, 1, 2, 4, 8), _warps(2, 1, 2), (32, 64)
    )
    for instruction, transposed, warps, tiles, bits in parts:
        encoding = _encoding("AMDMFMALayout", 3, [*instruction, 16], transposed, warps, bits, tiles)
        for shape in _shapes(2, 16, 64, 256):
            result = partial(amd.mfma_result, shape, warps, instruction, transposed, tiles, bits)
            yield Case(encoding, shape, result)
        for shape, operand, width in product(_shapes(2, 16, 128), (0, 1), (4, 8)):
            yield Case(
                _encoding("DotOperandLayout", operand, encoding, width),
                shape,
                partial(amd.mfma_operand, shape, operand, width, warps, instruction, tiles),
            )


def _wmma() -> Iterator[Case]:
    """AMD's WMMA and its operands."""
    arrangements: list[list[list[int]]] = [
        [], [[0, 1]], [[1, 0]], [[0, 1], [0, 2]], [[0, 1], [1, 0]], [[1, 0], [2, 0], [0, 1]]
    ]  # fmt: skip
    for version, transposed, warps in product((1, 2, 3), (False, True), arrangements):
        instruction = [16, 16, 32 if version == 3 else 16]
        encoding = _encoding("AMDWMMALayout", version, transposed, warps, [], instruction)
        for shape in _shapes(2, 16, 32, 64, 128):
            yield Case(
                encoding,
                shape,
                partial(amd.wmma_result, shape, version, [], warps, transposed, instruction),
            )
            for operand, width in product((0, 1), (8, 16) if version == 1 else (4, 8)):
                yield Case(
                    _encoding("DotOperandLayout", operand, encoding, width),
                    shape,
                    partial(
                        amd.wmma_operand, shape, operand, width, version, [], warps, instruction
                    ),
                )


def _swizzled_case(vec: int, phase: int, phases: int, order: Shape, shape: Shape) -> Case:
    return Case(
        _encoding("SwizzledSharedLayout", vec, phase, phases, list(order), []),
        shape,
        partial(shared.swizzled, shape, vec, phase, phases, order, ()),
    )


def _swizzled() -> Iterator[Case]:
    """swizzled shared memory."""
    swizzles = tuple(product((1, 2, 4, 8), (1, 2, 4), (1, 2, 4, 8)))
    for rank, sizes in ((1, (4, 64, 1024)), (2, (2, 8, 32, 128)), (3, (4, 32))):
        for swizzle, order, shape in product(
            swizzles, permutations(range(rank)), _shapes(rank, *sizes)
        ):
            if any(size > 2 for size in shape):  # Of a single element Triton refuses to tell.
                yield _swizzled_case(*swizzle, order, shape)


def _nvmma() -> Iterator[Case]:
    """shared memory for NVIDIA's tensor cores."""
    parts = product((0, 32, 64, 128), (False, True), (8, 16, 32), _shapes(2, 8, 16, 64, 256))
    for swizzle, transposed, bits, shape in parts:
        if transposed and not swizzle:
            continue  # There is no such encoding since 3.8.
        make = partial(shared.nvmma, shape, swizzle, transposed, bits, False, ())
        try:
            make()
        except ValueError:
            continue  # The tensor is smaller than what is swizzled.
        yield Case(
            _encoding("NVMMASharedLayout", swizzle, bits, 2, transposed, False, []), shape, make
        )


# --- conversions and conflicts ----------------------------------------------------------

_SHAPE = (32, 64)


def _some_blocked() -> list[Case]:
    registers = ([1, 1], [1, 4], [4, 1], [2, 8])
    lanes = ([1, 32], [4, 8], [32, 1])
    warps = ([1, 4], [2, 2], [4, 1])
    parts = product(registers, lanes, warps, ([1, 0], [0, 1]))
    return [_blocked_case(*each, _SHAPE) for each in parts]


def _some_distributed() -> list[Case]:
    """Layouts of 4 warps: blocked ones, a result of a matrix instruction, its operands."""
    found = _some_blocked()[::3]
    mma = (
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
        "warpsPerCTA = [2, 2], instrShape = [16, 8]}>"
    )
    result = partial(nvidia.mma_result, _SHAPE, 2, [2, 2], [16, 8], ())
    found.append(Case(None, _SHAPE, result, mma))
    for operand, width in product((0, 1), (1, 2, 4)):
        layout = partial(nvidia.mma_operand, _SHAPE, operand, width, 2, [2, 2], ())
        text = f"#ttg.dot_op<{{opIdx = {operand}, parent = {mma}, kWidth = {width}}}>"
        found.append(Case(None, _SHAPE, layout, text))
    return found


def _conversions(reference: Reference) -> Iterator[Figure]:
    cases = _some_distributed()
    layouts = {id(case): case.layout() for case in cases}
    pairs = [(a, b) for a in cases for b in cases if a is not b]
    types = (("i8", 8), ("f16", 16), ("f32", 32))
    equal = 0
    for a, b in progress(pairs, "conversions"):
        for type, bits in types:
            ours = scratch_bytes(layouts[id(a)], layouts[id(b)], bits)
            equal += ours == reference.scratch(a, b, type)
    count = len(pairs) * len(types)
    note = f"{equal:,} of {count:,}"
    yield Figure("scratch bytes of conversions", percent(equal, count), "%", 99.5, note=note)


def _conflicts(reference: Reference) -> Iterator[Figure]:
    memories = [
        _swizzled_case(*swizzle, order, _SHAPE)
        for swizzle in product((1, 2, 4, 8), (1, 2, 4), (1, 2, 4, 8))
        for order in ([1, 0], [0, 1])
    ]
    places = [(memory, memory.layout()) for memory in memories]
    holders = [(case, case.layout()) for case in _some_blocked()[::2]]
    equal = count = 0
    for (case, layout), bits in progress(list(product(holders, (8, 16, 32))), "conflicts"):
        for memory, place in places:
            count += 1
            equal += access_conflicts(layout, place, bits) == (
                reference.conflicts(case, memory, bits)
            )
    yield _all_of("bank conflicts of accesses to shared memory", equal, count)
