"""Answers and passages that callers bring: read as our own values and checked against each other."""
