"""Parsing in child processes with limits."""
