"""Ingest jobs: the durable queue, its records and its runner."""
