"""A real language model in the loop: what it drafts, what is caught, and what is delivered."""
