"""Answers from indexed documents only: every claim cited and verified, or refused."""

__version__ = "0.1.0"
