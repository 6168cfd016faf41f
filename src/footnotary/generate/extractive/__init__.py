"""The extractive generator: verbatim sentences, scored, ordered and cited."""
