"""Measures of the audit log and of evidence bundles."""
