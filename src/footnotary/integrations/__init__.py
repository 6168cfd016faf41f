"""Thin parts for other frameworks: the engine as one of theirs, and its checks behind theirs. Each is an extra."""
