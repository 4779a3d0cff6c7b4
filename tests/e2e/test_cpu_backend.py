# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
"""`kernel[grid](...)` on CPU tensors, through Triton's own `JITFunction.run`."""

import os
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("triton")
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from xtriton.cpu import KernelFault, checks, splitting
from xtriton.cpu.threads import limited_threads, watched_launches
from xtriton.errors import UserError
from xtriton.interop.cpu_backend import driver as cpu
from xtriton.interop.triton import stub_driver

jit: Any = triton.jit  # types do not describe Triton's language


pytestmark = pytest.mark.usefixtures("on_the_cpu")


@jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask) + tl.load(y + i, mask), mask)


@jit
def copy_rows(x, out, stride, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i * stride, i < n), i < n)


@jit
def square(x, out, n: tl.int64):  # pyright: ignore[reportInvalidTypeForm]
    tl.store(out, n * n)


@jit
def of_tuples(arguments, out, F: tl.constexpr):
    (x, scale), y = arguments
    i = tl.arange(0, 16)
    tl.store(out + i, F(tl.load(x + i) * scale, tl.load(y + i)))


@jit
def plus(a, b):
    return a + b


def times() -> Any:
    @jit
    def plus(a, b):
        return a * b

    return plus


@jit
def rows_of(source, out, M: tl.constexpr, N: tl.constexpr):
    block = source.load([tl.program_id(0) * M, 0])
    i = tl.program_id(0) * M + tl.arange(0, M)
    tl.store(out + i, tl.sum(block, 1))


def test_the_entry_point_is_found():
    backends = import_module("triton.backends").backends
    assert backends["cpu"].driver is cpu.CpuDriver


def test_tensors_and_what_is_kept_of_each_stage():
    x, y, out = torch.randn(1000), torch.randn(1000), torch.zeros(1000)
    kernel = add[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](
        x, y, out, 1000, BLOCK=128, num_warps=8, num_stages=2
    )
    torch.testing.assert_close(out, x + y)
    assert {"ttir", "structured", "linalg", "memref", "llir", "cpuobj"} <= set(kernel.asm)
    assert "tts.load" in kernel.asm["structured"]
    assert kernel.metadata.num_warps == 8
    assert kernel.metadata.target.backend == "cpu"


def test_numpy_arrays_and_numbers():
    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    add[(1,)](x, x[::-1].copy(), out, np.int64(64), BLOCK=64)
    np.testing.assert_array_equal(out, np.full(64, 63, np.float32))


def test_strided_views():
    x, out = torch.arange(100.0), torch.zeros(25)
    copy_rows[(1,)](x[3::4], out, 4, 25, BLOCK=32)
    torch.testing.assert_close(out, x[3::4])
    backwards, result = np.arange(10, dtype=np.int16)[::-1], np.zeros(10, np.int16)
    copy_rows[(1,)](backwards, result, -1, 10, BLOCK=16)
    np.testing.assert_array_equal(result, backwards)


def test_annotated_types_hold():
    out = torch.zeros(1, dtype=torch.int64)
    square[(1,)](out, out, 100000)
    assert out.item() == 100000**2


def test_tuples_and_functions_of_one_name():
    x, y, out = torch.randn(16), torch.randn(16), torch.zeros(16)
    of_tuples[(1,)](((x, 2.0), y), out, plus)
    torch.testing.assert_close(out, x * 2 + y)
    of_tuples[(1,)](((x, 2.0), y), out, times())
    torch.testing.assert_close(out, x * 2 * y)


def test_reinterpreted_tensors():
    x = torch.tensor([-1, 2], dtype=torch.int32)
    out = torch.zeros(2, dtype=torch.int64)
    copy_rows[(1,)](triton.reinterpret(x, tl.uint32), out, 1, 2, BLOCK=2)
    assert out.tolist() == [2**32 - 1, 2]


class Pointer:
    """What Triton takes for a tensor: a pointer with a type."""

    def __init__(self, tensor: torch.Tensor):
        self.tensor = tensor
        self.dtype = tensor.dtype

    def data_ptr(self) -> int:
        return self.tensor.data_ptr()


class Backwards(Pointer):
    """A view that goes backwards, which torch has none of."""

    def __init__(self, tensor: torch.Tensor):
        super().__init__(tensor)
        self.shape, self.device = tensor.shape, tensor.device
        self.element_size = tensor.element_size

    def data_ptr(self) -> int:
        return self.tensor[-1:].data_ptr()

    def stride(self) -> tuple[int]:
        return (-1,)


