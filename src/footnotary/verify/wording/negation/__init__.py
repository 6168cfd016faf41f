"""Negation."""
