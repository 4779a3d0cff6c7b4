"""Softmax of the rows of a matrix, one program per row, as in Triton's second tutorial."""

import triton
import triton.language as tl


@triton.jit
def softmax_kernel(
    output_ptr, input_ptr, input_row_stride, output_row_stride, n_cols, BLOCK_SIZE: tl.constexpr
):
    row = tl.program_id(0)
    col_offsets = tl.arange(0, BLOCK_SIZE)
    mask = col_offsets < n_cols
    input_ptrs = input_ptr + row * input_row_stride + col_offsets
    x = tl.load(input_ptrs, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    denominator = tl.sum(numerator, axis=0)
    output_ptrs = output_ptr + row * output_row_stride + col_offsets
    tl.store(output_ptrs, numerator / denominator, mask=mask)


def softmax(x, output, launch=None):
    """Write the softmax of each row of `x`, [m, n], to `output`, [m, n]."""
    rows, columns = x.shape
    grid = (rows,)
    run = softmax_kernel[grid] if launch is None else launch(softmax_kernel, grid)
    run(
        output,
        x,
        x.stride(0),
        output.stride(0),
        columns,
        BLOCK_SIZE=triton.next_power_of_2(columns),
    )
