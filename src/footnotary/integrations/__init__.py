"""Thin adapters for other frameworks: the engine as one of their components, and checks for their answers; extras."""
