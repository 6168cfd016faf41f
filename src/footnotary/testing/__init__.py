"""Fakes that keep the contracts of the real things, and the suites that hold both to them."""
