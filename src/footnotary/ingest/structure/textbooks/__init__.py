"""Textbooks."""
