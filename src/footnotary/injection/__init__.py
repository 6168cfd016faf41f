"""Detection of prompt injection in sentences: exact forms and a linear classifier."""
