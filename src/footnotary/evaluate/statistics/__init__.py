"""Measures of scores against labels, and bootstrap intervals over groups."""
