"""Retrieval of evidence: hybrid lexical and dense search, exact references first, deterministic."""
