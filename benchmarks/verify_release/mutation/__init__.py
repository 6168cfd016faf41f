"""Mutation testing: seeded bugs that the tests must find."""
