# Kernels are Triton's language, which types do not describe.
# pyright: basic, reportInvalidTypeForm=false
"""What Triton's language can say beyond blocks and masks, natively."""

from typing import Any

import pytest

from xtriton.interop.native import Launcher

torch: Any = pytest.importorskip("torch")
triton: Any = pytest.importorskip("triton")
tl: Any = pytest.importorskip("triton.language")

NAN, INFINITY = float("nan"), float("inf")


@pytest.fixture
def launch() -> Launcher:
    torch.manual_seed(0)
    return Launcher()


# --- reductions -------------------------------------------------------------------------


@triton.jit
def extremes_kernel(x_ptr, out_ptr, LEFT: tl.constexpr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.argmax(x, 0, tie_break_left=LEFT))
    tl.store(out_ptr + 1, tl.argmin(x, 0, tie_break_left=LEFT))


@triton.jit
def column_extremes_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    columns = tl.arange(0, WIDTH)
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * WIDTH + columns[None, :])
    tl.store(out_ptr + columns, tl.argmax(x, 0))


def by_halves(values: list[float]) -> int:
    """Return where the largest is, as Triton's combiner finds it: NaN on the right stays."""
    pairs = [(value, index) for index, value in enumerate(values)]
    while len(pairs) > 1:
        half = len(pairs) // 2
        both = zip(pairs[:half], pairs[half:], strict=True)
        pairs = [a if a[0] > b[0] or (a[0] == b[0] and a[1] < b[1]) else b for a, b in both]
    return pairs[0][1]


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize(
    "values, largest, least",
    [
        ([NAN, 6.0, 8.0, -INFINITY], 2, None),
        ([3.0, 5.0, NAN, -INFINITY], 1, None),
        ([NAN, 6.0, 8.0, INFINITY], None, 1),
        ([3.0, NAN, 1.0, INFINITY], None, 2),
    ],
)
def test_extremes_pass_over_nan(launch, values, largest, least, left):
    """The cases of Triton's own `test_argmax_argmin_with_nan`, masked element included."""
    x, out = torch.tensor(values), torch.zeros(2, dtype=torch.int32)
    launch(extremes_kernel, (1,))(x, out, LEFT=left, BLOCK=4)
    assert largest in (None, out[0])
    assert least in (None, out[1])


def test_extremes_of_long_rows_and_columns_with_nan(launch):
    x = torch.randn(64, 8)
    x[torch.rand(64, 8) < 0.3] = NAN
    out = torch.zeros(8, dtype=torch.int32)
    launch(column_extremes_kernel, (1,))(x, out, ROWS=64, WIDTH=8)
    assert out.tolist() == [by_halves(column) for column in x.T.tolist()]
    row, found = x.flatten(), torch.zeros(2, dtype=torch.int32)
    launch(extremes_kernel, (1,))(row, found, LEFT=True, BLOCK=512)
    assert found[0] == by_halves(row.tolist())


# --- pointers ---------------------------------------------------------------------------


