"""Office files other than DOCX, read with libraries after the package was checked."""
