"""Citation markers: the one grammar, reading them, and the markup in which they do not count."""
