"""The SQLite database that is the source of truth: catalog, changes, history, checksums, backups."""
