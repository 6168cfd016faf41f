"""How well the words that a refused claim is refused for are those that people marked."""
