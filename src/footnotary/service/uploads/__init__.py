"""Files that arrive over HTTP, written to disk as they come."""
