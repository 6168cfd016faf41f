"""Metrics, logs and traces, without content."""
