"""What a kernel computes and touches: analyses that change nothing."""
