"""Kernels that are measured on the CPU and are no examples: the layers of models."""

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


@triton.jit
def attention_backward_kernel(
    q,
    k,
    v,
    out_grad,
    log_sums,
    deltas,
    q_grad,
    k_grad,
    v_grad,
    length,
    scale,
    DEPTH: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """
    One program takes some keys of a head past all queries, and then as many queries past all keys.

    `log_sums` are of the rows' scores, to base e, and `deltas` those of `out * out_grad`.
    """
    head = tl.program_id(1).to(tl.int64) * length
    own = head + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    lanes = tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    mine = own[:, None] * DEPTH + depth[None, :]
    keys, values = tl.load(k + mine), tl.load(v + mine)
    keys_grad = tl.zeros([BLOCK, DEPTH], tl.float32)
    values_grad = tl.zeros([BLOCK, DEPTH], tl.float32)
    for start in range(0, length, BLOCK):
        rows = head + start + lanes
        queries = tl.load(q + rows[:, None] * DEPTH + depth[None, :])
        grads = tl.load(out_grad + rows[:, None] * DEPTH + depth[None, :])
        scores = tl.dot(keys, queries.trans()) * scale
        weights = tl.exp(scores - tl.load(log_sums + rows)[None, :])
        values_grad += tl.dot(weights, grads)
        inner = tl.dot(values, grads.trans()) - tl.load(deltas + rows)[None, :]
        keys_grad += tl.dot(weights * inner, queries)
    tl.store(v_grad + mine, values_grad)
    tl.store(k_grad + mine, keys_grad * scale)
    queries, grads = tl.load(q + mine), tl.load(out_grad + mine)
    sums, delta = tl.load(log_sums + own), tl.load(deltas + own)
    queries_grad = tl.zeros([BLOCK, DEPTH], tl.float32)
    for start in range(0, length, BLOCK):
        columns = (head + start + lanes)[:, None] * DEPTH + depth[None, :]
        keys, values = tl.load(k + columns), tl.load(v + columns)
        weights = tl.exp(tl.dot(queries, keys.trans()) * scale - sums[:, None])
        inner = tl.dot(grads, values.trans()) - delta[:, None]
        queries_grad += tl.dot(weights * inner, keys)
    tl.store(q_grad + mine, queries_grad * scale)


@triton.jit
def attention_backward_at_once_kernel(
    q,
    k,
    v,
    out_grad,
    log_sums,
    deltas,
    q_grad,
    k_grad,
    v_grad,
    length,
    scale,
    DEPTH: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """
    One program takes the keys of a head past all queries, whose gradients it adds up in memory.

    No product is made twice, as in Triton's tutorial before there were two passes.
    """
    head = tl.program_id(0).to(tl.int64) * length
    lanes = tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    for first in range(0, length, BLOCK):
        mine = (head + first + lanes)[:, None] * DEPTH + depth[None, :]
        keys, values = tl.load(k + mine), tl.load(v + mine)
        keys_grad = tl.zeros([BLOCK, DEPTH], tl.float32)
        values_grad = tl.zeros([BLOCK, DEPTH], tl.float32)
        for start in range(0, length, BLOCK):
            rows = head + start + lanes
            at = rows[:, None] * DEPTH + depth[None, :]
            queries, grads = tl.load(q + at), tl.load(out_grad + at)
            scores = tl.dot(keys, queries.trans()) * scale
            weights = tl.exp(scores - tl.load(log_sums + rows)[None, :])
            values_grad += tl.dot(weights, grads)
            inner = tl.dot(values, grads.trans()) - tl.load(deltas + rows)[None, :]
            inner = weights * inner * scale
            keys_grad += tl.dot(inner, queries)
            before = tl.load(q_grad + at, mask=first > 0, other=0.0)
            tl.store(q_grad + at, before + tl.dot(inner.trans(), keys))
        tl.store(v_grad + mine, values_grad)
        tl.store(k_grad + mine, keys_grad)


@triton.jit
def rms_norm_kernel(x, weight, out, columns, BLOCK: tl.constexpr):
    """One program normalizes a row."""
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row + offsets, mask, other=0.0)
    scale = tl.rsqrt(tl.sum(values * values, 0) / columns + 1e-6)
    tl.store(out + row + offsets, values * scale * tl.load(weight + offsets, mask), mask)


@triton.jit
def cross_entropy_kernel(logits, targets, losses, classes, BLOCK: tl.constexpr):
    """One program reads a row block by block, with the maximum and the sum of what it has seen."""
    row = tl.program_id(0)
    first = row.to(tl.int64) * classes
    largest, total = -float("inf"), 0.0
    for start in range(0, classes, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        values = tl.load(logits + first + offsets, offsets < classes, other=-float("inf"))
        new = tl.maximum(largest, tl.max(values, 0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(values - new), 0)
        largest = new
    target = tl.load(logits + first + tl.load(targets + row))
    tl.store(losses + row, tl.log(total) + largest - target)


@triton.jit
def gelu_kernel(x, out, size, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    values = tl.load(x + offsets, mask)
    result = 0.5 * values * (1.0 + tl.erf(values * 0.7071067811865476))
    tl.store(out + offsets, result, mask)


@triton.jit
def rotary_kernel(x, cosines, sines, out, heads, HALF: tl.constexpr):
    """One program turns the halves of all heads of a token, as rotary embeddings do."""
    token = tl.program_id(0)
    lanes = tl.arange(0, HALF)
    cosine = tl.load(cosines + token * HALF + lanes)
    sine = tl.load(sines + token * HALF + lanes)
    for head in range(heads):
        at = (token * heads + head) * 2 * HALF + lanes
        left, right = tl.load(x + at), tl.load(x + at + HALF)
        tl.store(out + at, left * cosine - right * sine)
        tl.store(out + at + HALF, right * cosine + left * sine)


@triton.jit
def embedding_kernel(indices, table, out, columns, BLOCK: tl.constexpr):
    """One program copies a row of the table."""
    row = tl.program_id(0)
    first = tl.load(indices + row) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    tl.store(out + row * columns + offsets, tl.load(table + first + offsets, mask), mask)


@triton.jit
def cumsum_kernel(x, out, columns, BLOCK: tl.constexpr):
    """One program adds up a row from its start."""
    at = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < columns
    tl.store(out + at, tl.cumsum(tl.load(x + at, mask, other=0.0), 0), mask)


@triton.jit
def recurrence_kernel(decay, inputs, out, steps, channels, BLOCK: tl.constexpr):
    """One program walks through the time of some channels, as in Mamba: h = decay * h + input."""
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = lanes < channels
    state = tl.zeros([BLOCK], tl.float32)
    for step in range(steps):
        at = step * channels + lanes
        state = tl.load(decay + at, mask) * state + tl.load(inputs + at, mask)
        tl.store(out + at, state, mask)


@triton.jit
def sort_kernel(x, out, COLUMNS: tl.constexpr):
    """One program sorts a row."""
    at = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def top_k_kernel(x, out, COLUMNS: tl.constexpr, K: tl.constexpr):
    """One program finds the largest of a row."""
    row = tl.program_id(0)
    values = tl.load(x + row * COLUMNS + tl.arange(0, COLUMNS))
    tl.store(out + row * K + tl.arange(0, K), tl.topk(values, K))


@triton.jit
def linear_kernel(
    a, b, bias, residual, scales, c, m, n, k,
    EPILOGUE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """
    Multiply [m, k] by [k, n], of which there are as many as the grid's second size says.

    With `EPILOGUE` the result is gelu(product + bias) + residual. With `scales` the elements of
    `b` are integers to be scaled by column.
    """
    batch = tl.program_id(1).to(tl.int64)
    columns = tl.cdiv(n, BLOCK_N)
    rows = tl.program_id(0) // columns * BLOCK_M + tl.arange(0, BLOCK_M)
    lanes = tl.program_id(0) % columns * BLOCK_N + tl.arange(0, BLOCK_N)
    steps = tl.arange(0, BLOCK_K)
    a_at = a + batch * m * k + rows[:, None] * k + steps[None, :]
    b_at = b + batch * k * n + steps[:, None] * n + lanes[None, :]
    sums = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for _ in range(0, k, BLOCK_K):
        right = tl.load(b_at).to(tl.float32)
        sums = tl.dot(tl.load(a_at), right, sums)
        a_at += BLOCK_K
        b_at += BLOCK_K * n
    if scales is not None:
        sums = sums * tl.load(scales + lanes)[None, :]
    at = batch * m * n + rows[:, None] * n + lanes[None, :]
    if EPILOGUE:
        sums += tl.load(bias + lanes)[None, :]
        sums = 0.5 * sums * (1.0 + tl.erf(sums * 0.7071067811865476)) + tl.load(residual + at)
    tl.store(c + at, sums)


@triton.jit
def grouped_kernel(
    tokens, experts, firsts, out, owners, n, k,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """
    Multiply each group of tokens by the matrix of its expert.

    `owners` is the expert of each block of rows and `firsts` where that block begins.
    """
    expert = tl.load(owners + tl.program_id(0)).to(tl.int64)
    rows = tl.load(firsts + tl.program_id(0)) + tl.arange(0, BLOCK_M)
    lanes = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    steps = tl.arange(0, BLOCK_K)
    sums = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, k, BLOCK_K):
        left = tl.load(tokens + rows[:, None] * k + start + steps[None, :])
        at = experts + expert * k * n + (start + steps)[:, None] * n + lanes[None, :]
        sums = tl.dot(left, tl.load(at), sums)
    tl.store(out + rows[:, None] * n + lanes[None, :], sums)


@triton.jit
def convolution_kernel(
    x, weight, out, height, width,
    IN: tl.constexpr, OUT: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """
    Convolve an image [height, width, IN] with a weight [SIZE, SIZE, IN, OUT], zeros around it.

    One program computes some pixels, as a sum of products for each place of the window.
    """
    pixels = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row, column = pixels // width, pixels % width
    ins, outs = tl.arange(0, IN), tl.arange(0, OUT)
    sums = tl.zeros([BLOCK, OUT], tl.float32)
    for place in range(SIZE * SIZE):
        down = place // SIZE
        y = row + down - SIZE // 2
        z = column + place - down * SIZE - SIZE // 2
        inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
        left = tl.load(x + (y * width + z)[:, None] * IN + ins[None, :], inside[:, None], other=0.0)
        right = tl.load(weight + place * IN * OUT + ins[:, None] * OUT + outs[None, :])
        sums = tl.dot(left, right, sums)
    inside = pixels < height * width
    tl.store(out + pixels[:, None] * OUT + outs[None, :], sums, inside[:, None])
