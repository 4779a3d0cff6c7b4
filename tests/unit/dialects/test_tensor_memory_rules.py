"""Rules that ask for the layout of tensor memory, one broken at a time."""

from collections.abc import Callable

import pytest

from tests.unit.dialects.kernel_text import kernel

Check = Callable[..., None]

SMEM = "#ttg.shared_memory"
TMEM = "#ttng.tensor_memory"

HEADER = """#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 2, colStride = 1>
#single = #ttng.tensor_memory_encoding<blockM = 128, blockN = 1, colStride = 1>
#rows_of_two = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]]>
#columns_of_two = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[0, 1]]>
#scales = #ttng.tensor_memory_scales_encoding<>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#nvmma16 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#nvmma_rows = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>
#loose = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}, alignment = 8>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#line_rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#line_both = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 0]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#split = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[32, 0], [64, 0]], block = []}>
#turns = #ttg.linear<{register = [[0, 4], [0, 8], [0, 16], [0, 32], [16, 0], [8, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
"""


def function(arguments: str, line: str, ctas: int = 1, rest: str = "") -> str:
    return kernel(HEADER, arguments, line, ctas, rest)


def buffer(shape: str, encoding: str = "#tmem", alloc: str = "", space: str = TMEM) -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {space}, mutable{', ' if alloc else ''}{alloc}>"


def shared(shape: str, encoding: str = "#nvmma", alloc: str = "") -> str:
    return buffer(shape, encoding, alloc, SMEM)


TYPES = [
    (
        buffer("64x64xf32", alloc="256x64"),
        "the tensor shape must be at least 128x64. Got 64, 64",
        (3, 9),
    ),
    (buffer("64x64xf32"), "allocation shape must be equal to 128x64", (3, 8)),
    (buffer("4xi8", "#scales"), "must have rank 2; got 1", (3, 9)),
    (
        shared("128x16xf32"),
        "contiguous dimension 1 is too small for the swizzle byte size 128 in an "
        "NVMMASharedLayout, got 16 but expected at least 32",
        (3, 9),
    ),
]


@pytest.mark.parametrize(("type", "message", "version"), TYPES)
def test_types(refuse: Check, type: str, message: str, version: tuple[int, int]) -> None:
    refuse(function(f"%a: {type}", ""), message, version)


def test_pairs_of_ctas_share_rows(refuse: Check) -> None:
    encoding = "blockM = 128, blockN = 64, colStride = 1, CGALayout = [[0, 1]], twoCTAs = true"
    refuse(
        f"module attributes {{t.a = #ttng.tensor_memory_encoding<{encoding}>}} {{}}",
        "twoCTAs layout requires the first CGALayout block basis to be [1, 0]",
    )


# --- accesses ------------------------------------------------------------------------------


def load(tensor: str, rest: str = "", result: str = "", memory: str = "128x64xf32") -> str:
    type = buffer(memory)
    names = "%x, %red" if result else "%x"
    more = f", {result}" if result else ""
    return function(f"%a: {type}", f"{names} = ttng.tmem_load %a {rest} : {type} -> {tensor}{more}")


def tensor(encoding: str, shape: str = "128x64xf32") -> str:
    return f"tensor<{shape}, {encoding}>"


MIN, VECTOR = "{redOp = #ttng.redOp<min>}", "tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>"
LOADS = [
    (load(tensor("#lanes")), "result must have a layout that an access to tensor memory can have"),
    (
        load(tensor("#split"), MIN, VECTOR),
        "tmem_load reduction with N dimension sharded across threads is not supported.",
    ),
    (load(tensor("#rows"), result=VECTOR), "'red' result is present but redOp is not set"),
    (
        load(
            tensor("#rows", "128x64xi32"),
            "{redOp = #ttng.redOp<min>, abs = true}",
            VECTOR,
            "128x64xi32",
        ),
        "'abs' requires floating-point element type (f32)",
    ),
]


