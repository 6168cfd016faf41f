"""Generators: they propose claims from evidence. Verbatim sentences by default, a language model where asked for."""
