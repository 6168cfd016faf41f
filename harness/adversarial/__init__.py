"""Claims made false by a word or a figure, as text files."""
