"""Measurements; nothing here is installed."""
