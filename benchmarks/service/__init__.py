"""What the service takes: load, overload, memory, and what it costs over the library."""
