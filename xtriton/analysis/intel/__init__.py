"""What the passes for Intel's GPUs ask: DPAS, block pointers, conditions of 2D block IO."""
