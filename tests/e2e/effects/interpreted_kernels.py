"""
Kernels in Triton, run by Triton's own interpreter while what they touch is written down.

With `TRITON_INTERPRET=1` as a program: prints, as JSON, the byte offsets that each kernel reads
and writes, by argument. Otherwise `analysed` gives the records of the same kernels.
"""

# pyright: basic, reportArgumentType=false

import json
import random
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def strided(x, out, n, s, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i * s, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def in_place(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(x + i, v + 1, mask=i < n)


@triton.jit
def ping_pong(a, b, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = a
    y = b
    for _ in range(n):
        tl.store(y + i, tl.load(x + i) + 1)
        x, y = y, x


@triton.jit
def rotates(a, b, c, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = a
    y = b
    z = c
    for _ in range(n):
        tl.store(z + i, tl.load(x + i))
        x, y, z = y, z, x


@triton.jit
def chooses(a, b, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p = a
    if n > 4:
        p = b
    tl.store(p + i, 1.0)


@triton.jit
def first_program_only(a, b, n, B: tl.constexpr):
    i = tl.arange(0, B)
    if tl.program_id(0) == 0:
        tl.store(a + i, 1.0)
    else:
        tl.store(b + i, 1.0)


@triton.jit
def walks(x, out, n, B: tl.constexpr):
    p = x + tl.arange(0, B)
    q = out + tl.arange(0, B)
    k = 0
    while k < n:
        tl.store(q, tl.load(p))
        p += B
        q += B
        k += 1


@triton.jit
def swapped(a, b):
    return b, a


@triton.jit
def calls(a, b, n, B: tl.constexpr):
    i = tl.arange(0, B)
    p, q = swapped(a, b)
    tl.store(p + i, tl.load(q + i))


@triton.jit
def counts(x, bins, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.atomic_add(bins + i % 4, v, mask=i < n)


@triton.jit
def sums_rows(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(out + row, tl.sum(v))


@triton.jit
def gathers(x, index, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    k = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + i, tl.load(x + k, mask=i < n), mask=i < n)


@triton.jit
def scatters(x, index, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    k = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + k, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def transposes(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = (i[:, None] < n) & (i[None, :] < n)
    v = tl.load(x + i[:, None] * n + i[None, :], mask=m)
    tl.store(out + i[None, :] * n + i[:, None], v, mask=m)


@triton.jit
def wraps(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i % n))


@triton.jit
def through_a_table(tab, n, B: tl.constexpr):
    p = tl.load(tab + 1).to(tl.pointer_type(tl.float32))
    tl.store(p + tl.arange(0, B), 1.0)


@triton.jit
def nothing_written(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.load(x + i), mask=i < 0)


F, INTS, PTR, N, S = "*fp32", "*i32", "*i64", "i32", "i32"
KERNELS = {
    copy: dict(x=F, out=F, n=N),
    strided: dict(x=F, out=F, n=N, s=S),
    in_place: dict(x=F, n=N),
    ping_pong: dict(a=F, b=F, n=N),
    rotates: dict(a=F, b=F, c=F, n=N),
    chooses: dict(a=F, b=F, n=N),
    first_program_only: dict(a=F, b=F, n=N),
    walks: dict(x=F, out=F, n=N),
    calls: dict(a=F, b=F, n=N),
    counts: dict(x=F, bins=F, n=N),
    sums_rows: dict(x=F, out=F, n=N),
    gathers: dict(x=F, index=INTS, out=F, n=N),
    scatters: dict(x=F, index=INTS, out=F, n=N),
    transposes: dict(x=F, out=F, n=N),
    wraps: dict(x=F, out=F, n=N),
    through_a_table: dict(tab=PTR, n=N),
    nothing_written: dict(x=F, out=F, n=N),
}
B = 8
SIZE = 1024
LAUNCHES = 4


def launches(types):
    """Yield grids and scalars, the same in every process."""
    draw = random.Random(7)
    for _ in range(LAUNCHES):
        scalars = {k: draw.randint(1, B) for k, t in types.items() if not t.startswith("*")}
        yield draw.randint(1, 4), scalars


def analysed():
    """Return the record of each kernel, by name."""
    from xtriton import effects

    return {
        k.fn.__name__: effects.analyze(k, signature=types, constexprs={"B": B})
        for k, types in KERNELS.items()
    }


class Watch:
    """Notes the addresses that Triton's interpreter loads from and stores to."""

    def __init__(self):
        import triton.runtime.interpreter as interpreter

        self.tensors = {}
        self.seen = {}
        backend = interpreter._interpreter
        watch = self

        class Watched:
            def __getattr__(self, name):
                function = getattr(backend, name)
                rule = {
                    "load": ("r", 0, 1),
                    "store": ("w", 0, 2),
                    "atomic_rmw": ("rw", 1, 3),
                    "atomic_cas": ("rw", 0, None),
                }.get(name)
                if rule is None:
                    return function

                def watched(*arguments):
                    kinds, pointer, mask = rule
                    watch.note(kinds, arguments[pointer], mask and arguments[mask])
                    return function(*arguments)

                return watched

        interpreter._interpreter = Watched()

    def note(self, kinds, addresses, mask):
        import numpy as np

        addresses = np.asarray(addresses)
        mask = np.ones(addresses.shape, bool) if mask is None else np.asarray(mask, bool)
        for address in addresses[np.broadcast_to(mask, addresses.shape)].reshape(-1).tolist():
            for name, tensor in self.tensors.items():
                offset = address - tensor.data_ptr()
                if 0 <= offset < tensor.numel() * tensor.element_size():
                    for kind in kinds:
                        self.seen.setdefault(f"{kind} {name}", set()).add(offset)


def main():
    watch = Watch()
    dtypes = {F: torch.float32, INTS: torch.int32, PTR: torch.int64}
    found = {}
    for kernel, types in KERNELS.items():
        runs = []
        for grid, scalars in launches(types):
            target = torch.zeros(SIZE)
            tensors = {
                k: torch.zeros(SIZE, dtype=dtypes[t]) for k, t in types.items() if t in dtypes
            }
            for name, tensor in tensors.items():
                if name == "index":
                    tensor.copy_(torch.randperm(SIZE).to(torch.int32))
                if name == "tab":
                    tensor.fill_(target.data_ptr())
            watch.tensors = {**tensors, "*": target}
            watch.seen = {}
            kernel[(grid,)](**tensors, **scalars, B=B)
            runs.append({k: sorted(v) for k, v in watch.seen.items()})
        found[kernel.fn.__name__] = runs
    print(json.dumps(found))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
