# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false
"""Kernels beyond the examples, natively: scans, sorts, atomics, gathers, attention, half."""

from typing import Any

import pytest

from xtriton.interop.native import Launcher

torch: Any = pytest.importorskip("torch")
triton: Any = pytest.importorskip("triton")
tl: Any = pytest.importorskip("triton.language")


@triton.jit
def order_kernel(x_ptr, sums_ptr, sorted_ptr, largest_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=-float("inf"))
    tl.store(sums_ptr + i, tl.cumsum(tl.where(i < n, x, 0.0), 0), mask=i < n)
    tl.store(sorted_ptr + i, tl.sort(x, descending=True), mask=i < n)
    tl.store(largest_ptr, tl.argmax(x, 0))


@triton.jit
def count_kernel(x_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.atomic_add(counts_ptr + x, 1, mask=i < n)


@triton.jit
def lookup_kernel(table_ptr, index_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.load(index_ptr + tl.program_id(0))
    columns = tl.arange(0, BLOCK)
    values = tl.load(table_ptr + row * width + columns, mask=columns < width)
    tl.store(out_ptr + tl.program_id(0) * width + columns, values, mask=columns < width)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, length, scale, BLOCK: tl.constexpr, WIDTH: tl.constexpr
):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, WIDTH)
    q = tl.load(
        q_ptr + rows[:, None] * WIDTH + columns[None, :], mask=rows[:, None] < length, other=0
    )
    largest = tl.full([BLOCK], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    result = tl.zeros([BLOCK, WIDTH], tl.float32)
    for start in range(0, length, BLOCK):
        others = start + tl.arange(0, BLOCK)
        inside = others[:, None] < length
        k = tl.load(k_ptr + others[:, None] * WIDTH + columns[None, :], mask=inside, other=0)
        v = tl.load(v_ptr + others[:, None] * WIDTH + columns[None, :], mask=inside, other=0)
        scores = tl.dot(q, tl.trans(k)) * scale
        scores = tl.where(others[None, :] < length, scores, -float("inf"))
        new_largest = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp(scores - new_largest[:, None])
        correction = tl.exp(largest - new_largest)
        total = total * correction + tl.sum(weights, 1)
        result = result * correction[:, None] + tl.dot(weights.to(v.dtype), v)
        largest = new_largest
    result = result / total[:, None]
    places = out_ptr + rows[:, None] * WIDTH + columns[None, :]
    tl.store(places, result, mask=rows[:, None] < length)


@triton.jit
def column_extrema_kernel(x_ptr, largest_ptr, least_ptr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    columns = tl.arange(0, WIDTH)
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * WIDTH + columns[None, :])
    tl.store(largest_ptr + columns, tl.max(x, 0))
    tl.store(least_ptr + columns, tl.min(x, 0))


@triton.jit
def row_move_kernel(x_ptr, rows_ptr, out_ptr, total_ptr, height, width, ROWS: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, [height, width], [width, 1], [1, 16])
    target = tl.make_tensor_descriptor(out_ptr, [height, width], [width, 1], [1, 16])
    total = tl.make_tensor_descriptor(total_ptr, [height, width], [width, 1], [ROWS, 16])
    rows = tl.load(rows_ptr + tl.arange(0, ROWS))
    column = tl.program_id(0) * 16
    moved = source.gather(rows, column)
    target.scatter(moved * 2, rows, column)
    total.atomic_add([4, column], moved)


@triton.jit
def row_extrema_kernel(x_ptr, largest_ptr, least_ptr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    rows, columns = tl.arange(0, ROWS), tl.arange(0, WIDTH)
    x = tl.load(x_ptr + rows[:, None] * WIDTH + columns[None, :])
    tl.store(largest_ptr + rows, tl.max(x, 1))
    tl.store(least_ptr + rows, tl.min(x, 1))


@triton.jit
def transposition_kernel(
    x_ptr, out_ptr, height, width, ROWS: tl.constexpr, COLUMNS: tl.constexpr, MASKED: tl.constexpr
):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (rows[:, None] < height) & (columns[None, :] < width)
    x = tl.load(x_ptr + rows[:, None] * width + columns[None, :], mask=inside if MASKED else None)
    out = out_ptr + columns[:, None] * height + rows[None, :]
    tl.store(out, x.T, mask=inside.T if MASKED else None)


@triton.jit
def chosen_pointer_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    first = tl.load(x_ptr + i)
    place = y_ptr
    for k in range(n):
        tl.store(place + i, tl.full([BLOCK], k, tl.float32))
        place = x_ptr
    place = y_ptr if n > 2 else x_ptr
    tl.store(place + i, tl.load(place + i) + 10)
    tl.store(out_ptr + i, first)


@pytest.fixture
def launch() -> Launcher:
    torch.manual_seed(0)
    return Launcher()


@pytest.mark.parametrize("n", [1, 50, 64])
def test_scan_sort_argmax(launch: Launcher, n: int):
    x = torch.randn(n)
    sums, ordered, largest = torch.zeros(n), torch.zeros(n), torch.zeros(1, dtype=torch.int32)
    launch(order_kernel, (1,))(x, sums, ordered, largest, n, BLOCK=64)
    torch.testing.assert_close(sums, x.cumsum(0), rtol=1e-5, atol=1e-5)
    assert torch.equal(ordered, x.sort(descending=True)[0])
    assert largest[0] == x.argmax()


@pytest.mark.parametrize("rows, width", [(8, 16), (16, 16), (16, 8)])
def test_extrema_of_columns(launch: Launcher, rows: int, width: int):
    """No row is lost, though LLVM may vectorise the loop over them with few left over."""
    x = torch.randn(rows, width)
    largest, least = torch.zeros(width), torch.zeros(width)
    launch(column_extrema_kernel, (1,))(x, largest, least, ROWS=rows, WIDTH=width)
    assert torch.equal(largest, x.amax(0))
    assert torch.equal(least, x.amin(0))


@pytest.mark.parametrize("width", [2, 16, 64, 256])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_extrema_of_rows_with_nan(launch: Launcher, width: int, dtype: Any):
    """NaN does not count, unless there is nothing else; an infinity may be all that is left."""
    nan, infinity = float("nan"), float("inf")
    x = torch.randn(8, width).to(dtype)
    x[1, 0] = x[2, -1] = nan
    x[3], x[4], x[5], x[6], x[7] = nan, -infinity, infinity, nan, nan
    x[6, width // 2], x[7, -1] = -infinity, infinity
    largest, least = torch.zeros(8, dtype=dtype), torch.zeros(8, dtype=dtype)
    launch(row_extrema_kernel, (1,))(x, largest, least, ROWS=8, WIDTH=width)
    some = ~x.isnan().all(1)
    assert torch.equal(largest[some], x.nan_to_num(-infinity, infinity, -infinity).amax(1)[some])
    assert torch.equal(least[some], x.nan_to_num(infinity, infinity, -infinity).amin(1)[some])
    assert largest[~some].isnan().all()
    assert least[~some].isnan().all()


@pytest.mark.parametrize("dtype", [torch.int8, torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("rows, columns", [(32, 16), (4, 16), (16, 4), (8, 2), (1, 8)])
def test_transpositions(launch: Launcher, rows: int, columns: int, dtype: Any):
    x = torch.arange(64 * 48).reshape(64, 48).remainder(113).to(dtype)
    out = torch.zeros(48, 64, dtype=dtype)
    grid = (64 // rows, 48 // columns)
    launch(transposition_kernel, grid)(x, out, 64, 48, ROWS=rows, COLUMNS=columns, MASKED=False)
    assert torch.equal(out, x.T)


@pytest.mark.parametrize("height, width", [(64, 48), (50, 33), (1, 70)])
def test_transpositions_with_masks(launch: Launcher, height: int, width: int):
    x = torch.randn(height, width)
    out = torch.zeros(width, height)
    grid = (triton.cdiv(height, 16), triton.cdiv(width, 16))
    launch(transposition_kernel, grid)(x, out, height, width, ROWS=16, COLUMNS=16, MASKED=True)
    assert torch.equal(out, x.T)


def test_rows_of_descriptors(launch: Launcher):
    x = torch.randn(20, 40)
    rows = torch.tensor([3, 0, 19, 25, 7, -1, 11, 5], dtype=torch.int32)
    inside = rows[(rows >= 0) & (rows < 20)].long()
    out, total = torch.zeros_like(x), torch.zeros_like(x)
    launch(row_move_kernel, (3,))(x, rows, out, total, 20, 40, ROWS=8)
    wanted = torch.zeros_like(x)
    wanted[inside] = 2 * x[inside]
    assert torch.equal(out, wanted)
    moved = torch.where(((rows >= 0) & (rows < 20))[:, None], x[rows.long() % 20], 0.0)
    assert torch.equal(total[4:12], moved)
    assert not total[:4].any()
    assert not total[12:].any()


@pytest.mark.parametrize("n", [0, 2, 3])
def test_pointers_chosen_at_run_time(launch: Launcher, n: int):
    """What is loaded first stays what it was, whichever argument is stored to meanwhile."""
    x, y = torch.randn(16), torch.zeros(16)
    first, out = x.clone(), torch.zeros(16)
    launch(chosen_pointer_kernel, (1,))(x, y, out, n, BLOCK=16)
    assert torch.equal(out, first)
    stored = torch.full((16,), float(n - 1)) if n > 1 else first
    assert torch.equal(x, stored if n > 2 else stored + 10)
    assert torch.equal(y, torch.full((16,), 10.0 if n > 2 else 0.0))


def test_atomic_histogram(launch: Launcher):
    x = torch.randint(0, 10, (5000,), dtype=torch.int32)
    counts = torch.zeros(10, dtype=torch.int32)
    launch(count_kernel, (5,))(x, counts, 5000, BLOCK=1024)
    assert torch.equal(counts, x.bincount(minlength=10).int())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8])
def test_lookup(launch: Launcher, dtype: Any):
    table = torch.randint(-9, 9, (20, 37)).to(dtype)
    index = torch.randint(0, 20, (11,))
    out = torch.zeros(11, 37, dtype=dtype)
    launch(lookup_kernel, (11,))(table, index, out, 37, BLOCK=64)
    assert torch.equal(out, table[index])


@pytest.mark.parametrize("length", [1, 64, 150])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_attention(launch: Launcher, length: int, dtype: Any):
    q, k, v = (torch.randn(length, 32).to(dtype) for _ in range(3))
    out = torch.zeros(length, 32)
    grid = (triton.cdiv(length, 64),)
    launch(attention_kernel, grid)(q, k, v, out, length, 32**-0.5, BLOCK=64, WIDTH=32)
    wanted = torch.softmax(q.float() @ k.float().T * 32**-0.5, 1) @ v.float()
    limit = {torch.float32: 1e-5, torch.float16: 3e-3, torch.bfloat16: 2e-2}[dtype]
    torch.testing.assert_close(out, wanted, rtol=limit, atol=limit)


def test_a_specialisation_is_compiled_once(launch: Launcher):
    x = torch.zeros(64, dtype=torch.int32)
    counts = torch.zeros(1, dtype=torch.int32)

    def compiled(n: int, block: int = 64) -> object:
        return launch(count_kernel, (1,))(x, counts, n, BLOCK=block)

    first = compiled(64)
    assert compiled(48) is first
    assert compiled(50) is not first, "50 is no multiple of 16"
    assert compiled(64, 128) is not first
    assert counts.item() == 64 + 48 + 50 + 64
