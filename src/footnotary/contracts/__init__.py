"""The five interfaces the product grew from, kept compatible as thin layers over the engine.

`c3` is the legal contract and its synthesis, `grounding` the compliance service's, `tutor` the textbook tutor's.
"""
