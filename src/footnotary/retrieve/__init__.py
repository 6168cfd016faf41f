"""Finds evidence: words and meaning together, exact references first, the same result every time."""
