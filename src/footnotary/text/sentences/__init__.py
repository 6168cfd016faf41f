"""Sentences and paragraphs: splitting, and what a sentence is (a list item, reported speech, a claim)."""
