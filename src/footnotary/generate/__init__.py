"""Generators: they draft claims from evidence. Verbatim sentences by default, a language model if configured."""
