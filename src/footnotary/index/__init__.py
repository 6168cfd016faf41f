"""Storing passages and searching them: one catalog (the source of truth) and two derived indexes.

Start with `embedded.store`; `sqlite.catalog` is the source of truth, `embedded.derived_indexes` keeps the lexical index
and the vector matrix up to date with it, and `label_matching` defines when a label matches a filter.
"""
