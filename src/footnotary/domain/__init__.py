"""The nouns: frozen values that flow along the two lines. Standard library only."""
