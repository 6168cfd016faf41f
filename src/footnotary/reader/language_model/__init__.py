"""A language model on a server as reader: it answers Yes or No with a probability."""
