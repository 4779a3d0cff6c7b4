"""Kernels that are measured on the CPU and are no examples: a norm of rows, and attention."""

# Kernels are Triton's language, which types do not describe.
# pyright: basic

import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x, weight, bias, out, columns, BLOCK: tl.constexpr):
    """One program normalizes a row."""
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row + offsets, mask, other=0.0)
    mean = tl.sum(values, 0) / columns
    centred = tl.where(mask, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, 0) / columns + 1e-5)
    result = centred * scale * tl.load(weight + offsets, mask) + tl.load(bias + offsets, mask)
    tl.store(out + row + offsets, result, mask)


@triton.jit
def attention_kernel(
    q,
    k,
    v,
    out,
    length,
    scale,
    DEPTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """One program attends for some rows of a head, block by block, as Triton's tutorial does."""
    head = tl.program_id(1).to(tl.int64) * length * DEPTH
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, COLUMNS)
    depth = tl.arange(0, DEPTH)
    queries = tl.load(q + head + rows[:, None] * DEPTH + depth[None, :])
    largest = tl.full([ROWS], -float("inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    result = tl.zeros([ROWS, DEPTH], tl.float32)
    end = tl.program_id(0) * ROWS + ROWS if CAUSAL else length
    for start in range(0, end, COLUMNS):
        at = start + columns
        keys = tl.load(k + head + at[None, :] * DEPTH + depth[:, None])
        scores = tl.dot(queries, keys) * (scale * 1.4426950408889634)
        if CAUSAL:
            scores = tl.where(rows[:, None] >= at[None, :], scores, -float("inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - new[:, None])
        shrunk = tl.exp2(largest - new)
        total = total * shrunk + tl.sum(weights, 1)
        values = tl.load(v + head + at[:, None] * DEPTH + depth[None, :])
        result = result * shrunk[:, None] + tl.dot(weights.to(values.dtype), values)
        largest = new
    result = (result / total[:, None]).to(out.dtype.element_ty)
    tl.store(out + head + rows[:, None] * DEPTH + depth[None, :], result)
