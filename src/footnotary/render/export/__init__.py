"""A conversation as a file for people: Markdown, HTML and Word, with real footnotes."""
