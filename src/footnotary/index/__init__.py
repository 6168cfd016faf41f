"""Storing passages and searching them: one catalog (the source of truth) and two derived indexes.

Start with `embedded_store`; `sqlite_catalog` is the source of truth, `derived` keeps the lexical index and the vector
matrix up to date with it, and `matching` defines when a label matches a filter.
"""
