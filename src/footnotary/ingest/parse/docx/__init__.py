"""The DOCX parser."""
