"""
Kernels of the kinds that PyTorch's `MutationTests` have, and ours on which it goes wrong.

Run as a program: prints, as JSON, for each kernel what we say, what PyTorch says and what is
true. With `graphs`, the AOT graphs that `torch.compile` makes with our answers and with its own.
"""

# pyright: basic, reportArgumentType=false

import json
import os
import sys
import types
import unittest

import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget


class Driver:
    """Stands for a GPU: only its name is asked."""

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_benchmarker(self):
        return None


triton.runtime.driver.set_active(Driver())


@triton.jit
def write_at(ptr, offset):
    tl.store(ptr + offset, 1.0)


@triton.jit
def scalar_through_helper(out, n):
    write_at(out, n)


@triton.jit
def optional_input(x, extra, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if extra is not None:
        v += tl.load(extra + i, mask=i < n)
    tl.store(out + i, v, mask=i < n)


@triton.jit
def scalar_between_tensors(x, n, y, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n)
    tl.store(out + i, total, mask=i < n)


@triton.jit
def calls_reordered(x, n, y, out, BLOCK: tl.constexpr):
    scalar_between_tensors(y, n, x, out, BLOCK)


@triton.jit
def row_sums(x, out, sm, sn):
    i = tl.arange(0, 4)
    v = tl.load(x + i[:, None] * sm + i[None, :] * sn)
    tl.store(out + i, tl.sum(v, axis=1))


@triton.jit
def row_argmax(x, out, sm, sn):
    i = tl.arange(0, 4)
    v = tl.load(x + i[:, None] * sm + i[None, :] * sn)
    tl.store(out + i, tl.argmax(v, axis=1))


@triton.jit
def running_sums(x, out, XB: tl.constexpr, RB: tl.constexpr):
    r = tl.arange(0, RB)[None, :]
    v = tl.load(x + r)
    s = tl.cumsum(v, 1)
    tl.device_assert(s <= tl.sum(v, 1))
    tl.store(out + tl.arange(0, XB)[:, None] * RB + r, s)


@triton.jit
def identity(p):
    return p


@triton.jit
def sum_and_pointer(a, b, p):
    return a + b, p


@triton.jit
def returned_pointer(x, y, n, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    p = identity(out)
    tl.store(p + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def returned_pair(x, y, n, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v, p = sum_and_pointer(tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n), out)
    tl.store(p + i, v, mask=i < n)


@triton.jit
def conditions_in_conditions(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if tl.program_id(0) == 0:
        if tl.program_id(1) == 0:
            tl.store(out + i, v, mask=i < n)
    else:
        pass


@triton.jit
def accumulates_in_loops(x, y, out, n: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    s = tl.zeros((BLOCK,), dtype=tl.float32)
    t = tl.zeros((BLOCK,), dtype=tl.float32)
    for _ in range(2):
        for _ in range(2):
            s += a
            t += b
    tl.store(out + i, s + t, mask=i < n)


@triton.jit
def loop_without_effect(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    for k in range(BLOCK):
        k = tl.multiple_of(k, 1)
    tl.store(out + i, v, mask=i < n)


@triton.jit
def leaves_early(x, out, n, BLOCK: tl.constexpr):
    if tl.program_id(0) > 1:
        return
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def dots_in_a_loop(x, w, b, out, C: tl.constexpr, N: tl.constexpr, BN: tl.constexpr):
    m = tl.arange(0, C)
    a = tl.load(x + m[:, None] * C + m[None, :])
    for k in range(tl.cdiv(N, BN)):
        j = k * BN + tl.arange(0, BN)
        t = tl.dot(a, tl.load(w + m[:, None] * N + j[None, :]), input_precision="ieee")
        tl.store(out + m[:, None] * N + j[None, :], t + tl.load(b + j)[None, :])


@triton.jit
def moves_in_a_while(x, out, n, BLOCK: tl.constexpr):
    k = 0
    a = x + tl.arange(0, BLOCK)
    b = out + tl.arange(0, BLOCK)
    while k < n:
        tl.store(b, tl.load(a))
        a += BLOCK
        b += BLOCK
        k += 1


@triton.jit
def branch_yields_three(x, y, out, flag, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    if tl.load(flag):
        a = x + 1
        b = y + 1
        c = out + 1
    else:
        a = x
        b = y
        c = out
    tl.store(c + i, tl.load(a + i, mask=i < n) + tl.load(b + i, mask=i < n), mask=i < n)


@triton.jit
def through_descriptors(x, out, M, N, BLOCK: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BLOCK, BLOCK])
    b = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BLOCK, BLOCK])
    b.store([0, 0], a.load([0, 0]))


# --- where PyTorch alone is wrong -----------------------------------------------------


@triton.jit
def ping_pong(a, b, steps, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = a
    y = b
    for _ in range(steps):
        tl.store(y + i, tl.load(x + i) + 1)
        x, y = y, x


@triton.jit
def chosen_before_return(a, b, n, BLOCK: tl.constexpr):
    x = a
    if n > 3:
        x = b
        if n > 100:
            return
    tl.store(x + tl.arange(0, BLOCK), 1.0)


@triton.jit
def table(tab, BLOCK: tl.constexpr):
    p = tl.load(tab).to(tl.pointer_type(tl.float32))
    tl.store(p + tl.arange(0, BLOCK), 1.0)


@triton.jit
def descriptor_adds(out, n, BLOCK: tl.constexpr):
    d = tl.make_tensor_descriptor(out, [n, n], [n, 1], [BLOCK, BLOCK])
    d.atomic_add([0, 0], tl.full([BLOCK, BLOCK], 1.0, tl.float32))


@triton.jit
def descriptor_scatters(out, n, BLOCK: tl.constexpr):
    d = tl.make_tensor_descriptor(out, [n, n], [n, 1], [1, BLOCK])
    d.scatter(tl.full([BLOCK, BLOCK], 1.0, tl.float32), tl.arange(0, BLOCK), 0)


@triton.autotune([triton.Config({"BOTH": False}), triton.Config({"BOTH": True})], key=[])
@triton.jit
def tuned(a, b, BOTH: tl.constexpr):
    tl.store(a, 1.0)
    if BOTH:
        tl.store(b, 1.0)


def cases():
    """Yield kernel, arguments, and what is truly written."""
    t = torch.randn(4096)
    w = torch.zeros(4, dtype=torch.int64)
    yield scalar_through_helper, dict(out=t, n=4), ["out"]
    yield optional_input, dict(x=t, extra=None, out=t, n=4, BLOCK=4), ["out"]
    yield scalar_between_tensors, dict(x=t, n=4, y=t, out=t, BLOCK=4), ["out"]
    yield calls_reordered, dict(x=t, n=4, y=t, out=t, BLOCK=4), ["out"]
    yield row_sums, dict(x=t, out=t, sm=4, sn=4), ["out"]
    yield row_argmax, dict(x=t, out=t, sm=4, sn=4), ["out"]
    yield running_sums, dict(x=t, out=t, XB=4, RB=16), ["out"]
    yield returned_pointer, dict(x=t, y=t, n=4, out=t, BLOCK=4), ["out"]
    yield returned_pair, dict(x=t, y=t, n=4, out=t, BLOCK=4), ["out"]
    yield conditions_in_conditions, dict(x=t, out=t, n=4, BLOCK=4), ["out"]
    yield accumulates_in_loops, dict(x=t, y=t, out=t, n=4, BLOCK=4), ["out"]
    yield loop_without_effect, dict(x=t, out=t, n=4, BLOCK=4), ["out"]
    yield leaves_early, dict(x=t, out=t, n=4, BLOCK=4), ["out"]
    yield dots_in_a_loop, dict(x=t, w=t, b=t, out=t, C=64, N=64, BN=64), ["out"]
    yield moves_in_a_while, dict(x=t, out=t, n=4, BLOCK=4), ["out"]
    yield branch_yields_three, dict(x=t, y=t, out=t, flag=w, n=4, BLOCK=16), ["out"]
    yield ping_pong, dict(a=t, b=t, steps=3, BLOCK=4), ["a", "b"]
    yield chosen_before_return, dict(a=t, b=t, n=4, BLOCK=4), ["a", "b"]
    if hasattr(tl, "make_tensor_descriptor"):
        yield through_descriptors, dict(x=t, out=t, M=64, N=64, BLOCK=32), ["out"]
        yield descriptor_adds, dict(out=t, n=64, BLOCK=16), ["out"]
        yield descriptor_scatters, dict(out=t, n=64, BLOCK=16), ["out"]
    yield tuned, dict(a=t, b=t), ["a", "b"]


def wheel_cases():
    """Yield the kernels of PyTorch's own tests that its wheel brings along."""
    from torch.testing._internal import triton_utils as u

    t = torch.randn(4)
    column = torch.randn(4, 1)
    big = torch.randn(1024, 1024)
    three = dict(in_ptr0=t, in_ptr1=t, out_ptr=t, n_elements=4, BLOCK_SIZE=4)
    call = dict(in_ptr0=t, out_ptr=t, n_elements=4, BLOCK_SIZE=4)
    yield u.add_kernel, three, ["out_ptr"]
    two = dict(in_ptr0=t, in_ptr1=t, out_ptr=t, x_elements=4, y_elements=4)
    yield u.add_kernel_2d_autotuned, two, ["out_ptr"]
    yield (
        u.indirection_kernel,
        {**call, "ACTIVATION": "mul2_inplace_kernel"},
        ["in_ptr0", "out_ptr"],
    )
    yield u.indirection_kernel, {**call, "ACTIVATION": "add_kernel"}, ["out_ptr"]
    yield u.mul2_inplace_kernel, dict(ptr=t, n_elements=4, BLOCK_SIZE=4), ["ptr"]
    asm = dict(X=t, Y=t, Z=t, n=4, BLOCK=4)
    yield u.inline_asm_kernel_is_pure_true, asm, ["Z"]
    yield u.inline_asm_kernel_is_pure_false, asm, ["Z"]
    yield u.add_kernel_with_import, three, ["out_ptr"]
    yield u.atomic_add_kernel, three, ["out_ptr"]
    yield u.add_4_times_kernel, three, ["out_ptr"]
    yield u.cond_op_kernel, three, ["out_ptr"]
    if tuple(map(int, triton.__version__.split(".")[:2])) < (3, 9):  # which has none
        block = dict(x_ptr=t, y_ptr=t, output_ptr=t, n_elements=4, BLOCK_SIZE=4)
        yield u.add_kernel_with_block_ptr, block, ["output_ptr"]
        flat = dict(x_ptr=column, output_ptr=column, n_elements=4, BLOCK_SIZE=4)
        yield u.kernel_with_block_ptr_2d, flat, ["output_ptr"]
    if hasattr(tl, "make_tensor_descriptor"):
        new = u.add_kernel_on_device_tma_new_api
        written = ["c_ptr"]
    else:
        new = u.add_kernel_on_device_tma_old_api
        written = ["c_ptr", "workspace"]
    room = torch.empty(384, dtype=torch.int8)
    tma = dict(a_ptr=big, b_ptr=big, c_ptr=big, m=1024, n=1024, workspace=room, BLOCK_SIZE=32)
    yield new, tma, written


def name_of(kernel):
    while not hasattr(kernel, "__name__"):
        kernel = kernel.fn
    return kernel.__name__


def answers():
    from torch._higher_order_ops import triton_kernel_wrap as peer

    from xtriton.interop import torch as ours

    found = []
    for source in (cases, wheel_cases):
        for kernel, arguments, truth in source():
            mine = ours.identify_accessed_tensors(kernel, dict(arguments), {})
            its = peer.identify_accessed_tensors(kernel, dict(arguments), {})
            found.append(
                {
                    "name": name_of(kernel),
                    "truth": truth,
                    "ours": [d.name for d in mine.read_writes.writes],
                    "its": [d.name for d in its.read_writes.writes],
                    "reads": [d.name for d in mine.read_writes.reads],
                    "its_reads": [d.name for d in its.read_writes.reads],
                    "result": type(mine).__name__,
                    "mutated": ours.identify_mutated_tensors(kernel, dict(arguments), {}),
                }
            )
    return found


class Stop(Exception):
    """The graph is made; nothing shall run."""


def graph_of(function, arguments):
    from torch._dynamo.backends.common import aot_autograd

    found = []

    def compile_forward(graph, example):
        found.append(graph)
        raise Stop

    torch._dynamo.reset()
    try:
        torch.compile(function, backend=aot_autograd(fw_compiler=compile_forward), fullgraph=True)(
            *arguments
        )
    except Exception as error:
        if not found:
            return [f"{type(error).__name__}: {error}"]
    return [
        sorted(node.kwargs["tensors_to_clone"])
        for node in found[0].graph.nodes
        if "triton_kernel" in str(node.target)
    ]


def graphs():
    from xtriton.interop import torch as ours

    def one(a, b):
        ping_pong[(1,)](a, b, 3, BLOCK=16)
        return a.clone(), b.clone()

    def two(a, b):
        chosen_before_return[(1,)](a, b, 16, BLOCK=16)
        return a.clone(), b.clone()

    def three(a):
        descriptor_adds[(1,)](a, 16, BLOCK=16)
        return a.clone()

    def four(a):
        descriptor_scatters[(1,)](a, 16, BLOCK=16)
        return a.clone()

    def five(t):
        table[(1,)](t, BLOCK=16)
        return t.clone()

    a, b = torch.zeros(256), torch.zeros(256)
    found = {}
    for name, function, arguments in (
        ("ping_pong", one, (a, b)),
        ("chosen_before_return", two, (a, b)),
        ("descriptor_adds", three, (a,)),
        ("descriptor_scatters", four, (a,)),
        ("table", five, (torch.zeros(4, dtype=torch.int64),)),
    ):
        its = graph_of(function, arguments)
        with ours.installed():
            found[name] = {"its": its, "ours": graph_of(function, arguments)}
    return found


def main():
    import torch.utils._triton as utils

    utils.has_triton = lambda: True
    utils.has_triton_package = lambda: True
    if hasattr(tl, "make_tensor_descriptor"):
        utils.has_triton_tensor_descriptor_host_tma = lambda: True
    sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase))
    print(json.dumps(graphs() if "graphs" in sys.argv else answers()))
    sys.stdout.flush()
    os._exit(0)  # libtriton prints a long list of leaks otherwise


if __name__ == "__main__":
    main()