def test_what_stands_for_a_tensor():
    x, out = torch.arange(10.0), torch.zeros(10)
    copy_rows[(1,)](Pointer(x), Pointer(out), 1, 10, BLOCK=16)
    assert torch.equal(out, x)
    copy_rows[(1,)](Backwards(x), out, -1, 10, BLOCK=16)
    assert torch.equal(out, x.flip(0))
    with checks():
        copy_rows[(1,)](Backwards(x), Pointer(out), -1, 9, BLOCK=16)
        with pytest.raises(KernelFault):
            copy_rows[(1,)](Backwards(x), out, -2, 10, BLOCK=16)


def test_checks_of_what_was_compiled_without():
    x, out = torch.arange(10.0), torch.zeros(10)
    copy_rows[(1,)](x, out, 1, 10, BLOCK=16)
    with checks(), pytest.raises(KernelFault, match="out of bounds"):
        copy_rows[(1,)](x, out[:9], 1, 10, BLOCK=16)
    with checks(races=True), pytest.raises(KernelFault, match="race"):
        copy_rows[(2,)](x, out, 1, 10, BLOCK=16)
    copy_rows[(2,)](x, out, 1, 10, BLOCK=16)


@jit
def of_neighbours(sem, x, out):
    own, count = tl.program_id(0), tl.num_programs(0)
    tl.store(x + own, own + 1)
    tl.atomic_add(sem, 1)
    tries = 0
    while (tl.atomic_add(sem, 0) < count) & (tries < 300_000_000):
        tries += 1
    tl.store(out + own, tl.load(x + (own + 1) % count))


def test_programs_that_wait_for_each_other():
    for count in (1, 7):
        sem, x, out = (torch.zeros(count, dtype=torch.int32) for _ in range(3))
        of_neighbours[(count,)](sem, x, out, launch_cooperative_grid=True)
        assert out.tolist() == [*range(2, count + 1), 1]
    with pytest.raises(UserError, match="at the same time"):
        of_neighbours[(5000,)](sem, x, out, launch_cooperative_grid=True)


def test_host_descriptors():
    x, out = torch.randn(8, 16), torch.zeros(8)
    rows_of[(2,)](TensorDescriptor.from_tensor(x, [4, 16]), out, 4, 16)
    torch.testing.assert_close(out, x.sum(1))


def test_a_grid_is_checked():
    x = torch.zeros(4)
    for grid, error in [
        ((1 << 32,), ValueError),
        ((1.5,), TypeError),
        ((-1,), ValueError),
        ((-1, -1), ValueError),
    ]:
        with pytest.raises(error, match="grid"):
            add[grid](x, x, x, 4, BLOCK=4)
    add[(0,)](x, x, x, 4, BLOCK=4)


@jit
def store_wide(out, n):
    tl.store(out, n.to(tl.int64))


def test_integers_of_each_size_reach_the_kernel():
    out = torch.zeros(1, dtype=torch.int64)
    for number in (-1, -(2**31), 2**31 + 1, -(2**63), 2**63 - 1):
        store_wide[(1,)](out, number)
        assert out.item() == number
    store_wide[(1,)](out, 2**64 - 2)
    assert out.item() == -2


@jit
def shift_by_one(x, out, n, BLOCK: tl.constexpr):
    """Read all before anything is written, however the code is vectorised."""
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, i < n), i < n)


def test_memory_of_two_arguments_that_overlaps():
    for source, target in [(slice(0, 40), slice(1, 41)), (slice(1, 41), slice(0, 40))]:
        x = torch.arange(64.0)
        expected = x.clone()
        expected[target] = x[source]
        shift_by_one[(1,)](x[source], x[target], 40, BLOCK=64)
        torch.testing.assert_close(x, expected)


def test_integers_of_more_than_64_bits_are_refused():
    x = torch.zeros(4)
    with pytest.raises(OverflowError):
        add[(1,)](x, x, x, -(2**63) - 1, BLOCK=4)


def test_read_only_arrays_are_not_written():
    x = np.zeros(4, np.float32)
    x.flags.writeable = False
    out = np.ones(4, np.float32)
    add[(1,)](x, x, out, 4, BLOCK=4)
    assert not out.any()
    with pytest.raises(Exception, match="writable"):
        add[(1,)](out, out, x, 4, BLOCK=4)


