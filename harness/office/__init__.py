"""Office files, messages and books made for tests and benchmarks, in words of our own."""