@triton.jit
def table_kernel(table_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    program = tl.program_id(0)
    row = tl.load(table_ptr + program).to(tl.pointer_type(tl.float32))
    tl.store(out_ptr + program * BLOCK + i, tl.load(row + i))
    tl.store(row, 7.0)


@triton.jit
def every_first_kernel(table_ptr, out_ptr, ROWS: tl.constexpr):
    i = tl.arange(0, ROWS)
    rows = tl.load(table_ptr + i).to(tl.pointer_type(tl.float32))
    old = tl.load(rows, mask=i != 1, other=-1.0)
    tl.store(rows + 1, 3.0, mask=i != 2)
    tl.atomic_add(rows + 2, 1.0)
    tl.store(out_ptr + i, old)


@triton.jit
def walk_kernel(address, other_address, out_ptr, n):
    here = address.to(tl.pointer_type(tl.float32))
    total = 0.0
    for k in range(n):
        total += tl.load(here)
        here = here + 1
        if k == 1:
            here = other_address.to(tl.pointer_type(tl.float32))
    tl.store(out_ptr, total)


@triton.jit
def optional_kernel(x_ptr, y_ptr, bias_ptr, out_ptr, split, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(tl.where(i < split, x_ptr + i, y_ptr + i))
    if bias_ptr:
        x += tl.load(bias_ptr + i)
    tl.store(out_ptr + i, x)


@triton.jit
def addresses_kernel(x_ptr, out_ptr):
    i = tl.arange(0, 4)
    tl.store(out_ptr, x_ptr.to(tl.int64))
    tl.store(out_ptr + 1 + i, (x_ptr + i).to(tl.int64))


def test_tables_of_pointers(launch):
    rows = [torch.randn(16) for _ in range(4)]
    wanted = torch.stack(rows)
    table, out = torch.tensor([row.data_ptr() for row in rows]), torch.zeros(4, 16)
    launch(table_kernel, (4,))(table, out, BLOCK=16)
    assert torch.equal(out, wanted)
    assert [row[0] for row in rows] == [7, 7, 7, 7]
    first = torch.zeros(4)
    launch(every_first_kernel, (1,))(table, first, ROWS=4)
    assert first.tolist() == [7, -1, 7, 7]
    assert [row[1] for row in rows] == [3, 3, wanted[2][1], 3]
    assert all(row[2] == before[2] + 1 for row, before in zip(rows, wanted, strict=True))


def test_pointers_of_integers_through_a_loop(launch):
    x, y, out = torch.randn(8), torch.randn(8), torch.zeros(1)
    launch(walk_kernel, (1,))(x.data_ptr(), y.data_ptr(), out, 4)
    torch.testing.assert_close(out[0], x[:2].sum() + y[:2].sum())


def test_optional_and_chosen_pointers(launch):
    x, y, out = torch.randn(16), torch.randn(16), torch.zeros(16)
    launch(optional_kernel, (1,))(x, y, x, out, 5, BLOCK=16)
    assert torch.equal(out, torch.cat([x[:5], y[5:]]) + x)
    addresses, first = torch.zeros(5, dtype=torch.int64), x.data_ptr()
    launch(addresses_kernel, (1,))(x, addresses)
    assert addresses.tolist() == [first, first, first + 4, first + 8, first + 12]


@triton.jit
def moved_descriptor_kernel(x_ptr, y_ptr, out_ptr, n, WIDTH: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, [n, WIDTH], [WIDTH, 1], [1, WIDTH])
    total = tl.zeros([1, WIDTH], tl.float32)
    for i in range(n):
        total += source.load([i, 0])
        if i == 1:
            source = tl.make_tensor_descriptor(y_ptr, [n, WIDTH], [WIDTH, 1], [1, WIDTH])
    tl.make_tensor_descriptor(out_ptr, [1, WIDTH], [WIDTH, 1], [1, WIDTH]).store([0, 0], total)


def test_descriptor_carried_by_a_loop(launch):
    x, y, out = torch.randn(5, 16), torch.randn(5, 16), torch.zeros(1, 16)
    launch(moved_descriptor_kernel, (1,))(x, y, out, 5, WIDTH=16)
    torch.testing.assert_close(out[0], x[:2].sum(0) + y[2:].sum(0))


# --- scalars ----------------------------------------------------------------------------


@triton.jit
def every_type_kernel(x_ptr, out_ptr, positive_ptr):
    program = tl.program_id(0)
    x = tl.load(x_ptr + program)
    tl.store(out_ptr + program, x)
    tl.store(positive_ptr + program, x.to(tl.float32) > 0)


@pytest.mark.parametrize(
    "name", ["bool", "int8", "uint16", "int64", "float16", "bfloat16", "float64", "float8_e5m2"]
)
def test_scalars_of_every_type_at_an_offset(launch, name):
    x = (torch.randn(8) * 3).abs().to(getattr(torch, name))
    out, positive = torch.zeros(8).to(x.dtype), torch.full((9,), True)
    launch(every_type_kernel, (8,))(x, out, positive)
    assert torch.equal(out.view(torch.uint8), x.view(torch.uint8))
    assert positive.tolist() == [*(x.float() > 0).tolist(), True]


@triton.jit
def extreme_of_all_kernel(x_ptr, out_ptr):
    x = tl.load(x_ptr + tl.program_id(0))
    tl.atomic_max(out_ptr, x)
    tl.atomic_min(out_ptr + 1, x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_atomic_extremes_of_float_scalars(launch, dtype):
    x, out = torch.randn(99, dtype=dtype), torch.tensor([-9.0, 9.0], dtype=dtype)
    launch(extreme_of_all_kernel, (99,))(x, out)
    assert out.tolist() == [x.max(), x.min()]


@triton.jit
def hand_over_kernel(flags_ptr, data_ptr, n):
    program = tl.program_id(0)
    seen = tl.atomic_poll(flags_ptr + program, 1, sem="acquire")
    value = tl.load(data_ptr + program)
    tl.store(data_ptr + program + 1, value + seen.to(tl.int32))
    tl.atomic_xchg(flags_ptr + program + 1, 1, sem="release")


@triton.jit
def give_up_kernel(flags_ptr, out_ptr):
    tl.store(out_ptr, tl.atomic_poll(flags_ptr, 1, timeout_ns=1000).to(tl.int32))


@pytest.mark.skipif(not hasattr(tl, "atomic_poll"), reason="since Triton 3.9")
def test_programs_wait_for_each_other(launch):
    flags, data = torch.zeros(65, dtype=torch.int32), torch.zeros(65, dtype=torch.int32)
    flags[0] = 1
    launch(hand_over_kernel, (64,))(flags, data, 64)
    assert data.tolist() == list(range(65))
    out = torch.ones(1, dtype=torch.int32)
    launch(give_up_kernel, (1,))(torch.zeros(1, dtype=torch.int32), out)
    assert out[0] == 0


@triton.jit
def wait_for_the_next_kernel(flags_ptr, out_ptr):
    """Without atomics, and in vain behind so many tries."""
    program = tl.program_id(0)
    tries = 0
    if program == 0:
        seen = tl.load(flags_ptr, volatile=True)
        while (seen == 0) & (tries < 2_000_000_000):
            seen = tl.load(flags_ptr, volatile=True)
            tries += 1
        tl.store(out_ptr, seen)
    else:
        tl.store(flags_ptr, 5)


def test_a_volatile_load_is_done_each_time(launch):
    flags, out = torch.zeros(1, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    launch(wait_for_the_next_kernel, (2,))(flags, out, launch_cooperative_grid=True)
    assert out[0] == 5


@triton.jit
def volatile_block_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    first = tl.load(x_ptr + i, i < n, volatile=True)
    tl.store(out_ptr + i, first + tl.load(x_ptr + i, i < n, other=7, volatile=True))


def test_volatile_blocks(launch):
    x, out = torch.arange(64), torch.zeros(64, dtype=torch.int64)
    launch(volatile_block_kernel, (1,))(x, out, 50, 64)
    assert torch.equal(out, torch.where(x < 50, 2 * x, 7))


# --- functions, prints, assembly --------------------------------------------------------


@triton.jit(noinline=True)
def doubled_if_large(x, n):
    if x > n:
        return x * 2
    return x + 1


@triton.jit(noinline=True)
def store_if_large(x_ptr, out_ptr, n):
    x = tl.load(x_ptr)
    if x <= n:
        return
    tl.store(out_ptr, x)


@triton.jit
def early_return_kernel(x_ptr, out_ptr, large_ptr, n):
    program = tl.program_id(0)
    x = tl.load(x_ptr + program)
    tl.store(out_ptr + program, doubled_if_large(x, n) + doubled_if_large(x + 100, n))
    store_if_large(x_ptr + program, large_ptr + program, n)


def test_callees_with_early_returns(launch):
    x = torch.arange(8, dtype=torch.int32)
    out, large = torch.zeros_like(x), torch.zeros_like(x)
    launch(early_return_kernel, (8,))(x, out, large, 4)
    assert out.tolist() == [(2 * k if k > 4 else k + 1) + 2 * (k + 100) for k in range(8)]
    assert large.tolist() == [0, 0, 0, 0, 0, 5, 6, 7]


@triton.jit
def print_kernel(x_ptr, flag):
    x = tl.load(x_ptr + tl.arange(0, 16)[:, None] * 2 + tl.arange(0, 2)[None, :])
    tl.device_print("100% x", x)
    tl.device_print("two", flag, tl.program_id(1), hex=True)
    tl.device_print("done")


def test_prints_as_on_a_gpu(launch, capfd):
    x = torch.arange(32).reshape(16, 2).float() / 2 - 3
    launch(print_kernel, (1, 2))(x, -5)
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 2 * (32 + 3)
    assert "pid (0, 1, 0) idx ( 3, 1) 100% x: 0.500000" in lines
    assert "pid (0, 1, 0) idx () two: (operand 0) 0xfffffffb" in lines
    assert "pid (0, 1, 0) idx () two: (operand 1) 0x00000001" in lines
    assert {line for line in lines if "done" in line} == {f"pid (0, {y}, 0) done" for y in (0, 1)}


@triton.jit
def tf32_kernel(x_ptr, out_ptr, ASM: tl.constexpr):
    i = tl.arange(0, 64)
    x = tl.load(x_ptr + i)
    rounded = tl.inline_asm_elementwise(ASM, "=r,r", [x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out_ptr + i, rounded)


def test_assembly_that_rounds_to_tf32(launch):
    x, away, even = torch.randn(64), torch.zeros(64), torch.zeros(64)
    x[0], x[1], x[2], x[3] = INFINITY, NAN, 1 + 2**-11, -(1 + 3 * 2**-11)
    launch(tf32_kernel, (1,))(x, away, ASM="cvt.rna.tf32.f32 $0, $1;")
    launch(tf32_kernel, (1,))(x, even, ASM="cvt.rn.tf32.f32 $0, $1;")
    assert away[:1].isinf().all()
    assert away[1:2].isnan().all()
    assert away[2:4].tolist() == [1 + 2**-10, -(1 + 2**-9)]
    assert even[2:4].tolist() == [1.0, -(1 + 2**-9)]
    bits = (x[4:].view(torch.int32) + 0x1000) & ~0x1FFF
    assert torch.equal(away[4:], bits.view(torch.float32))


def test_other_assembly_is_refused(launch):
    x = torch.zeros(64)
    with pytest.raises(Exception, match=r"cannot lower inline assembly 'mov.b32"):
        launch(tf32_kernel, (1,))(x, x, ASM="mov.b32 $0, $1;")