@pytest.mark.parametrize(("text", "message"), LOADS)
def test_loads(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


@pytest.mark.parametrize("encoding", ["#rows", "#split", "#turns"])
def test_sound_loads(accept: Check, encoding: str) -> None:
    accept(load(tensor(encoding)))


def test_sound_reduction(accept: Check) -> None:
    accept(load(tensor("#rows"), MIN, VECTOR))


def test_a_buffer_of_rank_three_is_not_loaded_whole(refuse: Check) -> None:
    type, plain = buffer("2x128x64xf32"), "tensor<2x128x64xf32>"
    line = f"%x = ttng.tmem_load %a : {type} -> {plain}"
    refuse(function(f"%a: {type}", line), "result must be a 2D tensor")


def test_few_registers_take_no_big_tile(refuse: Check, accept: Check) -> None:
    type, x = buffer("128x64xf32"), tensor("#turns")
    line = f"%x = ttng.tmem_load %a : {type} -> {x}"
    accept(function(f"%a: {type}", line, rest=', "ttg.maxnreg" = 4 : i32'))
    refuse(function(f"%a: {type}", line, rest=', "ttg.maxnreg" = 2 : i32'), "result must have")


PARTITION = """
ttg.warp_specialize(%a) attributes {{{registers}}}
default {{ {default} ttg.warp_yield }}
partition0(%b: {type}) num_warps(4) {{ {partition} ttg.warp_return }} : ({type}) -> ()
"""


@pytest.mark.parametrize(
    ("registers", "here", "sound"),
    [
        ("requestedRegisters = array<i32: 2>", "partition", False),
        ("requestedRegisters = array<i32: 4>", "partition", True),
        (
            "actualRegisters = array<i32: 2, 4>, requestedRegisters = array<i32: 2>",
            "partition",
            True,
        ),
        ("actualRegisters = array<i32: 2, 4>", "default", False),
        ("requestedRegisters = array<i32: 2>", "default", True),
    ],
)
def test_registers_of_partitions(
    refuse: Check, accept: Check, registers: str, here: str, sound: bool
) -> None:
    type, x = buffer("128x64xf32"), tensor("#turns")
    lines = {"default": "", "partition": ""}
    lines[here] = f"%x = ttng.tmem_load {'%a' if here == 'default' else '%b'} : {type} -> {x}\n"
    text = function(f"%a: {type}", PARTITION.format(registers=registers, type=type, **lines))
    if sound:
        accept(text)
    else:
        refuse(text, "result must have a layout")


# --- parts ---------------------------------------------------------------------------------


def part(source: str, result: str, offset: int, dim: int = 1, ctas: int = 1) -> str:
    line = f"%b = ttng.tmem_subslice %a {{offset = {offset} : i32, dim = {dim} : i32}}"
    return function(f"%a: {source}", f"{line} : {source} -> {result}", ctas)


PARTS = [
    (
        part(buffer("256x128xf32"), buffer("256x64xf32", alloc="256x128"), 48),
        "The split offset may not touch the tile",
    ),
    (
        part(
            buffer("512x64xf32", "#rows_of_two"),
            buffer("256x64xf32", "#rows_of_two", "512x64"),
            256,
            0,
            2,
        ),
        "The result may not be sliced across CTAs.",
    ),
    (
        part(buffer("128x2xf16", "#single"), buffer("128x1xf16", "#single", "128x2"), 1),
        "The split offset must be 32-bit aligned in tensor memory.",
    ),
    (
        part(buffer("128x128xf32"), buffer("128x64xf32", alloc="256x128"), 0),
        "The source and result must have the same alloc shape.",
    ),
]


@pytest.mark.parametrize(("text", "message"), PARTS)
def test_parts(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


@pytest.mark.parametrize("offset", [0, 64, 48])
def test_sound_parts(accept: Check, offset: int) -> None:
    accept(part(buffer("128x128xf32", "#wide"), buffer("128x64xf32", "#wide", "128x128"), offset))


def test_any_of_several_buffers_is_a_part(accept: Check) -> None:
    accept(part(buffer("4x128x64xf32"), buffer("3x128x64xf32", alloc="4x128x64"), 1, 0))


# --- copies --------------------------------------------------------------------------------


def copy(source: str, destination: str, ctas: int = 1) -> str:
    arguments = f"%a: {source}, %b: {destination}"
    return function(arguments, f"ttng.tmem_copy %a, %b : {source}, {destination}", ctas)


WORDS = buffer("128x64xi32")
COPIES = [
    (
        copy(shared("128x32xi32"), WORDS),
        "source shape 128, 32 must match destination shape 128, 64",
    ),
    (copy(shared("128x64xi32", "#loose"), WORDS), "at least 16-byte alignment"),
    (
        copy(shared("256x64xi32", "#nvmma_rows"), buffer("256x64xi32", "#columns_of_two"), 2),
        "the tensor shape must be at least 128x128",
    ),
    (
        copy(shared("256x128xi32", "#nvmma_rows"), buffer("256x128xi32", "#columns_of_two"), 2),
        "The source and destination must have the same cga layout.",
    ),
    (copy(shared("128x64xi32", "#turned"), WORDS), "The source should not be transposed or padded"),
    (
        copy(shared("128x32xi8", "#bytes"), buffer("128x32xi8", "#scales")),
        "The source should not be swizzled for now",
    ),
    (copy(shared("64x64xi32"), buffer("64x64xi32", "#half")), "Tmem layout must have blockM=128."),
    (copy(shared("128x64xi32", "#flat"), WORDS), "Source layout should be swizzled."),
    (
        copy(shared("128x64xf16", "#nvmma16"), buffer("128x64xf16")),
        "Source element type should be 32-bit.",
    ),
    (
        copy(shared("128x64xi32"), buffer("128x64xi32", "#narrow", "256x64")),
        "The destination must have at least 128 contiguous bits per TMEM row.",
    ),
    (copy(shared("128x64xi32"), shared("128x64xi32")), "Incorrect tmem layout."),
]


@pytest.mark.parametrize(("text", "message"), COPIES)
def test_copies(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_copy(accept: Check) -> None:
    accept(copy(shared("128x64xi32"), WORDS))


# --- views ---------------------------------------------------------------------------------


def view(source: str, result: str, ctas: int = 1) -> str:
    line = f"%b = ttg.memdesc_reinterpret %a : {source} -> {result}"
    return function(f"%a: {source}", line, ctas)


VIEWS = [
    (view(buffer("2x128x64xf32"), buffer("128x64xf32", alloc="128x128")), "result must not be a"),
    (
        view(shared("16x16xf16", "#line"), shared("16x16xf32", "#line")),
        "result shared-memory footprint (1024 bytes) exceeds the source view (512 bytes)",
    ),
    (
        view(buffer("128x64xf16"), buffer("128x64xf32")),
        "result tensor-memory column footprint (64 columns) exceeds the source view (32 columns)",
    ),
    (
        view(buffer("64x64xf32", "#half"), buffer("128x64xf32")),
        "result tensor-memory row footprint (128) exceeds the source view (64)",
    ),
    (
        view(buffer("8x4xi8", "#scales", "16x4"), buffer("16x4xi8", "#scales")),
        "result accesses tensor-memory rows outside the source subview",
    ),
    (
        view(shared("4x16xf16", "#line_rows", "8x16"), shared("4x16xf16", "#line_both"), 2),
        "cannot reinterpret a source subview sliced across CTAs",
    ),
    (
        view(shared("16x8xf16", "#line", "16x16"), shared("16x8xf16", "#line")),
        "result shared-memory footprint includes offsets not owned by the source subview "
        "(256 bytes requested; 16 contiguous bytes available)",
    ),
    (
        view(buffer("128x256xf32", alloc="256x256"), buffer("128x256xf32")),
        "result tensor-memory column footprint includes columns not owned by the source subview "
        "(256 columns requested; 64 contiguous columns available)",
    ),
]


@pytest.mark.parametrize(("text", "message"), VIEWS)
def test_views(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


SOUND_VIEWS = [
    view(shared("8x16xf16", "#line", "16x16"), shared("8x8xf32", "#line")),
    view(buffer("128x64xf32"), buffer("128x64xf16")),
    view(buffer("128x64xf32", alloc="128x128"), buffer("128x64xf32")),
    view(buffer("2x128x64xf32"), buffer("128x128xf32")),
]


@pytest.mark.parametrize("text", SOUND_VIEWS)
def test_sound_views(accept: Check, text: str) -> None:
    accept(text)
