"""Whole answers: questions are asked, outcomes recorded, measured, reported and compared."""
