"""Word-level checks of a claim against the sentence it is aligned with."""
