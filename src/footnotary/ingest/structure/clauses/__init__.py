"""Contracts and financial filings: clauses, articles and schedules; parts, items and notes."""