def test_heuristics_and_autotune():
    runs: list[int] = []
    tuned = triton.autotune(
        [triton.Config({"BLOCK": b}, num_warps=w) for b in (16, 64) for w in (1, 2, 4)],
        key=["n"],
        pre_hook=lambda meta, reset_only=False: runs.append(meta["BLOCK"]),
    )(add)
    x, out = torch.randn(100), torch.zeros(100)
    tuned[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, x, out, 100)
    torch.testing.assert_close(out, 2 * x)
    assert {16, 64} == set(runs)
    # Each block size is timed once; for two of three numbers of warps it is only looked up.
    assert len({timing[0] for timing in tuned.configs_timings.values()}) <= 2
    by_size = triton.heuristics({"BLOCK": lambda args: triton.next_power_of_2(args["n"])})(add)
    out.zero_()
    by_size[(1,)](x, x, out, 100)
    torch.testing.assert_close(out, 2 * x)


def test_one_code_for_configurations_that_differ_for_gpus_only(monkeypatch: Any):
    stages: Any = import_module("xtriton.interop.cpu_backend.stages")
    emitted: list[object] = []
    emit = stages.emit_kernel
    monkeypatch.setattr(stages, "emit_kernel", lambda *a: emitted.append(a) or emit(*a))
    x, out = torch.randn(24), torch.zeros(24)
    kernels = [add[(1,)](x, x, out, 24, BLOCK=32, num_warps=warps) for warps in (1, 2, 4, 8)]
    torch.testing.assert_close(out, 2 * x)
    assert len(emitted) <= 1
    assert [kernel.metadata.num_warps for kernel in kernels] == [1, 2, 4, 8]
    assert len({kernel.asm["cpuobj"] for kernel in kernels}) == 1
    assert kernels[0].function is kernels[3].function


def test_warmup_compiles_without_running():
    kernel = add.warmup(torch.float32, torch.float32, torch.float32, 64, BLOCK=64, grid=(1,))
    assert "tt.store" in kernel.asm["ttir"]


def test_launch_hooks():
    knobs: Any = import_module("triton.knobs")
    told: list[str] = []
    x = torch.zeros(4)
    enter, leave = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook

    def before(metadata):
        told.append(metadata.get()["name"])

    def after(metadata):
        told.append("end")

    enter.add(before)
    leave.add(after)
    try:
        add[(1,)](x, x, x, 4, BLOCK=4)
    finally:
        enter.remove(before)
        leave.remove(after)
    assert told == ["add", "end"]


def test_eight_threads_agree_with_one():
    x = torch.randn(4096)
    wrong: list[int] = []
    # Compiled once before: `ast.parse`, with which Triton begins, can fail in several threads at a
    # time ("AST constructor recursion depth mismatch", CPython's issue 106905).
    add[(32,)](x, x, torch.empty(4096), 4096, BLOCK=128)

    def work(number: int) -> None:
        out = torch.empty(4096)
        for _ in range(125):
            out.zero_()
            add[(32,)](x, x, out, 4096, BLOCK=128)
            if not torch.equal(out, 2 * x):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_error_of_the_front_end_is_tritons_own():
    @jit
    def wrong(x):
        tl.store(x, undefined_name)  # type: ignore  # noqa: F821

    with pytest.raises(Exception, match="undefined_name"):
        wrong[(1,)](torch.zeros(1))


@jit
def through_fp8e4b15(x, out, back):
    i = tl.arange(0, 16)
    bits = tl.load(x + i).to(tl.float8e4b15)
    tl.store(out + i, bits.to(tl.uint8, bitcast=True))
    tl.store(back + i, bits.to(tl.float32))


def test_fp8e4b15():
    x = torch.tensor(
        [0.0, -0.0, 1, -1, 1.75, 9, -9, 0.5, 0.53125, 1.0625, 2**-17, 2**-16, 1.1, -1.3, 0.1, -0.3]
    )
    out, back = torch.zeros(16, dtype=torch.uint8), torch.zeros(16)
    through_fp8e4b15[(1,)](x, out, back)
    assert out[:7].tolist() == [0, 0x80, 0x78, 0xF8, 0x7E, 0x7E, 0xFE]
    torch.testing.assert_close(back, x.clamp(-1.75, 1.75), rtol=2**-4, atol=2**-18)


@jit
def slow(out, n):
    p = tl.program_id(0)
    value = p.to(tl.int64)
    for i in range(n):
        value = value * 6364136223846793005 + i
    tl.store(out + p, value)


ALONE = "XTRITON_TEST_ALONE"


