"""Exact checks: numbers, dates, provisions, quotations, table cells."""
