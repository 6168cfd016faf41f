"""The five interfaces the product grew from, kept as they were written, thin over the engine.

`c3` is the legal contract and its synthesis, `grounding` the compliance service's, `tutor` the textbook tutor's.
"""
