"""Rules of views of buffers: parts, single buffers of several, other types."""

from collections.abc import Callable

import pytest

Check = Callable[..., None]
EARLY = (3, 3)
"""Rules that have `ttg.memdesc_subview`, and ask for constant offsets."""

HEADER = """#cube = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#plane = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#padded = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
#other = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>
#tile = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [32, 64]}>
#partitioned = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #plane}>
"""


def memdesc(shape: str, encoding: str = "#plane", rest: str = "") -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, #ttg.shared_memory{rest}>"


def view(op: str, source: str, result: str, operands: str = "", properties: str = "") -> str:
    """Return a view of `source`; `operands` are `%i`, `%zero`, `%one` or `%two`."""
    names = ", ".join(["%a", *filter(None, [operands])])
    types = ", ".join([source, *(["i32"] * len([o for o in operands.split(", ") if o]))])
    given = f" <{{{properties}}}>" if properties else ""
    constants = "\n".join(
        f"%{name} = arith.constant {value} : i32"
        for name, value in (("zero", 0), ("one", 1), ("two", 2), ("many", 32))
    )
    return (
        f'{HEADER}module attributes {{"ttg.num-warps" = 4 : i32}} {{\n'
        f"tt.func @f(%a: {source}, %i: i32) {{\n{constants}\n"
        f'%r = "ttg.memdesc_{op}"({names}){given} : ({types}) -> {result}\ntt.return\n}}\n}}'
    )


SUBVIEWS = [
    (view("subview", memdesc("64x64xf16"), memdesc("64x64xf16"), "%zero"), "same rank as input"),
    (
        view("subview", memdesc("64xf16", "#line"), memdesc("1x64xf16"), "%zero"),
        "result rank must be less than or equal to input rank",
    ),
    (
        view("subview", memdesc("32x64xf16"), memdesc("64x64xf16"), "%zero, %zero"),
        "result shape cannot be larger than input shape at dimension 0",
    ),
    (
        view("subview", memdesc("2x2x64xf16", "#cube"), memdesc("64xf16", "#line"), "%i, %i, %i"),
        "only nD -> (n-1)D rank-reducing subviews are supported",
    ),
    (
        view("subview", memdesc("2x64x64xf16", "#cube"), memdesc("64x64xf16"), "%i, %i, %zero"),
        "only constant values are allowed outside the front dimension",
    ),
    (
        view("subview", memdesc("2x64x64xf16", "#cube"), memdesc("64x64xf16"), "%i, %one, %zero"),
        "only first offset can be non-zero for a rank-reducing subview",
    ),
    (
        view("subview", memdesc("64x64xf16"), memdesc("32x32xf16"), "%zero, %zero"),
        "We don't allow subviews that split along multiple dimensions",
    ),
    (
        view("subview", memdesc("64x64xf16"), memdesc("32x64xf16"), "%i, %zero"),
        "only constant values are allowed for the split",
    ),
    (
        view("subview", memdesc("64x64xf16"), memdesc("32x64xf16"), "%two, %zero"),
        "The split offset may not touch the tile",
    ),
]


@pytest.mark.parametrize(("text", "message"), SUBVIEWS)
def test_subviews(refuse: Check, text: str, message: str) -> None:
    refuse(text, message, EARLY)


def test_sound_subviews(accept: Check) -> None:
    accept(view("subview", memdesc("64x64xf16"), memdesc("32x64xf16"), "%many, %zero"), EARLY)
    cube = memdesc("2x64x64xf16", "#cube")
    accept(view("subview", cube, memdesc("64x64xf16"), "%i, %zero, %zero"), EARLY)


BUFFERS = memdesc("2x64x64xf16")
VIEWS = [
    (
        view("index", memdesc("2x64x64xf16", rest=", 4x2x64x64"), memdesc("64x64xf16"), "%i"),
        "We don't allow taking memdesc_index of a memdesc_index",
    ),
    (view("index", BUFFERS, memdesc("32x64xf16"), "%i"), "result shape must equal to srcShape[1:]"),
    (
        view("index", memdesc("2x32x64xf16", rest=", 2x64x64"), memdesc("32x64xf16"), "%i"),
        "We only support memdesc_index of a multibuffer-prefix subview",
    ),
    (
        view("index", BUFFERS, memdesc("64x64xf16", rest=", 2x64x64"), "%i"),
        "alloc shape must match shape for the result",
    ),
    (
        view("reinterpret", memdesc("64x64xf16"), memdesc("64x64xf16", "#padded")),
        "cannot reinterpret between padded and non-padded layouts",
    ),
    (
        view("reinterpret", memdesc("64x64xf16", "#padded"), memdesc("64x64xf16", "#other")),
        "cannot reinterpret with different padding pattern",
    ),
    (
        view(
            "reinterpret",
            memdesc("32x64xf16", "#padded", ", 64x64"),
            memdesc("32x64xf16", "#tile"),
        ),
        "cannot reinterpret a padded source subview",
    ),
    (
        view("reinterpret", memdesc("64x64xf16", "#partitioned"), memdesc("64x64xf16")),
        "cannot reinterpret partitioned shared layouts",
    ),
]


@pytest.mark.parametrize(("text", "message"), VIEWS)
def test_views(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_views(accept: Check) -> None:
    accept(view("index", BUFFERS, memdesc("64x64xf16"), "%i"))
    accept(view("reinterpret", memdesc("64x64xf16"), memdesc("64x32xf32")))
