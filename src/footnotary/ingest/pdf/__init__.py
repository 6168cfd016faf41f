"""PDF files: text layer, ruled lines, and pages that need OCR."""
