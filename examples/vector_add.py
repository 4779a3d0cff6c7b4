"""Vector addition, as in Triton's first tutorial."""

import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(output_ptr + offsets, x + y, mask=mask)


def add(x, y, output, BLOCK_SIZE=1024, launch=None):
    """Add `x` and `y`, both [n], into `output`, [n]; `launch` is Triton's own unless given."""
    n = output.numel()
    grid = (triton.cdiv(n, BLOCK_SIZE),)
    run = add_kernel[grid] if launch is None else launch(add_kernel, grid)
    run(x, y, output, n, BLOCK_SIZE=BLOCK_SIZE)
