"""Structure recovery: sections, chapters, paragraphs and rows that chunks are made from."""
