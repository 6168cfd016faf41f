"""Verdicts on labelled claims: scored, measured and reported."""
