"""Question sets: read from files of known formats, or generated from a corpus."""
