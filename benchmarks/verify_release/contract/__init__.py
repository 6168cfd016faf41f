"""Promises about what is delivered."""
