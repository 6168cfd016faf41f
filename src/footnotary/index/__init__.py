"""Keeping passages and finding them again: a store with one truth and two derived indexes.

`embedded_store` is where to start; `sqlite_catalog` is the truth, `derived` says how the lexicon and the matrix follow
it, and `matching` when a label answers to a filter.
"""
