"""Promises about the HTTP service."""
