"""A second checker that shares no code with the product, and random drafts for it."""
