"""Provisions, and the acts they belong to."""
