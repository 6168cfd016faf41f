"""Fakes that satisfy the contracts of the real implementations, and conformance suites that test both."""
