"""Measures how many drafts that answer another question are refused, and how many right answers."""
