"""Exceptions, conditions and provisos."""
