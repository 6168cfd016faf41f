"""From words on pages to reading order, tables, paragraphs and one text."""
