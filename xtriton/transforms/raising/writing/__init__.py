"""Index expressions written as IR."""
