"""A language model on a server as reader: it says Yes or No, and how likely."""
