"""Which launches two kernels are compared on."""
