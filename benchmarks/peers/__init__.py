"""Peers side by side: the same passages, the same scripted model, the same questions."""
