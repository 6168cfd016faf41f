"""Question sets in our own words, and how the product understands them."""
