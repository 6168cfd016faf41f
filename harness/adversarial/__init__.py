"""Claims made false by one word or number, as text files."""
