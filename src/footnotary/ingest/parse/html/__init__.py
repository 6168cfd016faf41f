"""The HTML parser."""
