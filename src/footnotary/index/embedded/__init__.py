"""The embedded store: derived indexes over the SQLite database, and how it is searched."""
