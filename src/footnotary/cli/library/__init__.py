"""The commands on documents and profiles."""