def test_ctrl_c_ends_a_long_launch_whatever_those_before_took():
    if ALONE not in os.environ:
        this = f"{__file__}::test_ctrl_c_ends_a_long_launch_whatever_those_before_took"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", this]
        done = subprocess.run(command, env=os.environ | {ALONE: "1"}, capture_output=True)
        assert done.returncode == 0, done.stdout.decode()
        return
    out = torch.empty((1000,), dtype=torch.int64)
    for before in (1, 1000):
        slow[(before,)](out, 1)
        slow[(before,)](out, 1)
        out.fill_(-1)
        interrupt = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        interrupt.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            slow[(1000,)](out, 200_000_000)
        interrupt.join()
        assert time.monotonic() - start < 30
        assert (out == -1).any(), "programs that had not begun never did"
    slow[(1000,)](out, 1)
    assert not (out == -1).any()


@jit
def asserts(x, n):
    i = tl.program_id(0) + 10 * tl.program_id(1)
    tl.device_assert(tl.load(x + i) != n, "must not be n")


def test_a_failed_assertion_names_its_program_and_line():
    x = torch.arange(40, dtype=torch.int32)
    with checks():
        asserts[(10, 4)](x, 40)
        with pytest.raises(AssertionError, match=r"must not be n.*program \(3, 2, 0\)") as failure:
            asserts[(10, 4)](x, 23)
    assert f"{__file__}:{asserts.fn.__code__.co_firstlineno + 3}:" in str(failure.value)


def test_a_kernel_can_be_collected_while_the_front_end_runs():
    out = torch.zeros(1, dtype=torch.int64)
    compiled = slow[(1,)](out, 3)
    assert compiled.module is not None
    with stub_driver():
        # Triton unloads by whatever driver is active when a kernel is collected.
        compiled.__del__()
    assert compiled.module is None
    slow.device_caches.clear()


@jit
def sorts(x, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + i, tl.sort(tl.load(x + i)))


@pytest.mark.parametrize("shape", [(1, 8), (2, 16), (1, 128)])
@pytest.mark.parametrize("type", [torch.int32, torch.float16])
def test_sorting(shape: tuple[int, int], type: torch.dtype):
    """Its steps reduce the first of several short axes, where programs of a loop meet."""
    x = torch.randperm(shape[0] * shape[1]).to(type).reshape(shape)
    out = torch.zeros_like(x)
    sorts[(1,)](x, out, *shape)
    assert torch.equal(out, x.sort()[0])


def test_a_wrong_number_of_warps_is_an_error_as_on_a_gpu():
    with pytest.raises(AssertionError, match="must be a power of 2"):
        slow[(1,)](torch.zeros(1, dtype=torch.int64), 1, num_warps=3)


@jit
def rows_times(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        left = tl.load(a + rows[:, None] * k + ks[None, :])
        sums = tl.dot(left, tl.load(b + ks[:, None] * N + columns[None, :]), sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


def test_a_program_that_is_alone_runs_in_bands(monkeypatch: Any):
    """With the same bits, and not where the result lies in what is read."""
    monkeypatch.setattr(splitting, "WORTH_WAKING", 0)
    monkeypatch.setattr(splitting, "PAYS", float("inf"))
    made: list[splitting.Bands] = []
    begin = splitting.Bands.__init__

    def noted(self: splitting.Bands, *given: Any) -> None:
        begin(self, *given)
        made.append(self)

    monkeypatch.setattr(splitting.Bands, "__init__", noted)
    a, b = torch.randn(64, 4096), torch.randn(4096, 64)
    sizes = {"M": 64, "N": 64, "K": 32}
    with limited_threads(2):
        results: list[torch.Tensor] = []
        for _ in range(2 * splitting.LAUNCHES_BEFORE):
            results.append(torch.full((64, 64), float("nan")))
            rows_times[(1,)](a, b, results[-1], 4096, **sizes)
        (bands,) = [own for own in made if own.split.bands == 2]
        assert all(torch.equal(result, results[0]) for result in results)
        # What a row needs of `a` may be what another one has become.
        with watched_launches() as seen:
            rows_times[(1,)](a, b, results[0], 4096, **sizes)
            rows_times[(1,)](a, b, a, 4096, **sizes)
    assert [function is bands.function for function, _ in seen] == [True, False]


def test_what_cannot_be_split_stays_whole(monkeypatch: Any):
    monkeypatch.setattr(splitting, "WORTH_WAKING", 0)
    x, y = torch.randn(1 << 20), torch.empty(1 << 20)
    with limited_threads(2):
        for _ in range(2 * splitting.LAUNCHES_BEFORE):
            sums_of_all[(1,)](x, y, 1 << 20, BLOCK=1024)
    torch.testing.assert_close(y[0], x.sum(), rtol=1e-3, atol=1e-1)


@jit
def sums_of_all(x, y, n, BLOCK: tl.constexpr):
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        sums += tl.load(x + start + tl.arange(0, BLOCK))
    tl.store(y, tl.sum(sums))
