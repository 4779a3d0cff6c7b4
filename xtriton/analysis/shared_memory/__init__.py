"""How much shared memory a kernel needs, where and for what."""
